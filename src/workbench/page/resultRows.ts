// The rows of the list: which are shown, and in which order.
import type { ListedResult } from '../contents.ts'

export type SortedBy = 'strategy' | 'kind' | 'from' | 'outcome' | 'totalReturn' | 'maxDrawdown' | 'at'

export interface Order {
  readonly by: SortedBy
  readonly isRising: boolean
}

export const KIND_NAMES: Readonly<Record<ListedResult['kind'], string>> = {
  backtest: 'Backtest',
  live: 'Live run',
  sweep: 'Sweep',
  search: 'Search',
  'walk-forward': 'Walk-forward',
  evaluate: 'Odds',
  compare: 'Comparison',
  study: 'Study',
  page: 'Page',
  damaged: 'Not readable',
}

/** Every word has to stand somewhere in the row. */
export function filtered(rows: readonly ListedResult[], text: string, kind: string): ListedResult[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return rows.filter((row) => {
    if (kind !== '' && row.kind !== kind) return false
    const said = [
      row.strategy,
      row.place,
      row.note,
      row.outcome,
      row.command,
      KIND_NAMES[row.kind],
      ...row.markets,
    ]
    const all = said.join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** What has no value comes last, whichever way. */
export function sorted(rows: readonly ListedResult[], { by, isRising }: Order): ListedResult[] {
  const sign = isRising ? 1 : -1
  return [...rows].sort((one, other) => {
    const [a, b] = [one[by], other[by]]
    if (a === b) return other.at - one.at
    if (a === null) return 1
    if (b === null) return -1
    return a < b ? -sign : sign
  })
}

export function percent(share: number | null, isSigned = false): string {
  if (share === null) return '–'
  const text = `${(Math.abs(share) * 100).toFixed(2)}%`
  if (share < 0) return `−${text}`
  return isSigned && share > 0 ? `+${text}` : text
}

export function dayOf(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 10)
}

/** In the reader's own time: when they made it. */
export function momentOf(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
