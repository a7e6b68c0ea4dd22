/** A live run beside its backtest in figures and words, for the terminal and the page alike. */
import { change, count, moment, money, NO_VALUE, price } from '../output/presentation.ts'
import type { FillRow, LiveComparison } from './compareLive.ts'
import { CAUSES, type Cause } from './fillDifference.ts'

/** A figure of both, and how far the live one lies from the other. */
export type Side = readonly [name: string, live: string, backtest: string, difference: string]

export function sides({ live, backtest, livePnl, backtestPnl }: LiveComparison): Side[] {
  const cost = (
    name: string,
    of: 'fees' | 'spread' | 'scalping' | 'funding' | 'profitCap' | 'liquidationPenalties',
  ): Side => [
    name,
    money(live.costs[of]),
    money(backtest.costs[of]),
    change(live.costs[of] - backtest.costs[of]),
  ]
  const number = (name: string, one: number, other: number): Side => [
    name,
    count(one),
    count(other),
    one === other ? '' : `${one > other ? '+' : '−'}${count(Math.abs(one - other))}`,
  ]
  const all: Side[] = [
    ['Profit', money(livePnl), money(backtestPnl), change(livePnl - backtestPnl)],
    number('Fills', live.fills, backtest.fills),
    number('Closed trades', live.trades.length, backtest.trades.length),
    number('Open at the end', live.openPositions, backtest.openPositions),
    number('Refused', refused(live.rejections), refused(backtest.rejections)),
    cost('Fees', 'fees'),
    cost('Spread', 'spread'),
    cost('Scalping surcharge', 'scalping'),
    cost('Liquidation penalties', 'liquidationPenalties'),
    cost('Funding', 'funding'),
    cost('Given up to the 60-second rule', 'profitCap'),
  ]
  return all
}

function refused(rejections: Readonly<Record<string, number>>): number {
  return Object.values(rejections).reduce((sum, times) => sum + times, 0)
}

/** What the difference is made of: it adds up to the last 10⁻⁹, and the last line is the sum. */
export function causeLines({
  causes,
  carried,
  remainder,
  livePnl,
  backtestPnl,
  rows,
}: LiveComparison): (readonly [name: string, amount: bigint, fills: number])[] {
  const names = Object.keys(CAUSES) as Cause[]
  const lines = names.map(
    (name) => [CAUSES[name], causes[name], rows.filter((row) => row.causes[name] !== 0n).length] as const,
  )
  return [
    ...lines,
    ...(carried === 0n ? [] : [['Positions from before the journal', carried, 0] as const]),
    ['Not explained', remainder, 0],
    ['Live less backtest', livePnl - backtestPnl, rows.filter(({ reason }) => reason !== null).length],
  ]
}

/** How many of each kind there are: matched, only live, only backtest. */
export function found({
  rows,
}: LiveComparison): readonly [matched: number, onlyLive: number, onlyBacktest: number] {
  const of = (kind: FillRow['found']) => rows.filter((row) => row.found === kind).length
  return [of('matched'), of('only live'), of('only backtest')]
}

/** How much later live fills came; null where none is matched. */
export function delays({ rows }: LiveComparison): string | null {
  const sorted = rows
    .flatMap(({ delayMs }) => (delayMs === null ? [] : [delayMs]))
    .sort((one, other) => one - other)
  const [middle, most] = [sorted[sorted.length >> 1], sorted.at(-1)]
  return middle === undefined || most === undefined
    ? null
    : `${milliseconds(middle)} in the median, ${milliseconds(most)} at most`
}

export const FILL_HEADS = [
  'At (UTC)',
  'Fill',
  'Live',
  'Backtest',
  'Delay',
  'Price ±',
  'Ticks',
  'Difference',
  'Why',
] as const

export function fillCells({
  at,
  asset,
  side,
  found: kind,
  live,
  backtest,
  delayMs,
  priceDifference,
  ticks,
  difference,
  reason,
}: FillRow): string[] {
  const fill = live ?? backtest
  const why = reason === null ? '' : [reason.befell, reason.what].filter((text) => text !== '').join(', ')
  return [
    moment(at),
    `${asset} ${side} ${fill?.action ?? ''}`,
    live === null ? NO_VALUE : price(live.price),
    backtest === null ? NO_VALUE : price(backtest.price),
    delayMs === null ? kind : milliseconds(delayMs),
    priceDifference === null ? '' : change(priceDifference),
    ticks === null ? '' : signed(ticks, 1),
    change(difference),
    why,
  ]
}

function milliseconds(ms: number): string {
  return Math.abs(ms) < 10_000 ? `${signed(ms, 0)} ms` : `${signed(ms / 1_000, 1)} s`
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: digits })
  return text === '0' ? '0' : `${value < 0 ? '−' : '+'}${text}`
}
