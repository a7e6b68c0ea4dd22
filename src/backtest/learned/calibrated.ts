/**
 * Probabilities that mean what they say: what a learner says of rows that it did not learn from, the last ones in time, is bent to how often a one
 * came of them (Platt, Advances in Large Margin Classifiers, 1999; Zadrozny and Elkan, KDD 2002).
 */
import { exp, ln1p } from '../simulated/exponential.ts'
import { isKeepable, keepable, type Plain, stateOf } from './keepable.ts'
import type { Fit, FitInput, LearnedRow, Model } from './learning.ts'

/** What {@link calibrated} can be told. */
export interface CalibratedOptions {
  /** `platt` bends by a curve of two numbers, `isotonic` by any that never falls and wants some thousand rows. Default `platt`. */
  readonly by?: 'platt' | 'isotonic'
  /** Which share of the rows, the last in time, is not learned from but bent by: above 0, below 1. Default 0.25. */
  readonly share?: number
  /** So many rows before those are left out of both: labels that share bars with theirs. Whole; give the horizon. Default 0. */
  readonly gap?: number
}

/** Rows that a curve needs at least: with fewer nothing can be said of how often. */
const LEAST = 10

/**
 * A fit for labels that are 0 or 1, of another: it learns from the first rows, and the prediction is how often a 1 came where it said such a thing.
 *
 * ```ts
 * const rows = Array.from({ length: 400 }, (_, x) => ({ closeTime: x, features: [x % 10], label: x % 10 > 4 ? 1 : 0 }))
 * const model = calibrated(ridge(), { by: 'isotonic' })(rows, { seed: 0, previous: null, at: 0 })
 * [model.predict([9]), model.predict([0])].join() // → 1,0
 * ```
 *
 * @throws RangeError for a share or gap out of range; so does a fit for a label that is neither 0 nor 1, for too few rows, and where the learner
 *   says of a row what is no number.
 */
export function calibrated(
  learner: Fit,
  { by = 'platt', share = 0.25, gap = 0 }: CalibratedOptions = {},
): Fit {
  if (!(share > 0 && share < 1))
    throw new RangeError(`the share of rows is above 0 and below 1, not ${share}`)
  if (!(Number.isSafeInteger(gap) && gap >= 0)) throw new RangeError(`a gap is a number of rows, not ${gap}`)
  const learned = (rows: readonly LearnedRow[], about: FitInput): { inner: Model; curve: Curve } => {
    const odd = rows.find(({ label }) => label !== 0 && label !== 1)
    if (odd !== undefined) throw new RangeError(`labels that are calibrated are 0 or 1, and not ${odd.label}`)
    const held = Math.round(share * rows.length)
    const first = rows.length - held - gap
    if (held < LEAST || first < 1)
      throw new RangeError(`${rows.length} rows are too few to learn from and to calibrate by`)
    // What it was fitted to before is bent: the learner goes on from its own.
    const previous =
      about.previous !== null && 'inner' in about.previous ? (about.previous.inner as Model) : null
    const inner = learner(rows.slice(0, first), { ...about, previous })
    const told = rows
      .slice(rows.length - held)
      .map(({ features, label }) => [inner.predict(features), label] as const)
    const none = told.find(([said]) => !Number.isFinite(said))
    if (none !== undefined)
      throw new RangeError(`the learner that is calibrated says ${none[0]} of a row, which is no number`)
    return { inner, curve: by === 'platt' ? plattCurve(told) : isotonicCurve(told) }
  }
  if (!isKeepable(learner))
    return (rows, about) => {
      const { inner, curve } = learned(rows, about)
      return bentModel(inner, curve)
    }
  return keepable({
    learner: { name: 'calibrated', by, share, gap, learner: learner.learner },
    learn(rows, about): { inner: Plain; curve: Curve } {
      const { inner, curve } = learned(rows, about)
      return { inner: stateOf(inner) ?? null, curve }
    },
    model: ({ inner, curve }) => bentModel(learner.restored(inner), curve),
  })
}

/** Two numbers, and the scale of what is said; or the knots between which it is straight. */
type Curve =
  | { readonly slope: number; readonly level: number; readonly middle: number; readonly spread: number }
  | { readonly knots: readonly (readonly [at: number, likely: number])[] }

function bentModel(inner: Model, curve: Curve): Model & { readonly inner: Model } {
  return {
    inner,
    predict: (features) => {
      const said = inner.predict(features)
      return Number.isFinite(said) ? bent(said, curve) : said
    },
  }
}

