/** Trades with their fills and levels, as rows for the table and the price chart. */

import type { Trade } from '../accounting/tradeLog.ts'
import { tradeNumbers } from '../accounting/tradeNumbers.ts'
import type { Fill } from '../recording/fills.ts'
import type { LevelKind } from '../recording/levels.ts'
import type { Recorded } from '../recording/recording.ts'
import type { BacktestResult } from '../run/run.ts'

/** Times are seconds since 1970, amounts quote currency, prices and sizes as they are. Markets count from 0. */
export interface TradeSeries {
  /** All closed trades of the run; `rows` may hold fewer. */
  readonly total: number
  readonly rows: readonly TradeRow[]
  readonly fills: readonly FillRow[]
  readonly levels: readonly LevelRow[]
}

export interface TradeRow {
  /** 1 for the first trade opened: the moment that the table shows. */
  readonly number: number
  readonly market: number
  readonly side: 'long' | 'short'
  readonly opened: number
  readonly closed: number
  readonly size: number
  readonly entry: number
  readonly exit: number
  readonly pnl: number
  /** Pnl over the value of the position when opened. */
  readonly share: number
  readonly fees: number
  readonly funding: number
  /** How it ended: market, stop-loss, take-profit, trailing stop, liquidation, … */
  readonly end: string
}

/** [market, second, opens, long, price, size, reason, pnl] */
export type FillRow = readonly [
  market: number,
  second: number,
  opens: 0 | 1,
  long: 0 | 1,
  price: number,
  size: number,
  reason: string,
  pnl: number | null,
]

/** [market, kind, price, from, to]; `to` is null where it stood to the end. */
type LevelRow = readonly [market: number, kind: LevelKind, price: number, from: number, to: number | null]

/** What a page shows at ease; the exports have them all. */
const MOST_TRADES = 4_000

/** The trades that moved the account most, where there are too many to show, in the order of their opening. */
export function tradeSeries(result: BacktestResult, recording: Recorded, most = MOST_TRADES): TradeSeries {
  const market = new Map(recording.markets.map(({ id }, index) => [id, index]))
  const ends = new Map(recording.fills.map(({ positionId, reason }) => [positionId, reason]))
  const shown = largest(result.trades, most)
  const ids = new Set(shown.map(({ trade }) => trade.positionId))
  const closed = new Set(result.trades.map(({ positionId }) => positionId))
  const isShown = (positionId: string | null) =>
    positionId === null ? result.trades.length <= most : ids.has(positionId) || !closed.has(positionId)
  return {
    total: result.trades.length,
    rows: shown.map(({ trade, number }) =>
      tradeRow(trade, number, market.get(trade.marketId) ?? 0, ends.get(trade.positionId) ?? trade.end),
    ),
    fills: recording.fills
      .filter(({ positionId }) => isShown(positionId))
      .map((fill) => fillRow(fill, market.get(fill.marketId) ?? 0)),
    levels: recording.levels
      .filter(({ positionId, from, to }) => to !== from && isShown(positionId))
      .map(({ kind, marketId, price, from, to }) => [
        market.get(marketId) ?? 0,
        kind,
        number(price),
        Math.round(from / 1000),
        to === null ? null : Math.round(to / 1000),
      ]),
  }
}

function largest(trades: readonly Trade[], most: number): { trade: Trade; number: number }[] {
  const numbers = tradeNumbers(trades)
  const numbered = trades
    .map((trade) => ({ trade, number: numbers.get(trade.positionId) ?? 0 }))
    .sort((a, b) => a.number - b.number)
  if (trades.length <= most) return numbered
  const magnitude = ({ trade: { pnl } }: { trade: Trade }) => Math.abs(Number(pnl))
  return numbered
    .sort((a, b) => magnitude(b) - magnitude(a))
    .slice(0, most)
    .sort((a, b) => a.number - b.number)
}

function tradeRow(trade: Trade, index: number, market: number, end: string): TradeRow {
  const value = number(trade.size) * number(trade.entryPrice)
  return {
    number: index,
    market,
    side: trade.side,
    opened: Math.round(trade.openedAt / 1000),
    closed: Math.round(trade.closedAt / 1000),
    size: number(trade.size),
    entry: number(trade.entryPrice),
    exit: number(trade.exitPrice),
    pnl: number(trade.pnl),
    share: value === 0 ? 0 : number(trade.pnl) / value,
    fees: number(trade.fees),
    funding: number(trade.funding),
    end,
  }
}

function fillRow(fill: Fill, market: number): FillRow {
  const opens = fill.action === 'open' || fill.action === 'increase'
  return [
    market,
    Math.round(fill.at / 1000),
    opens ? 1 : 0,
    fill.side === 'long' ? 1 : 0,
    number(fill.price),
    number(fill.size),
    fill.reason,
    fill.pnl === null ? null : number(fill.pnl - fill.fee),
  ]
}

function number(value: bigint): number {
  return Number(value) / 1e9
}
