// The indicators that jesse's regression strategy asks for, as its documents and results define them: each of the last 240 candles at most,
// begun anew for every question, in floating point.

/** Columns of the same length, oldest first. */
export interface CandleColumns {
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
}

const at = (values: readonly number[], index: number) => values[index] as number
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Jaw, teeth and lips of Williams: smoothed averages of the middles, told eight, five and three candles later. */
export function alligator({ high, low }: CandleColumns): [jaw: number, teeth: number, lips: number] {
  const middles = high.map((value, index) => (value + at(low, index)) / 2)
  // The shorter ones stand still until the longest has begun.
  const begin = 13
  const line = (period: number, later: number) => {
    let average = mean(middles.slice(0, period))
    for (const middle of middles.slice(begin, middles.length - later))
      average = middle / period + (1 - 1 / period) * average
    return average
  }
  return [line(13, 8), line(8, 5), line(5, 3)]
}

function trueRange({ high, low, close }: CandleColumns, index: number): number {
  const before = index === 0 ? at(low, 0) : at(close, index - 1)
  const range = at(high, index) - at(low, index)
  if (index === 0) return range
  return Math.max(range, Math.abs(at(high, index) - before), Math.abs(at(low, index) - before))
}

/** Wilder's average of the true range. */
export function averageTrueRange(candles: CandleColumns, period = 14): number {
  const ranges = candles.close.map((_, index) => trueRange(candles, index))
  return ranges
    .slice(period)
    .reduce((average, range) => average + (range - average) / period, mean(ranges.slice(0, period)))
}

/** Wilder's average of how one-sided the movement is, 0 to 100. */
export function directionalIndex(candles: CandleColumns, period = 14): number {
  const { high, low, close } = candles
  let [range, up, down, index] = [0, 0, 0, 0]
  const firsts: number[] = []
  for (let candle = 1; candle < close.length; candle++) {
    const rise = at(high, candle) - at(high, candle - 1)
    const fall = at(low, candle - 1) - at(low, candle)
    const kept = candle > period ? 1 - 1 / period : 1
    range = range * kept + trueRange(candles, candle)
    up = up * kept + (rise > fall && rise > 0 ? rise : 0)
    down = down * kept + (fall > rise && fall > 0 ? fall : 0)
    if (candle < period) continue
    const oneSided = (100 * Math.abs(up - down)) / (up + down)
    if (candle < 2 * period) firsts.push(oneSided)
    else if (candle === 2 * period) index = mean(firsts)
    else index = (index * (period - 1) + oneSided) / period
  }
  return index
}

/** Chande's momentum, −100 to 100. */
export function momentum({ close }: CandleColumns, period = 14): number {
  const changes = changesOf(close.slice(-period - 1))
  const sum = changes.reduce((total, change) => total + change, 0)
  return (100 * sum) / changes.reduce((total, change) => total + Math.abs(change), 0)
}

function changesOf(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - at(values, index))
}

/** Where the relative strength index lies between its extremes of 14 candles, 0 to 100, averaged over three. */
export function stochasticStrength({ close }: CandleColumns, period = 14): number {
  const changes = changesOf(close)
  const gains = changes.map((change) => Math.max(change, 0))
  const losses = changes.map((change) => Math.max(-change, 0))
  let [gain, loss] = [mean(gains.slice(0, period)), mean(losses.slice(0, period))]
  const strengths = [100 - 100 / (1 + gain / loss)]
  for (let index = period; index < changes.length; index++) {
    gain = (gain * (period - 1) + at(gains, index)) / period
    loss = (loss * (period - 1) + at(losses, index)) / period
    strengths.push(100 - 100 / (1 + gain / loss))
  }
  const place = (end: number) => {
    const window = strengths.slice(end - 14, end)
    const [least, most] = [Math.min(...window), Math.max(...window)]
    return (100 * (at(strengths, end - 1) - least)) / (most - least)
  }
  const { length } = strengths
  return mean([place(length - 2), place(length - 1), place(length)])
}

/** Begun with the first close. */
export function exponentialAverage({ close }: CandleColumns, period: number): number {
  const share = 2 / (period + 1)
  return close.slice(1).reduce((average, value) => share * value + (1 - share) * average, at(close, 0))
}
