/** The other end of `pool.ts`: prepares itself from what it is given, then answers task after task. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareTasks, type WorkSetup } from './tasks.ts'

/** What a worker answers: a result, or why there is none. */
export type Answer =
  | { readonly index: number; readonly result: unknown }
  | { readonly index: number; readonly error: { readonly name: string; readonly message: string } }

const port = parentPort
if (port === null) throw new TypeError('this file runs in a worker only')

const preparing = prepareTasks(workerData as WorkSetup)
// A failed preparation is told with the first task; until then nobody listens.
preparing.catch(() => {})

port.on('message', async ({ index, task }: { readonly index: number; readonly task: never }) => {
  let answer: Answer
  try {
    const run = await preparing
    answer = { index, result: await run(task) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    answer = { index, error: { name, message } }
  }
  port.postMessage(answer)
})
