/**
 * How long blocks of a bootstrap must be, found from the data: D. N. Politis, H. White, "Automatic Block-Length Selection for
 * the Dependent Bootstrap", Econometric Reviews 23 (2004), with the correction of A. Patton, D. N. Politis, H. White,
 * Econometric Reviews 28 (2009).
 */

/**
 * Mean length of the blocks of a stationary bootstrap, ((2·G²)/D)^⅓·n^⅓ with D = 2·g(0)²; at least 1, at most
 * min(3·√n, n/3).
 *
 * ```ts
 * stationaryBlockLength([1, 2, 3]) // → 1
 * ```
 *
 * @param values a stationary series; 1 is returned for fewer than 10, and where all are equal.
 */
export function stationaryBlockLength(values: readonly number[]): number {
  const size = values.length
  if (size < 10 || values.every((value) => value === values[0])) return 1
  const run = Math.max(5, Math.ceil(Math.sqrt(Math.log10(size))))
  const most = Math.min(size - 1, Math.ceil(Math.sqrt(size)) + run)
  const covariances = autocovariances(values, Math.min(size - 1, most + run))
  const bandwidth = Math.min(most, 2 * lastLag(covariances, size, most, run))
  let [spectrum, slope] = [covariances[0] as number, 0]
  for (let lag = 1; lag <= bandwidth; lag++) {
    const weighted = 2 * flatTop(lag / bandwidth) * (covariances[lag] as number)
    spectrum += weighted
    slope += weighted * lag
  }
  if (spectrum === 0) return 1
  const length = Math.cbrt((slope * slope) / (spectrum * spectrum)) * Math.cbrt(size)
  return Math.min(Math.max(1, length), Math.ceil(Math.min(3 * Math.sqrt(size), size / 3)))
}

/** Of lags 0 to `most`, divided by n. */
function autocovariances(values: readonly number[], most: number): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const centred = values.map((value) => value - mean)
  return Array.from({ length: most + 1 }, (_, lag) => {
    let sum = 0
    for (let at = lag; at < centred.length; at++)
      sum += (centred[at] as number) * (centred[at - lag] as number)
    return sum / values.length
  })
}

/** The smallest lag, at least 1, after which a run of correlations is within 2·√(log₁₀ n / n); else the last that is not. */
function lastLag(covariances: readonly number[], size: number, most: number, run: number): number {
  const bound = 2 * Math.sqrt(Math.log10(size) / size) * (covariances[0] as number)
  const isLarge = (lag: number) => Math.abs(covariances[lag] ?? 0) >= bound
  const followed = Array.from({ length: run }, (_, index) => index + 1)
  for (let lag = 0; lag <= most; lag++)
    if (!followed.some((further) => isLarge(lag + further))) return Math.max(1, lag)
  for (let lag = most; lag > 1; lag--) if (isLarge(lag)) return lag
  return 1
}

/** The window of Politis and Romano (1995): 1 up to a half, then falling to 0 at 1. */
function flatTop(part: number): number {
  return part <= 0.5 ? 1 : 2 * (1 - part)
}
