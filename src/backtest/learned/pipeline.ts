/** What is done to features before a learner has them, fitted on the same rows. */
import { axesOf } from '../search/principalAxes.ts'
import { solved } from './cholesky.ts'
import { isKeepable, keepable, type Plain, stateOf } from './keepable.ts'
import type { Fit, FitInput, LearnedRow, Model } from './learning.ts'
import { type Scale, Standardised, scaled } from './standardised.ts'

/** What a step of a {@link pipeline} makes of rows. */
export interface Stepped {
  /** What the next step has: as many rows, or fewer. */
  readonly rows: readonly LearnedRow[]
  /**
   * The same for features that are asked about later; null where nothing is to be said of them.
   *
   * @param features as a row has them: any number each.
   */
  of(features: readonly number[]): readonly number[] | null
}

/** A step of a {@link pipeline}: of the same rows the same. */
export type Step = (rows: readonly LearnedRow[]) => Stepped

/** A step that says which it is, and can be made again: where all steps are of this kind, and the learner too, their models can be kept. */
export interface KeepableStep extends Step {
  /** Its name and every parameter. */
  readonly step: Plain
  /** What a step does that was fitted to this state. */
  restored(state: Plain): Stepped['of']
}

/** What {@link keepableStep} takes. */
export interface KeepableStepParts<State> {
  /** Name and parameters. */
  readonly step: Plain
  /** What is fitted to rows: numbers, texts, lists and objects, as JSON has them. */
  fitted(rows: readonly LearnedRow[]): State
  /** What is done by it to features, and nothing else is known. */
  of(state: State): Stepped['of']
  /** The rows that the next step has. Default: all of them, with what is made of their features. */
  rows?(rows: readonly LearnedRow[], state: State): readonly LearnedRow[]
}

/**
 * ```ts
 * const halved = keepableStep({ step: { name: 'halved' }, fitted: () => 2, of: (by) => (features) => features.map((one) => one / by) })
 * halved.restored(2)([6, 4])?.join() // → 3,2
 * ```
 */
export function keepableStep<State>({
  step,
  fitted,
  of,
  rows: left,
}: KeepableStepParts<State>): KeepableStep {
  const made = (rows: readonly LearnedRow[]): Stepped => {
    const state = fitted(rows)
    const done = of(state)
    const next =
      left?.(rows, state) ?? rows.map((row) => ({ ...row, features: done(row.features) ?? row.features }))
    return Object.defineProperty({ rows: next, of: done }, 'state', { value: state })
  }
  // A state is read from a file only where its SHA-256 is that of what was written.
  return Object.assign(made, { step, restored: (state: Plain) => of(state as State) })
}

function isKeepableStep(step: Step): step is KeepableStep {
  return 'step' in step && 'restored' in step
}

/**
 * A fit of one learner after steps. Where a step says nothing of features, the prediction is the mean of the labels: what would be said without a
 * model.
 *
 * ```ts
 * const rows = Array.from({ length: 60 }, (_, x) => ({ closeTime: x, features: [x, 2 * x], label: x }))
 * const model = pipeline([principalComponents({ count: 1 })], ridge(1e-9))(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([30, 60]).toFixed(3) // → 30.000
 * ```
 *
 * @throws RangeError, as a fit, where steps leave no rows.
 */
export function pipeline(steps: readonly Step[], learner: Fit): Fit {
  const learned = (rows: readonly LearnedRow[], about: FitInput) => {
    const made: Stepped[] = []
    for (const step of steps) made.push(step(made.at(-1)?.rows ?? rows))
    const left = made.at(-1)?.rows ?? rows
    if (left.length === 0) throw new RangeError('the steps before the learner leave it no rows')
    const previous =
      about.previous !== null && 'inner' in about.previous ? (about.previous.inner as Model) : null
    const inner = learner(left, { ...about, previous })
    return { inner, made, mean: rows.reduce((sum, { label }) => sum + label, 0) / rows.length }
  }
  const kept = steps.filter(isKeepableStep)
  if (kept.length < steps.length || !isKeepable(learner))
    return (rows, about) => {
      const { inner, made, mean } = learned(rows, about)
      return steppedModel(
        inner,
        made.map(({ of }) => of),
        mean,
      )
    }
  return keepable({
    learner: { name: 'pipeline', steps: kept.map(({ step }) => step), learner: learner.learner },
    learn(rows, about): { inner: Plain; steps: Plain[]; mean: number } {
      const { inner, made, mean } = learned(rows, about)
      return { inner: stateOf(inner) ?? null, steps: made.map((one) => stateOf(one) ?? null), mean }
    },
    model: ({ inner, steps: states, mean }) =>
      steppedModel(
        learner.restored(inner),
        kept.map((step, index) => step.restored(states[index] ?? null)),
        mean,
      ),
  })
}

function steppedModel(
  inner: Model,
  steps: readonly Stepped['of'][],
  mean: number,
): Model & { readonly inner: Model } {
  return {
    inner,
    predict(features) {
      let own: readonly number[] | null = features
      for (const step of steps) if (own !== null) own = step(own)
      return own === null ? mean : inner.predict(own)
    },
  }
}

/**
 * Each feature less its mean, by its deviation; one that never changes becomes 0.
 *
 * ```ts
 * const { of } = standardise()([1, 2, 3].map((x) => ({ closeTime: x, features: [x, 7], label: 0 })))
 * of([3, 9])?.map((value) => value.toFixed(2)).join(' ') // → 1.22 0.00
 * ```
 */
