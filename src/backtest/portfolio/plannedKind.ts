/** The strategy of a plan: one by its name or file, or the portfolio that the plan lists, with the parameters of all its strategies. */
import type { PartPlan, RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { createStrategy, type StrategyKind } from '../strategies/catalogue.ts'
import { type Constraint, parseConstraint } from '../strategies/constraint.ts'
import { loadStrategy } from '../strategies/load.ts'
import type { DeclaredParameters } from '../strategies/parameters.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { portfolio } from './portfolio.ts'

/** What the strategy of a plan with a portfolio is called. */
export const PORTFOLIO = 'portfolio'

interface PlannedPart {
  readonly plan: PartPlan
  readonly kind: StrategyKind
}

/** @throws PlanError for a portfolio that cannot be; StrategyError for a strategy that cannot be had. */
export async function plannedKind({
  strategy,
  portfolio,
}: Pick<RunPlan, 'strategy' | 'portfolio'>): Promise<StrategyKind> {
  if (strategy !== PORTFOLIO) {
    if (portfolio === undefined) return loadStrategy(strategy)
    throw new PlanError(`a plan that lists a portfolio has the strategy ${PORTFOLIO}, not ${strategy}`)
  }
  if (portfolio === undefined || portfolio.length === 0)
    throw new PlanError('a portfolio lists its strategies: a name, a strategy and its parameters for each')
  mustBeNamed(portfolio)
  const parts: PlannedPart[] = []
  for (const plan of portfolio) parts.push({ plan, kind: await loadStrategy(plan.strategy) })
  return portfolioKind(parts)
}

function mustBeNamed(parts: readonly PartPlan[]): void {
  const seen = new Set<string>()
  for (const { name } of parts) {
    if (!/^[A-Za-z][\w-]*$/.test(name))
      throw new PlanError(`portfolio: ${name} is no name; letters, digits, - and _ make one, a letter first`)
    if (seen.has(name)) throw new PlanError(`portfolio: there are two of the name ${name}`)
    seen.add(name)
  }
}

function portfolioKind(parts: readonly PlannedPart[]): StrategyKind {
  return {
    name: PORTFOLIO,
    parameters: allParameters(parts),
    constraints: parts.flatMap(({ plan, kind }) =>
      kind.constraints.map((constraint) => named(constraint, plan.name)),
    ),
    create(asset, parameters) {
      const known = new Set(parts.map(({ plan }) => plan.name))
      for (const name of Object.keys(parameters))
        if (name !== 'asset' && !known.has(name.split('.')[0] as string))
          throw new RangeError(
            `the portfolio has no parameter ${name}; those of ${[...known].join(', ')} are called ${[...known][0]}.NAME`,
          )
      return portfolio(
        parts.map(({ plan: { name, markets, parameters: own }, kind }) => ({
          name,
          strategy: createStrategy(kind, markets?.[0] ?? asset, {
            ...own,
            ...parametersOf(name, parameters),
          }),
          ...(markets === undefined ? {} : { assets: markets }),
        })),
      )
    },
  }
}

/** Null where one of the strategies takes any name. */
function allParameters(parts: readonly PlannedPart[]): DeclaredParameters | null {
  const all: [string, DeclaredParameters[string]][] = []
  for (const { plan, kind } of parts) {
    if (kind.parameters === null) return null
    for (const [name, declared] of Object.entries(kind.parameters)) {
      const own = plan.parameters?.[name]
      all.push([`${plan.name}.${name}`, own === undefined ? declared : { ...declared, default: own }])
    }
  }
  return Object.fromEntries(all)
}

function parametersOf(part: string, parameters: StrategyParameters): StrategyParameters {
  const own = Object.entries(parameters).filter(([name]) => name.startsWith(`${part}.`))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(part.length + 1), value]))
}

/** `fast<slow` of the strategy `trend` is `trend.fast<trend.slow` of the portfolio. */
function named({ text, names }: Constraint, part: string): Constraint {
  const words = text.split(/(<=|>=|<|>)/).map((word) => word.trim())
  return parseConstraint(words.map((word) => (names.includes(word) ? `${part}.${word}` : word)).join(''))
}
