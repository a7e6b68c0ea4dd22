/** What a strategy says of a model that it learns: of which numbers, what they are to foretell, when, and by what. */
import type { Bar } from '../strategy/bar.ts'
import type { Score } from './scores.ts'

/** A model that is learned while the run goes on, of what has closed by then and nothing else. */
export interface Learning {
  /** So many bars after a bar its label is known: whole, 1 or more. A bar that is missing is not counted. */
  readonly horizon: number
  /** How old the bars are at most that a fit learns from: `60d`. What is older is let go of. */
  readonly window: string
  /** A fit is made with the first bar that closes at or after each whole multiple of this since 1970, UTC: `7d`. */
  readonly every: string
  /**
   * How long after the bar with which a fit is made it is used: `15m`, at most as long as `every`. So long a fit may take beside a live run, which
   * goes on with the model before; only one that takes longer is waited for. A backtest uses it from the same bar on. Default `0m`: at once.
   */
  readonly takesEffectAfter?: string
  /** So many rows a fit needs, 1 or more; with fewer none is made, and the model before stays. Default 500. */
  readonly atLeast?: number
  /** Of longer bars than those of the data, each once it is closed: `15m`, `4h`. Default: of every bar. */
  readonly interval?: string
  /** How the predictions are drawn: below the prices, over them, or not at all. Default `apart`. */
  readonly chart?: 'price' | 'apart' | 'none'
  /** By what fits are scored, by name. Default: `correlation` and `skill`. */
  readonly scores?: Readonly<Record<string, Score>>
  /** What the features are called: a model that was kept is gone on with only by features of the same names. Default: they have none. */
  readonly featureNames?: readonly string[]
  /** Makes other seeds of fits. Default: none. */
  readonly seed?: string
  /**
   * What the model is told of a bar that has just closed; every indicator is up to date with it. Always as many numbers. Null where there is
   * nothing to tell: the bar is no row, and has no prediction.
   */
  features(bar: Bar): readonly number[] | null
  /**
   * What the features of a bar are to foretell, asked once all of the bars after it that the horizon has are closed.
   *
   * @param ahead these bars, oldest first: as many as the horizon says.
   * @param bar the one whose features were told.
   * @returns null where the bar is to be no row.
   */
  label(ahead: readonly Bar[], bar: Bar): number | null
  /** Makes a model of rows, oldest first. Of the same rows and seed it has to be the same model. */
  readonly fit: Fit | FitBeside
}

/** Makes a model, at once: not a promise of one. */
export type Fit = (rows: readonly LearnedRow[], about: FitInput) => Model

/** Makes a model beside everything else, such as in a thread or by a program: only where `takesEffectAfter` gives it time. */
export type FitBeside = (rows: readonly LearnedRow[], about: FitInput) => Promise<Model>

/** A bar's features, and what came after it. */
export interface LearnedRow {
  /** The bar's last millisecond, epoch ms. */
  readonly closeTime: number
  /** As they were told: any number each. */
  readonly features: readonly number[]
  /** As it became known: any number. */
  readonly label: number
}

/** What a fit is told beside its rows. */
export interface FitInput {
  /** For a learner that draws: any whole number from 0 to 2³² − 1, as any number may seed. It follows from the market, the name, `seed` and the instant of the fit. */
  readonly seed: number
  /** The model that is used then; null before the first. */
  readonly previous: Model | null
  /** The last millisecond of the bar with which it is made, epoch ms. */
  readonly at: number
  /** Aborted once nobody waits for the fit any more, because the run has ended. Only where `takesEffectAfter` gives it time. */
  readonly signal?: AbortSignal
}

/** What a fit comes to. */
export interface Model {
  /**
   * What it foretells: any number that is finite.
   *
   * @param features as a row has them, and often new to it: any number each.
   */
  predict(features: readonly number[]): number
}
