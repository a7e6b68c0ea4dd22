/** What workers can do: each kind of work is prepared once per worker and then does task after task. */
import type { EvaluationSetup } from '../evaluate/paths.ts'
import type { TradePathSetup } from '../odds/tradePaths.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { SweepPaths } from '../sweep/variant.ts'

export type WorkSetup =
  | { readonly kind: 'sweep'; readonly plan: RunPlan; readonly paths?: SweepPaths }
  | { readonly kind: 'evaluate'; readonly evaluation: EvaluationSetup }
  | { readonly kind: 'entries'; readonly plan: RunPlan }
  | { readonly kind: 'trades'; readonly paths: TradePathSetup }

/** What the threads share: each takes the next task that nobody has taken. */
export interface WorkShare {
  readonly tasks: readonly unknown[]
  /** How many tasks have been taken, in shared memory. */
  readonly taken: Int32Array
}

/** Does one task. Tasks and results are plain data. */
export type TaskRunner = (task: never) => Promise<unknown>

export async function prepareTasks(setup: WorkSetup): Promise<TaskRunner> {
  switch (setup.kind) {
    case 'sweep':
      return (await import('../sweep/variant.ts')).variantRunner(setup.plan, setup.paths)
    case 'evaluate':
      return (await import('../evaluate/paths.ts')).pathRunner(setup.evaluation)
    case 'entries':
      return (await import('../entries/played.ts')).entryRunner(setup.plan)
    case 'trades':
      return (await import('../odds/tradePaths.ts')).tradePathRunner(setup.paths)
  }
}

/** Does tasks until none is left; each result is told before the next task is taken. */
export async function takeTasks(
  runner: TaskRunner,
  { tasks, taken }: WorkShare,
  onResult: (index: number, result: unknown) => Promise<void> | void,
): Promise<void> {
  const run = runner as (task: unknown) => Promise<unknown>
  const next = () => Atomics.add(taken, 0, 1)
  for (let index = next(); index < tasks.length; index = next())
    await onResult(index, await run(tasks[index]))
}
