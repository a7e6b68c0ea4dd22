/** Paths of an evaluation: many possible markets, and what the venue would have decided on each. */
import { optionsOf, preparePlan } from '../plan/options.ts'
import type { DecimalFields, RunPlan, StrategyPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { changedPlan } from '../whatIf/changes.ts'
import { lifeOf, type PathOutcome } from './life.ts'
import { type PathDraw, pathMarkets } from './pathMarkets.ts'
import type { RuleSet } from './rules.ts'

export interface EvaluationSetup extends PathDraw {
  readonly plan: RunPlan
}

/** Paths of one account: the same number is the same market, whatever else a task says. */
export interface PathTask {
  readonly numbers: readonly number[]
  /** Come before the plan's. */
  readonly parameters?: StrategyParameters
  /** Default: the plan's account, in one phase. */
  readonly rules?: RuleSet
  /** Instead of the plan's strategy; one that the plan or its further accounts name. */
  readonly trader?: Pick<StrategyPlan, 'strategy' | 'parameters'>
  /** Changes of rules, as of `what-if`; what they say of accounts holds in every phase. */
  readonly change?: string
}

/** Reads the data once. */
export async function pathRunner(
  setup: EvaluationSetup,
): Promise<(task: PathTask) => Promise<PathOutcome[]>> {
  if (setup.plan.warmUpMs !== undefined)
    throw new PlanError('an evaluation draws paths that have no past: it takes no warm-up')
  const prepared = await preparePlan(setup.plan)
  const marketsOf = await pathMarkets(setup.plan, prepared, setup)
  const { from: _from, to: _to, others, ...plan } = setup.plan
  return async ({ numbers, parameters = {}, rules, trader, change }) => {
    const { strategy, parameters: own } = trader ?? plan
    const told: RunPlan = {
      ...plan,
      ...(trader === undefined && others !== undefined ? { others } : {}),
      strategy,
      parameters: { ...own, ...parameters },
    }
    const { plan: variant, account: changed } = changedRules(told, change)
    const outcomes: PathOutcome[] = []
    for (const number of numbers) {
      const drawn = marketsOf(number)
      const markets = prepared.markets.map(({ asset }, index) => {
        const { feed, funding } = drawn[index] as (typeof drawn)[number]
        // A change of rules may have put a constant rate in the place of a file.
        const isFromFile = variant.markets[index]?.funding !== undefined
        return { asset, feed, funding: isFromFile ? funding : null }
      })
      const run = (account: DecimalFields, from: number) =>
        optionsOf(
          { ...variant, account: { ...plan.account, ...account, ...changed }, from },
          { ...prepared, markets },
        )
      outcomes.push(await lifeOf(run, rules ?? { name: 'rules', account: {} }, setup.days))
    }
    return outcomes
  }
}

/** The plan under changed rules, and apart from it what they say of accounts. */
function changedRules(plan: RunPlan, change: string | undefined): { plan: RunPlan; account: DecimalFields } {
  if (change === undefined) return { plan, account: {} }
  const changed = changedPlan({ ...plan, account: {} }, change)
  return { plan: changed, account: changed.account ?? {} }
}
