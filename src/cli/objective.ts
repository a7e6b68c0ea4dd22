/** `--objective`: what is best, in the words of whoever searches, beside the figures that have names. */
import type { Command } from 'commander'
import type { LoadedObjective } from '../backtest/objective/loadObjective.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { Constraint } from '../backtest/strategies/constraint.ts'
import { OWN_FIGURES, type Ranking } from '../backtest/sweep/ranking.ts'
import { typedOf } from './partners.ts'

type Rankings = readonly [Ranking, ...Ranking[]]

export interface ObjectiveOptions {
  readonly objective?: string
}

export function withObjective(command: Command): Command {
  return command.option(
    '--objective <file>',
    'a .ts or .js file whose default export makes a number of a run: what is best, alone or as objective (loss, where it says that less is better) among others of --rank-by',
  )
}

/** The plan with the objective that was asked for. */
export function judgedPlan(plan: RunPlan, { objective }: ObjectiveOptions): RunPlan {
  return objective === undefined ? plan : { ...plan, objective }
}

/** What is ranked by, and the objective of the plan where there is one. */
export interface Judged {
  readonly rankBy: Rankings
  readonly own: LoadedObjective | null
}

/**
 * @param rankBy what `--rank-by` says, or its default.
 * @throws RangeError for the figure of an objective that the plan has not; ObjectiveError for one that cannot be had.
 */
export async function judgedBy(
  command: Command,
  plan: RunPlan,
  rankBy: Rankings,
  constraints: readonly Constraint[],
): Promise<Judged> {
  const { plannedObjective } = await import('../backtest/objective/loadObjective.ts')
  const asked = OWN_FIGURES.filter((figure) => constraints.some(({ names }) => names.includes(figure)))
  const own = await plannedObjective(plan, [...rankBy, ...asked])
  return { rankBy: own === null || typedOf(command)('--rank-by') ? rankBy : [own.figure], own }
}
