/** Fits of the package's learners in threads of their own, beside the trading. */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../workers/startThread.ts'
import type { FitAnswer, FitTask } from './fitThread.ts'
import {
  isKeepable,
  type KeepableFit,
  type KeepableFitBeside,
  keepableBeside,
  type Plain,
} from './keepable.ts'
import type { Fit, Model } from './learning.ts'
import { packageLearner } from './packageLearner.ts'

/** Threads that have nothing to do: a next fit need not start one. As many as were busy at once, and none keeps the process. */
const idle = new Set<Worker>()

/**
 * A learner of the package that learns in a thread, for a model whose fits are used later (`takesEffectAfter`): it comes to the same model, to the
 * last digit, and what is kept of one is gone on with by the other.
 *
 * ```ts
 * const rows = [1, 2, 3, 4].map((x) => ({ closeTime: 0, features: [x], label: 2 * x + 1 }))
 * const model = await inThread(ridge(1e-9))(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([10]).toFixed(3) // → 21.000
 * ```
 *
 * @throws RangeError for a learner that is not of the package, or has a part that is not: a thread knows those of the package alone.
 */
export function inThread<Made extends Model = Model>(fit: KeepableFit<Made> | Fit): KeepableFitBeside<Made> {
  const own = isKeepable(fit) ? (fit as KeepableFit<Made>) : null
  if (own === null || packageLearner(own.learner) === null)
    throw new RangeError(
      'a thread learns by the learners and steps of the package, and by no others: what else is to learn beside is called as a program, or in a thread of its own',
    )
  const { learner, restored } = own
  return keepableBeside({
    learner,
    learn: (rows, { seed, at, signal }) => learned({ learner, rows, about: { seed, at } }, signal),
    model: restored,
  })
}

/** What a thread has learned. It is ended where nobody waits for it any more. */
function learned(task: FitTask, signal: AbortSignal | undefined): Promise<Plain> {
  const thread = takenThread()
  return new Promise<Plain>((resolve, reject) => {
    const end = () => {
      over()
      void thread.terminate()
      reject(new Error('nobody waits for the fit any more'))
    }
    const over = () => {
      signal?.removeEventListener('abort', end)
      thread.removeAllListeners()
    }
    thread.once('message', (answer: FitAnswer) => {
      over()
      rest(thread)
      if ('thrown' in answer) reject(answer.thrown)
      else resolve(answer.state)
    })
    thread.once('error', reject)
    thread.once('exit', (code) => {
      over()
      reject(new Error(`the thread of a fit has ended (${code})`))
    })
    signal?.addEventListener('abort', end)
    thread.postMessage(task)
  })
}

function takenThread(): Worker {
  const [thread = startThread(new URL('./fitThread', import.meta.url), null)] = idle
  idle.delete(thread)
  thread.removeAllListeners()
  thread.ref()
  return thread
}

function rest(thread: Worker): void {
  thread.unref()
  thread.once('exit', () => idle.delete(thread))
  idle.add(thread)
}
