/** What proposes sets from those that have run. */

/** A point with what its run came to. */
export interface Seen {
  /** Coordinates 0 <= u < 1. */
  readonly at: readonly number[]
  /** One for each figure that is ranked by, less is better; infinite where a run has none. */
  readonly costs: readonly number[]
}

/** The best first; equal ones stay as they are. */
export function byFirstCost({ costs: [a = 0] }: Seen, { costs: [b = 0] }: Seen): number {
  return a === b ? 0 : a - b
}

export interface Sampler {
  /** How many points of an even design it begins with. */
  readonly beginning: number
  /** How many are asked for together after these; they are proposed without what the others come to. */
  readonly batch: number
  /** A point to look at; of every seed another. */
  proposed(seed: string): readonly number[]
  /** Told of everything that was looked at, in order; the last `fresh` of them are new. */
  learn(seen: readonly Seen[], fresh: number): void
  /** Whether it finds nothing more where it looks. */
  readonly isSpent?: boolean
  /** Begins anew from a place; without it only the even design goes on where nothing new is proposed. */
  restart?(at: readonly number[]): void
}
