/** How prices of many bars are like those of few. */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { mean, mustBeBars, sum } from './linearFilter.ts'

const LEAST_CHUNK = 8

/** Each says the exponent of closes: 0.5 of steps that know nothing of each other, more where they go on, less where they turn back. */
const EXPONENTS = {
  /** H. E. Hurst's rescaled range (1951): of pieces that double in length, of the steps between closes. */
  rescaledRange(closes: readonly number[]): number {
    const points: [number, number][] = []
    for (let size = LEAST_CHUNK; size < closes.length; size *= 2) {
      let [all, pieces] = [0, 0]
      for (let end = size; end < closes.length; end += size) {
        const range = rescaledRange(closes, end - size, end)
        all += range
        pieces += range > 0 ? 1 : 0
      }
      if (pieces > 0) points.push([Math.log(size), Math.log(all / pieces)])
    }
    return slopeOf(points)
  },
  /** E. Alessio and others' distance from moving averages (2002): how it grows with their length. */
  movingAverage(closes: readonly number[]): number {
    const longest = Math.floor(closes.length / 2)
    const [first = 0] = closes
    const sums = [0]
    for (const close of closes) sums.push((sums.at(-1) ?? 0) + (close - first))
    const points: [number, number][] = []
    for (let length = LEAST_CHUNK; length <= longest; length *= 2) {
      let squares = 0
      for (let end = longest; end <= closes.length; end++) {
        const average = ((sums[end] ?? 0) - (sums[end - length] ?? 0)) / length
        squares += ((closes[end - 1] ?? 0) - first - average) ** 2
      }
      if (squares > 0) points.push([Math.log(length), Math.log(squares) / 2])
    }
    return slopeOf(points)
  },
  /** J. Istas and G. Lang's quadratic variations (1994): of second differences over one bar and over two. */
  variations(closes: readonly number[]): number {
    const [near, far] = [1, 2].map((step) => {
      const middles = closes.slice(2 * step)
      return mean(
        middles.map((close, index) => (close - 2 * (closes[index + step] ?? 0) + (closes[index] ?? 0)) ** 2),
      )
    }) as [number, number]
    return near === 0 || far === 0 ? 0.5 : Math.log2(far / near) / 2
  },
} as const

/** H. E. Hurst's exponent of the last closes, found in one of three ways. */
export const hurst = (
  bars: number,
  by: keyof typeof EXPONENTS = 'rescaledRange',
): Calculation<number, number> => {
  mustBeBars(bars, 4 * LEAST_CHUNK)
  const of = EXPONENTS[by]
  if (of === undefined) throw new RangeError(`${by} is none of ${Object.keys(EXPONENTS).join(', ')}`)
  return overLast(bars, (closes: number[]) => of(closes))
}

/** Of the steps between the closes of two bars: how far their sums stray from a straight line, in deviations of a step. */
function rescaledRange(closes: readonly number[], begin: number, end: number): number {
  const first = closes[begin] ?? 0
  const middle = ((closes[end] ?? 0) - first) / (end - begin)
  let [before, squares, highest, lowest] = [first, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let bar = begin + 1; bar <= end; bar++) {
    const close = closes[bar] ?? 0
    const away = close - first - (bar - begin) * middle
    squares += (close - before - middle) ** 2
    before = close
    if (away > highest) highest = away
    if (away < lowest) lowest = away
  }
  return squares === 0 ? 0 : (highest - lowest) / Math.sqrt(squares / (end - begin))
}

/** Of the regression through points; 0.5, as of chance, where there are too few. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  if (points.length < 2) return 0.5
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  return sum(points.map(([at, value]) => (at - x) * (value - y))) / sum(points.map(([at]) => (at - x) ** 2))
}

/** J. F. Ehlers and R. Way's dimension: how far two halves of the last bars reach, beside all of them; 1 is a line, 2 fills the plane. */
export const fractalDimension = (bars: number): Calculation<Candle, number> => {
  mustBeBars(bars, 2)
  if (bars % 2 !== 0) throw new RangeError(`${bars} bars have no halves`)
  const half = bars / 2
  return overLast(bars, (last: Candle[]) => {
    const [first, second, all] = [reach(last.slice(0, half)), reach(last.slice(half)), reach(last)]
    return all === 0 ? 1 : Math.log2((first + second) / half / (all / bars))
  })
}

function reach(bars: readonly Candle[]): number {
  return Math.max(...bars.map(({ high }) => high)) - Math.min(...bars.map(({ low }) => low))
}
