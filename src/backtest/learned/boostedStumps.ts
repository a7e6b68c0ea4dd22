/** Boosted stumps: a sum of many questions about one feature each (Friedman, Annals of Statistics 29, 2001: LS_Boost with trees of two leaves). */
import { boosted } from './boostedTrees.ts'
import type { KeepableFit } from './keepable.ts'

/** What {@link boostedStumps} can be told. */
export interface BoostedStumpsOptions {
  /** How many questions: whole, 1 to 10,000. Default 100. */
  readonly rounds?: number
  /** Which part of what it finds each adds, above 0 to 1. Default 0.1. */
  readonly rate?: number
  /** On either side of a question lie at least so many rows, as a share of all: above 0, below 0.5. Default 0.01. */
  readonly leastShare?: number
}

/**
 * A fit for what is no straight line: each round asks the one question of one feature, at one of 31 quantiles, that leaves the smallest
 * squared error, and adds a part of its answer. It draws nothing. Effects of two features together it does not see.
 *
 * ```ts
 * const rows = Array.from({ length: 100 }, (_, x) => ({ closeTime: 0, features: [x], label: x < 50 ? -1 : 1 }))
 * const model = boostedStumps()(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([80]) > 0.9 // → true
 * ```
 *
 * @throws RangeError for numbers out of range.
 */
export function boostedStumps({
  rounds = 100,
  rate = 0.1,
  leastShare = 0.01,
}: BoostedStumpsOptions = {}): KeepableFit {
  if (!(Number.isSafeInteger(rounds) && rounds >= 1 && rounds <= 10_000))
    throw new RangeError(`boosted stumps take 1 to 10,000 rounds, not ${rounds}`)
  if (!(rate > 0 && rate <= 1))
    throw new RangeError(`the rate of boosted stumps is above 0 and at most 1, not ${rate}`)
  if (!(leastShare > 0 && leastShare < 0.5))
    throw new RangeError(`the least share of boosted stumps is above 0 and below 0.5, not ${leastShare}`)
  return boosted({ name: 'boostedStumps', rounds, rate, leastShare }, { rounds, rate, leastShare, depth: 1 })
}
