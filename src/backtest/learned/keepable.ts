/**
 * Fits whose models can be kept and made again. What was learned is a state of plain JSON, and the model is made of that state alone, also
 * right after the fit: so the one that is made again says the same to the last digit.
 */
import type { FitInput, LearnedRow, Model } from './learning.ts'

/** What JSON holds; numbers may be any. */
export type Plain =
  | null
  | boolean
  | number
  | string
  | readonly Plain[]
  | { readonly [name: string]: Plain | undefined }

/** A fit that says which it is, and makes its models again. */
export interface KeepableFit<Made extends Model = Model> {
  (rows: readonly LearnedRow[], about: FitInput): Made
  /** Its name and every parameter: a model of another learner is not taken for one of this. */
  readonly learner: Plain
  /** The model of a state that a fit of the same learner came to. */
  restored(state: Plain): Made
}

/** What {@link keepable} takes. */
export interface KeepableParts<State, Made extends Model> {
  /** Name and parameters. */
  readonly learner: Plain
  /** What is learned of rows: numbers, texts, lists and objects, as JSON has them. For a program it is what the program gave back. */
  learn(rows: readonly LearnedRow[], about: FitInput): State
  /** The model of what was learned, and of nothing else. */
  model(state: State): Made
}

/**
 * A fit whose models can be kept (`--keep-models`) and gone on from (`--models`).
 *
 * ```ts
 * const mean = keepable({
 *   learner: { name: 'mean' },
 *   learn: (rows) => rows.reduce((sum, { label }) => sum + label, 0) / rows.length,
 *   model: (level: number) => ({ predict: () => level }),
 * })
 * mean.restored(3).predict([1]) // → 3
 * ```
 */
export function keepable<State, Made extends Model>({
  learner,
  learn,
  model,
}: KeepableParts<State, Made>): KeepableFit<Made> {
  const fit = (rows: readonly LearnedRow[], about: FitInput): Made => {
    const state = learn(rows, about)
    return Object.defineProperty(model(state), 'state', { value: state })
  }
  // A state is read from a file only where its SHA-256 is that of what was written.
  const restored = (state: Plain): Made =>
    Object.defineProperty(model(state as State), 'state', { value: state })
  return Object.assign(fit, { learner, restored })
}

/** Whether the models of a fit can be kept. */
export function isKeepable(fit: object): fit is KeepableFit {
  return 'learner' in fit && 'restored' in fit
}

/** What a model is made again from; undefined for one that cannot be. */
export function stateOf(model: object): Plain | undefined {
  return 'state' in model ? (model.state as Plain) : undefined
}
