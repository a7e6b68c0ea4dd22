// What the indicators of whole bars are, by their formulas over all of the bars.

import type { Candle } from '../../../../src/backtest/index.ts'

type Formula = (bars: readonly Candle[]) => readonly (readonly number[])[]

const NONE = Number.NaN
const at = (values: readonly number[], index: number) => values[index] ?? NONE

/** Of the last so many bars, by the bar they end with; NaN before there are so many. */
const ofLast = (count: number, of: (last: readonly Candle[]) => number) => (bars: readonly Candle[]) =>
  bars.map((_, bar) => (bar + 1 < count ? NONE : of(bars.slice(bar + 1 - count, bar + 1))))

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const average = (values: readonly number[]) => total(values) / values.length

function exponential(values: readonly number[], length: number): number[] {
  const smooth: number[] = []
  for (const value of values) {
    const before = smooth.at(-1) ?? NONE
    smooth.push(Number.isNaN(before) ? value : before + (2 / (length + 1)) * (value - before))
  }
  return smooth
}

/** Least squares, by the sums that a textbook has. */
function line(values: readonly number[]): { slope: number; level: number } {
  const n = values.length
  const [x, y] = [total(values.map((_, index) => index)), total(values)]
  const [xx, xy] = [
    total(values.map((_, index) => index * index)),
    total(values.map((value, index) => index * value)),
  ]
  const slope = (n * xy - x * y) / (n * xx - x * x)
  return { slope, level: (y - slope * x) / n }
}

const closesOf = (bars: readonly Candle[]) => bars.map(({ close }) => close)
const weighed = (bars: readonly Candle[]) =>
  total(bars.map(({ close, volume }) => close * volume)) / total(bars.map(({ volume }) => volume))

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, another) => one - another)
  return (at(sorted, sorted.length / 2 - 1) + at(sorted, sorted.length / 2)) / 2
}

function moment(values: readonly number[], power: number): number {
  return average(values.map((value) => (value - average(values)) ** power))
}

/** By how it is made in the list: its lines, in their order. */
export const OF_BARS: Readonly<Record<string, Formula>> = {
  'indicators.heikinAshi()': (bars) => {
    const close = bars.map((bar) => (bar.open + bar.high + bar.low + bar.close) / 4)
    const open: number[] = []
    for (const [index, bar] of bars.entries())
      open.push(index === 0 ? (bar.open + bar.close) / 2 : (at(open, index - 1) + at(close, index - 1)) / 2)
    const high = bars.map((bar, index) => Math.max(bar.high, at(open, index), at(close, index)))
    return [open, high, bars.map((bar, index) => Math.min(bar.low, at(open, index), at(close, index))), close]
  },
  'indicators.kaufmanStop(22, 2)': (bars) => {
    const range = (last: readonly Candle[]) => average(last.map(({ high, low }) => high - low))
    return [
      ofLast(22, (last) => Math.max(...last.map(({ high }) => high)) - 2 * range(last))(bars),
      ofLast(22, (last) => Math.min(...last.map(({ low }) => low)) + 2 * range(last))(bars),
    ]
  },
  'indicators.directionalTrend(14, 10, 5)': (bars) => {
    const moves = bars.slice(1).map(({ high, low }, index) => {
      const before = bars[index] as Candle
      return (high > before.high ? high - before.high : 0) - (low < before.low ? before.low - low : 0)
    })
    const smooth = (values: readonly number[]) => [14, 10, 5].reduce(exponential, [...values])
    const [by, of] = [smooth(moves), smooth(moves.map(Math.abs))]
    return [[NONE, ...by.map((value, index) => (at(of, index) === 0 ? 0 : (100 * value) / at(of, index)))]]
  },
  'indicators.ttmTrend(5)': (bars) => [
    ofLast(5, (last) => {
      const middle = average(last.map(({ high, low }) => 0.5 * (high + low)))
      return (last[4]?.close ?? NONE) > middle ? 1 : -1
    })(bars),
  ],
  'indicators.volumeConfirmation(5, 25)': (bars) => [
    ofLast(25, (last) => {
      const near = last.slice(20)
      const contradiction = weighed(last) - average(closesOf(last))
      const ratio = weighed(near) / average(closesOf(near))
      return (
        contradiction *
        ratio *
        (average(near.map(({ volume }) => volume)) / average(last.map(({ volume }) => volume)))
      )
    })(bars),
  ],
  'indicators.forecastOscillator(5)': (bars) => [
    ofLast(6, (last) => {
      const { slope, level } = line(closesOf(last.slice(0, 5)))
      const close = last[5]?.close ?? NONE
      return (100 * (close - (level + 5 * slope))) / close
    })(bars),
  ],
  'indicators.polarizedEfficiency(10, 5)': (bars) => {
    const gone = ofLast(11, (last) => {
      const closes = closesOf(last)
      const change = at(closes, 10) - at(closes, 0)
      let way = 0
      for (let bar = 1; bar <= 10; bar++) way += Math.sqrt((at(closes, bar) - at(closes, bar - 1)) ** 2 + 1)
      return (100 * Math.sign(change) * Math.sqrt(change ** 2 + 100)) / way
    })(bars)
    return [exponential(gone, 5)]
  },
  'indicators.regressionAngle(14)': (bars) => [
    ofLast(14, (last) => (Math.atan(line(closesOf(last)).slope) * 180) / Math.PI)(bars),
  ],
  'indicators.skewness(20)': (bars) => [
    ofLast(20, (last) => moment(closesOf(last), 3) / moment(closesOf(last), 2) ** 1.5)(bars),
  ],
  'indicators.kurtosis(20)': (bars) => [
    ofLast(20, (last) => moment(closesOf(last), 4) / moment(closesOf(last), 2) ** 2 - 3)(bars),
  ],
  'indicators.medianDeviation(20)': (bars) => [
    ofLast(20, (last) => {
      const closes = closesOf(last)
      return median(closes.map((close) => Math.abs(close - median(closes))))
    })(bars),
  ],
}
