/**
 * Regimes: a geometric Brownian motion whose drift and volatility change with a hidden Markov chain (J. D. Hamilton,
 * Econometrica 57, 1989). A regime ends within a step with probability 1 − e^(−step / duration); the next one is drawn
 * from the others by weight.
 */
import { exp } from './exponential.ts'
import { type GeometricBrownianMotion, geometricBrownianMotion } from './geometricBrownianMotion.ts'
import { type PriceModel, requireAtLeast, YEAR_MS } from './priceModel.ts'
import type { Random } from './random.ts'

/** One regime of {@link regimeSwitching}. */
export interface Regime extends GeometricBrownianMotion {
  /** Mean time until the regime ends, in ms. Above 0. */
  readonly meanDurationMs: number
  /** How often the regime follows another one, relative to the rest. Default 1. */
  readonly weight?: number
}

/**
 * The simulation starts in the first regime.
 *
 * ```ts
 * const hour = 3_600_000
 * const model = regimeSwitching([
 *   { drift: 0, volatility: 0.3, meanDurationMs: 48 * hour },
 *   { drift: 0, volatility: 1.2, meanDurationMs: 6 * hour },
 * ])
 * demoFeeds('regimes', [model], { days: 1 }).length // → 1
 * ```
 *
 * @throws RangeError for fewer than two regimes, a duration not above zero, a weight or volatility below it.
 */
export function regimeSwitching(regimes: readonly Regime[]): PriceModel {
  if (regimes.length < 2) throw new RangeError('at least two regimes are needed')
  for (const { meanDurationMs, weight = 1 } of regimes) {
    requireAtLeast('the duration of a regime', meanDurationMs, Number.MIN_VALUE)
    requireAtLeast('the weight of a regime', weight, 0)
  }
  const models = regimes.map(geometricBrownianMotion)
  return {
    start(stepYears) {
      const steps = models.map((model) => model.start(stepYears))
      const endings = regimes.map(({ meanDurationMs }) => 1 - exp((-stepYears * YEAR_MS) / meanDurationMs))
      let current = 0
      return (logPrice, shock, random) => {
        if (random.uniform() < (endings[current] as number)) current = followerOf(regimes, current, random)
        return (steps[current] as (typeof steps)[0])(logPrice, shock, random)
      }
    },
  }
}

function followerOf(regimes: readonly Regime[], current: number, random: Random): number {
  const weight = (index: number) => (index === current ? 0 : (regimes[index]?.weight ?? 1))
  const total = regimes.reduce((sum, _, index) => sum + weight(index), 0)
  let left = random.uniform() * total
  let chosen = current
  for (let index = 0; index < regimes.length && left >= 0; index++) {
    if (weight(index) === 0) continue
    chosen = index
    left -= weight(index)
  }
  return chosen
}
