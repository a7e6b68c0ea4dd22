/**
 * How the returns of an account hang on those of a market: the line of least squares through their pairs, a = alpha + beta·m
 * (W. F. Sharpe, "Capital Asset Prices", Journal of Finance 19, 1964; M. C. Jensen, Journal of Finance 23, 1968).
 */
import { type Sampling, samplingOf } from './equityCurve.ts'
import { LEAST_RETURNS } from './statistics.ts'

/** Of which pairs a link is told. */
export interface LinkOptions extends Sampling {
  /** So many returns there have to be for anything to be told. Default 20. */
  readonly least?: number
}

/** Null where there are too few pairs, and where the figure has no meaning. */
export interface MarketLink {
  /** How many pairs of returns there are. */
  readonly returns: number
  /** Covariance over the market's variance: what an account moves by where the market moves by one. Null where the market does not vary. */
  readonly beta: number | null
  /** Its standard error, of pairs that know nothing of each other: √(s²/Σ(m − mean)²), s² = Σ residual²/(n − 2). */
  readonly betaError: number | null
  /** Covariance over both deviations, −1 to 1. Null where either does not vary. */
  readonly correlation: number | null
  /** What the line says of a market that stands still, a year: the mean of the account less beta times that of the market, times the periods of a year. */
  readonly alpha: number | null
  /** Its standard error: √(s²·(1/n + mean²/Σ(m − mean)²)) times the periods of a year. */
  readonly alphaError: number | null
}

/**
 * ```ts
 * const market = Array.from({ length: 30 }, (_, day) => Math.sin(day) / 100)
 * marketLink(market.map((value) => value / 2), market).beta?.toFixed(6) // → 0.500000
 * ```
 *
 * @param account returns of its periods, each a fraction.
 * @param market returns of the same periods, each a fraction.
 * @param options how returns are sampled; with fewer than the `least` number of returns nothing is told. Default 20.
 */
export function marketLink(
  account: readonly number[],
  market: readonly number[],
  { least = LEAST_RETURNS, ...sampling }: LinkOptions = {},
): MarketLink {
  const count = Math.min(account.length, market.length)
  const unknown = { beta: null, betaError: null, correlation: null, alpha: null, alphaError: null }
  if (count < Math.max(least, 3) || isConstant(market)) return { returns: count, ...unknown }
  const [own, its] = [mean(account), mean(market)]
  let [crossed, spread, ownSpread] = [0, 0, 0]
  for (let at = 0; at < count; at++) {
    const [up, along] = [(account[at] as number) - own, (market[at] as number) - its]
    crossed += up * along
    spread += along * along
    ownSpread += up * up
  }
  const beta = crossed / spread
  const varies = !isConstant(account)
  // Rounding alone may leave less than nothing.
  const left = varies ? Math.max(0, ownSpread - beta * crossed) / (count - 2) : 0
  const { periodsPerYear } = samplingOf(sampling)
  return {
    returns: count,
    beta: varies ? beta : 0,
    betaError: Math.sqrt(left / spread),
    correlation: varies ? Math.max(-1, Math.min(1, crossed / Math.sqrt(spread * ownSpread))) : null,
    alpha: (own - (varies ? beta : 0) * its) * periodsPerYear,
    alphaError: Math.sqrt(left * (1 / count + (its * its) / spread)) * periodsPerYear,
  }
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0])
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
