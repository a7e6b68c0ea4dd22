/**
 * Jumps on top of a geometric Brownian motion (R. C. Merton, "Option pricing when underlying stock returns are
 * discontinuous", J. Financial Economics 3, 1976): at a Poisson rate λ, ln S moves by a normal deviate. The drift is
 * compensated, so that the expected growth stays μ: d ln S = (μ − σ²/2 − λ·k) dt + σ dW + dJ, k = exp(m + s²/2) − 1.
 */
import { exp } from './exponential.ts'
import { type GeometricBrownianMotion, geometricBrownianMotion } from './geometricBrownianMotion.ts'
import { normal } from './normal.ts'
import { type PriceModel, requireAtLeast } from './priceModel.ts'
import type { Random } from './random.ts'

/** The numbers of {@link jumpDiffusion}, per year. */
export interface JumpDiffusion extends GeometricBrownianMotion {
  /** λ: expected jumps per year. */
  readonly jumpsPerYear: number
  /** m: mean of a jump of ln S; −0.05 is a fall of about 5 %. */
  readonly jumpMean: number
  /** s: standard deviation of a jump of ln S. */
  readonly jumpDeviation: number
}

/**
 * Growth with noise and sudden jumps.
 *
 * ```ts
 * const model = jumpDiffusion({ drift: 0, volatility: 0.6, jumpsPerYear: 12, jumpMean: -0.02, jumpDeviation: 0.03 })
 * demoFeeds('jumps', [model], { days: 1 }).length // → 1
 * ```
 *
 * @throws RangeError for a volatility, rate or deviation below zero.
 */
export function jumpDiffusion(settings: JumpDiffusion): PriceModel {
  const { drift, volatility, jumpsPerYear, jumpMean, jumpDeviation } = settings
  requireAtLeast('the rate of jumps', jumpsPerYear, 0)
  requireAtLeast('the deviation of jumps', jumpDeviation, 0)
  const meanGrowth = exp(jumpMean + (jumpDeviation * jumpDeviation) / 2) - 1
  const diffusion = geometricBrownianMotion({ drift: drift - jumpsPerYear * meanGrowth, volatility })
  return {
    start(stepYears) {
      const diffuse = diffusion.start(stepYears)
      const expected = jumpsPerYear * stepYears
      return (logPrice, shock, random) => {
        const jumps = poisson(expected, random)
        // The sum of n independent jumps is one normal deviate with n times the mean and the variance.
        const jump = jumps === 0 ? 0 : jumps * jumpMean + Math.sqrt(jumps) * jumpDeviation * normal(random)
        return diffuse(logPrice, shock, random) + jump
      }
    },
  }
}

/** Above this, e^−expected is too small to be walked up from; such a count is a sum of smaller ones. */
const LARGEST_EXPECTATION = 30

/** A Poisson deviate by inversion: adds up P(0), P(1), … until a uniform number is reached. */
function poisson(expected: number, random: Random): number {
  if (expected > LARGEST_EXPECTATION) {
    return poisson(expected / 2, random) + poisson(expected / 2, random)
  }
  const uniform = random.uniform()
  let probability = exp(-expected)
  let sum = probability
  let count = 0
  while (sum < uniform && probability > 0) {
    count += 1
    probability *= expected / count
    sum += probability
  }
  return count
}
