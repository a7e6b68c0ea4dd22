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
  /** The learners of the package go on from no model before. */
  readonly about: Omit<FitInput, 'previous' | 'signal'>
}

/** What was learned, or why nothing was. */
export type FitAnswer = { readonly state: Plain } | { readonly thrown: unknown }

const port = parentPort
if (port === null) throw new TypeError('this file runs in a thread only')

port.on('message', (task: FitTask) => port.postMessage(answerTo(task)))

function answerTo({ learner, rows, about }: FitTask): FitAnswer {
  try {
    const own = packageLearner(learner)
    if (own === null) throw new TypeError('a learner that is not of the package')
    return { state: stateOf(own(rows, { ...about, previous: null })) ?? null }
  } catch (thrown) {
    return { thrown }
  }
}
