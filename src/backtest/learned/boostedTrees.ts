/** Boosted trees: a sum of many small trees, each of what those before it left (Friedman, Annals of Statistics 29, 2001: LS_Boost). */
import { binnedFeatures } from './binnedFeatures.ts'
import { type KeepableFit, keepable, type Plain } from './keepable.ts'
import type { LearnedRow } from './learning.ts'
import { answerOf, grownTree, type RegressionTree } from './regressionTree.ts'

/** What {@link boostedTrees} can be told. */
export interface BoostedTreesOptions {
  /** How many trees: whole, 1 to 10,000. Default 100. */
  readonly rounds?: number
  /** How many questions lead to an answer at most: whole, 1 to 12. Default 3. */
  readonly depth?: number
  /** Which part of what it finds each adds, above 0 to 1. Default 0.1. */
  readonly rate?: number
  /** On either side of a question lie at least so many rows, as a share of all: above 0, below 0.5. Default 0.01. */
  readonly leastShare?: number
}

/**
 * A fit for effects of several features together, up to as many as its trees are deep. It draws nothing. Questions are asked at 31 quantiles of
 * a feature.
 *
 * ```ts
 * const both = (x: number, y: number) => ({ closeTime: 0, features: [x, y], label: x > 5 === y > 5 ? 1 : -1 })
 * const rows = Array.from({ length: 99 }, (_, at) => both(at % 11, Math.floor(at / 11)))
 * const model = boostedTrees({ depth: 2 })(rows, { seed: 0, previous: null, at: 0 })
 * [model.predict([9, 8]) > 0.8, model.predict([9, 1]) < -0.8].join() // → true,true
 * ```
 *
 * @throws RangeError for numbers out of range.
 */
export function boostedTrees({
  rounds = 100,
  depth = 3,
  rate = 0.1,
  leastShare = 0.01,
}: BoostedTreesOptions = {}): KeepableFit {
  if (!(Number.isSafeInteger(rounds) && rounds >= 1 && rounds <= 10_000))
    throw new RangeError(`boosted trees take 1 to 10,000 rounds, not ${rounds}`)
  mustBeDepth(depth)
  mustBeLeastShare(leastShare)
  if (!(rate > 0 && rate <= 1))
    throw new RangeError(`the rate of boosted trees is above 0 and at most 1, not ${rate}`)
  return boosted(
    { name: 'boostedTrees', rounds, depth, rate, leastShare },
    { rounds, depth, rate, leastShare },
  )
}

/** Under the name of whoever boosts. */
export function boosted(learner: Plain, options: Required<BoostedTreesOptions>): KeepableFit {
  const { rate } = options
  return keepable({
    learner,
    learn: (rows) => grown(rows, options),
    model: ({ mean, trees }) => ({
      predict: (features: readonly number[]) =>
        trees.reduce((sum, tree) => sum + rate * answerOf(tree, features), mean),
    }),
  })
}

interface Grown {
  readonly mean: number
  readonly trees: readonly RegressionTree[]
}

function grown(
  rows: readonly LearnedRow[],
  { rounds, depth, rate, leastShare }: Required<BoostedTreesOptions>,
): Grown {
  const mean = rows.reduce((sum, { label }) => sum + label, 0) / rows.length
  const targets = Float64Array.from(rows, ({ label }) => label - mean)
  const binned = binnedFeatures(rows)
  const every = binned.map((_, feature) => feature)
  const least = Math.max(1, Math.ceil(leastShare * rows.length))
  const numbers = rows.map((_, row) => row)
  const trees: RegressionTree[] = []
  for (let round = 0; round < rounds; round++) {
    const tree = grownTree({ binned, targets, least, askable: () => every }, numbers, depth)
    // What is left is told apart by no question: its mean is 0.
    if ('answer' in tree) break
    trees.push(tree)
    for (const [row, { features }] of rows.entries())
      targets[row] = (targets[row] as number) - rate * answerOf(tree, features)
  }
  return { mean, trees }
}

/** @throws RangeError */
export function mustBeDepth(depth: number): void {
  if (!(Number.isSafeInteger(depth) && depth >= 1 && depth <= 12))
    throw new RangeError(`trees are 1 to 12 questions deep, not ${depth}`)
}

/** @throws RangeError */
export function mustBeLeastShare(leastShare: number): void {
  if (!(leastShare > 0 && leastShare < 0.5))
    throw new RangeError(`the least share of trees is above 0 and below 0.5, not ${leastShare}`)
}
