/** Levels that prices may turn at. */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { exponential, mean, mustBeBars } from './linearFilter.ts'

type OfCandles<Result = number> = Calculation<Candle, Result>

/** The pivot of a bar and what follows from it for the next: resistances above, supports below. */
export interface PivotLevels {
  /** The middle of them, a price; so are the others. */
  readonly pivot: number
  readonly r1: number
  readonly s1: number
  readonly r2?: number
  readonly s2?: number
  readonly r3?: number
  readonly s3?: number
  readonly r4?: number
  readonly s4?: number
}

const typical = ({ high, low, close }: Candle) => (high + low + close) / 3

/** By how they are counted: those of the floor, by Fibonacci's ratios, T. DeMark's, N. Stott's ("Camarilla") and K. Wood's. */
const PIVOTS = {
  floor(bar: Candle): PivotLevels {
    const [pivot, range] = [typical(bar), bar.high - bar.low]
    return {
      pivot,
      ...{ r1: 2 * pivot - bar.low, s1: 2 * pivot - bar.high },
      ...{ r2: pivot + range, s2: pivot - range },
    }
  },
  fibonacci(bar: Candle): PivotLevels {
    const [pivot, range] = [typical(bar), bar.high - bar.low]
    return {
      pivot,
      ...{ r1: pivot + 0.382 * range, s1: pivot - 0.382 * range },
      ...{ r2: pivot + 0.618 * range, s2: pivot - 0.618 * range },
      ...{ r3: pivot + range, s3: pivot - range },
    }
  },
  demark({ open, high, low, close }: Candle): PivotLevels {
    const twice = close < open ? low : close > open ? high : close
    const all = high + low + close + twice
    return { pivot: all / 4, r1: all / 2 - low, s1: all / 2 - high }
  },
  camarilla(bar: Candle): PivotLevels {
    const away = (1.1 * (bar.high - bar.low)) / 12
    const { close } = bar
    return {
      pivot: typical(bar),
      ...{ r1: close + away, s1: close - away, r2: close + 2 * away, s2: close - 2 * away },
      ...{ r3: close + 3 * away, s3: close - 3 * away, r4: close + 6 * away, s4: close - 6 * away },
    }
  },
  woodie({ open, high, low }: Candle): PivotLevels {
    const [pivot, range] = [(high + low + 2 * open) / 4, high - low]
    const [r3, s3] = [high + 2 * (pivot - low), low - 2 * (high - pivot)]
    return {
      pivot,
      ...{ r1: 2 * pivot - low, s1: 2 * pivot - high, r2: pivot + range, s2: pivot - range },
      ...{ r3, s3, r4: r3 + range, s4: s3 - range },
    }
  },
} as const

/** Of the last bar, for the next: of days with `{ interval: '1d' }`. */
export const pivotPoints = (by: keyof typeof PIVOTS): OfCandles<PivotLevels> => {
  const of = PIVOTS[by]
  if (of === undefined) throw new RangeError(`${by} is none of ${Object.keys(PIVOTS).join(', ')}`)
  return { add: of, getRequiredInputs: () => 1 }
}

/** The last high and the last low that were higher or lower than so many bars before and after them: told once those after them are. */
export const supportResistance = (
  before: number,
  after: number,
): OfCandles<{ support?: number; resistance?: number }> => {
  mustBeBars(before)
  mustBeBars(after)
  let [support, resistance]: [number | undefined, number | undefined] = [undefined, undefined]
  const count = before + after + 1
  return overLast(count, (last: Candle[]) => {
    const { high = 0, low = 0 } = last[before] ?? {}
    const others = last.filter((_, index) => index !== before)
    if (others.every((bar) => bar.high < high)) resistance = high
    if (others.every((bar) => bar.low > low)) support = low
    return { ...(support !== undefined && { support }), ...(resistance !== undefined && { resistance }) }
  })
}

/** V. Apirine's bands (2021): the slow average and so many of how far the fast one is from it, and the fast one between. */
export const averageBands = (
  fast: number,
  slow: number,
  above: number,
  below: number,
): Calculation<number, { upper: number; middle: number; lower: number }> => {
  const [quick, usual] = [exponential(fast), exponential(slow)]
  const away = overLast(fast, (squares: number[]) => Math.sqrt(mean(squares)))
  mustBeBars(slow, fast)
  let told = 0
  return {
    add(close) {
      const [middle, far] = [quick.add(close) ?? close, usual.add(close) ?? close]
      const distance = away.add((middle - far) ** 2)
      told = Math.min(told + 1, slow)
      if (told < slow || distance === null) return null
      return { upper: far + above * distance, middle, lower: far - below * distance }
    },
    getRequiredInputs: () => slow,
  }
}
