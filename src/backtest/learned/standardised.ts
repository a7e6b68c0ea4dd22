/** Features on one scale: each less its mean, by its deviation, so that a penalty means the same to all of them. */

export class Standardised {
  /** Row after row. */
  readonly values: Float64Array
  readonly #means: Float64Array
  readonly #deviations: Float64Array

  /** @param rows at least one, each of as many features. */
  constructor(rows: readonly { readonly features: readonly number[] }[]) {
    const width = rows[0]?.features.length ?? 0
    this.#means = new Float64Array(width)
    this.#deviations = new Float64Array(width)
    for (let column = 0; column < width; column++) {
      let sum = 0
      for (const { features } of rows) sum += features[column] as number
      const mean = sum / rows.length
      let squares = 0
      for (const { features } of rows) {
        const off = (features[column] as number) - mean
        squares += off * off
      }
      this.#means[column] = mean
      this.#deviations[column] = Math.sqrt(squares / rows.length)
    }
    this.values = new Float64Array(rows.length * width)
    for (const [row, { features }] of rows.entries()) this.values.set(this.of(features), row * width)
  }

  get width(): number {
    return this.#means.length
  }

  /** A feature that never changed says nothing: 0. */
  of(features: readonly number[]): Float64Array {
    const scaled = new Float64Array(this.width)
    for (let column = 0; column < this.width; column++) {
      const deviation = this.#deviations[column] as number
      const mean = this.#means[column] as number
      scaled[column] = changes(mean, deviation) ? ((features[column] as number) - mean) / deviation : 0
    }
    return scaled
  }
}

/** What rounding alone makes of a column that is always the same. */
const SAME = 1e-12

/** Whether a column with that mean and deviation is more than one number over and over. */
export function changes(mean: number, deviation: number): boolean {
  return deviation > Math.abs(mean) * SAME
}
