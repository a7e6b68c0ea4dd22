/**
 * Filters that keep some of the waves in prices: J. F. Ehlers, "Cycle Analytics for Traders" (2013) and "Cybernetic Analysis" (2004), unless said
 * otherwise. Lengths are in bars; each begins as if the first price had always been.
 */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { chained, linearFilter, mean, mustBeBars, requiredOf, sum } from './linearFilter.ts'

type OfNumbers<Result = number> = Calculation<number, Result>

const share = (angle: number) => (Math.cos(angle) + Math.sin(angle) - 1) / Math.cos(angle)

/** What is left of waves up to a length. */
export const highPass = (bars: number): OfNumbers => {
  mustBeBars(bars, 5)
  const a = share((2 * Math.PI) / bars)
  return linearFilter(bars, [1 - a / 2, -(1 - a / 2)], [1 - a])
}

/** The same, with two poles. */
export const highPassOfTwo = (bars: number): OfNumbers => {
  mustBeBars(bars, 5)
  const a = share((Math.SQRT1_2 * 2 * Math.PI) / bars)
  const b = (1 - a / 2) ** 2
  return linearFilter(bars, [b, -2 * b, b], [2 * (1 - a), -((1 - a) ** 2)])
}

/** The price less its waves up to a length. */
export const decycler = (bars: number): OfNumbers => {
  const waves = highPassOfTwo(bars)
  return {
    add(close) {
      const wave = waves.add(close)
      return wave === null ? null : close - wave
    },
    getRequiredInputs: () => bars,
  }
}

/** Waves that are longer than half a length and not longer than it, in percent of the price. */
export const decyclerOscillator = (bars: number): OfNumbers => {
  const parts = [decycler(bars), highPassOfTwo(Math.ceil(bars / 2))]
  const both = chained(...parts)
  return {
    add(close) {
      const wave = both.add(close)
      return wave === null ? null : (100 * wave) / close
    },
    getRequiredInputs: () => requiredOf(parts),
  }
}

function smoother(bars: number): OfNumbers {
  const a = Math.exp((-Math.SQRT2 * Math.PI) / bars)
  const b = 2 * a * Math.cos((Math.SQRT2 * Math.PI) / bars)
  const c = 1 - b + a * a
  return linearFilter(1, [c / 2, c / 2], [b, -a * a])
}

/** A smoother of three poles. */
export const superSmootherOfThree = (bars: number): OfNumbers => {
  mustBeBars(bars, 2)
  const a = Math.exp(-Math.PI / bars)
  const b = 2 * a * Math.cos((Math.sqrt(3) * Math.PI) / bars)
  const c = a * a
  return linearFilter(bars, [1 - b - c + c + b * c - c * c], [b + c, -(c + b * c), c * c])
}

/** Waves between two lengths: a high pass, then a smoother. */
export const roofing = (longest: number, shortest: number): OfNumbers =>
  chained(highPassOfTwo(longest), smoother(shortest))

/** So many equal exponential averages one after the other, which together let half of the waves of a length through. */
export const gaussian = (bars: number, poles: number): OfNumbers => {
  mustBeBars(bars, 2)
  mustBeBars(poles)
  const b = (1 - Math.cos((2 * Math.PI) / bars)) / (2 ** (1 / poles) - 1)
  const a = -b + Math.sqrt(b * b + 2 * b)
  const part = () => linearFilter(1, [a], [1 - a])
  const all = chained(...Array.from({ length: poles }, part))
  const late = linearFilter(bars, [1], [])
  return chained(all, late)
}

/** Waves about as long as a length, in a band as broad as a share of it. */
export const bandPass = (bars: number, width: number): OfNumbers => {
  mustBeBars(bars, 5)
  const [b, g] = [Math.cos((2 * Math.PI) / bars), 1 / Math.cos((2 * Math.PI * width) / bars)]
  const a = g - Math.sqrt(g * g - 1)
  return chained(
    highPass(Math.ceil((4 * bars) / width)),
    linearFilter(1, [(1 - a) / 2, 0, -(1 - a) / 2], [b * (1 + a), -a]),
  )
}

/** The band pass in parts of its height, which fades, and its trigger, a high pass of that. */
export const normalisedBandPass = (
  bars: number,
  width: number,
): OfNumbers<{ wave: number; trigger: number }> => {
  const waves = bandPass(bars, width)
  const a = share((2 * Math.PI * 1.5 * width) / bars)
  const triggers = linearFilter(1, [1 - a / 2, -(1 - a / 2)], [1 - a])
  let height = 0
  return {
    add(close) {
      const value = waves.add(close)
      if (value === null) return null
      height = Math.max(0.991 * height, Math.abs(value))
      const wave = height === 0 ? 0 : value / height
      return { wave, trigger: triggers.add(wave) ?? 0 }
    },
    getRequiredInputs: () => requiredOf([waves]),
  }
}

