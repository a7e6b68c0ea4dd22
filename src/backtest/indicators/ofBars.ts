/** Indicators of whole bars that `trading-signals` has not, and shapes of the last closes. */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { chained, deviationOf, exponential, mean, medianOf, mustBeBars, sum } from './linearFilter.ts'
import { weighed } from './oscillators.ts'

type OfNumbers = Calculation<number, number>
type OfCandles<Result = number> = Calculation<Candle, Result>

/** The average bar: its close is the mean of a bar's four prices, its open lies in the middle of the average bar before. */
export const heikinAshi = (): OfCandles<{ open: number; high: number; low: number; close: number }> => {
  let before: { open: number; close: number } | null = null
  return {
    add(bar) {
      const close = (bar.open + bar.high + bar.low + bar.close) / 4
      const open: number = before === null ? (bar.open + bar.close) / 2 : (before.open + before.close) / 2
      before = { open, close }
      return { open, high: Math.max(bar.high, open, close), low: Math.min(bar.low, open, close), close }
    },
    getRequiredInputs: () => 1,
  }
}

/** P. J. Kaufman's stop: the highest high less so many mean ranges of a bar, and the lowest low plus as many. */
export const kaufmanStop = (bars: number, ranges: number): OfCandles<{ long: number; short: number }> => {
  mustBeBars(bars)
  return overLast(bars, (last: Candle[]) => {
    const room = ranges * mean(last.map(({ high, low }) => high - low))
    return {
      long: Math.max(...last.map(({ high }) => high)) - room,
      short: Math.min(...last.map(({ low }) => low)) + room,
    }
  })
}

/** W. Blau's directional trend: rises of highs less falls of lows, of their sizes, smoothed by three exponential averages each; −100 to 100. */
export const directionalTrend = (first: number, second: number, third: number): OfCandles => {
  const smoothed = () => chained(...[first, second, third].map((bars) => exponential(bars)))
  const [moved, size] = [smoothed(), smoothed()]
  return overLast(2, ([before, now]: Candle[]) => {
    if (before === undefined || now === undefined) return null
    const move = Math.max(now.high - before.high, 0) - Math.max(before.low - now.low, 0)
    const [by, of] = [moved.add(move) ?? 0, size.add(Math.abs(move)) ?? 0]
    return of === 0 ? 0 : (100 * by) / of
  })
}

/** How far the close is above what the straight line through the closes before foretold of it, in percent of it. */
export const forecastOscillator = (bars: number): OfNumbers => {
  mustBeBars(bars, 2)
  return overLast(bars + 1, (closes: number[]) => {
    const close = closes[bars] ?? 0
    const before = closes.slice(0, bars)
    return (100 * (close - (mean(before) + slopeOf(before) * ((bars + 1) / 2)))) / close
  })
}

/** H. Hannula's efficiency: the straight way over the way gone, with the sign of the change, in percent, smoothed. */
export const polarizedEfficiency = (bars: number, smoothing: number): OfNumbers => {
  mustBeBars(bars)
  const gone = overLast(bars + 1, (closes: number[]) => {
    const change = (closes[bars] ?? 0) - (closes[0] ?? 0)
    const steps = closes.slice(1).map((close, index) => Math.hypot(close - (closes[index] ?? 0), 1))
    return (Math.sign(change) * 100 * Math.hypot(change, bars)) / sum(steps)
  })
  return chained(gone, exponential(smoothing))
}

/** 1 where the close is above the mean of the middles of the last bars, −1 elsewhere. */
export const ttmTrend = (bars: number): OfCandles => {
  mustBeBars(bars)
  return overLast(bars, (last: Candle[]) =>
    (last[bars - 1]?.close ?? 0) > mean(last.map(({ high, low }) => (high + low) / 2)) ? 1 : -1,
  )
}

/** B. Dormeier's confirmation of prices by volume: how averages that weigh volume part from those that do not, times how volume grows. */
export const volumeConfirmation = (short: number, long: number): OfCandles => {
  mustBeBars(short)
  mustBeBars(long, short)
  return overLast(long, (last: Candle[]) => {
    const near = last.slice(-short)
    const [weighedNear, weighedFar] = [weighed(near), weighed(last)]
    if (weighedNear === null || weighedFar === null) return null
    const grown = mean(near.map(({ volume }) => volume)) / mean(last.map(({ volume }) => volume))
    return (
      (weighedFar - mean(last.map(({ close }) => close))) *
      (weighedNear / mean(near.map(({ close }) => close))) *
      grown
    )
  })
}

/** The slope of the regression through the closes as an angle, in degrees. */
export const regressionAngle = (bars: number): OfNumbers => {
  mustBeBars(bars, 2)
  return overLast(bars, (closes: number[]) => (Math.atan(slopeOf(closes)) * 180) / Math.PI)
}

/** The third moment of the closes by the cube of their deviation. */
export const skewness = (bars: number): OfNumbers => moment(bars, 3, 0)

/** The fourth moment of the closes by the fourth power of their deviation, less 3. */
export const kurtosis = (bars: number): OfNumbers => moment(bars, 4, 3)

function moment(bars: number, power: number, less: number): OfNumbers {
  mustBeBars(bars, 2)
  return overLast(bars, (closes: number[]) => {
    const [middle, deviation] = [mean(closes), deviationOf(closes)]
    // What rounding alone makes of closes that are all the same.
    if (deviation <= Math.abs(middle) * 1e-12) return 0
    return mean(closes.map((close) => ((close - middle) / deviation) ** power)) - less
  })
}

/** The middle one of the distances of the closes from their middle one. */
export const medianDeviation = (bars: number): OfNumbers => {
  mustBeBars(bars)
  return overLast(bars, (closes: number[]) => {
    const middle = medianOf(closes)
    return medianOf(closes.map((close) => Math.abs(close - middle)))
  })
}

function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const spread = sum(values.map((_, index) => (index - middle) ** 2))
  return sum(values.map((value, index) => (index - middle) * value)) / spread
}
