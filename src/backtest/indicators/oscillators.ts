/** Strength, volume and volatility that `trading-signals` has not. */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { trueRange } from './directional.ts'
import { chained, deviationOf, exponential, mean, mustBeBars, sum } from './linearFilter.ts'

type OfNumbers<Result = number> = Calculation<number, Result>
type OfCandles<Result = number> = Calculation<Candle, Result>

/** M. Jurik's strength without noise, as published: rises less falls over both, each smoothed three times over; 0 to 100. */
export const smoothedStrength = (bars: number): OfNumbers => {
  mustBeBars(bars)
  const share = 3 / (bars + 2)
  const [moves, sizes] = [thrice(share), thrice(share)]
  let [before, told]: [number | null, number] = [null, 0]
  return {
    add(close) {
      const change = before === null ? 0 : close - before
      before = close
      const [moved, size] = [moves(change), sizes(Math.abs(change))]
      told = Math.min(told + 1, bars + 1)
      if (told <= bars) return null
      return size > 0 ? Math.min(Math.max(50 * (moved / size + 1), 0), 100) : 50
    },
    getRequiredInputs: () => bars + 1,
  }
}

/** Three times over: one and a half of an average of a value less half of the average of that. */
function thrice(share: number): (value: number) => number {
  const averages = [0, 0, 0, 0, 0, 0]
  const smoothed = (at: number, value: number) => {
    averages[at] = (1 - share) * (averages[at] ?? 0) + share * value
    return averages[at]
  }
  return (value) => {
    let passed = value
    for (const at of [0, 2, 4]) {
      const once = smoothed(at, passed)
      passed = 1.5 * once - 0.5 * smoothed(at + 1, once)
    }
    return passed
  }
}

/** J. W. Wilder's average: the mean of the first so many, and then a part of the way to the next. */
function wilder(bars: number): OfNumbers {
  mustBeBars(bars)
  let [value, told] = [0, 0]
  return {
    add(input) {
      told = Math.min(told + 1, bars + 1)
      value = told > bars ? value + (input - value) / bars : value + input / bars
      return told < bars ? null : value
    },
    getRequiredInputs: () => bars,
  }
}

/** J. F. Ehlers' inverse Fisher transform of the strength index, weighed over the last bars (2004); −1 to 1. */
export const inverseFisher = (bars: number, smoothing: number): OfNumbers => {
  const [rises, falls] = [wilder(bars), wilder(bars)]
  const strength = overLast(2, ([before = 0, now = 0]: number[]) => {
    const [up, down] = [rises.add(Math.max(now - before, 0)), falls.add(Math.max(before - now, 0))]
    if (up === null || down === null) return null
    return 0.1 * (up + down === 0 ? 0 : (100 * up) / (up + down) - 50)
  })
  const weighed = overLast(smoothing, (last: number[]) => {
    const places = last.map((value, index) => value * (index + 1))
    return Math.tanh(sum(places) / ((smoothing * (smoothing + 1)) / 2))
  })
  return {
    add(close) {
      const value = strength.add(close)
      return value === null ? null : weighed.add(value)
    },
    getRequiredInputs: () => bars + smoothing,
  }
}

/** How far the mean volume of a few bars is from that of more, in percent of it. */
export const volumeOscillator = (short: number, long: number): OfNumbers => {
  mustBeBars(short)
  mustBeBars(long, short)
  return overLast(long, (volumes: number[]) => {
    const usual = mean(volumes)
    return usual === 0 ? 0 : (100 * (mean(volumes.slice(-short)) - usual)) / usual
  })
}

/** B. Dormeier's convergence and divergence of averages that weigh volume; without any volume nothing is said. */
export const volumeMacd = (
  short: number,
  long: number,
  smoothing: number,
): OfCandles<{ macd: number; signal: number; histogram: number }> => {
  mustBeBars(short)
  mustBeBars(long, short)
  const signals = exponential(smoothing)
  return overLast(long, (last: Candle[]) => {
    const [near, far] = [weighed(last.slice(-short)), weighed(last)]
    if (near === null || far === null) return null
    const macd = near - far
    const signal = signals.add(macd) ?? macd
    return { macd, signal, histogram: macd - signal }
  })
}

