/** Independent tasks on several cores. The results, and the order in which they are told, do not depend on how many. */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { prepareTasks, type TaskRunner, takeTasks, type WorkSetup, type WorkShare } from './tasks.ts'
import type { Answer } from './worker.ts'

export interface PoolOptions<Task, Result> {
  readonly setup: WorkSetup
  readonly tasks: readonly Task[]
  /** Threads, this one included. Default: one per core. */
  readonly workers?: number
  /** Told of every result, in the order of the tasks. */
  readonly onResult?: (result: Result, index: number) => void
}

/**
 * @returns the results in the order of the tasks.
 * @throws what the first failing task threw, with its name and message.
 */
export async function runTasks<Task, Result>(options: PoolOptions<Task, Result>): Promise<Result[]> {
  const pool = new WorkerPool(options.setup, options.workers)
  try {
    return await pool.run(options.tasks, options.onResult)
  } finally {
    await pool.close()
  }
}

/** Threads that stay prepared from one batch of tasks to the next. This thread is one of them: it has everything loaded. */
export class WorkerPool {
  readonly #setup: WorkSetup
  readonly #most: number
  readonly #workers: Worker[] = []
  #runner: Promise<TaskRunner> | null = null

  /** @param workers threads, this one included. Default: one per core. */
  constructor(setup: WorkSetup, workers = availableParallelism()) {
    this.#setup = setup
    this.#most = workers
  }

  /**
   * One batch after the other.
   *
   * @returns the results in the order of the tasks.
   * @throws what the first failing task threw, with its name and message; the pool can only be closed then.
   */
  async run<Task, Result>(
    tasks: readonly Task[],
    onResult?: (result: Result, index: number) => void,
  ): Promise<Result[]> {
    const results = new InOrder<Result>(tasks.length, onResult)
    if (tasks.length === 0) return results.all
    while (this.#workers.length < Math.min(this.#most, tasks.length) - 1)
      this.#workers.push(startWorker(this.#setup))
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

/** Keeps results by index and tells them without gaps. */
class InOrder<Result> {
  readonly all: Result[]
  readonly #arrived: boolean[]
  readonly #onResult: ((result: Result, index: number) => void) | undefined
  #told = 0

  constructor(length: number, onResult: ((result: Result, index: number) => void) | undefined) {
    this.all = new Array<Result>(length)
    this.#arrived = new Array<boolean>(length).fill(false)
    this.#onResult = onResult
  }

  get complete(): boolean {
    return this.#told === this.all.length
  }

  put(index: number, result: Result): void {
    this.all[index] = result
    this.#arrived[index] = true
    for (; this.#arrived[this.#told]; this.#told++)
      this.#onResult?.(this.all[this.#told] as Result, this.#told)
  }
}

function startWorker(setup: WorkSetup): Worker {
  const fromSource = import.meta.url.endsWith('.ts')
  const file = new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url)
  if (!fromSource) return new Worker(file, { workerData: setup })
  // From source, the worker has to learn TypeScript first; an import option does not reach it on Node 20.
  const home = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const tsx = new URL('./dist/esm/api/index.mjs', home).href
  const start = `import('${tsx}').then(({ register }) => { register(); return import('${file.href}') })`
  return new Worker(start, { eval: true, workerData: setup, execArgv: [] })
}

function failureOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const error = new Error(message)
  error.name = name
  return error
}
