/** What came of the rows that were most alike (E. Fix and J. L. Hodges, 1951). */
import { type KeepableFit, keepable } from './keepable.ts'
import { type Scale, Standardised, scaled } from './standardised.ts'

/**
 * A fit whose prediction is the mean label of the rows whose standardised features lie nearest; of rows that lie as near the older ones. Every
 * prediction looks at all rows: some ten thousand of them are enough.
 *
 * ```ts
 * const rows = [1, 2, 3, 10, 11].map((x) => ({ closeTime: x, features: [x], label: x }))
 * nearestNeighbours({ count: 3 })(rows, { seed: 0, previous: null, at: 0 }).predict([2]) // → 2
 * ```
 *
 * @param count how many rows: whole, 1 or more; all where there are fewer. Default 50.
 * @throws RangeError for a count out of range.
 */
export function nearestNeighbours({ count = 50 }: { readonly count?: number } = {}): KeepableFit {
  if (!(Number.isSafeInteger(count) && count >= 1))
    throw new RangeError(`${count} is no number of neighbours`)
  return keepable({
    learner: { name: 'nearestNeighbours', count },
    learn: (rows): Told => {
      const { scale, values } = new Standardised(rows)
      return { scale, values: Array.from(values), labels: rows.map(({ label }) => label) }
    },
    model: (told) => modelOf(told, count),
  })
}

/** Every row, on one scale, one after the other. */
interface Told {
  readonly scale: Scale
  readonly values: readonly number[]
  readonly labels: readonly number[]
}

function modelOf(told: Told, count: number) {
  const { scale } = told
  const [values, labels, width] = [
    Float64Array.from(told.values),
    Float64Array.from(told.labels),
    scale.means.length,
  ]
  return {
    predict(features: readonly number[]) {
      const own = scaled(features, scale)
      // The nearest so far, the farthest of them last.
      const nearest: { distance: number; row: number }[] = []
      for (let row = 0; row < labels.length; row++) {
        const limit = nearest.length < count ? Number.POSITIVE_INFINITY : (nearest.at(-1)?.distance as number)
        let distance = 0
        for (let column = 0; column < width && distance < limit; column++) {
          const off = (values[row * width + column] as number) - (own[column] as number)
          distance += off * off
        }
        if (nearest.length === count && distance >= limit) continue
        let place = nearest.length
        while (place > 0 && (nearest[place - 1]?.distance as number) > distance) place -= 1
        nearest.splice(place, 0, { distance, row })
        if (nearest.length > count) nearest.pop()
      }
      return nearest.reduce((sum, { row }) => sum + (labels[row] as number), 0) / nearest.length
    },
  }
}
