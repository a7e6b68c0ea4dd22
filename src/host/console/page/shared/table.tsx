// A table whose rows stack on a phone, each cell under its name.
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  /** Buttons: on a phone they have a line of their own. */
  readonly isActions?: boolean
  /** On a phone it has a line of its own. */
  readonly isWide?: boolean
  readonly of: (row: Row) => ComponentChildren
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** What is said where there is no row. */
  readonly none: string
}

export function Table<Row>({ columns, rows, keyOf, none }: Props<Row>) {
  if (rows.length === 0) return <p class="nothing">{none}</p>
  return (
    <div class="scroll">
      <table class="stacking">
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
                <td
                  key={column.name}
                  class={classOf(column)}
                  data-label={at === 0 || column.isActions === true ? undefined : column.name}
                >
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

function classOf({ isNumber, isActions, isWide }: Omit<Column<never>, 'of'>): string {
  if (isNumber === true) return 'number'
  if (isActions === true) return 'actions'
  return isWide === true ? 'wide' : ''
}
