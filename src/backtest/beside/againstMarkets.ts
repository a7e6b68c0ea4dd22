/**
 * A run against the markets that it traded: how its days hang on theirs, and how it fared where they fell and rose most. Everything is
 * found from what the run has recorded, each figure from what had happened by its time.
 */
import type { Quote } from '../../quantity/units.ts'
import type { NamedPeriod } from '../plan/periods.ts'
import type { MarketPrices } from '../recording/marketPrices.ts'
import type { BacktestResult } from '../run/run.ts'
import { dailyReturns } from '../statistics/dailyReturns.ts'
import { drawdownsOf, maxDrawdown } from '../statistics/drawdown.ts'
import type { EquityCurve } from '../statistics/equityCurve.ts'
import { type MarketLink, marketLink } from '../statistics/marketLink.ts'
import { deepestFalls, largestRises, type Move } from '../statistics/moves.ts'
import { ROLLING_DAYS } from '../statistics/rolling.ts'

/** Falls and rises that are told of each market. */
const MOVES = 5
/** What stands for every market at once: the mean of their returns of a day. */
export const ALL_MARKETS = 'all'

/** What the days of an account say of it and a market. */
export interface AgainstMarket extends MarketLink {
  /** The market's base, or `all`: each day the mean return of those that have one. */
  readonly market: string
  /** The same over the last thirty days, at the end of each. */
  readonly rolling: readonly RollingLink[]
}

/** The link over the days that end with one. */
export interface RollingLink {
  /** The last of them: midnight, seconds since 1970. */
  readonly day: number
  readonly beta: number | null
  readonly correlation: number | null
}

/** A stretch of time, what a market did in it, and what the account did. Figures are null where the data has none of it. */
export interface StressPeriod {
  readonly kind: 'fall' | 'rise' | 'named'
  /** Of one that was named. */
  readonly name: string | null
  /** The market's base. */
  readonly market: string
  /** UTC ms: the points between which the market moved; of a named one that it was given, or the part of it that the run has. */
  readonly from: number
  /** UTC ms. */
  readonly to: number
  /** Of the market between them, a fraction. */
  readonly marketReturn: number | null
  /** Change of equity, fp9. */
  readonly netProfit: Quote | null
  /** The same as a fraction of the equity at its begin. */
  readonly totalReturn: number | null
  /** Depth of the deepest drawdown within it, a fraction; 0 where there was none. */
  readonly maxDrawdown: number | null
  /** Trades that were open in it, of those that closed. */
  readonly trades: number | null
}

/** A run against its markets. */
export interface AgainstMarkets {
  /** By market, in the order of the run; with several `all` of them last. */
  readonly links: readonly AgainstMarket[]
  /** By market the deepest falls, then the largest rises; then those that were named, each with every market. */
  readonly periods: readonly StressPeriod[]
}

/** What a run tells of itself. */
type Told = Pick<BacktestResult, 'curve' | 'trades'>

/**
 * ```ts
 * const recorder = new Recording()
 * const markets = [{ asset: 'BTC', feed: demoFeed('demo', 30) }]
 * const result = await runBacktest({ markets, strategy: emaCross({ asset: 'BTC' }), recorder, afterVerdict: 'go-on' })
 * const { links, periods } = againstMarkets(result, recorder)
 * [links.length, periods.length].join() // → 1,10
 * ```
 *
 * @param periods further ones to tell of.
 */
export function againstMarkets(
  result: Told,
  { marketPrices }: { readonly marketPrices: readonly MarketPrices[] },
  periods: readonly NamedPeriod[] = [],
): AgainstMarkets {
  const { days, returns } = dailyReturns(result.curve)
  const columns = marketPrices.map((prices) => ({ market: prices.asset, returns: returnsOf(prices, days) }))
  const all = days.map((_, day) => meanOf(columns.map((column) => column.returns[day] ?? null)))
  const compared = columns.length > 1 ? [...columns, { market: ALL_MARKETS, returns: all }] : columns
  return {
    links: compared.map((column) => linkOf(column, days, returns)),
    periods: [
      ...marketPrices.flatMap((prices) => moves(prices, result)),
      ...periods.flatMap((period) => marketPrices.map((prices) => namedPeriod(period, prices, result))),
    ],
  }
}

