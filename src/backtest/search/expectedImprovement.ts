/**
 * How much less than the least cost so far is to be expected (D. R. Jones, M. Schonlau, W. J. Welch, Journal of Global Optimization 13,
 * 1998), as a logarithm, so that places are told apart where hardly anything is (S. Ament et al., NeurIPS 36, 2023).
 */
import { exp, ln } from '../simulated/exponential.ts'
import type { Likely } from './gaussianProcess.ts'

/** Below it the distribution is written by its asymptotic series. */
const FAR = -6
const LN_OF_ROOT_OF_2_PI = ln(Math.sqrt(2 * Math.PI))

/** ln of σ·(z·Φ(z) + φ(z)) with z = (least − mean) / σ. */
export function logExpectedImprovement({ mean, deviation }: Likely, least: number): number {
  if (!(deviation > 0)) return Number.NEGATIVE_INFINITY
  const z = (least - mean) / deviation
  const logDensity = -(z * z) / 2 - LN_OF_ROOT_OF_2_PI
  if (z < FAR) {
    // z·Φ(z) + φ(z) → φ(z)·(1/z² − 3/z⁴ + 15/z⁶ − 105/z⁸ + 945/z¹⁰ − …)
    const square = 1 / (z * z)
    const series = [945, -105, 15, -3, 1].reduce((sum, factor) => sum * square + factor, 0)
    return ln(deviation) + logDensity + ln(square * series)
  }
  return ln(deviation) + ln(z * normalShare(z, exp(logDensity)) + exp(logDensity))
}

/**
 * Φ(z) by its series φ(z)·(z + z³/3 + z⁵/15 + …) (G. Marsaglia, Journal of Statistical Software 11 (4), 2004).
 *
 * @param density φ(z).
 */
function normalShare(z: number, density: number): number {
  if (z > 8) return 1
  let [sum, term] = [z, z]
  for (let n = 3; sum !== sum + term || n === 3; n += 2) {
    term *= (z * z) / n
    if (sum + term === sum) break
    sum += term
  }
  return 0.5 + sum * density
}
