/** A trader's own trades, from the table that a platform exports. */
import { FeedError } from '../feed/feedError.ts'
import type { OwnTrade } from './ownTrade.ts'
import { arePaired, pairedTrades } from './pairedTrades.ts'
import { TradeCells } from './tradeCells.ts'
import { TradeRows } from './tradeRows.ts'
import { areFills, tradesOfFills } from './tradesOfFills.ts'
import { type TradeTable, tradeTable } from './tradeTable.ts'

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
