/** What a model knew when it was kept: of the bars up to then it says what it said. */
import { moment } from '../output/presentation.ts'
import type { Bar } from '../strategy/bar.ts'
import { isKeepable } from './keepable.ts'
import { type KeptModel, KeptModelError, type ModelTerms, mustBeAlike } from './keptModel.ts'
import type { Fit, FitBeside, Model } from './learning.ts'
import { Standardised } from './standardised.ts'

/** Features of one bar may differ by so much of their deviation: averages never wholly forget how they began. */
const AGREEING = 0.01

export class KeptPast {
  readonly kept: KeptModel
  /** Of its fits, in their order. */
  readonly models: readonly Model[]

  /** @throws KeptModelError for a model of other terms, and for a state that its learner cannot read. */
  constructor(kept: KeptModel, terms: ModelTerms, fit: Fit | FitBeside) {
    mustBeAlike(kept, terms)
    this.kept = kept
    this.models = kept.fits.map(({ state, at }) => {
      try {
        if (isKeepable(fit)) return fit.restored(state)
      } catch (error) {
        throw this.#refused(
          `what its fit of ${moment(at)} UTC came to cannot be read (${(error as Error).message})`,
        )
      }
      throw this.#refused('its fit does not say how to make its models again')
    })
  }

  /** Whether it has learned of a bar, or of one after it. */
  knows({ closeTime }: Bar): boolean {
    return closeTime <= this.kept.to
  }

  /** The model that foretold at a time; null before the first fit. No later one is asked of an earlier bar. */
  modelAt(closeTime: number): Model | null {
    const index = this.kept.fits.findLastIndex(({ at, usedFrom = at }) => usedFrom <= closeTime)
    return this.models[index] ?? null
  }

  /**
   * The last bar that it was told is told again: with other features it would go on as another.
   *
   * @throws KeptModelError where they are others.
   */
  mustAgree({ closeTime }: Bar, features: readonly number[] | null): void {
    const { to, told, rows } = this.kept
    const known = told.at(-1)?.features ?? null
    if (closeTime !== to || known === null) return
    const { deviations } = new Standardised(rows).scale
    const other =
      features === null
        ? 0
        : known.findIndex((value, at) => {
            const off = Math.abs(value - (features[at] ?? Number.NaN))
            return !(off <= AGREEING * (deviations[at] ?? 0) || off <= 1e-9 * Math.abs(value))
          })
    if (other === -1) return
    throw this.#refused(
      `of the bar at ${moment(closeTime)} UTC the strategy tells ${features === null ? 'no features' : `${features[other]} in the place ${other}`}, and told ${known[other]} when the model was kept: it is another strategy, other data, or too short a warm-up`,
    )
  }

  /** Rows have another number of features. */
  ofWidth(width: number): KeptModelError {
    return this.#refused(`it has ${this.kept.features} feature(s), and the strategy tells ${width}`)
  }

  #refused(why: string): KeptModelError {
    const { model, asset } = this.kept
    return new KeptModelError(`the kept model ${model} of ${asset} cannot be gone on with: ${why}`)
  }
}
