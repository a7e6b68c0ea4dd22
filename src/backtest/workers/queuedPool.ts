/**
 * Tasks done here and by every `margin-core worker` at the same database. The results, and the order in which they are told,
 * are those of one machine: which of them does a task, and how many are killed meanwhile, changes nothing but the time.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import { InOrder } from './inOrder.ts'
import { WorkerPool } from './pool.ts'
import { failureOf, type TaskPool } from './taskPool.ts'
import {
  entriesOf,
  handOut,
  openQueue,
  type Packed,
  placesOf,
  type ResultMessage,
  resultsOf,
  type Study,
  studyFor,
  type TaskMessage,
  takeBack,
  tasksOf,
  unpacked,
} from './taskQueue.ts'
import type { WorkSetup } from './tasks.ts'

/** How often results are looked for while others work, ms. */
const LOOK_EVERY = 100
/** Left to others at least this long after everything was handed out, ms. */
const LEAST_GRACE = 1_000

export class QueuedPool implements TaskPool {
  readonly #queue: PgBoss
  readonly #study: Study
  readonly #own: WorkerPool
  readonly #onNotice: (notice: string) => void
  /** Batches that are not deleted yet. */
  readonly #open = new Set<string>()
  /** What the longest piece of work took here, ms. */
  #longest = 0

  private constructor(queue: PgBoss, study: Study, own: WorkerPool, onNotice: (notice: string) => void) {
    this.#queue = queue
    this.#study = study
    this.#own = own
    this.#onNotice = onNotice
  }

  /**
   * @param workers threads of this machine, this one included. Default: one per core.
   * @throws what the database says when it cannot be reached; FeedError for a file that cannot be read.
   */
  static async open(
    postgres: string,
    setup: WorkSetup,
    workers: number | undefined,
    onNotice: (notice: string) => void,
  ): Promise<QueuedPool> {
    const study = await studyFor(setup)
    const queue = await openQueue(postgres, (error) => onNotice(`the queue: ${error.message}`))
    return new QueuedPool(queue, study, new WorkerPool(setup, workers), onNotice)
  }

  async run<Task, Result>(
    tasks: readonly Task[],
    onResult?: (result: Result, index: number) => void,
  ): Promise<Result[]> {
    const results = new InOrder<Result>(tasks.length, onResult)
    if (tasks.length === 0) return results.all
    const id = randomUUID()
    this.#open.add(id)
    const entries = entriesOf(tasks)
    try {
      await asked(handOut(this.#queue, id, this.#study, entries))
      await this.#ownWork(id, results)
      await this.#waitForOthers(id, results)
      await this.#doMissing(entries, results, () => this.#takeResults(id, results))
      await this.#delete(id)
    } catch (error) {
      if (!(error instanceof QueueLost)) throw error
      this.#onNotice(`${error.message}; what is missing is done here`)
      await this.#doMissing(entries, results)
    }
    return results.all
  }

  async close(): Promise<void> {
    await this.#own.close()
    for (const id of this.#open) await this.#delete(id).catch(() => {})
    await this.#queue.stop({ graceful: false })
  }

  /** Does what nobody else has taken yet. */
  async #ownWork<Result>(id: string, results: InOrder<Result>): Promise<void> {
    for (;;) {
      const jobs = await asked(this.#queue.fetch<Packed>(tasksOf(id), { batchSize: this.#own.threads }))
      await this.#takeResults(id, results)
      if (jobs.length === 0) return
      await this.#do(
        jobs.map(({ data }) => unpacked<TaskMessage>(data)),
        results,
      )
      await asked(
        this.#queue.complete(
          tasksOf(id),
          jobs.map((job) => job.id),
        ),
      )
    }
  }

  /** As long as such work took here: then whoever has what is missing may be gone. */
  async #waitForOthers<Result>(id: string, results: InOrder<Result>): Promise<void> {
    const until = performance.now() + Math.max(LEAST_GRACE, this.#longest)
    while (!results.complete && performance.now() < until) {
      await setTimeout(LOOK_EVERY)
      await this.#takeResults(id, results)
    }
  }

  /** From the end: others are at the beginning. */
  async #doMissing<Result>(
    entries: readonly TaskMessage[],
    results: InOrder<Result>,
    look: () => Promise<void> = async () => {},
  ): Promise<void> {
    for (;;) {
      const left = entries.filter(({ index }) => !results.has(index)).slice(-this.#own.threads)
      if (left.length === 0) return
      await this.#do(left, results)
      await look()
    }
  }

  async #do<Result>(entries: readonly TaskMessage[], results: InOrder<Result>): Promise<void> {
    const began = performance.now()
    const done = await this.#own.run<unknown, Result>(entries.flatMap(({ tasks }) => tasks))
    this.#longest = Math.max(this.#longest, performance.now() - began)
    for (const [at, index] of placesOf(entries).entries()) results.put(index, done[at] as Result)
  }

  async #takeResults<Result>(id: string, results: InOrder<Result>): Promise<void> {
    const name = resultsOf(id)
    for (;;) {
      const jobs = await asked(this.#queue.fetch<Packed>(name, { batchSize: 64 }))
      if (jobs.length === 0) return
      for (const { data } of jobs) {
        const message = unpacked<ResultMessage>(data)
        if ('error' in message) throw failureOf(message.error)
        if ('refused' in message) {
          this.#onNotice(`worker ${message.worker} takes no part: ${message.refused}`)
          continue
        }
        for (const [offset, result] of message.results.entries())
          results.put(message.index + offset, result as Result)
      }
      await asked(
        this.#queue.complete(
          name,
          jobs.map((job) => job.id),
        ),
      )
    }
  }

  async #delete(id: string): Promise<void> {
    await asked(takeBack(this.#queue, id))
    this.#open.delete(id)
  }
}

/** The database does not answer: others can no longer help. */
class QueueLost extends Error {}

async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (cause) {
    throw new QueueLost(`the database with the tasks is lost: ${(cause as Error).message}`, { cause })
  }
}
