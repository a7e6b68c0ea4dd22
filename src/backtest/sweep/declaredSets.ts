/** The sets of parameters that a plan's strategy takes, and the values it suggests, by what it declares. */
import { preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { plannedKind } from '../portfolio/plannedKind.ts'
import { type Dimension, parseDimension } from '../search/space.ts'
import { exp, ln } from '../simulated/exponential.ts'
import { type StrategyKind, takenParameters } from '../strategies/catalogue.ts'
import { brokenConstraint } from '../strategies/parameters.ts'
import type { ParameterValue, StrategyParameters } from '../strategies/parameterValue.ts'
import type { ParameterGrid } from './grid.ts'

/**
 * Says of a set whether it keeps what the strategy asks between its parameters, those of the plan among them.
 *
 * @throws RangeError (of what is returned) that names the parameter, for one that is unknown and a value out of its range.
 */
export async function declaredKeeper(plan: RunPlan): Promise<(set: StrategyParameters) => boolean> {
  const { kinds } = await preparePlan(plan)
  const kind = kinds.get(plan.strategy) as StrategyKind
  const asset = plan.markets[0]?.asset as string
  return (set) =>
    brokenConstraint(takenParameters(kind, asset, { ...plan.parameters, ...set }), kind.constraints) === null
}

/** What of a plan says which parameters there are. */
type DeclaringPlan = Pick<RunPlan, 'strategy' | 'portfolio'>

/** How many values a parameter is given where nothing else is said. */
const VALUES = 5

/**
 * The values that a strategy suggests for a sweep: of each parameter that says where to search, five over that range, its ends among them.
 *
 * @throws RangeError for a name among `names` that suggests nothing; without names every parameter that does is taken.
 */
export async function declaredGrid(plan: DeclaringPlan, names?: readonly string[]): Promise<ParameterGrid> {
  const space = await declaredSpace(plan, names)
  return Object.fromEntries(space.map((dimension) => [dimension.name, spreadValues(dimension, VALUES)]))
}

/** The space that a strategy suggests for a search, in the same way. */
export async function declaredSpace(plan: DeclaringPlan, names?: readonly string[]): Promise<Dimension[]> {
  const { name: strategy, parameters } = await plannedKind(plan)
  const declared = parameters ?? {}
  const searched = Object.keys(declared).filter((name) => declared[name]?.search !== undefined)
  for (const name of names ?? [])
    if (!searched.includes(name))
      throw new RangeError(
        `the strategy ${strategy} does not say where to look for ${name}; ${searched.length === 0 ? 'it says so of no parameter' : `it does for: ${searched.join(', ')}`}`,
      )
  return (names ?? searched).map((name) => parseDimension(name, declared[name]?.search as string))
}

/** So many values from one end to the other, or every value of a choice; whole numbers may coincide and are then fewer. */
export function spreadValues(dimension: Dimension, count: number): ParameterValue[] {
  if (dimension.kind === 'choice') return [...dimension.values]
  const { low, high, isLog, kind, unit } = dimension
  const values = Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1)
    const value = isLog ? low * exp(part * ln(high / low)) : low + part * (high - low)
    if (kind === 'whole') return Math.round(value)
    const number = Number(value.toPrecision(6))
    return unit === '' ? number : `${number}${unit}`
  })
  return [...new Set(values)]
}
