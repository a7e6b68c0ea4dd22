/** A model as it is kept: how it is learned, every fit of it, and what its learning goes on from. */
import type { Bar } from '../strategy/bar.ts'
import type { MadeFit } from './fitRecord.ts'
import { delayOf } from './fitSchedule.ts'
import { isKeepable, type Plain } from './keepable.ts'
import type { LearnedRow, Learning } from './learning.ts'
import type { FitOfRows } from './pendingFit.ts'
import { plainText } from './plainText.ts'

/** Kept models that cannot be gone on with, or a model that cannot be kept. */
export class KeptModelError extends Error {
  override readonly name = 'KeptModelError'
}

/** How a model is learned, as far as it can be told in words and numbers. */
export interface ModelTerms {
  /** Name and parameters of the learner. */
  readonly learner: Plain
  /** In bars. */
  readonly horizon: number
  readonly window: string
  readonly every: string
  /** How long after it is made a fit is used; only where it is not used at once. */
  readonly takesEffectAfter?: string
  /** Of longer bars than those of the data; null of every bar. */
  readonly interval: string | null
  /** So many rows a fit needs. */
  readonly atLeast: number
  readonly seed: string
  /** Names of the features; null where the strategy does not say them. */
  readonly featureNames: readonly string[] | null
}

/** A fit that was made. */
export interface KeptFit extends MadeFit {
  /** Mean label of its rows. */
  readonly mean: number
  /** What its model is made again from. */
  readonly state: Plain
}

/** A bar whose label is not known yet; features are null where it has none. */
export interface KeptBar {
  readonly bar: Bar
  /** As they were told: any number each. */
  readonly features: readonly number[] | null
}

/** A model of a run, up to a bar. */
export interface KeptModel {
  readonly asset: string
  readonly model: string
  readonly terms: ModelTerms
  /** How many features a row has; null where there was none. */
  readonly features: number | null
  /** Last millisecond of the last bar that it was told, epoch ms. */
  readonly to: number
  /** How many fits were due and not made. */
  readonly skipped: number
  /** The first first. */
  readonly fits: readonly KeptFit[]
  /** The last millisecond of the last bar that a label of its rows knows, epoch ms. */
  readonly knownTo: number
  /** Rows that the next fit learns from. */
  readonly rows: readonly LearnedRow[]
  /** The last bars, whose labels are still to come. */
  readonly told: readonly KeptBar[]
  /** Fits that were begun and are to be used later, the first first: they are begun anew of the same rows. */
  readonly pending: readonly FitOfRows[]
}

/** @throws KeptModelError for a learner whose models cannot be kept. */
export function termsOf(name: string, atLeast: number, learning: Learning): ModelTerms {
  const { horizon, window, every, interval = null, seed = '', featureNames = null, fit } = learning
  if (!isKeepable(fit))
    throw new KeptModelError(
      `the model ${name} cannot be kept: its fit does not say how to make its models again; make it with keepable()`,
    )
  const delay = delayOf(learning)
  const later = delay === null ? {} : { takesEffectAfter: delay }
  return { learner: fit.learner, horizon, window, every, ...later, interval, atLeast, seed, featureNames }
}

const WORDS: Readonly<Record<keyof ModelTerms, string>> = {
  learner: 'the learner',
  horizon: 'the horizon',
  window: 'the window',
  every: 'the time between fits',
  takesEffectAfter: 'the time between a fit and its use',
  interval: 'the length of bars',
  atLeast: 'the least number of rows',
  seed: 'the seed',
  featureNames: 'the features',
}

/** @throws KeptModelError naming the first thing that is another. */
export function mustBeAlike({ asset, model, terms }: KeptModel, own: ModelTerms): void {
  for (const name of [
    'featureNames',
    'learner',
    'horizon',
    'window',
    'every',
    'takesEffectAfter',
    'interval',
    'atLeast',
    'seed',
  ] as const) {
    const [kept, asked] = [plainText(terms[name] ?? null), plainText(own[name] ?? null)]
    if (kept !== asked)
      throw new KeptModelError(
        `the kept model ${model} of ${asset} is another than the strategy's: ${WORDS[name]} was ${kept} and is ${asked}`,
      )
  }
}
