/** A trader's own trades, from the table that a platform exports. */
import type { Direction } from '../../terms/direction.ts'
import { FeedError } from '../feed/feedError.ts'
import { arePaired, pairedTrades } from './pairedTrades.ts'
import { TradeCells } from './tradeCells.ts'
import { TradeRows } from './tradeRows.ts'
import { areFills, tradesOfFills } from './tradesOfFills.ts'
import { type TradeTable, tradeTable } from './tradeTable.ts'

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
  /** What was traded, where the table says it: what its prices are found by. */
  readonly traded?: TradedAt
}

/** Where a trade was entered and left, as far as the table says it. */
export interface TradedAt {
  /** As the platform writes it. */
  readonly symbol?: string
  readonly side?: Direction
  /** How many lots, contracts or units of the asset, as the platform counts; above 0. */
  readonly size?: number
  /** Above 0, quote currency. */
  readonly entryPrice?: number
  /** Above 0, quote currency. */
  readonly exitPrice?: number
  /** How many times its margin the position was, from 1 up. */
  readonly leverage?: number
  /** What the prices alone brought, quote currency. */
  readonly gross?: number
}

/**
 * Reads a table with a header, separated by commas, semicolons or tabs: closed trades, one in each row or in a row of its entry and one
 * of its exit, or fills with what each realized. The time of closing and a profit are required.
 *
 * ```ts
 * const trades = readTradeList('closed,profit\n2026-01-05T12:00:00Z,12.5\n2026-01-05T13:00:00Z,-8\n', 'my trades')
 * trades.map(({ pnl }) => pnl).join() // → 12.5,-8
 * ```
 *
 * @param zone of times that do not say theirs: `UTC`, `+02:00`, `America/New_York`. Default: what the head of the column says, or UTC.
 * @returns in the order of closing.
 * @throws FeedError naming the column that is missing, or the line that cannot be read; RangeError for a zone there is not.
 */
export function readTradeList(text: string, shown: string, zone?: string): OwnTrade[] {
  return [...readTrades(text, shown, zone).trades]
}

/** The trades of a table, and how many of its rows are none: deposits, orders, what is still open. */
export interface ReadTrades {
  readonly trades: readonly OwnTrade[]
  readonly leftOut: number
}

export function readTrades(text: string, shown: string, zone?: string): ReadTrades {
  const whole = tradeTable(text, shown)
  const table = tradesOf(whole)
  const { columns, rows } = table
  const cells = new TradeCells(rows, shown, zone ?? columns.zone ?? 'UTC', columns.isMonthFirst)
  const read = new TradeRows(table, cells)
  const trades = arePaired(read) ? pairedTrades(read) : areFills(read) ? tradesOfFills(read) : eachOf(read)
  if (trades.length === 0) throw new FeedError(shown, null, 'the table has no trade')
  return { trades: trades.sort((a, b) => a.closedAt - b.closedAt), leftOut: whole.rows.length - rows.length }
}

/** What statements list beside trades. */
const NO_TRADE =
  /^(balance|credit|deposit|withdraw|transfer|bonus|correction|charge|commission|interest|dividend|(buy|sell) (limit|stop)|cancel)/i

/** The rows that are trades: those that were closed. */
function tradesOf({ rows, lines, ...table }: TradeTable): TradeTable {
  const { at } = table.columns
  const isTrade = (row: readonly string[]) =>
    !row.some((cell) => NO_TRADE.test(cell)) && !isUnclosed(row[at.closedAt as number] ?? '', row, at.signal)
  const kept = rows.flatMap((row, index) => (isTrade(row) ? [index] : []))
  return {
    ...table,
    rows: kept.map((index) => rows[index] as string[]),
    lines: kept.map((index) => lines[index] as number),
  }
}

/** Strategy testers close what is open under this name. */
function isUnclosed(closed: string, row: readonly string[], signal: number | undefined): boolean {
  return closed === '' || (signal !== undefined && row[signal] === 'Open')
}

function eachOf(rows: TradeRows): OwnTrade[] {
  return Array.from({ length: rows.count }, (_, row) => rows.trade(row))
}
