/** Which way bars reach beyond those before them, and stops that follow from it. */
import type { Calculation, Candle } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { deviationOf, mean, medianOf, mustBeBars } from './linearFilter.ts'

type OfCandles<Result = number> = Calculation<Candle, Result>

/** How far a bar reached above the one before, and how far below: only the larger counts. */
function reached(before: Candle, now: Candle): { plus: number; minus: number } {
  const [up, down] = [now.high - before.high, before.low - now.low]
  return { plus: up > down && up > 0 ? up : 0, minus: down > up && down > 0 ? down : 0 }
}

/** J. W. Wilder's sum: that of the first so many, and then less a part of itself and the next (1978). */
function wilderSum(bars: number, first: number): (value: number) => number | null {
  let [total, told] = [0, 0]
  return (value) => {
    told += 1
    total = told > first ? total - total / bars + value : total + value
    return told < first ? null : total
  }
}

/** Wilder's directional movement: the sums of how far bars reached above and below those before them. */
export const directionalMovement = (bars: number): OfCandles<{ plus: number; minus: number }> => {
  mustBeBars(bars, 2)
  const [above, below] = [wilderSum(bars, bars - 1), wilderSum(bars, bars - 1)]
  let before: Candle | null = null
  return {
    add(bar) {
      const moved = before === null ? null : reached(before, bar)
      before = bar
      if (moved === null) return null
      const [plus, minus] = [above(moved.plus), below(moved.minus)]
      return plus === null || minus === null ? null : { plus, minus }
    },
    getRequiredInputs: () => bars,
  }
}

/** The same in percent of the true ranges. */
export const directionalIndicators = (bars: number): OfCandles<{ plus: number; minus: number }> => {
  mustBeBars(bars, 2)
  // As in TA-Lib, whose first value is one step after the first sum.
  const [above, below, ranges] = [bars, bars, bars].map((own) => wilderSum(own, own - 1)) as [
    (value: number) => number | null,
    (value: number) => number | null,
    (value: number) => number | null,
  ]
  let [before, told]: [Candle | null, number] = [null, 0]
  return {
    add(bar) {
      const last = before
      before = bar
      if (last === null) return null
      const moved = reached(last, bar)
      const [plus, minus] = [above(moved.plus) ?? 0, below(moved.minus) ?? 0]
      const range = ranges(trueRange(last, bar)) ?? 0
      told += 1
      if (told < bars) return null
      return range === 0
        ? { plus: 0, minus: 0 }
        : { plus: (100 * plus) / range, minus: (100 * minus) / range }
    },
    getRequiredInputs: () => bars + 1,
  }
}

/** From the close before, where that lies outside of the bar. */
export function trueRange(before: Candle, bar: Candle): number {
  return Math.max(bar.high, before.close) - Math.min(bar.low, before.close)
}

/** How many bars ago the low was, less how many ago the high was, in percent of as many as there are (T. Chande). */
export const aroonOscillator = (bars: number): OfCandles => {
  mustBeBars(bars)
  return overLast(bars + 1, (last: Candle[]) => {
    let [high, low] = [0, 0]
    for (const [index, bar] of last.entries()) {
      if (bar.high >= (last[high]?.high ?? 0)) high = index
      if (bar.low <= (last[low]?.low ?? 0)) low = index
    }
    return (100 * (high - low)) / bars
  })
}

/**
 * A. Elder's safe zone ("Come into My Trading Room", 2002): the low less so many mean reaches below the low before, of those there were, the best of the last
 * few; and the mirror image of it for shorts.
 */
export const safeZoneStop = (
  bars: number,
  times: number,
  kept: number,
): OfCandles<{ long: number; short: number }> => {
  mustBeBars(bars)
  mustBeBars(kept)
  const best = overLast(kept, (stops: { long: number; short: number }[]) => ({
    long: Math.max(...stops.map(({ long }) => long)),
    short: Math.min(...stops.map(({ short }) => short)),
  }))
  const stops = overLast(bars + 1, (last: Candle[]) => {
    const { low = 0, high = 0 } = last[bars] ?? {}
    const below = last.slice(1).map((bar, index) => (last[index]?.low ?? 0) - bar.low)
    const above = last.slice(1).map((bar, index) => bar.high - (last[index]?.high ?? 0))
    return { long: low - times * meanReach(below), short: high + times * meanReach(above) }
  })
  return {
    add(bar) {
      const stop = stops.add(bar)
      return stop === null ? null : best.add(stop)
    },
    getRequiredInputs: () => bars + kept,
  }
}

