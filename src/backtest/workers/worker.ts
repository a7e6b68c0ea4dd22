/** The other threads of `pool.ts`: each takes tasks from what is shared and answers with the results. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareTasks, type TaskRunner, takeTasks, type WorkSetup, type WorkShare } from './tasks.ts'

/** What a worker answers: a result, or why there will be no more. */
export type Answer =
  | { readonly index: number; readonly result: unknown }
  | { readonly error: { readonly name: string; readonly message: string } }

const port = parentPort
if (port === null) throw new TypeError('this file runs in a worker only')

const answer = (message: Answer) => port.postMessage(message)

let runner: Promise<TaskRunner> | null = null

port.on('message', async (share: WorkShare) => {
  try {
    runner ??= prepareTasks(workerData as WorkSetup)
    await takeTasks(await runner, share, (index, result) => answer({ index, result }))
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    answer({ error: { name, message } })
  }
})
