/** Tasks on several cores. */
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { InOrder } from './inOrder.ts'
import { startThread } from './startThread.ts'
import { failureOf, type TaskPool } from './taskPool.ts'
import { prepareTasks, type TaskRunner, takeTasks, type WorkSetup, type WorkShare } from './tasks.ts'
import type { Answer } from './worker.ts'

/** Threads that stay prepared from one batch of tasks to the next. This thread is one of them: it has everything loaded. */
export class WorkerPool implements TaskPool {
  readonly #setup: WorkSetup
  /** This one included. */
  readonly threads: number
  readonly #workers: Worker[] = []
  #runner: Promise<TaskRunner> | null = null

  /** @param workers threads, this one included. Default: one per core. */
  constructor(setup: WorkSetup, workers = availableParallelism()) {
    this.#setup = setup
    this.threads = workers
  }

  async run<Task, Result>(
    tasks: readonly Task[],
    onResult?: (result: Result, index: number) => void,
  ): Promise<Result[]> {
    const results = new InOrder<Result>(tasks.length, onResult)
    if (tasks.length === 0) return results.all
    while (this.#workers.length < Math.min(this.threads, tasks.length) - 1)
      this.#workers.push(startThread(new URL('./worker', import.meta.url), this.#setup))
    const share: WorkShare = { tasks, taken: new Int32Array(new SharedArrayBuffer(4)) }
    await new Promise<void>((resolve, reject) => {
      const put = (index: number, result: unknown) => {
        results.put(index, result as Result)
        if (results.complete) resolve()
      }
      for (const worker of this.#workers) give(worker, share, put, reject)
      this.#ownWork(share, put).catch(reject)
    })
    return results.all
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()))
  }

  async #ownWork(share: WorkShare, put: (index: number, result: unknown) => void): Promise<void> {
    this.#runner ??= prepareTasks(this.#setup)
    await takeTasks(await this.#runner, share, async (index, result) => {
      put(index, result)
      // Lets the results of the others in.
      await setImmediate()
    })
  }
}

/** A batch for another thread, in place of the one before. */
function give(
  worker: Worker,
  share: WorkShare,
  put: (index: number, result: unknown) => void,
  reject: (error: unknown) => void,
): void {
  worker.removeAllListeners()
  worker.on('message', (answer: Answer) => {
    if ('error' in answer) return reject(failureOf(answer.error))
    try {
      put(answer.index, answer.result)
    } catch (error) {
      reject(error)
    }
  })
  worker.on('error', reject)
  worker.on('exit', (code) => {
    if (code !== 0) reject(new Error(`a worker ended with code ${code}`))
  })
  worker.postMessage(share)
}