function meanReach(reaches: readonly number[]): number {
  const beyond = reaches.filter((reach) => reach > 0)
  return beyond.length === 0 ? 0 : mean(beyond)
}

const SPREADS = {
  standard: deviationOf,
  mean: (values: readonly number[]) => mean(values.map((value) => Math.abs(value - mean(values)))),
  median: (values: readonly number[]) => medianOf(values.map((value) => Math.abs(value - medianOf(values)))),
} as const

/**
 * C. Kase's stop: the highest of highs less the mean range of two bars and so many of its deviations, of which there are three kinds; and the mirror
 * image of it for shorts.
 */
export const deviationStop = (
  bars: number,
  deviations: number,
  kind: keyof typeof SPREADS = 'standard',
): OfCandles<{ long: number; short: number }> => {
  mustBeBars(bars)
  const ofTwo = overLast(2, ([before, now]: Candle[]) =>
    before === undefined || now === undefined
      ? null
      : Math.max(before.high, now.high) - Math.min(before.low, now.low),
  )
  const room = overLast(bars, (ranges: number[]) => mean(ranges) + deviations * SPREADS[kind](ranges))
  const stops = overLast(bars, (last: { long: number; short: number }[]) => ({
    long: Math.max(...last.map(({ long }) => long)),
    short: Math.min(...last.map(({ short }) => short)),
  }))
  return {
    add(bar) {
      const range = ofTwo.add(bar)
      const away = range === null ? null : room.add(range)
      return away === null ? null : stops.add({ long: bar.high - away, short: bar.low + away })
    },
    getRequiredInputs: () => 2 * bars,
  }
}

/** How a parabolic stop goes after prices on one side. */
export interface Acceleration {
  /** The share of the way that it goes first. */
  readonly begin: number
  /** By how much that grows with each new extreme. */
  readonly step: number
  /** How far it grows. */
  readonly most: number
}

/**
 * Wilder's parabolic stop with accelerations of its own on either side, which a share of the price may set further off where it turns (TA-Lib's
 * `SAREXT`); below zero of shorts.
 */
export const parabolicStop = (long: Acceleration, short: Acceleration, offset = 0): OfCandles => {
  let [isLong, stop, extreme, share] = [true, 0, 0, 0]
  let before: Candle | null = null
  let isBegun = false
  const begin = (last: Candle, bar: Candle) => {
    isBegun = true
    const { plus, minus } = reached(last, bar)
    isLong = !(minus > plus)
    extreme = isLong ? bar.high : bar.low
    stop = isLong ? last.low : last.high
    share = (isLong ? long : short).begin
    return bar
  }
  const turn = (bar: Candle, last: Candle) => {
    isLong = !isLong
    const beyond = isLong ? Math.min(extreme, last.low, bar.low) : Math.max(extreme, last.high, bar.high)
    const told = beyond * (isLong ? 1 - offset : 1 + offset)
    share = (isLong ? long : short).begin
    extreme = isLong ? bar.high : bar.low
    move(told, bar, last)
    return told
  }
  const move = (from: number, bar: Candle, last: Candle) => {
    const next = from + share * (extreme - from)
    stop = isLong ? Math.min(next, last.low, bar.low) : Math.max(next, last.high, bar.high)
  }
  return {
    add(bar) {
      if (before === null) {
        before = bar
        return null
      }
      const last = isBegun ? before : begin(before, bar)
      before = bar
      if (isLong ? bar.low <= stop : bar.high >= stop) {
        const told = turn(bar, last)
        return isLong ? told : -told
      }
      const told = isLong ? stop : -stop
      const own = isLong ? long : short
      const isFurther = isLong ? bar.high > extreme : bar.low < extreme
      if (isFurther) {
        extreme = isLong ? bar.high : bar.low
        share = Math.min(share + own.step, own.most)
      }
      move(stop, bar, last)
      return told
    },
    getRequiredInputs: () => 2,
  }
}
