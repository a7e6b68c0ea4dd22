/** A trader's own trades, from the table that a platform exports. */
import { parse } from 'csv-parse/sync'
import { FeedError } from '../feed/feedError.ts'

/** One closed trade. Amounts are quote currency, costs included; times are epoch ms. */
export interface OwnTrade {
  /** Null where the table does not say it. */
  readonly openedAt: number | null
  /** Epoch ms. */
  readonly closedAt: number
  /** Quote currency, costs included. */
  readonly pnl: number
  /** The deepest loss while it was open, 0 or less; null where the table does not say it. */
  readonly worst: number | null
}

/** Names of columns, in the order in which they are looked for; letters only, without case. */
const COLUMNS = {
  closedAt: [
    'closedat',
    'closetime',
    'closingtime',
    'exittime',
    'exitdate',
    'closedate',
    'closed',
    'dateutc',
    'datetime',
    'time',
    'date',
  ],
  openedAt: ['openedat', 'opentime', 'openingtime', 'entrytime', 'entrydate', 'opendate', 'opened'],
  net: ['pnl', 'netpnl', 'netprofit', 'realizedpnl', 'closedpnl', 'profitloss', 'pl', 'netpl'],
  gross: ['profit', 'grossprofit', 'grosspnl', 'profitusd', 'profitusdt', 'realizedprofit'],
  worst: ['mae', 'maxadverseexcursion', 'drawdown', 'maxdrawdown'],
} as const
/** What a gross profit leaves out; platforms write them as what the account was changed by. */
const COSTS = ['commission', 'swap', 'fee', 'fees', 'taxes']

/**
 * Reads a table with a header, separated by commas, semicolons or tabs. The time of closing and a profit are required.
 *
 * ```ts
 * const trades = readTradeList('closed,profit\n2026-01-05T12:00:00Z,12.5\n2026-01-05T13:00:00Z,-8\n', 'my trades')
 * trades.map(({ pnl }) => pnl).join() // → 12.5,-8
 * ```
 *
 * @returns in the order of closing.
 * @throws FeedError naming the column that is missing, or the line that cannot be read.
 */
export function readTradeList(text: string, shown: string): OwnTrade[] {
  const delimiter = [',', ';', '\t'].reduce((best, other) =>
    headOf(text).split(other).length > headOf(text).split(best).length ? other : best,
  )
  const [head = [], ...rows]: string[][] = parse(text, {
    delimiter,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    trim: true,
  })
  const names = head.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const find = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((at) => at >= 0)
  const [closed, opened, net, gross, worst] = [
    find(COLUMNS.closedAt),
    find(COLUMNS.openedAt),
    find(COLUMNS.net),
    find(COLUMNS.gross),
    find(COLUMNS.worst),
  ]
  const profit = net ?? gross
  if (closed === undefined || profit === undefined)
    throw new FeedError(
      shown,
      1,
      `no column for ${closed === undefined ? 'the time of closing (closeTime, exitTime, date)' : 'the profit (pnl, profit)'} among ${head.join(', ')}`,
    )
  const costs = net === undefined ? names.flatMap((name, at) => (COSTS.includes(name) ? [at] : [])) : []
  const trades = rows.map((cells, index) => {
    const amount = (at: number) => amountOf(cells[at] ?? '', shown, index + 2)
    return {
      openedAt: opened === undefined ? null : timeOf(cells[opened] ?? '', shown, index + 2),
      closedAt: timeOf(cells[closed] ?? '', shown, index + 2),
      pnl: costs.reduce((sum, at) => sum + ((cells[at] ?? '') === '' ? 0 : amount(at)), amount(profit)),
      worst: worst === undefined || (cells[worst] ?? '') === '' ? null : -Math.abs(amount(worst)),
    }
  })
  if (trades.length === 0) throw new FeedError(shown, null, 'the table has no trade')
  return trades.sort((a, b) => a.closedAt - b.closedAt)
}

function headOf(text: string): string {
  return text.slice(0, text.indexOf('\n'))
}

/** "−1 234.50 USD", "(20.00)", "1,234.5" */
function amountOf(cell: string, shown: string, line: number): number {
  const isNegative = /^\(.*\)$/.test(cell)
  const plain = cell.replace(/[−–]/g, '-').replace(/[\s'()$€£%]|,(?=\d{3}\b)|[A-Z]{3,4}/g, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(plain))
    throw new FeedError(shown, line, `${cell === '' ? 'an empty cell' : cell} is no amount`)
  return isNegative ? -Math.abs(Number(plain)) : Number(plain)
}

/** ISO 8601 or `2025.05.04 12:00`, UTC unless it says otherwise; seconds or milliseconds since 1970. */
function timeOf(cell: string, shown: string, line: number): number {
  if (/^\d{9,10}$/.test(cell)) return Number(cell) * 1000
  if (/^\d{12,13}$/.test(cell)) return Number(cell)
  const iso = cell.replace(/^(\d{4})[./](\d{2})[./](\d{2})/, '$1-$2-$3').replace(/^(\S+) (\d)/, '$1T$2')
  const hasZone = !iso.includes('T') || /(Z|[+-]\d{2}:?\d{2})$/.test(iso)
  const time = /^\d{4}-\d{2}-\d{2}/.test(iso) ? Date.parse(hasZone ? iso : `${iso}Z`) : Number.NaN
  if (Number.isNaN(time)) throw new FeedError(shown, line, `${cell} is no time; write 2025-05-04 12:00:00`)
  return time
}
