/** Averages that weigh the last closes, each by its formula, and averages that choose their own length. */
import type { Calculation } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { deviationOf, exponential, linearFilter, mean, mustBeBars, sum } from './linearFilter.ts'

type OfNumbers<Result = number> = Calculation<number, Result>

/** The last closes by weights of their own: of each the weight of `place`, 1 for the oldest. */
function weighed(bars: number, weightAt: (place: number) => number): OfNumbers {
  mustBeBars(bars)
  const weights = Array.from({ length: bars }, (_, index) => weightAt(index + 1))
  const all = sum(weights)
  return overLast(
    bars,
    (closes: number[]) => sum(closes.map((close, index) => close * (weights[index] ?? 0))) / all,
  )
}

/** Weights 1, 4, 9, …: of the place, squared. */
export const squareAverage = (bars: number) => weighed(bars, (place) => place ** 2)

/** Weights 1, 8, 27, …: of the place, cubed. */
export const cubicAverage = (bars: number) => weighed(bars, (place) => place ** 3)

/** Weights 1, √2, √3, …. */
export const rootAverage = (bars: number) => weighed(bars, Math.sqrt)

/** Weights of half a sine wave: sin(π·place / (bars + 1)). */
export const sineAverage = (bars: number) =>
  weighed(bars, (place) => Math.sin((Math.PI * place) / (bars + 1)))

/** Weights 1, 2, …, 2, 1, highest in the middle. */
export const symmetricAverage = (bars: number) => weighed(bars, (place) => Math.min(place, bars + 1 - place))

/** Weights of Fibonacci: 1, 1, 2, 3, 5, …. */
export const fibonacciAverage = (bars: number) => {
  const numbers = [1, 1]
  while (numbers.length < bars) numbers.push((numbers.at(-1) ?? 0) + (numbers.at(-2) ?? 0))
  return weighed(bars, (place) => numbers[place - 1] ?? 0)
}

/** Weights of a row of Pascal's triangle. */
export const pascalAverage = (bars: number) => {
  const row = [1]
  for (let place = 1; place < bars; place++) row.push(((row[place - 1] ?? 0) * (bars - place)) / place)
  return weighed(bars, (place) => row[place - 1] ?? 0)
}

/** Weights of the place to a power of one's own. */
export const powerAverage = (bars: number, power: number) => weighed(bars, (place) => place ** power)

/** Weights that fall by one a bar from `bars` − `offset` on, below zero too: what a straight line would say of a bar ahead. */
export const endPointAverage = (bars: number, offset: number) => weighed(bars, (place) => place - offset)

/** Half of the close and half of that so many bars ago (J. S. A.). */
export const jsaAverage = (bars: number): OfNumbers => {
  mustBeBars(bars)
  return overLast(bars + 1, (closes: number[]) => ((closes[0] ?? 0) + (closes[bars] ?? 0)) / 2)
}

/** J. F. Ehlers' distance coefficients: each of the last closes weighs as much as it is far, squared, from those before it. */
export const distanceAverage = (bars: number): OfNumbers => {
  mustBeBars(bars, 2)
  return overLast(2 * bars - 1, (closes: number[]) => {
    const own = closes.slice(-bars)
    const weights = own.map((close, index) =>
      sum(closes.slice(index, index + bars - 1).map((before) => (close - before) ** 2)),
    )
    const all = sum(weights)
    return all === 0 ? (own.at(-1) ?? 0) : sum(own.map((close, index) => close * (weights[index] ?? 0))) / all
  })
}

/** y + share·(x − y): an exponential average by its share (MWDX). */
export const exponentialAverage = (share: number): OfNumbers => {
  if (!(share > 0 && share <= 1)) throw new RangeError(`a share is above 0 and at most 1, not ${share}`)
  return linearFilter(1, [share], [1 - share])
}

/** C. C. Holt and P. R. Winters: level, slope and its change, each smoothed by a share of its own. */
export const holtWintersAverage = (level: number, slope: number, change: number): OfNumbers => {
  let [known, v, a]: [number | null, number, number] = [null, 0, 0]
  return {
    add(close) {
      const before: number = known ?? close
      const value = (1 - level) * (before + v + a / 2) + level * close
      const faster = (1 - slope) * (v + a) + slope * (value - before)
      a = (1 - change) * a + change * (faster - v)
      v = faster
      known = value
      return value + v + a / 2
    },
    getRequiredInputs: () => 1,
  }
}

