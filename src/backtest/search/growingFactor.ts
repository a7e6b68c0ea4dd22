/**
 * The factor L of a symmetric, positive definite matrix, A = L·Lᵀ (A.-L. Cholesky), which grows by a row where A does: what was
 * factored stays (Golub and Van Loan, Matrix Computations, 4th ed., §4.2 and §6.5.4).
 */

/** Nearer to zero than this a diagonal is taken to be rounding. */
const LEAST = 1e-12

export class GrowingFactor {
  readonly #rows: Float64Array[] = []

  /** @param row of A, from its first column to the one before the diagonal. */
  append(row: ArrayLike<number>, diagonal: number): void {
    const size = this.#rows.length
    const own = new Float64Array(size + 1)
    own.set(this.forward(row))
    own[size] = Math.sqrt(Math.max(LEAST, diagonal - squareOf(own)))
    this.#rows.push(own)
  }

  /** x of L·x = b. */
  forward(b: ArrayLike<number>): Float64Array {
    const x = new Float64Array(this.#rows.length)
    for (let i = 0; i < x.length; i++) {
      const row = this.#rows[i] as Float64Array
      let sum = b[i] as number
      for (let k = 0; k < i; k++) sum -= (row[k] as number) * (x[k] as number)
      x[i] = sum / (row[i] as number)
    }
    return x
  }

  /** x of Lᵀ·x = b. */
  backward(b: ArrayLike<number>): Float64Array {
    const x = Float64Array.from(b)
    for (let i = x.length - 1; i >= 0; i--) {
      const row = this.#rows[i] as Float64Array
      const value = (x[i] as number) / (row[i] as number)
      x[i] = value
      for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (row[k] as number) * value
    }
    return x
  }

  /** Of L, in order. */
  get diagonal(): number[] {
    return this.#rows.map((row) => row.at(-1) as number)
  }
}

export function squareOf(vector: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (vector[i] as number)
  return sum
}
