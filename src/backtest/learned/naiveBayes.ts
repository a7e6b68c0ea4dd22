/** How likely a one is where each feature, by itself, is drawn from a bell curve of the ones or of the zeros (naive Bayes). */
import { exp, ln } from '../simulated/exponential.ts'
import { type KeepableFit, keepable } from './keepable.ts'
import type { LearnedRow } from './learning.ts'
import { changes } from './standardised.ts'

/** Added to variances, as a share of the largest of a feature: a feature that is the same in one of the two would be sure of everything. */
const ADDED = 1e-9

/**
 * A fit for labels that are 0 or 1; the prediction is the probability of a 1.
 *
 * ```ts
 * const rows = [1, 2, 3, 7, 8, 9].map((x) => ({ closeTime: x, features: [x], label: x > 5 ? 1 : 0 }))
 * naiveBayes()(rows, { seed: 0, previous: null, at: 0 }).predict([5]).toFixed(3) // → 0.500
 * ```
 *
 * @throws RangeError, as a fit, for a label that is neither 0 nor 1.
 */
export function naiveBayes(): KeepableFit {
  return keepable({ learner: { name: 'naiveBayes' }, learn: bellsOf, model: modelOf })
}

/** Of labels that are all the same there is nothing to tell apart. */
type Bells =
  | { readonly always: number }
  | {
      readonly before: number
      readonly features: readonly { readonly column: number; readonly pair: readonly [Bell, Bell] }[]
    }

function modelOf(bells: Bells) {
  if ('always' in bells) return { predict: () => bells.always }
  return {
    predict(features: readonly number[]) {
      let odds = bells.before
      for (const { pair, column } of bells.features) {
        const [zero, one] = pair.map((bell) => heightOf(bell, features[column] as number)) as [number, number]
        odds += one - zero
      }
      return odds >= 0 ? 1 / (1 + exp(-odds)) : 1 - 1 / (1 + exp(odds))
    },
  }
}

function bellsOf(rows: readonly LearnedRow[]): Bells {
  const odd = rows.find(({ label }) => label !== 0 && label !== 1)
  if (odd !== undefined)
    throw new RangeError(`naive Bayes learns labels that are 0 or 1, and not ${odd.label}`)
  const [zeros, ones] = [0, 1].map((own) => rows.filter(({ label }) => label === own)) as [
    LearnedRow[],
    LearnedRow[],
  ]
  if (zeros.length === 0 || ones.length === 0) return { always: zeros.length === 0 ? 1 : 0 }
  const width = rows[0]?.features.length ?? 0
  const known = Array.from({ length: width }, (_, column) => {
    const all = bellOf(rows, column, 0)
    const added = ADDED * all.variance
    return { column, all, pair: [bellOf(zeros, column, added), bellOf(ones, column, added)] as const }
  }).filter(({ all: { mean, variance } }) => changes(mean, Math.sqrt(variance)) && Number.isFinite(variance))
  return {
    before: ln(ones.length) - ln(zeros.length),
    features: known.map(({ column, pair }) => ({ column, pair })),
  }
}

interface Bell {
  readonly mean: number
  readonly variance: number
}

function bellOf(rows: readonly LearnedRow[], column: number, added: number): Bell {
  const mean = rows.reduce((sum, { features }) => sum + (features[column] as number), 0) / rows.length
  const squares = rows.reduce((sum, { features }) => sum + ((features[column] as number) - mean) ** 2, 0)
  return { mean, variance: squares / rows.length + added }
}

/** So far down no curve goes: of two that are there nothing can be said, and not infinity less infinity. */
const LOWEST = -1e300

/** The logarithm of a bell curve, less what all have. */
function heightOf({ mean, variance }: Bell, value: number): number {
  return Math.max(-(ln(variance) + ((value - mean) * (value - mean)) / variance) / 2, LOWEST)
}