/** The published approximation of M. Jurik's average: two stages, with a phase of −100 to 100. */
export const jurikAverage = (bars: number, phase: number, power: number): OfNumbers => {
  mustBeBars(bars)
  const ratio = Math.min(Math.max(phase / 100 + 1.5, 0.5), 2.5)
  const beta = (0.45 * (bars - 1)) / (0.45 * (bars - 1) + 2)
  const alpha = beta ** power
  let [e0, e1, e2]: [number | null, number, number] = [null, 0, 0]
  let value = 0
  return {
    add(close) {
      if (e0 === null) [e0, value] = [close, close]
      e0 = (1 - alpha) * close + alpha * e0
      e1 = (close - e0) * (1 - beta) + beta * e1
      e2 = (e0 + ratio * e1 - value) * (1 - alpha) ** 2 + alpha ** 2 * e2
      value += e2
      return value
    },
    getRequiredInputs: () => 1,
  }
}

/** An exponential average whose share follows how straight the last closes went, squared (P. J. Kaufman's ratio, between `fast` and `slow` bars). */
export const adaptiveAverage = (bars: number, fast: number, slow: number): OfNumbers => {
  mustBeBars(bars)
  let value: number | null = null
  return overLast(bars + 1, (closes: number[]) => {
    const steps = closes.slice(1).map((close, index) => Math.abs(close - (closes[index] ?? 0)))
    const noise = sum(steps)
    const close = closes[bars] ?? 0
    const ratio = noise === 0 ? 0 : Math.abs(close - (closes[0] ?? 0)) / noise
    value ??= closes[bars - 1] ?? 0
    value += (ratio * (2 / (fast + 1)) + 2 / (slow + 1)) ** 2 * (close - value)
    return value
  })
}

/**
 * An average that grows a bar longer where the close is within a quarter of a deviation of its mean, and a bar shorter where it is beyond
 * 1.75 of them; the deviation is that of the last `most` closes.
 */
export const variableLengthAverage = (least: number, most: number): OfNumbers => {
  mustBeBars(least)
  mustBeBars(most, least)
  let [value, length]: [number | null, number] = [null, most]
  return overLast(most, (closes: number[]) => {
    const close = closes[most - 1] ?? 0
    const away = Math.abs(close - mean(closes))
    const deviation = deviationOf(closes)
    if (away <= 0.25 * deviation) length = Math.min(length + 1, most)
    else if (away > 1.75 * deviation) length = Math.max(length - 1, least)
    const share = 2 / (length + 1)
    value = value === null ? close : share * close + (1 - share) * value
    return value
  })
}

/** J. F. Ehlers' predicting average: twice a weighted mean of seven less the weighted mean of that, and a trigger of four of them. */
export const predictiveAverage = (): Calculation<number, { predict: number; trigger: number }> => {
  const [first, second] = [weighed(7, (place) => place), weighed(7, (place) => place)]
  const trigger = weighed(4, (place) => place)
  return {
    add(close) {
      const once = first.add(close)
      const twice = once === null ? null : second.add(once)
      if (once === null || twice === null) return null
      const predict = 2 * once - twice
      const triggered = trigger.add(predict)
      return triggered === null ? null : { predict, trigger: triggered }
    },
    getRequiredInputs: () => 16,
  }
}

/** J. Sloman's natural average, as published: the two oldest of the closes, weighed by how the moves since lie in time. */
export const naturalAverage = (bars: number): OfNumbers => {
  mustBeBars(bars)
  return overLast(bars + 1, (closes: number[]) => {
    const moves = closes.slice(1).map((close, index) => Math.abs(Math.log(close / (closes[index] ?? 0))))
    const all = sum(moves)
    // The newest weighs 1, those before it less and less: √2 − 1, √3 − √2, ….
    const weights = moves.map((move, index) => move * (Math.sqrt(bars - index) - Math.sqrt(bars - index - 1)))
    const ratio = all === 0 ? 0 : sum(weights) / all
    return (closes[1] ?? 0) * ratio + (closes[0] ?? 0) * (1 - ratio)
  })
}

/** As A. Hull's average, of exponential ones. */
export const exponentialHull = (bars: number): OfNumbers => {
  mustBeBars(bars, 4)
  const [near, far] = [exponential(Math.floor(bars / 2)), exponential(bars)]
  const last = exponential(Math.round(Math.sqrt(bars)))
  return {
    add: (close) => last.add(2 * (near.add(close) ?? close) - (far.add(close) ?? close)),
    getRequiredInputs: () => 1,
  }
}

/** As A. Hull's average, of a third, a half and all of the bars. */
export const threefoldHull = (bars: number): OfNumbers => {
  mustBeBars(bars, 12)
  const half = Math.floor(bars / 2)
  const parts = [weighedBy(Math.floor(bars / 6)), weighedBy(Math.floor(bars / 4)), weighedBy(half)] as const
  const last = weighedBy(half)
  return {
    add(close) {
      const [near, middle, far] = parts.map((part) => part.add(close))
      if (near == null || middle == null || far == null) return null
      return last.add(3 * near - middle - far)
    },
    getRequiredInputs: () => 2 * half - 1,
  }
}

const weighedBy = (bars: number) => weighed(bars, (place) => place)
