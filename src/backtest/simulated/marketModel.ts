/**
 * The models of prices by name, as a plan and the command line give them: `jumps`, or with some of its numbers changed
 * `jumps:volatility=0.9,jumpsPerYear=100`. Rates and volatilities are per year.
 */
import { geometricBrownianMotion } from './geometricBrownianMotion.ts'
import { jumpDiffusion } from './jumpDiffusion.ts'
import { meanReversion } from './meanReversion.ts'
import { changedNumbers, modelName, type Numbers } from './modelText.ts'
import type { PriceModel } from './priceModel.ts'
import { regimeSwitching } from './regimeSwitching.ts'

interface NamedModel {
  readonly usual: Numbers
  /** With some of the usual numbers changed. */
  readonly model: (changed: Numbers) => PriceModel
}

function named<Given extends Numbers>(usual: Given, model: (numbers: Given) => PriceModel): NamedModel {
  return { usual, model: (changed) => model({ ...usual, ...changed }) }
}

const DAY_MS = 86_400_000

const MODELS: Readonly<Record<string, NamedModel>> = {
  jumps: named(
    { drift: 0.2, volatility: 0.6, jumpsPerYear: 50, jumpMean: -0.005, jumpDeviation: 0.01 },
    jumpDiffusion,
  ),
  brownian: named({ drift: 0.2, volatility: 0.6 }, geometricBrownianMotion),
  'mean-reverting': named({ mean: 0, speed: 50, volatility: 0.6 }, meanReversion),
  regimes: named(
    { calmDrift: 0.4, calmVolatility: 0.4, calmDays: 10, wildDrift: -0.6, wildVolatility: 1.2, wildDays: 3 },
    ({ calmDrift, calmVolatility, calmDays, wildDrift, wildVolatility, wildDays }) =>
      regimeSwitching([
        { drift: calmDrift, volatility: calmVolatility, meanDurationMs: calmDays * DAY_MS },
        { drift: wildDrift, volatility: wildVolatility, meanDurationMs: wildDays * DAY_MS },
      ]),
  ),
}

/** Simulated markets that are no model of one market. */
const ELSEWHERE =
  'With --data there is bootstrapped, drawn from its bars; markets that move together are --asset BTC,ETH with --correlation'

/** The names of the models. */
export const PRICE_MODELS: readonly string[] = Object.keys(MODELS)

/**
 * The model that a text names; without one the usual: `jumps`.
 *
 * ```ts
 * const model = priceModelOf('jumps:volatility=0.8')
 * const [feed] = demoFeeds('calm', [model], { days: 1 })
 * feed.intervalMs // → 60000
 * ```
 *
 * @throws RangeError for a name or a number that there is not, with those there are, and for a number outside its range.
 */
export function priceModelOf(text = 'jumps'): PriceModel {
  const name = modelName(text)
  const found = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined
  if (found === undefined)
    throw new RangeError(
      `there is no model of prices ${name}; there are: ${PRICE_MODELS.join(', ')}. ${ELSEWHERE}`,
    )
  const { usual, model } = found
  return model(changedNumbers(text, usual))
}
