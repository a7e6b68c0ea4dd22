/** A machine that does the tasks of others: what `margin-core worker` runs. */
import { setTimeout } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import { WorkerPool } from './pool.ts'
import {
  batches,
  openQueue,
  type Packed,
  packed,
  type ResultMessage,
  resultsOf,
  type Study,
  studyOf,
  type TaskMessage,
  tasksOf,
  unpacked,
  whyOther,
} from './taskQueue.ts'

export interface TaskServerOptions {
  /** The database with the queue. */
  readonly postgres: string
  /** What others call this machine. */
  readonly name: string
  /** Threads, this one included. Default: one per core. */
  readonly workers?: number
  /** Ends it, once what it has begun is done. */
  readonly signal: AbortSignal
  readonly onNotice: (notice: string) => void
}

/** How often work is looked for while there is none, ms. */
const LOOK_EVERY = 500

/** @throws what the database says when it cannot be reached at the beginning; later it is tried again. */
export async function serveTasks({ onNotice: tell, ...given }: TaskServerOptions): Promise<void> {
  const { signal } = given
  const onNotice = once(tell)
  const options = { ...given, onNotice }
  const queue = await openQueue(options.postgres, (error) => onNotice(`the queue: ${error.message}`))
  const server = new TaskServer(queue, options)
  try {
    onNotice('waiting for tasks')
    while (!signal.aborted) {
      const found = await server.work().catch((error: Error) => {
        onNotice(`not done: ${error.message}`)
        return false
      })
      if (!found) await setTimeout(LOOK_EVERY, undefined, { signal }).catch(() => {})
    }
  } finally {
    await server.close()
    await queue.stop({ graceful: false })
  }
}

/** A notice that repeats the one before is not told again. */
function once(tell: (notice: string) => void): (notice: string) => void {
  let last = ''
  return (notice) => {
    if (notice !== last) tell(notice)
    last = notice
  }
}

/** What is being worked on, with threads that stay prepared for it. */
interface Current {
  readonly id: string
  readonly pool: WorkerPool
  done: number
}

class TaskServer {
  readonly #queue: PgBoss
  readonly #options: TaskServerOptions
  /** Batches that are not to be done here. */
  readonly #refused = new Set<string>()
  #current: Current | null = null

  constructor(queue: PgBoss, options: TaskServerOptions) {
    this.#queue = queue
    this.#options = options
  }

  /** Does some tasks, of the batch that it is at if that has any. Says whether there were some. */
  async work(): Promise<boolean> {
    const ids = (await batches(this.#queue)).filter((id) => !this.#refused.has(id))
    for (const id of ids.sort((a) => (a === this.#current?.id ? -1 : 1)))
      if (await this.#unlessEnded(id)) return true
    await this.#leave()
    return false
  }

  /** Whoever handed out a batch may have all results, and take the batch away, while some are done once more here. */
  async #unlessEnded(id: string): Promise<boolean> {
    try {
      return await this.#workOn(id)
    } catch (error) {
      if ((await this.#queue.getQueue(tasksOf(id))) !== null) throw error
      return false
    }
  }

  async close(): Promise<void> {
    await this.#leave()
  }

  async #workOn(id: string): Promise<boolean> {
    const pool = await this.#poolFor(id)
    if (pool === null) return false
    const jobs = await this.#queue.fetch<Packed>(tasksOf(id), { batchSize: pool.threads })
    if (jobs.length === 0) return false
    await this.#do(
      id,
      pool,
      jobs.map(({ data }) => unpacked<TaskMessage>(data)),
    )
    await this.#queue.complete(
      tasksOf(id),
      jobs.map((job) => job.id),
    )
    return true
  }

  /** Null for a batch that has ended, or that is not to be done here. */
  async #poolFor(id: string): Promise<WorkerPool | null> {
    if (this.#current?.id === id) return this.#current.pool
    if ((await this.#queue.getQueueSize(tasksOf(id))) === 0) return null
    const study = await studyOf(this.#queue, id)
    if (study === null) return null
    const refused = await whyOther(study)
    if (refused === null) return this.#begin(id, study)
    this.#refused.add(id)
    this.#options.onNotice(`takes no part in ${id}: ${refused}`)
    await this.#answer(id, { worker: this.#options.name, refused })
    return null
  }

  async #do(id: string, pool: WorkerPool, entries: readonly TaskMessage[]): Promise<void> {
    try {
      const results = await pool.run<unknown, unknown>(entries.flatMap(({ tasks }) => tasks))
      let at = 0
      for (const { index, tasks } of entries) {
        await this.#answer(id, { index, results: results.slice(at, at + tasks.length) })
        at += tasks.length
      }
      if (this.#current?.id === id) this.#current.done += at
    } catch (error) {
      const { name, message } = error as Error
      await this.#leave()
      await this.#answer(id, { error: { name, message } })
    }
  }

  async #begin(id: string, { setup }: Study): Promise<WorkerPool> {
    await this.#leave()
    this.#options.onNotice(`takes part in ${id}: ${setup.kind}`)
    const pool = new WorkerPool(setup, this.#options.workers)
    this.#current = { id, pool, done: 0 }
    return pool
  }

  async #leave(): Promise<void> {
    const current = this.#current
    if (current === null) return
    this.#current = null
    await current.pool.close()
    this.#options.onNotice(`did ${current.done} tasks of ${current.id}`)
  }

  async #answer(id: string, message: ResultMessage): Promise<void> {
    await this.#queue.send(resultsOf(id), packed(message))
  }
}
