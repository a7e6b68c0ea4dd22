/**
 * Fits whose models can be kept and made again. What was learned is a state of plain JSON, and the model is made of that state alone, also
 * right after the fit: so the one that is made again says the same to the last digit.
 */
import type { Fit, FitBeside, FitInput, LearnedRow, Model } from './learning.ts'

/** What JSON holds; numbers may be any. */
export type Plain =
  | null
  | boolean
  | number
  | string
  | readonly Plain[]
  | { readonly [name: string]: Plain | undefined }

/** What says which learner it is, and makes its models again. */
export interface Keepable<Made extends Model = Model> {
  /** Its name and every parameter: a model of another learner is not taken for one of this. */
  readonly learner: Plain
  /** The model of a state that a fit of the same learner came to. */
  restored(state: Plain): Made
}

/** A fit that says which it is, and makes its models again. */
export interface KeepableFit<Made extends Model = Model> extends Keepable<Made> {
  (rows: readonly LearnedRow[], about: FitInput): Made
}

/** The same of one that is made beside everything else. */
export interface KeepableFitBeside<Made extends Model = Model> extends Keepable<Made> {
  (rows: readonly LearnedRow[], about: FitInput): Promise<Made>
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

/** What {@link keepableBeside} takes. */
export interface KeepableBesideParts<State, Made extends Model>
  extends Omit<KeepableParts<State, Made>, 'learn'> {
  /** What is learned of rows, once it is: as JSON has it. */
  learn(rows: readonly LearnedRow[], about: FitInput): Promise<State>
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
  const made = madeOf(model)
  const fit = (rows: readonly LearnedRow[], about: FitInput): Made => made(learn(rows, about))
  // A state is read from a file only where its SHA-256 is that of what was written.
  return Object.assign(fit, { learner, restored: (state: Plain): Made => made(state as State) })
}

/**
 * The same for what is learned beside everything else, such as by a program: a fit that takes time, for a model whose fits are used later
 * (`takesEffectAfter`).
 *
 * ```ts
 * const slow = keepableBeside({
 *   learner: { name: 'mean, in its own time' },
 *   learn: async (rows) => rows.reduce((sum, { label }) => sum + label, 0) / rows.length,
 *   model: (level: number) => ({ predict: () => level }),
 * })
 * const model = await slow([{ closeTime: 0, features: [1], label: 3 }], { seed: 0, previous: null, at: 0 })
 * model.predict([1]) // → 3
 * ```
 */
export function keepableBeside<State, Made extends Model>({
  learner,
  learn,
  model,
}: KeepableBesideParts<State, Made>): KeepableFitBeside<Made> {
  const made = madeOf(model)
  const fit = async (rows: readonly LearnedRow[], about: FitInput): Promise<Made> =>
    made(await learn(rows, about))
  return Object.assign(fit, { learner, restored: (state: Plain): Made => made(state as State) })
}

/** Models that have what they are made of. */
function madeOf<State, Made extends Model>(model: (state: State) => Made): (state: State) => Made {
  return (state) => Object.defineProperty(model(state), 'state', { value: state })
}

/** Whether the models of a fit can be kept. */
export function isKeepable<Any extends Fit | FitBeside>(fit: Any): fit is Any & Keepable {
  return 'learner' in fit && 'restored' in fit
}

/** What a model is made again from; undefined for one that cannot be. */
export function stateOf(model: object): Plain | undefined {
  return 'state' in model ? (model.state as Plain) : undefined
}