export function standardise(): KeepableStep {
  return keepableStep({
    step: { name: 'standardise' },
    fitted: (rows) => new Standardised(rows).scale,
    of: (scale) => (features) => Array.from(scaled(features, scale)),
  })
}

/**
 * The features as their principal components, those that vary most first: standardised, turned, and without the last (K. Pearson, 1901).
 *
 * ```ts
 * const rows = [1, 2, 3].map((x) => ({ closeTime: x, features: [x, 2 * x, -x], label: 0 }))
 * principalComponents()(rows).of([2, 4, -2])?.length // → 1
 * ```
 *
 * @param keep `share` of the variance that is kept, above 0 to 1, or the `count` of components. Default: a share of 0.999.
 * @throws RangeError for numbers out of range.
 */
export function principalComponents(
  keep: { readonly share: number } | { readonly count: number } = { share: 0.999 },
): KeepableStep {
  if ('share' in keep && !(keep.share > 0 && keep.share <= 1))
    throw new RangeError(`the share of variance is above 0 and at most 1, not ${keep.share}`)
  if ('count' in keep && !(Number.isSafeInteger(keep.count) && keep.count >= 1))
    throw new RangeError(`${keep.count} is no number of components`)
  return keepableStep({
    step: { name: 'principalComponents', ...keep },
    fitted(rows) {
      const standardised = new Standardised(rows)
      const { values, vectors } = axesOf(covarianceOf(standardised, rows.length))
      const order = [...values.keys()].sort(
        (one, other) => (values[other] as number) - (values[one] as number),
      )
      const kept = 'count' in keep ? order.slice(0, keep.count) : most(order, values, keep.share)
      const axes = kept.map((index) => upright(vectors.map((row) => row[index] as number)))
      return { scale: standardised.scale, axes }
    },
    of:
      ({ scale, axes }) =>
      (features) => {
        const own = scaled(features, scale)
        return axes.map((axis) => axis.reduce((sum, part, column) => sum + part * (own[column] as number), 0))
      },
  })
}

/** As many of the first as hold the share of all. */
function most(order: readonly number[], values: readonly number[], share: number): readonly number[] {
  const all = values.reduce((sum, value) => sum + value, 0)
  let held = 0
  const count = order.findIndex((index) => {
    held += values[index] as number
    return held >= share * all * (1 - 1e-12)
  })
  return order.slice(0, count === -1 ? order.length : count + 1)
}

/** An axis has two directions: the one whose largest part is above 0. */
function upright(axis: readonly number[]): readonly number[] {
  const largest = axis.reduce((most, part) => (Math.abs(part) > Math.abs(most) * (1 + 1e-9) ? part : most), 0)
  return largest < 0 ? axis.map((part) => -part) : axis
}

/**
 * Without the rows whose features lie farthest from all of them together (P. C. Mahalanobis, 1936), and silent about features that lie farther than any row that
 * was kept.
 *
 * ```ts
 * const rows = [1, 2, 3, 4, 90].map((x) => ({ closeTime: x, features: [x], label: 0 }))
 * const { rows: kept, of } = withoutOutliers({ share: 0.2 })(rows)
 * [kept.length, of([50])].join() // → 4,
 * ```
 *
 * @param share of the rows that are left out: 0 or above, below 0.5. Default 0.01.
 * @throws RangeError for a share out of range.
 */
export function withoutOutliers({ share = 0.01 }: { readonly share?: number } = {}): KeepableStep {
  if (!(share >= 0 && share < 0.5))
    throw new RangeError(`the share of rows left out is 0 or above and below 0.5, not ${share}`)
  return keepableStep({
    step: { name: 'withoutOutliers', share },
    fitted(rows): Bounds {
      const standardised = new Standardised(rows)
      const { scale, width } = standardised
      if (width === 0) return { scale, covariance: [], farthest: 0 }
      const covariance = covarianceOf(standardised, rows.length)
      const distances = rows.map(({ features }) => distanceOf(features, scale, covariance))
      const sorted = distances.sort((one, other) => one - other)
      return {
        scale,
        covariance,
        farthest: sorted[rows.length - 1 - Math.floor(share * rows.length)] as number,
      }
    },
    rows: (rows, { scale, covariance, farthest }) =>
      covariance.length === 0
        ? rows
        : rows.filter(({ features }) => distanceOf(features, scale, covariance) <= farthest),
    of:
      ({ scale, covariance, farthest }) =>
      (features) =>
        covariance.length === 0 || distanceOf(features, scale, covariance) <= farthest * (1 + 1e-12)
          ? features
          : null,
  })
}

interface Bounds {
  readonly scale: Scale
  readonly covariance: readonly (readonly number[])[]
  readonly farthest: number
}

function distanceOf(features: readonly number[], scale: Scale, covariance: Bounds['covariance']): number {
  const own = scaled(features, scale)
  // Features that say the same would have no distance: a little is added to each.
  const matrix = Float64Array.from(
    covariance.flatMap((row, i) => row.map((value, j) => value + (i === j ? 1e-6 : 0))),
  )
  return solved(matrix, own).reduce((sum, value, column) => sum + value * (own[column] as number), 0)
}

/** Of standardised features. */
function covarianceOf({ values, width }: Standardised, count: number): number[][] {
  return Array.from({ length: width }, (_, i) =>
    Array.from({ length: width }, (_unused, j) => {
      let sum = 0
      for (let row = 0; row < count; row++)
        sum += (values[row * width + i] as number) * (values[row * width + j] as number)
      return sum / count
    }),
  )
}