function bent(said: number, curve: Curve): number {
  if ('knots' in curve) return between(said, curve.knots)
  const { slope, level, middle, spread } = curve
  return probability((slope * (said - middle)) / spread + level)
}

type Told = readonly (readonly [said: number, label: number])[]

const STEPS = 100
const HALVINGS = 40
const ENOUGH = 1e-12

/** 1 / (1 + e^(a·x + b)), for labels that are drawn in a little from 0 and 1 (H.-T. Lin, C.-J. Lin, R. C. Weng, Machine Learning 68, 2007). */
function plattCurve(told: Told): Curve {
  const [middle, spread] = scaleOf(told)
  const ones = told.filter(([, label]) => label === 1).length
  const [high, low] = [(ones + 1) / (ones + 2), 1 / (told.length - ones + 2)]
  const points = told.map(([said, label]) => [(said - middle) / spread, label === 1 ? high : low] as const)
  const cost = (slope: number, level: number) =>
    points.reduce((sum, [x, target]) => {
      const odds = slope * x + level
      return sum + Math.max(odds, 0) + ln1p(exp(-Math.abs(odds))) - target * odds
    }, 0)
  let [slope, level] = [0, -ln1p((told.length - ones + 1) / (ones + 1) - 1)]
  let worth = cost(slope, level)
  for (let step = 0; step < STEPS; step++) {
    let [gs, gl, hss, hsl, hll] = [0, 0, 1e-12, 0, 1e-12]
    for (const [x, target] of points) {
      const likely = probability(slope * x + level)
      const [off, weight] = [target - likely, likely * (1 - likely)]
      gs += x * off
      gl += off
      hss += x * x * weight
      hsl += x * weight
      hll += weight
    }
    const determinant = hss * hll - hsl * hsl
    const [ds, dl] = [(hll * gs - hsl * gl) / determinant, (hss * gl - hsl * gs) / determinant]
    let part = 1
    for (
      let halving = 0;
      halving < HALVINGS && !(cost(slope + part * ds, level + part * dl) < worth);
      halving++
    )
      part /= 2
    const better = cost(slope + part * ds, level + part * dl)
    if (!(better < worth)) break
    ;[slope, level] = [slope + part * ds, level + part * dl]
    const gain = worth - better
    worth = better
    if (gain < ENOUGH) break
  }
  return { slope, level, middle, spread }
}

function scaleOf(told: Told): [middle: number, spread: number] {
  const middle = told.reduce((sum, [said]) => sum + said, 0) / told.length
  const spread = Math.sqrt(told.reduce((sum, [said]) => sum + (said - middle) ** 2, 0) / told.length)
  return [middle, spread > 0 ? spread : 1]
}

function probability(odds: number): number {
  return odds >= 0 ? 1 / (1 + exp(-odds)) : 1 - 1 / (1 + exp(odds))
}

/** A stretch of what was said, and how often a one came of it. */
interface Block {
  from: number
  to: number
  sum: number
  count: number
}

/** Least squares among curves that never fall, by pooling neighbours that do (Ayer and others, 1955); straight between its stretches. */
function isotonicCurve(told: Told): Curve {
  const blocks: Block[] = []
  for (const [said, label] of [...told].sort(([one], [other]) => one - other)) {
    const last = blocks.at(-1)
    if (last?.to === said) {
      last.sum += label
      last.count += 1
    } else blocks.push({ from: said, to: said, sum: label, count: 1 })
  }
  const pooled: Block[] = []
  for (const block of blocks) {
    pooled.push(block)
    for (;;) {
      const [before, last] = pooled.slice(-2)
      if (before === undefined || last === undefined || before.sum * last.count < last.sum * before.count)
        break
      pooled.splice(-2, 2, {
        ...{ from: before.from, to: last.to },
        ...{ sum: before.sum + last.sum, count: before.count + last.count },
      })
    }
  }
  const knots = pooled.flatMap(({ from, to, sum, count }) =>
    [...new Set([from, to])].map((at) => [at, sum / count] as const),
  )
  return { knots }
}

function between(said: number, knots: readonly (readonly [at: number, likely: number])[]): number {
  const after = knots.findIndex(([at]) => at >= said)
  const [end, atEnd] = knots[after === -1 ? knots.length - 1 : after] as readonly [number, number]
  if (after <= 0) return atEnd
  const [begin, atBegin] = knots[after - 1] as readonly [number, number]
  return atBegin + ((atEnd - atBegin) * (said - begin)) / (end - begin)
}