/** By volume; null without any. */
export function weighed(bars: readonly Candle[]): number | null {
  const volume = sum(bars.map((bar) => bar.volume))
  return volume === 0 ? null : sum(bars.map((bar) => bar.close * bar.volume)) / volume
}

/** R. Damiani's volatility of few bars over that of many, and what it has to be above for there to be any. */
export const volatilityMeter = (
  ranges: number,
  closes: number,
  usualRanges: number,
  usualCloses: number,
  most: number,
): OfCandles<{ volatility: number; threshold: number }> => {
  const [near, usual] = [wilder(ranges), wilder(usualRanges)]
  const ratios = overLast(2, ([before, bar]: Candle[]) => {
    if (before === undefined || bar === undefined) return null
    const range = trueRange(before, bar)
    const [few, many] = [near.add(range), usual.add(range)]
    return few === null || many === null ? null : many === 0 ? 0 : few / many
  })
  const deviations = overLast(usualCloses, (last: number[]) => {
    const all = deviationOf(last)
    return most - (all === 0 ? 0 : deviationOf(last.slice(-closes)) / all)
  })
  const values = [0, 0, 0]
  const needed = Math.max(usualRanges + 1, usualCloses)
  let told = 0
  return {
    add(bar) {
      told = Math.min(told + 1, needed)
      const [ratio, threshold] = [ratios.add(bar), deviations.add(bar.close)]
      if (ratio === null || threshold === null || told < needed) return null
      const volatility = ratio + 0.5 * ((values[0] ?? 0) - (values[2] ?? 0))
      values.pop()
      values.unshift(volatility)
      return { volatility, threshold }
    },
    getRequiredInputs: () => needed,
  }
}

/** In how many of the last bars the close was more than so many deviations above or not far below its average, in percent, smoothed ("stiffness"). */
export const stiffness = (bars: number, counted: number, smoothing: number): OfNumbers => {
  const above = overLast(bars, (closes: number[]) =>
    (closes[bars - 1] ?? 0) > mean(closes) - 0.2 * deviationOf(closes) ? 1 : 0,
  )
  const share = overLast(counted, (last: number[]) => 100 * mean(last))
  return chained(above, share, exponential(smoothing))
}

/**
 * J. Carter's squeeze as "LazyBear" published it: −1 while bands of deviations lie inside of bands of ranges, 1 while they lie outside of them, 0 between;
 * and where the close, seen from the middle of the bars, is led by the regression through the last of them.
 */
export const squeeze = (
  bars: number,
  deviations: number,
  ranges: number,
): OfCandles<{ squeeze: number; momentum: number }> => {
  mustBeBars(bars, 2)
  const fromMiddle = overLast(bars, (values: number[]) => regressionEnd(values))
  let before: Candle | null = null
  const trueRanges = overLast(bars, (values: number[]) => mean(values))
  const closes = overLast(bars, (last: Candle[]) => {
    const own = last.map(({ close }) => close)
    const middle = (Math.max(...last.map(({ high }) => high)) + Math.min(...last.map(({ low }) => low))) / 2
    return {
      mean: mean(own),
      deviation: deviationOf(own),
      from: (own.at(-1) ?? 0) - (middle + mean(own)) / 2,
    }
  })
  return {
    add(bar) {
      const range = trueRanges.add(before === null ? bar.high - bar.low : trueRange(before, bar))
      before = bar
      const known = closes.add(bar)
      if (known === null || range === null) return null
      const momentum = fromMiddle.add(known.from)
      if (momentum === null) return null
      return { squeeze: Math.sign(deviations * known.deviation - ranges * range), momentum }
    },
    getRequiredInputs: () => 2 * bars - 1,
  }
}

/** What the regression through values says of the last of them. */
function regressionEnd(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const slope =
    sum(values.map((value, index) => (index - middle) * value)) /
    sum(values.map((_, index) => (index - middle) ** 2))
  return mean(values) + slope * middle
}