interface Column {
  readonly market: string
  readonly returns: readonly (number | null)[]
}

function linkOf({ market, returns }: Column, days: readonly number[], own: readonly number[]): AgainstMarket {
  const over = (from: number, to: number) => {
    const known = own
      .slice(from, to)
      .flatMap((value, index) => (returns[from + index] == null ? [] : [[value, returns[from + index] ?? 0]]))
    return marketLink(
      known.map(([account]) => account ?? 0),
      known.map(([, its]) => its ?? 0),
    )
  }
  return {
    market,
    ...over(0, days.length),
    rolling: days.slice(ROLLING_DAYS - 1).map((day, index) => {
      const { beta, correlation } = over(index, index + ROLLING_DAYS)
      return { day, beta, correlation }
    }),
  }
}

/** The market's returns on the days of the account: none before the first whole day that it has prices of, and after the last. */
function returnsOf({ time, price, first, last }: MarketPrices, days: readonly number[]): (number | null)[] {
  if (first === null) return days.map(() => null)
  const equity = price.subarray(first, last + 1)
  const own = dailyReturns({ length: equity.length, time: time.subarray(first, last + 1), equity })
  const byDay = new Map(own.days.map((day, index) => [day, own.returns[index] ?? 0]))
  // It began within that day, and the account's return is of all of it.
  if (first > 0) byDay.delete(own.days[0] ?? 0)
  return days.map((day) => byDay.get(day) ?? null)
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function moves(prices: MarketPrices, result: Told): StressPeriod[] {
  const { price, first, last } = prices
  if (first === null) return []
  const values = Float64Array.from(price.subarray(first, last + 1), Number)
  const told = (kind: 'fall' | 'rise', found: readonly Move[]) =>
    found.map(({ from, to }) => fared({ kind, name: null }, prices, [first + from, first + to], result))
  return [...told('fall', deepestFalls(values, MOVES)), ...told('rise', largestRises(values, MOVES))]
}

function namedPeriod({ name, from, to }: NamedPeriod, prices: MarketPrices, result: Told): StressPeriod {
  const { time, asset: market } = prices
  const [begin, end] = [lastBy(time, from), lastBy(time, to - 1)]
  if (end > Math.max(begin, 0))
    return fared({ kind: 'named', name }, prices, [Math.max(begin, 0), end], result)
  const nothing = { marketReturn: null, netProfit: null, totalReturn: null, maxDrawdown: null, trades: null }
  return { kind: 'named', name, market, from, to, ...nothing }
}

/** What happened between two points of the curve. */
function fared(
  about: Pick<StressPeriod, 'kind' | 'name'>,
  { asset: market, time, price, first, last }: MarketPrices,
  [begin, end]: readonly [begin: number, end: number],
  { curve, trades }: Told,
): StressPeriod {
  const [from, to] = [time[begin] as number, time[end] as number]
  const part = partOf(curve, from, to)
  const [before, after] = [part.equity[0] ?? 0n, part.equity[part.length - 1] ?? 0n]
  // Before its first price and behind its last a market does nothing.
  const [opened, closed] = [Math.max(begin, first ?? 0), Math.min(end, last)]
  const hasMoved = first !== null && closed > opened
  return {
    ...about,
    ...{ market, from, to },
    marketReturn: hasMoved ? Number(price[closed]) / Number(price[opened]) - 1 : null,
    netProfit: after - before,
    totalReturn: before > 0n ? Number(after - before) / Number(before) : null,
    maxDrawdown: maxDrawdown(drawdownsOf(part))?.depth ?? 0,
    trades: trades.filter(({ openedAt, closedAt }) => openedAt < to && closedAt > from).length,
  }
}

/** The points of a curve from the one that holds at a time up to a later one. */
function partOf(
  { time, equity }: EquityCurve & { readonly time: Float64Array },
  from: number,
  to: number,
): EquityCurve {
  const [begin, end] = [Math.max(0, lastBy(time, from)), lastBy(time, to) + 1]
  return { length: end - begin, time: time.subarray(begin, end), equity: equity.subarray(begin, end) }
}

/** The last of ascending times at or before one; −1 where all are after it. */
function lastBy(time: Float64Array, at: number): number {
  let [low, high] = [0, time.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((time[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
