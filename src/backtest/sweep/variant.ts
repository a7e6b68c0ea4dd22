/** One run of a sweep. */
import { type EvaluationSetup, pathRunner } from '../evaluate/paths.ts'
import { plannedObjective } from '../objective/loadObjective.ts'
import { type JudgedRun, judgedRun } from '../objective/objective.ts'
import { inMemory } from '../plan/memory.ts'
import { optionsOf, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { runBacktest } from '../run/run.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { figuresOf, type VariantFigures } from './variantFigures.ts'

/** Paths that every set is played on beside its run, the same for all. */
export type SweepPaths = Omit<EvaluationSetup, 'plan'> & {
  /** How many. */
  readonly count: number
}

/** One run of a plan: other parameters of the strategy, and, where they are given, another part of the data. */
export interface VariantTask {
  readonly parameters: StrategyParameters
  /** Epoch ms, [from, to). */
  readonly from?: number
  readonly to?: number
}

/** Prepares the data of a plan once, for any number of runs with other strategy parameters. */
export async function variantRunner(
  plan: RunPlan,
  paths?: SweepPaths,
): Promise<(task: VariantTask) => Promise<VariantFigures>> {
  const prepared = await inMemory(await preparePlan(plan))
  const onPaths = paths === undefined ? async () => ({}) : await oddsOnPaths(plan, paths)
  const judge = await judgeOf(plan)
  return async ({ parameters, ...period }) => {
    const variant = { ...plan, ...period, parameters: { ...plan.parameters, ...parameters } }
    const result = await runBacktest(optionsOf(variant, prepared))
    const figures = { ...figuresOf(result), ...(await onPaths(parameters)) }
    return judge({ result, parameters: variant.parameters, figures })
  }
}

type Judge = (run: Pick<JudgedRun, 'result' | 'parameters' | 'figures'>) => VariantFigures

/** Adds what the plan's objective says of a run to its figures. */
async function judgeOf(plan: RunPlan): Promise<Judge> {
  const objective = await plannedObjective(plan)
  if (objective === null) return ({ figures }) => figures
  const { figure, judge } = objective
  const assets = plan.markets.map(({ asset }) => asset)
  return ({ result, figures, parameters }) => ({
    ...figures,
    [figure]: judge(judgedRun(result, { parameters, figures }, assets)),
  })
}

type OddsOnPaths = Pick<VariantFigures, 'probabilityOfPassing' | 'expectedDaysToPass'>

async function oddsOnPaths(
  plan: RunPlan,
  { count, ...setup }: SweepPaths,
): Promise<(parameters: StrategyParameters) => Promise<OddsOnPaths>> {
  const run = await pathRunner({ plan, ...setup })
  const numbers = Array.from({ length: count }, (_, index) => index)
  return async (parameters) => {
    const outcomes = await run({ numbers, parameters })
    const days = outcomes.flatMap((path) => (path.outcome === 'passed' ? (path.days ?? []) : []))
    return {
      probabilityOfPassing: days.length / count,
      expectedDaysToPass: days.length === 0 ? null : days.reduce((sum, one) => sum + one) / days.length,
    }
  }
}
