/** Features on one scale: each less its mean, by its deviation, so that a penalty means the same to all of them. */

/** By which each feature is brought to one scale. */
export interface Scale {
  readonly means: readonly number[]
  readonly deviations: readonly number[]
}

export class Standardised {
  /** Row after row. */
  readonly values: Float64Array
  readonly scale: Scale

  /** @param rows at least one, each of as many features. */
  constructor(rows: readonly { readonly features: readonly number[] }[]) {
    const width = rows[0]?.features.length ?? 0
    const [means, deviations]: [number[], number[]] = [[], []]
    for (let column = 0; column < width; column++) {
      let sum = 0
      for (const { features } of rows) sum += features[column] as number
      const mean = sum / rows.length
      let squares = 0
      for (const { features } of rows) {
        const off = (features[column] as number) - mean
        squares += off * off
      }
      means.push(mean)
      deviations.push(Math.sqrt(squares / rows.length))
    }
    this.scale = { means, deviations }
    this.values = new Float64Array(rows.length * width)
    for (const [row, { features }] of rows.entries()) this.values.set(this.of(features), row * width)
  }

  get width(): number {
    return this.scale.means.length
  }

  of(features: readonly number[]): Float64Array {
    return scaled(features, this.scale)
  }
}

/** A feature that never changed says nothing: 0. */
export function scaled(features: readonly number[], { means, deviations }: Scale): Float64Array {
  const own = new Float64Array(means.length)
  for (let column = 0; column < means.length; column++) {
    const deviation = deviations[column] as number
    const mean = means[column] as number
    own[column] = changes(mean, deviation) ? ((features[column] as number) - mean) / deviation : 0
  }
  return own
}

/** What rounding alone makes of a column that is always the same. */
const SAME = 1e-12

/** Whether a column with that mean and deviation is more than one number over and over. */
export function changes(mean: number, deviation: number): boolean {
  return deviation > Math.abs(mean) * SAME
}
