/** What workers can do: each kind of work is prepared once per worker and then does task after task. */
import type { EvaluationSetup } from '../evaluate/paths.ts'
import type { RunPlan } from '../plan/plan.ts'

export type WorkSetup =
  | { readonly kind: 'sweep'; readonly plan: RunPlan }
  | { readonly kind: 'evaluate'; readonly evaluation: EvaluationSetup }

/** Does one task. Tasks and results are plain data. */
export type TaskRunner = (task: never) => Promise<unknown>

export async function prepareTasks(setup: WorkSetup): Promise<TaskRunner> {
  switch (setup.kind) {
    case 'sweep':
      return (await import('../sweep/variant.ts')).variantRunner(setup.plan)
    case 'evaluate':
      return (await import('../evaluate/paths.ts')).pathRunner(setup.evaluation)
  }
}
