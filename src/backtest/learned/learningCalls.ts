/** The functions of a learning as they are called: what they return is looked at, and what they throw is told with which of them it was. */
import { moment } from '../output/presentation.ts'
import type { Bar } from '../strategy/bar.ts'
import type { FitInput, LearnedRow, Learning, Model } from './learning.ts'
import { LearningFailure } from './learningFailure.ts'
import type { PendingFit } from './pendingFit.ts'

type Step = ConstructorParameters<typeof LearningFailure>[0]

/** Everything throws a LearningFailure: for what the functions throw, and for what they return where it cannot be used. */
export class LearningCalls {
  readonly #learning: Learning
  readonly #learned: { readonly name: string }
  readonly #ofOtherWidth: (width: number) => Error | undefined
  /** How many features a row has; null before the first. */
  width: number | null = null

  /** `ofOtherWidth` may say more of a row with another number of features than that it has. */
  constructor(
    learning: Learning,
    learned: { readonly name: string },
    ofOtherWidth: (width: number) => Error | undefined,
  ) {
    this.#learning = learning
    this.#learned = learned
    this.#ofOtherWidth = ofOtherWidth
  }

  features(bar: Bar): readonly number[] | null {
    const given = this.#run('features', () => this.#learning.features(bar))
    if (given === null) return null
    if (!Array.isArray(given))
      throw this.#fault('features', `${shown(given)} is no list of numbers, and not null`)
    // What anybody does with the list later changes no row.
    const features: readonly unknown[] = Object.freeze([...given])
    this.width ??= features.length
    if (features.length !== this.width)
      throw (
        this.#ofOtherWidth(features.length) ??
        this.#fault('features', `${features.length} number(s), where the bars before had ${this.width}`)
      )
    const odd = features.findIndex((feature) => !Number.isFinite(feature))
    if (odd !== -1) throw this.#fault('features', `${shown(features[odd])} in the place ${odd} is no number`)
    return features as readonly number[]
  }

  label(ahead: readonly Bar[], bar: Bar): number | null {
    const label = this.#run('label', () => this.#learning.label(ahead, bar))
    if (label !== null && !Number.isFinite(label))
      throw this.#fault('label', `${shown(label)} of the bar at ${moment(bar.closeTime)} UTC is no number`)
    return label
  }

  /** A fit that is used at once. */
  fit(rows: readonly LearnedRow[], about: FitInput): Model {
    return this.#modelOf(this.#run('fit', () => this.#learning.fit(rows, about)))
  }

  /** A fit that has time: what its promise comes to is looked at by {@link done}. */
  begin(rows: readonly LearnedRow[], about: FitInput): Model | Promise<Model> {
    return this.#run('fit', () => this.#learning.fit(rows, about))
  }

  /** What a fit that had time came to. */
  done(fit: PendingFit): Model {
    return this.#modelOf(this.#run('fit', () => fit.model))
  }

  predict(model: Model, features: readonly number[]): number {
    const value = this.#run('predict', () => model.predict(features))
    if (!Number.isFinite(value)) throw this.#fault('predict', `${shown(value)} is no number`)
    return value
  }

  /** Whatever asks the scores. */
  scored<T>(ask: () => T): T {
    return this.#run('scores', ask)
  }

  #modelOf(made: Model | Promise<Model>): Model {
    if ('predict' in Object(made) && typeof (made as Model).predict === 'function') return made as Model
    const later = made instanceof Promise ? ', unless takesEffectAfter gives the fit time' : ''
    throw this.#fault(
      'fit',
      `${shown(made)} is no model: it has no predict, which has to be there at once${later}`,
    )
  }

  #run<T>(step: Step, call: () => T): T {
    try {
      return call()
    } catch (error) {
      throw this.#fault(step, error)
    }
  }

  #fault(step: Step, cause: unknown): LearningFailure {
    return new LearningFailure(step, this.#learned, cause)
  }
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
