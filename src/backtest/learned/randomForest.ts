/** A random forest: the mean of many trees, each of other rows, whose questions choose among other features (Breiman, Machine Learning 45, 2001). */
import { Random } from '../simulated/random.ts'
import { binnedFeatures } from './binnedFeatures.ts'
import { mustBeDepth, mustBeLeastShare } from './boostedTrees.ts'
import { type KeepableFit, keepable } from './keepable.ts'
import type { LearnedRow, Model } from './learning.ts'
import { answerOf, grownTree, type RegressionTree } from './regressionTree.ts'

/** What {@link randomForest} can be told. */
export interface RandomForestOptions {
  /** How many trees: whole, 1 to 10,000. Default 100. */
  readonly trees?: number
  /** How many questions lead to an answer at most: whole, 1 to 12. Default 6. */
  readonly depth?: number
  /** Among which share of the features each question chooses, above 0 to 1. Default a third. */
  readonly featureShare?: number
  /** On either side of a question lie at least so many rows, as a share of all: above 0, below 0.5. Default 0.01. */
  readonly leastShare?: number
}

/** A forest, and how well its trees say what they have not seen. */
export interface Forest extends Model {
  /**
   * How much smaller the squared error is than that of the mean, each row foretold by the trees that it was not drawn for: 1 at most; null where
   * no row was left out, or all labels are the same. Rows whose labels share bars know of each other, so that it is too high for long horizons.
   */
  readonly outOfBag: number | null
}

/**
 * A fit for what hangs on many things a little. Of the same rows and seed it is the same forest.
 *
 * ```ts
 * const rows = Array.from({ length: 200 }, (_, x) => ({ closeTime: 0, features: [x], label: x < 100 ? -1 : 1 }))
 * const forest = randomForest({ trees: 30 })(rows, { seed: 7, previous: null, at: 0 })
 * [forest.predict([150]) > 0.9, (forest.outOfBag ?? 0) > 0.9].join() // → true,true
 * ```
 *
 * @throws RangeError for numbers out of range.
 */
export function randomForest({
  trees: count = 100,
  depth = 6,
  featureShare = 1 / 3,
  leastShare = 0.01,
}: RandomForestOptions = {}): KeepableFit<Forest> {
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= 10_000))
    throw new RangeError(`a forest has 1 to 10,000 trees, not ${count}`)
  mustBeDepth(depth)
  mustBeLeastShare(leastShare)
  if (!(featureShare > 0 && featureShare <= 1))
    throw new RangeError(`the share of features is above 0 and at most 1, not ${featureShare}`)
  const options = { trees: count, depth, featureShare, leastShare }
  return keepable({
    learner: { name: 'randomForest', ...options },
    learn: (rows, { seed }) => grown(rows, seed, options),
    model: ({ trees, outOfBag }): Forest => ({
      predict: (features) => trees.reduce((sum, tree) => sum + answerOf(tree, features), 0) / trees.length,
      outOfBag,
    }),
  })
}

interface Grown {
  readonly trees: readonly RegressionTree[]
  readonly outOfBag: number | null
}

function grown(
  rows: readonly LearnedRow[],
  seed: number,
  { trees: count, depth, featureShare, leastShare }: Required<RandomForestOptions>,
): Grown {
  const random = new Random(`forest ${seed}`)
  const binned = binnedFeatures(rows)
  const targets = Float64Array.from(rows, ({ label }) => label)
  const least = Math.max(1, Math.ceil(leastShare * rows.length))
  const asked = Math.ceil(featureShare * binned.length)
  const askable = () => drawnFeatures(random, binned.length, asked)
  const bag = new OutOfBag(rows)
  const trees: RegressionTree[] = []
  for (let tree = 0; tree < count; tree++) {
    const drawn = rows.map(() => Math.floor(random.uniform() * rows.length))
    const one = grownTree({ binned, targets, least, askable }, drawn, depth)
    trees.push(one)
    bag.add(one, new Set(drawn))
  }
  return { trees, outOfBag: bag.skill() }
}

/** So many of the features, ascending, each set of them as likely. */
function drawnFeatures(random: Random, features: number, asked: number): number[] {
  const all = Array.from({ length: features }, (_, feature) => feature)
  for (let place = 0; place < asked; place++) {
    const other = place + Math.floor(random.uniform() * (features - place))
    ;[all[place], all[other]] = [all[other] as number, all[place] as number]
  }
  return all.slice(0, asked).sort((one, another) => one - another)
}

/** What each row is foretold by the trees that have not seen it. */
class OutOfBag {
  readonly #rows: readonly LearnedRow[]
  readonly #sums: Float64Array
  readonly #counts: Float64Array

  constructor(rows: readonly LearnedRow[]) {
    this.#rows = rows
    this.#sums = new Float64Array(rows.length)
    this.#counts = new Float64Array(rows.length)
  }

  add(tree: RegressionTree, seen: ReadonlySet<number>): void {
    for (const [row, { features }] of this.#rows.entries()) {
      if (seen.has(row)) continue
      this.#sums[row] = (this.#sums[row] as number) + answerOf(tree, features)
      this.#counts[row] = (this.#counts[row] as number) + 1
    }
  }

  skill(): number | null {
    const told = this.#rows.flatMap(({ label }, row) => {
      const count = this.#counts[row] as number
      return count === 0 ? [] : [{ label, foretold: (this.#sums[row] as number) / count }]
    })
    const mean = told.reduce((sum, { label }) => sum + label, 0) / told.length
    const spread = told.reduce((sum, { label }) => sum + (label - mean) ** 2, 0)
    const error = told.reduce((sum, { label, foretold }) => sum + (label - foretold) ** 2, 0)
    return spread > 0 ? 1 - error / spread : null
  }
}
