/** Which rows of a sample follow each other in a bootstrap. Row 0 has none before it, so blocks run over the others. */

import type { Random } from './random.ts'
import type { Regimes } from './regimes.ts'

/** How blocks follow each other. */
export interface BlockDraw {
  /** Rows of the sample, at least two. */
  readonly rows: number
  /** Mean length of a block, in rows. */
  readonly meanBlock: number
  /** Where given, a block begins in the regime in which the one before it ended. */
  readonly regimes: Regimes | null
}

/**
 * Rows in blocks of geometrically distributed lengths that start anywhere; the sample wraps around at its end. With regimes it is
 * the matched-block bootstrap (E. Carlstein, K.-A. Do, P. Hall, T. Hesterberg, H. Künsch, Bernoulli 4, 1998): a block begins where
 * the market was in the state that the end of the block before it had come to, so that calm and storm last as long as they do.
 */
export class BlockRows {
  readonly #random: Random
  readonly #rows: number
  readonly #ending: number
  readonly #regimes: Regimes | null
  /** 0 before the first. */
  #row = 0

  constructor({ rows, meanBlock, regimes }: BlockDraw, random: Random) {
    this.#random = random
    this.#rows = rows
    this.#ending = 1 / meanBlock
    this.#regimes = regimes
  }

  next(): number {
    const row = this.#row
    if (row > 0) {
      const following = row === this.#rows - 1 ? 1 : row + 1
      this.#row = this.#random.uniform() < this.#ending ? this.#begun(following) : following
    } else this.#row = 1 + this.#random.below(this.#rows - 1)
    return this.#row
  }

  #begun(following: number): number {
    const regimes = this.#regimes
    if (regimes === null) return 1 + this.#random.below(this.#rows - 1)
    const alike = regimes.rows[regimes.of[following] as number] as Uint32Array
    return alike[this.#random.below(alike.length)] as number
  }
}
