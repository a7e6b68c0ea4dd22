/**
 * How far the figures of a run would scatter had its days and trades come otherwise: a bootstrap. Days are drawn in blocks,
 * because good and bad days come in rows: the stationary bootstrap of D. N. Politis and J. P. Romano (JASA 89, 1994), with
 * the mean length of `stationaryBlockLength`. Trades are drawn one by one. It knows what the run has seen and nothing
 * else: a market of another kind is in none of the draws.
 */
import { Random } from '../simulated/random.ts'
import { stationaryBlockLength } from './blockLength.ts'
import { sharpeRatio } from './riskAdjusted.ts'

/** Where the middle 95% of the draws lie. */
export interface Interval {
  /** The 2.5% quantile, in the unit of the figure. */
  readonly low: number
  /** The 97.5% quantile. */
  readonly high: number
}

/** Null where a figure has no meaning or too little to be drawn from. */
export interface RunConfidence {
  /** How often days and trades were drawn again. */
  readonly draws: number
  /** Mean length of the blocks, days. */
  readonly blockDays: number
  readonly totalReturn: Interval | null
  readonly maxDrawdown: Interval | null
  readonly sharpeRatio: Interval | null
  readonly winRate: Interval | null
  readonly profitFactor: Interval | null
  /** Of all trades together, quote currency; in `result.json` fp9 like every amount. */
  readonly netProfit: Interval | null
  /** Share of the draws whose total return is above zero. */
  readonly shareWithProfit: number | null
}

const DRAWS = 2_000
/** Below this many days or trades nothing is told: they are too few to be shuffled. */
const LEAST_DRAWN = 10

/**
 * Confidence of the headline figures of a run, the same for the same seed.
 *
 * ```ts
 * const daily = Array.from({ length: 60 }, (_, day) => Math.sin(day) / 100)
 * const confidence = runConfidence(daily, [10, -5, 20], 'mine')
 * JSON.stringify(confidence) === JSON.stringify(runConfidence(daily, [10, -5, 20], 'mine')) // → true
 * ```
 *
 * @param daily returns of its days, fractions.
 * @param pnl net results of its trades, quote currency.
 */
export function runConfidence(
  daily: readonly number[],
  pnl: readonly number[],
  seed = 'confidence',
): RunConfidence {
  const random = new Random(seed)
  const blockDays = stationaryBlockLength(daily)
  const days = daily.length < LEAST_DRAWN ? [] : drawn(() => figuresOfDays(blocks(daily, blockDays, random)))
  const trades = pnl.length < LEAST_DRAWN ? [] : drawn(() => figuresOfTrades(singles(pnl, random)))
  const returns = days.map(({ totalReturn }) => totalReturn)
  return {
    draws: DRAWS,
    blockDays,
    totalReturn: interval(returns),
    maxDrawdown: interval(days.map(({ maxDrawdown }) => maxDrawdown)),
    sharpeRatio: interval(days.map(({ sharpe }) => sharpe)),
    winRate: interval(trades.map(({ winRate }) => winRate)),
    profitFactor: interval(trades.map(({ profitFactor }) => profitFactor)),
    netProfit: interval(trades.map(({ netProfit }) => netProfit)),
    shareWithProfit:
      returns.length === 0 ? null : returns.filter((value) => value > 0).length / returns.length,
  }
}

function drawn<T>(draw: () => T): T[] {
  return Array.from({ length: DRAWS }, draw)
}

/** As many days as there were: each follows the one before it, around the end, but for one in `meanLength`, which is any. */
function blocks(days: readonly number[], meanLength: number, random: Random): number[] {
  let at = random.below(days.length)
  return days.map((_, index) => {
    at = index === 0 || random.uniform() * meanLength < 1 ? random.below(days.length) : (at + 1) % days.length
    return days[at] as number
  })
}

function singles(values: readonly number[], random: Random): number[] {
  return values.map(() => values[random.below(values.length)] as number)
}

function figuresOfDays(returns: readonly number[]) {
  let [equity, peak, maxDrawdown] = [1, 1, 0]
  for (const value of returns) {
    equity *= 1 + value
    peak = Math.max(peak, equity)
    maxDrawdown = Math.max(maxDrawdown, 1 - equity / peak)
  }
  return { totalReturn: equity - 1, maxDrawdown, sharpe: sharpeRatio(returns) }
}

function figuresOfTrades(pnl: readonly number[]) {
  let [won, lost, wins] = [0, 0, 0]
  for (const value of pnl) {
    if (value > 0) wins += 1
    if (value > 0) won += value
    else lost -= value
  }
  return { winRate: wins / pnl.length, profitFactor: lost === 0 ? null : won / lost, netProfit: won - lost }
}

/** Null where no draw has the figure; a draw without it (no losses, no variation) is left out. */
function interval(values: readonly (number | null)[]): Interval | null {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other)
  if (known.length < values.length / 2 || known.length === 0) return null
  const at = (share: number) => known[Math.min(known.length - 1, Math.floor(share * known.length))] as number
  return { low: at(0.025), high: at(0.975) }
}
