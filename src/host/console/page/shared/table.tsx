// A table whose rows stack where there is no room for them, each cell under its name.
import type { ComponentChildren } from 'preact'
import { ROOM_FOR_FEW, ROOM_FOR_MANY, useStacked } from './useStacked.ts'

export interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  /** Buttons: stacked they have a line of their own. */
  readonly isActions?: boolean
  /** Stacked it has a line of its own. */
  readonly isWide?: boolean
  /** Stacked it is told by its name although it is the first: a number alone says nothing. */
  readonly isNamed?: boolean
  readonly of: (row: Row) => ComponentChildren
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** What is said where there is no row. */
  readonly none: string
}

/** Columns that have room beside each other in all but the window of a phone. */
const FEW = 5

export function Table<Row>({ columns, rows, keyOf, none }: Props<Row>) {
  const isStacked = useStacked(needsRoom(columns) ? ROOM_FOR_MANY : ROOM_FOR_FEW)
  if (rows.length === 0) return <p class="nothing">{none}</p>
  return (
    <div class="scroll">
      <table class={isStacked ? 'stacked' : ''}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isActions }) => (
              <th key={name} scope="col" class={isNumber === true || isActions === true ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ of, ...column }, at) => (
                <td key={column.name} class={classOf(column)} data-label={labelOf(column, at)}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function needsRoom(columns: readonly Omit<Column<never>, 'of'>[]): boolean {
  return columns.length > FEW || columns.some(({ isWide }) => isWide === true)
}

/** What stands before it where rows are stacked. */
function labelOf({ name, isActions, isNamed }: Omit<Column<never>, 'of'>, at: number): string | undefined {
  return isActions === true || (at === 0 && isNamed !== true) ? undefined : name
}

function classOf({ isNumber, isActions, isWide }: Omit<Column<never>, 'of'>): string {
  if (isNumber === true) return 'number'
  if (isActions === true) return 'actions'
  return isWide === true ? 'wide' : ''
}
