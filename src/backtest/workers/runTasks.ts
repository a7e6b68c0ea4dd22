/** Independent tasks on several cores, or machines. The results, and the order in which they are told, depend on neither. */
import { WorkerPool } from './pool.ts'
import type { TaskPool, WorkOptions } from './taskPool.ts'
import type { WorkSetup } from './tasks.ts'

/** @throws what a database says that cannot be reached. */
export async function openPool(
  setup: WorkSetup,
  { workers, postgres, onNotice = () => {} }: WorkOptions,
): Promise<TaskPool> {
  if (postgres === undefined) return new WorkerPool(setup, workers)
  return (await import('./queuedPool.ts')).QueuedPool.open(postgres, setup, workers, onNotice)
}

export interface PoolOptions<Task, Result> extends WorkOptions {
  readonly setup: WorkSetup
  readonly tasks: readonly Task[]
  /** Told of every result, in the order of the tasks. */
  readonly onResult?: (result: Result, index: number) => void
}

/**
 * @returns the results in the order of the tasks.
 * @throws what the first failing task threw, with its name and message.
 */
export async function runTasks<Task, Result>(options: PoolOptions<Task, Result>): Promise<Result[]> {
  const pool = await openPool(options.setup, options)
  try {
    return await pool.run(options.tasks, options.onResult)
  } finally {
    await pool.close()
  }
}
