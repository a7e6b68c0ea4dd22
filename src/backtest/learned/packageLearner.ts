/** The learners of the package by what they say of themselves: its name and every parameter make the same one again, in another thread as well. */
import { boostedStumps } from './boostedStumps.ts'
import { boostedTrees } from './boostedTrees.ts'
import { calibrated } from './calibrated.ts'
import type { KeepableFit, Plain } from './keepable.ts'
import { logistic } from './logistic.ts'
import { naiveBayes } from './naiveBayes.ts'
import { nearestNeighbours } from './nearestNeighbours.ts'
import { perceptron } from './perceptron.ts'
import { type KeepableStep, pipeline, principalComponents, standardise, withoutOutliers } from './pipeline.ts'
import { plainText } from './plainText.ts'
import { randomForest } from './randomForest.ts'
import { ridge } from './ridge.ts'

/** Name and parameters, as the learner was made with them. */
// biome-ignore lint/suspicious/noExplicitAny: each learner reads what it wrote itself, and its text is compared below
type Said = any

const LEARNERS: Readonly<Record<string, (said: Said) => KeepableFit>> = {
  ridge: ({ penalty }) => ridge(penalty),
  logistic: ({ penalty }) => logistic(penalty),
  boostedStumps,
  boostedTrees,
  randomForest,
  naiveBayes,
  nearestNeighbours,
  perceptron,
  calibrated: ({ learner, ...how }) => calibrated(made(learner), how) as KeepableFit,
  pipeline: ({ steps, learner }) => pipeline(steps.map(stepOf), made(learner)) as KeepableFit,
}

const STEPS: Readonly<Record<string, (said: Said) => KeepableStep>> = {
  standardise,
  principalComponents: ({ name: _, ...keep }) => principalComponents(keep),
  withoutOutliers,
}

/**
 * The learner that says this of itself; null for one that is not of the package, or has a part that is not.
 *
 * @param learner as a fit says it: its `learner`.
 */
export function packageLearner(learner: Plain): KeepableFit | null {
  try {
    const fit = made(learner)
    return plainText(fit.learner) === plainText(learner) ? fit : null
  } catch {
    return null
  }
}

function made(said: Said): KeepableFit {
  return (LEARNERS[said.name] as (said: Said) => KeepableFit)(said)
}

function stepOf(said: Said): KeepableStep {
  return (STEPS[said.name] as (said: Said) => KeepableStep)(said)
}
