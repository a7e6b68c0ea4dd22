/**
 * Tasks that several machines share, in a PostgreSQL database, by `pg-boss`. Each batch of work has a queue of tasks, one of
 * results, and an entry that says what the tasks are done with; all of it goes when the batch ends.
 */
import { deserialize, serialize } from 'node:v8'
import PgBoss from 'pg-boss'
import { primaryPool } from '../../store/postgres/primary.ts'
import { VERSION } from '../../version.ts'
import { type InputFile, inputFilesOf } from '../plan/inputFiles.ts'
import type { WorkSetup } from './tasks.ts'

/** The queue's own tables are in a schema of their own. */
const SCHEMA = 'margin_core_tasks'
/** Nobody fetches from it: an entry is found by the id of its batch. */
const STUDIES = 'studies'
const TASKS = 'tasks_'
const RESULTS = 'results_'

const DELETIONS = 5

/** What an entry holds. */
export interface Packed {
  readonly packed: string
}

/** What every task of a batch is done with, and what has to be the same wherever it is done. */
export interface Study {
  readonly setup: WorkSetup
  readonly version: string
  readonly files: readonly InputFile[]
}

/** Some tasks in a row. */
export interface TaskMessage {
  /** Of the first of them. */
  readonly index: number
  readonly tasks: readonly unknown[]
}

/** A queue entry holds few tasks, and a batch at most so many entries. */
const ENTRIES = 512

/** All tasks in their order, in entries of one size. */
export function entriesOf(tasks: readonly unknown[]): TaskMessage[] {
  const size = Math.ceil(tasks.length / ENTRIES)
  const entries: TaskMessage[] = []
  for (let index = 0; index < tasks.length; index += size)
    entries.push({ index, tasks: tasks.slice(index, index + size) })
  return entries
}

/** Which of all tasks each task of some entries is. */
export const placesOf = (entries: readonly TaskMessage[]): number[] =>
  entries.flatMap(({ index, tasks }) => [...tasks.keys()].map((offset) => index + offset))

/** What comes back: results, why there are none, or why this worker cannot do it while others may. */
export type ResultMessage =
  | { readonly index: number; readonly results: readonly unknown[] }
  | { readonly error: { readonly name: string; readonly message: string } }
  | { readonly worker: string; readonly refused: string }

export const tasksOf = (id: string): string => `${TASKS}${id}`
export const resultsOf = (id: string): string => `${RESULTS}${id}`

/** @throws Error with what the database says when it cannot be reached, or its tables cannot be made. */
export async function openQueue(postgres: string, onError: (error: Error) => void): Promise<PgBoss> {
  const pool = primaryPool(postgres, {})
  pool.on('error', onError)
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }
  const queue = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false })
  queue.on('error', onError)
  queue.once('stopped', () => void pool.end())
  try {
    await queue.start()
  } catch (cause) {
    await pool.end()
    throw new Error(`the database with the tasks cannot be used: ${(cause as Error).message}`, { cause })
  }
  return queue
}

/** Makes the queues of a batch and fills that of the tasks. */
export async function handOut(
  queue: PgBoss,
  id: string,
  study: Study,
  entries: readonly TaskMessage[],
): Promise<void> {
  for (const name of [STUDIES, resultsOf(id), tasksOf(id)]) await queue.createQueue(name)
  await queue.insert([{ id, name: STUDIES, data: packed(study) }])
  await queue.insert(entries.map((entry) => ({ name: tasksOf(id), data: packed(entry) })))
}

/** Ends a batch for everybody. */
export async function takeBack(queue: PgBoss, id: string): Promise<void> {
  await queue.deleteJob(STUDIES, id)
  for (const name of [tasksOf(id), resultsOf(id)]) await deleteQueue(queue, name)
}

/** A queue goes when it is empty, and somebody may be putting a result into it. */
async function deleteQueue(queue: PgBoss, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await queue.getDb().executeSql(`DELETE FROM ${SCHEMA}.job WHERE name = $1`, [name])
    try {
      return await queue.deleteQueue(name)
    } catch (error) {
      if (tries === DELETIONS) throw error
    }
  }
}

/** Null once the batch has ended. */
export async function studyOf(queue: PgBoss, id: string): Promise<Study | null> {
  const entry = await queue.getJobById<Packed>(STUDIES, id)
  return entry && unpacked<Study>(entry.data)
}

/** Batches that have not ended. */
export async function batches(queue: PgBoss): Promise<string[]> {
  const queues = await queue.getQueues()
  return queues.flatMap(({ name }) => (name.startsWith(TASKS) ? [name.slice(TASKS.length)] : []))
}

/** Every value as it is, down to the sign of a zero: the queue itself keeps JSON. */
export const packed = (message: Study | TaskMessage | ResultMessage): Packed => ({
  packed: serialize(message).toString('base64'),
})

export const unpacked = <Message>(data: Packed): Message =>
  deserialize(Buffer.from(data.packed, 'base64')) as Message

/** @throws FeedError for a file that cannot be read. */
export async function studyFor(setup: WorkSetup): Promise<Study> {
  return { setup, version: VERSION, files: await filesOf(setup) }
}

/** Why this machine would come to other results; null when it would not. */
export async function whyOther({ setup, version, files }: Study): Promise<string | null> {
  if (version !== VERSION) return `it has version ${VERSION} of margin-core, not ${version}`
  let own: readonly InputFile[]
  try {
    own = await filesOf(setup)
  } catch (error) {
    return (error as Error).message
  }
  const other = files.find(({ use, sha256 }, at) => own[at]?.use !== use || own[at]?.sha256 !== sha256)
  if (other !== undefined) return `${other.path} (${other.use}) is another file there`
  return own.length === files.length ? null : 'it reads more files than there are'
}

async function filesOf(setup: WorkSetup): Promise<readonly InputFile[]> {
  if (setup.kind === 'trades') return []
  return inputFilesOf(setup.kind === 'evaluate' ? setup.evaluation.plan : setup.plan)
}
