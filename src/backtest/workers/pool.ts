/** Independent tasks on several cores. The results, and the order in which they are told, do not depend on how many. */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { prepareTasks, takeTasks, type WorkSetup, type WorkShare } from './tasks.ts'
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
  const { tasks, workers = availableParallelism() } = options
  const results = new InOrder<Result>(tasks.length, options.onResult)
  const count = Math.min(workers, tasks.length)
  if (count > 1) await inThreads(options, count, results)
  else if (count === 1) {
    const run = (await prepareTasks(options.setup)) as (task: Task) => Promise<unknown>
    for (const [index, task] of tasks.entries()) results.put(index, (await run(task)) as Result)
  }
  return results.all
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

/** This thread is one of the `count`: it has everything loaded already, and would only wait. */
async function inThreads<Task, Result>(
  { setup, tasks }: PoolOptions<Task, Result>,
  count: number,
  results: InOrder<Result>,
): Promise<void> {
  const share: WorkShare = { setup, tasks, taken: new Int32Array(new SharedArrayBuffer(4)) }
  const pool = Array.from({ length: count - 1 }, () => startWorker(share))
  try {
    await new Promise<void>((resolve, reject) => {
      const put = (index: number, result: Result) => {
        results.put(index, result)
        if (results.complete) resolve()
      }
      for (const worker of pool) {
        worker.on('message', (answer: Answer) => {
          if ('error' in answer) return reject(failureOf(answer.error))
          try {
            put(answer.index, answer.result as Result)
          } catch (error) {
            reject(error)
          }
        })
        worker.on('error', reject)
        worker.on('exit', (code) => {
          if (code !== 0) reject(new Error(`a worker ended with code ${code}`))
        })
      }
      takeTasks(share, async (index, result) => {
        put(index, result as Result)
        // Lets the results of the others in.
        await setImmediate()
      }).catch(reject)
    })
  } finally {
    await Promise.all(pool.map((worker) => worker.terminate()))
  }
}

function startWorker(share: WorkShare): Worker {
  const fromSource = import.meta.url.endsWith('.ts')
  const file = new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url)
  if (!fromSource) return new Worker(file, { workerData: share })
  // From source, the worker has to learn TypeScript first; an import option does not reach it on Node 20.
  const home = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const tsx = new URL('./dist/esm/api/index.mjs', home).href
  const start = `import('${tsx}').then(({ register }) => { register(); return import('${file.href}') })`
  return new Worker(start, { eval: true, workerData: share, execArgv: [] })
}

function failureOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const error = new Error(message)
  error.name = name
  return error
}
