/** What the bars of one market say beside those of another: matched by when they closed, so that it does not matter which was told first. */

import { toNumber } from '../numbers/toNumber.ts'
import type { Bar } from '../strategy/bar.ts'
import type { Calculation } from '../strategy/indicator.ts'
import { overLast } from '../strategy/overLast.ts'
import { exponential, mean, mustBeBars, sum } from './linearFilter.ts'

/** An indicator of one market, and what is to be one of the other. */
export interface OfTwo<Result> extends Calculation<Bar, Result> {
  /** Make it an indicator of the other market, of whole bars as this one: it is told what there is to compare with, and says the close. */
  readonly other: Calculation<Bar, number>
}

/** Both closes of the bars that ended together: at a bar of the market what was known by then. */
function ofTwo<Result>(needed: number, of: (own: number, other: number) => Result | null): OfTwo<Result> {
  let [own, other]: [Bar | null, Bar | null] = [null, null]
  let known: Result | null = null
  const match = () => {
    if (own === null || own.closeTime !== other?.closeTime) return
    known = of(toNumber(own.close), toNumber(other.close))
  }
  return {
    other: {
      add(bar) {
        other = bar
        match()
        return toNumber(bar.close)
      },
      getRequiredInputs: () => 1,
    },
    add(bar) {
      own = bar
      match()
      return known
    },
    getRequiredInputs: () => needed,
  }
}

/** How much a market moves with the other: the covariance of their returns over the variance of the other's. */
export const beta = (bars: number): OfTwo<number> => {
  mustBeBars(bars, 2)
  const slope = overLast(bars + 1, (pairs: (readonly [number, number])[]) => {
    const returns = pairs.slice(1).map(([own, other], index) => {
      const [ownBefore, otherBefore] = pairs[index] ?? [1, 1]
      return [own / ownBefore - 1, other / otherBefore - 1] as const
    })
    const [ownMean, otherMean] = [mean(returns.map(([own]) => own)), mean(returns.map(([, other]) => other))]
    const spread = sum(returns.map(([, other]) => (other - otherMean) ** 2))
    return spread === 0
      ? 0
      : sum(returns.map(([own, other]) => (own - ownMean) * (other - otherMean))) / spread
  })
  return ofTwo(bars + 1, (own, other) => slope.add([own, other]))
}

/** M. Markos Katsanos' relative strength (2020): by how much more than the other a market grew over some bars, in percent, smoothed, with a signal line. */
export const relativeStrength = (
  bars: number,
  smoothing: number,
  signalSmoothing: number,
): OfTwo<{ strength: number; signal: number }> => {
  mustBeBars(bars)
  const [values, signals] = [exponential(smoothing), exponential(signalSmoothing)]
  const grown = overLast(bars + 1, (ratios: number[]) => 100 * ((ratios[bars] ?? 0) - (ratios[0] ?? 0)))
  return ofTwo(bars + 1, (own, other) => {
    const change = grown.add(Math.log(own / other))
    const strength = change === null ? null : values.add(change)
    const signal = strength === null ? null : signals.add(strength)
    return strength === null || signal === null ? null : { strength, signal }
  })
}
