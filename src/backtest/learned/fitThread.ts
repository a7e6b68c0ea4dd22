/** The other side of `inThread`: a thread that learns one fit after the other, each by a learner of the package that it is told by its name. */
import { parentPort } from 'node:worker_threads'
import { type Plain, stateOf } from './keepable.ts'
import type { FitInput, LearnedRow } from './learning.ts'
import { packageLearner } from './packageLearner.ts'

/** A fit to make. */
export interface FitTask {
  /** Name and parameters. */
  readonly learner: Plain
  readonly rows: readonly LearnedRow[]
  readonly about: Pick<FitInput, 'seed' | 'at'>
  /** What the model before is made of; null where there is none. */
  readonly previous: Plain
}

/** What was learned, or why nothing was. */
export type FitAnswer = { readonly state: Plain } | { readonly thrown: unknown }

const port = parentPort
if (port === null) throw new TypeError('this file runs in a thread only')

port.on('message', (task: FitTask) => port.postMessage(answerTo(task)))

function answerTo({ learner, rows, about, previous }: FitTask): FitAnswer {
  try {
    const own = packageLearner(learner)
    if (own === null) throw new TypeError('a learner that is not of the package')
    const before = previous === null ? null : own.restored(previous)
    return { state: stateOf(own(rows, { ...about, previous: before })) ?? null }
  } catch (thrown) {
    return { thrown }
  }
}
