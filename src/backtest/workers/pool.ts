/** Independent tasks on several cores. The results, and the order in which they are told, do not depend on how many. */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { prepareTasks, type WorkSetup } from './tasks.ts'
import type { Answer } from './worker.ts'

export interface PoolOptions<Task, Result> {
  readonly setup: WorkSetup
  readonly tasks: readonly Task[]
  /** Default: one per core. With 1 everything happens in this thread. */
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
  if (count > 1) await inWorkers(options, count, results)
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

  put(index: number, result: Result): void {
    this.all[index] = result
    this.#arrived[index] = true
    for (; this.#arrived[this.#told]; this.#told++)
      this.#onResult?.(this.all[this.#told] as Result, this.#told)
  }
}

async function inWorkers<Task, Result>(
  { setup, tasks }: PoolOptions<Task, Result>,
  count: number,
  results: InOrder<Result>,
): Promise<void> {
  const pool = Array.from({ length: count }, () => startWorker(setup))
  try {
    await new Promise<void>((resolve, reject) => {
      let next = 0
      let done = 0
      const give = (worker: Worker) => {
        if (next < tasks.length) worker.postMessage({ index: next, task: tasks[next++] })
      }
      for (const worker of pool) {
        worker.on('message', (answer: Answer) => {
          if ('error' in answer) return reject(failureOf(answer.error))
          try {
            results.put(answer.index, answer.result as Result)
          } catch (error) {
            return reject(error)
          }
          done += 1
          if (done === tasks.length) resolve()
          else give(worker)
        })
        worker.on('error', reject)
        worker.on('exit', (code) => reject(new Error(`a worker ended with code ${code}`)))
        give(worker)
      }
    })
  } finally {
    await Promise.all(pool.map((worker) => worker.terminate()))
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