/** J. F. Ehlers and R. Way's decomposition into modes (2010): the mean of a band of waves, and a share of what their last fifty peaks and valleys came to. */
export const empiricalModes = (
  bars: number,
  width: number,
  fraction: number,
): Calculation<Candle, { upper: number; middle: number; lower: number }> => {
  mustBeBars(bars, 5)
  const [b, g] = [Math.cos((2 * Math.PI) / bars), 1 / Math.cos((4 * Math.PI * width) / bars)]
  const a = g - Math.sqrt(g * g - 1)
  const waves = linearFilter(1, [(1 - a) / 2, 0, -(1 - a) / 2], [b * (1 + a), -a])
  const averageOf = (count: number) => overLast(count, (values: number[]) => mean(values))
  const [middles, peaks, valleys] = [averageOf(2 * bars), averageOf(50), averageOf(50)]
  let [before, last, peak, valley] = [0, 0, 0, 0]
  return {
    add({ high, low }) {
      const wave = waves.add((high + low) / 2) ?? 0
      if (last > wave && last > before) peak = last
      if (last < wave && last < before) valley = last
      before = last
      last = wave
      const [middle, above, below] = [middles.add(wave), peaks.add(peak), valleys.add(valley)]
      if (middle === null || above === null || below === null) return null
      return { upper: fraction * above, middle, lower: fraction * below }
    },
    getRequiredInputs: () => Math.max(2 * bars, 50),
  }
}

/** How far the smoothed price is from a straight line through the last bars, in its own usual distances (2020). */
export const reflex = (bars: number): OfNumbers => flexed(bars, (first, last) => (first - last) / bars)

/** How far it is from the last bars themselves (2020). */
export const trendflex = (bars: number): OfNumbers => flexed(bars, () => 0)

function flexed(bars: number, slopeOf: (first: number, last: number) => number): OfNumbers {
  mustBeBars(bars, 2)
  let usual = 0
  const from = overLast(bars + 1, (smooth: number[]) => {
    const last = smooth[bars] ?? 0
    const slope = slopeOf(smooth[0] ?? 0, last)
    const off = mean(smooth.slice(0, bars).map((value, index) => last + (bars - index) * slope - value))
    usual = 0.04 * off * off + 0.96 * usual
    return usual === 0 ? 0 : off / Math.sqrt(usual)
  })
  return chained(smoother(bars / 2), from)
}

/** The trend that is left when waves are taken out, and where it leads. */
export const instantaneousTrend = (a: number): OfNumbers<{ trend: number; trigger: number }> => {
  const inputs = [a - (a * a) / 4, (a * a) / 2, -(a - 0.75 * a * a)]
  const trend = linearFilter(1, inputs, [2 * (1 - a), -((1 - a) ** 2)])
  const last = overLast(3, ([before, , now]: number[]) => {
    return { trend: now ?? 0, trigger: 2 * (now ?? 0) - (before ?? 0) }
  })
  return {
    add: (close) => last.add(trend.add(close) ?? close),
    getRequiredInputs: () => 3,
  }
}

/** H. U. Voss' predictor of a band of waves, so many bars ahead (Ehlers 2019). */
export const voss = (
  bars: number,
  ahead: number,
  width: number,
): OfNumbers<{ voss: number; filter: number }> => {
  mustBeBars(bars, 5)
  mustBeBars(ahead)
  const [b, g] = [Math.cos((2 * Math.PI) / bars), 1 / Math.cos((2 * Math.PI * width) / bars)]
  const a = g - Math.sqrt(g * g - 1)
  const band = linearFilter(bars, [(1 - a) / 2, 0, -(1 - a) / 2], [b * (1 + a), -a])
  const order = 3 * ahead
  const before = new Array<number>(order).fill(0)
  return {
    add(close) {
      const filter = band.add(close)
      if (filter === null) return null
      const known = sum(before.map((value, index) => (value * (index + 1)) / order))
      const predicted = ((3 + order) / 2) * filter - known
      before.shift()
      before.push(predicted)
      return { voss: predicted, filter }
    },
    getRequiredInputs: () => bars,
  }
}

/** How the last bars correlate with a wave of that length and with the same a quarter later, and the angle between (2020). */
export const correlationCycle = (
  bars: number,
): OfNumbers<{ real: number; imaginary: number; angle: number }> => {
  mustBeBars(bars, 3)
  const turn = (index: number) => (2 * Math.PI * (bars - 1 - index)) / bars
  const cosines = Array.from({ length: bars }, (_, index) => Math.cos(turn(index)))
  const sines = Array.from({ length: bars }, (_, index) => -Math.sin(turn(index)))
  return overLast(bars, (closes: number[]) => {
    const [real, imaginary] = [correlationOf(closes, cosines), correlationOf(closes, sines)]
    return { real, imaginary, angle: (Math.atan2(imaginary, real) * 180) / Math.PI }
  })
}

function correlationOf(values: readonly number[], others: readonly number[]): number {
  const [own, other] = [mean(values), mean(others)]
  const off = values.map((value) => value - own)
  const beside = others.map((value) => value - other)
  const spread = Math.sqrt(sum(off.map((value) => value * value)) * sum(beside.map((value) => value * value)))
  return spread === 0 ? 0 : sum(off.map((value, index) => value * (beside[index] ?? 0))) / spread
}

/** The sine of where the last bars are in a wave of that length, and the same an eighth of it later. */
export const sineWave = (bars: number): OfNumbers<{ sine: number; lead: number }> => {
  mustBeBars(bars, 3)
  return overLast(bars, (closes: number[]) => {
    // Of differences, so that where prices stand still rounding makes no wave: a whole one of anything comes to 0.
    const parts = closes.map(
      (close, index) => [close - (closes[0] ?? 0), (2 * Math.PI * (bars - 1 - index)) / bars] as const,
    )
    const [real, imaginary] = [
      sum(parts.map(([close, angle]) => close * Math.cos(angle))),
      sum(parts.map(([close, angle]) => close * Math.sin(angle))),
    ]
    const phase = Math.atan2(imaginary, real) + Math.PI / 2
    return { sine: Math.sin(phase), lead: Math.sin(phase + Math.PI / 4) }
  })
}
