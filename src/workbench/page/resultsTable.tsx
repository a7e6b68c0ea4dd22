// The list as a table that is sorted by its heads; rows stack where there is no room.
import { ROOM_FOR_MANY, useStacked } from '../../host/console/page/shared/useStacked.ts'
import type { ListedResult } from '../contents.ts'
import type { RunForm } from '../runForm.ts'
import { CopyButton } from './copyButton.tsx'
import { PageLink } from './pageLink.tsx'
import { dayOf, KIND_NAMES, momentOf, type Order, percent, type SortedBy } from './resultRows.ts'

interface Props {
  readonly rows: readonly ListedResult[]
  readonly order: Order
  readonly onOrder: (order: Order) => void
  /** Places of runs. */
  readonly chosen: readonly string[]
  readonly onChoose: (place: string, isChosen: boolean) => void
  readonly onGoOn: (form: RunForm) => void
}

const HEADS: readonly (readonly [by: SortedBy, name: string, isNumber: boolean])[] = [
  ['strategy', 'Result', false],
  ['kind', 'Kind', false],
  ['from', 'Period', false],
  ['outcome', 'Verdict', false],
  ['totalReturn', 'Return', true],
  ['maxDrawdown', 'Drawdown', true],
  ['at', 'Saved', true],
]

export function ResultsTable({ rows, order, onOrder, chosen, onChoose, onGoOn }: Props) {
  const isStacked = useStacked(ROOM_FOR_MANY)
  if (rows.length === 0) return <p class="nothing">Nothing fits the filter.</p>
  return (
    <div class="scroll">
      <table class={isStacked ? 'results stacked' : 'results'}>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Chosen to compare</span>
            </th>
            {HEADS.map(([by, name, isNumber]) => (
              <th key={by} scope="col" class={isNumber ? 'number' : ''} aria-sort={sortOf(by, order)}>
                <button type="button" class="link" onClick={() => onOrder(turned(by, order))}>
                  {name}
                  <span aria-hidden="true">{order.by === by ? (order.isRising ? ' ↑' : ' ↓') : ''}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={`${row.kind} ${row.place}`}
              row={row}
              isChosen={chosen.includes(row.place)}
              onChoose={(isChosen) => onChoose(row.place, isChosen)}
              onGoOn={onGoOn}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sortOf(by: SortedBy, order: Order): 'ascending' | 'descending' | 'none' {
  if (order.by !== by) return 'none'
  return order.isRising ? 'ascending' : 'descending'
}

/** Words rise first, numbers and times fall first. */
function turned(by: SortedBy, order: Order): Order {
  const isWord = by === 'strategy' || by === 'kind' || by === 'outcome'
  return { by, isRising: order.by === by ? !order.isRising : isWord }
}

interface RowProps {
  readonly row: ListedResult
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
  readonly onGoOn: (form: RunForm) => void
}

function Row({ row, isChosen, onChoose, onGoOn }: RowProps) {
  const { place, strategy, markets, from, to, outcome, totalReturn, maxDrawdown, note, at, url, command } =
    row
  const name = strategy === '' ? place : strategy
  const goOn = row.journal?.goOn ?? null
  const below = [place, markets.join(', '), note].filter((words) => words !== '' && words !== name)
  return (
    <tr>
      <td class="chosen" data-label={row.isComparable ? 'Compare' : undefined}>
        {row.isComparable && (
          <input
            type="checkbox"
            aria-label={`Compare ${place}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
      </td>
      <td class="named">
        {url === null ? <b>{name}</b> : <PageLink url={url}>{name}</PageLink>}
        <small>{below.join(' · ')}</small>
        {goOn !== null && (
          <button type="button" class="go-on" onClick={() => onGoOn(goOn)}>
            Go on<span class="unseen"> with {place}</span>
          </button>
        )}
        {command !== null && (
          <details>
            <summary>Command</summary>
            <div class="typed">
              <code>{command}</code>
              <CopyButton text={command} />
            </div>
          </details>
        )}
      </td>
      <td data-label="Kind">
        <span class="kind">{KIND_NAMES[row.kind]}</span>
      </td>
      <td data-label="Period" class="wide">
        {from === null ? '–' : dayOf(from)}
        {to !== null && <small>to {dayOf(to)}</small>}
      </td>
      <td data-label="Verdict" class={`verdict ${outcome ?? ''}`}>
        {outcome ?? '–'}
      </td>
      <td
        data-label="Return"
        class={`number ${totalReturn === null || totalReturn === 0 ? '' : totalReturn > 0 ? 'gain' : 'loss'}`}
      >
        {percent(totalReturn, true)}
      </td>
      <td data-label="Drawdown" class="number">
        {percent(maxDrawdown)}
      </td>
      <td data-label="Saved" class="number">
        {momentOf(at)}
      </td>
    </tr>
  )
}
