/** What the learning of one model came to over a run. */
import type { LearnedFit } from './fitRecord.ts'
import type { Learned } from './learned.ts'

/** A model of a run: how it was learned, and how well it foretold. */
export interface LearnedResult {
  readonly name: string
  readonly asset: string
  /** Bars from a bar to its label. */
  readonly horizon: number
  readonly window: string
  readonly every: string
  /** How long after it is made a fit is used; only where it is not used at once. */
  readonly takesEffectAfter?: string
  /** How many fits were made and are to be used only after the end; only where it is not none. */
  readonly pending?: number
  /** How many fits were due and not made, for want of rows. */
  readonly skipped: number
  /** By name, over all fits. */
  readonly scores: Readonly<Record<string, LearnedScore>>
  /** The first first. */
  readonly fits: readonly LearnedFit[]
}

/**
 * A score over the fits of a run. Labels of neighbouring bars share most of their bars, so that single predictions are no evidence of their own;
 * what the model of one fit foretold until the next is nearly so: the error is the deviation of these by the root of their number.
 */
export interface LearnedScore {
  /** Mean over fits, of the rows that they learned from; null where none has one. */
  readonly inSample: number | null
  /** The same of what came after them. */
  readonly outOfSample: number | null
  /** Standard error of the mean out of sample; null with fewer than two. */
  readonly error: number | null
  /** Fits whose predictions have a score. */
  readonly fits: number
}

export function learnedResult(learned: Learned): LearnedResult {
  const { name, asset, horizon, window, every, takesEffectAfter, pending, skipped, fits } = learned
  const scores = scoresOverFits(Object.keys(learned.scores), fits)
  const later = laterFits(takesEffectAfter, pending.length)
  return { name, asset, horizon, window, every, ...later, skipped, scores, fits }
}

/** What is said of fits that are not used at once. */
export function laterFits(
  takesEffectAfter: string | null,
  pending: number,
): Pick<LearnedResult, 'takesEffectAfter' | 'pending'> {
  return {
    ...(takesEffectAfter === null ? {} : { takesEffectAfter }),
    ...(pending === 0 ? {} : { pending }),
  }
}

/** By name, over all fits. */
export function scoresOverFits(
  names: readonly string[],
  fits: readonly LearnedFit[],
): Readonly<Record<string, LearnedScore>> {
  return Object.fromEntries(
    names.map((score) => [
      score,
      overFits(
        fits.map(({ inSample }) => inSample[score] ?? null),
        fits.map(({ outOfSample }) => outOfSample[score] ?? null),
      ),
    ]),
  )
}

function overFits(
  inSample: readonly (number | null)[],
  outOfSample: readonly (number | null)[],
): LearnedScore {
  const known = outOfSample.filter((score) => score !== null)
  return {
    inSample: meanOf(inSample.filter((score) => score !== null)),
    outOfSample: meanOf(known),
    error: errorOf(known),
    fits: known.length,
  }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

function errorOf(values: readonly number[]): number | null {
  const mean = meanOf(values)
  if (mean === null || values.length < 2) return null
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}
