/**
 * Every product and quotient of two quantities, with its unit in the type and its rounding in the name. Sums and
 * comparisons need no function; anything else on quantities belongs here.
 */
import { ONE } from './fp9.ts'
import { divideDown, divideUp } from './rounding.ts'
import { scaledDown, scaledUp } from './scaled.ts'
import type { Base, Leverage, Price, Quote, Rate } from './units.ts'

const ONE_SQUARED = ONE * ONE

/**
 * Value of `size` at `price`, rounded once (A2): ⌊size·price / ONE⌋.
 *
 * ```ts
 * formatDecimal(notionalDown(fp9('0.02'), fp9('50000'))) // → 1000
 * ```
 */
export function notionalDown(size: Base, price: Price): Quote {
  return scaledDown(size, price)
}

/** Value of `size` at `price`: ⌈size·price / ONE⌉. */
export function notionalUp(size: Base, price: Price): Quote {
  return scaledUp(size, price)
}

/**
 * Size that `notional` buys at `price`: ⌊notional·ONE / price⌋. `price > 0`.
 *
 * ```ts
 * formatDecimal(sizeDown(fp9('1000'), fp9('48000'))) // → 0.020833333
 * ```
 */
export function sizeDown(notional: Quote, price: Price): Base {
  return divideDown(notional * ONE, price)
}

/** Size that `notional` sells at `price`: ⌈notional·ONE / price⌉. `price > 0`. */
export function sizeUp(notional: Quote, price: Price): Base {
  return divideUp(notional * ONE, price)
}

/** Price at which `size` is worth `notional`: ⌊notional·ONE / size⌋. `size > 0`. */
export function priceDown(notional: Quote, size: Base): Price {
  return divideDown(notional * ONE, size)
}

/** Price at which `size` is worth `notional`: ⌈notional·ONE / size⌉. `size > 0`. */
export function priceUp(notional: Quote, size: Base): Price {
  return divideUp(notional * ONE, size)
}

/** Price at which a fraction `share` of `size` is worth `notional`: ⌊notional·ONE² / (size·share)⌋. */
export function priceOfShareDown(notional: Quote, size: Base, share: Rate): Price {
  return divideDown(notional * ONE_SQUARED, size * share)
}

/** Price at which a fraction `share` of `size` is worth `notional`: ⌈notional·ONE² / (size·share)⌉. */
export function priceOfShareUp(notional: Quote, size: Base, share: Rate): Price {
  return divideUp(notional * ONE_SQUARED, size * share)
}

/** Whether a price is at or below {@link priceOfShareUp}: p ≤ ⌈a/b⌉ exactly when (p − 1)·b < a. */
export function isAtMostPriceOfShareUp(price: Price, notional: Quote, size: Base, share: Rate): boolean {
  return (price - 1n) * (size * share) < notional * ONE_SQUARED
}

/** Whether a price is at or above {@link priceOfShareDown}: p ≥ ⌊a/b⌋ exactly when (p + 1)·b > a. */
export function isAtLeastPriceOfShareDown(price: Price, notional: Quote, size: Base, share: Rate): boolean {
  return (price + 1n) * (size * share) > notional * ONE_SQUARED
}

/** Fraction of an amount: ⌊amount·rate / ONE⌋. */
export function fractionDown(amount: Quote, rate: Rate): Quote {
  return scaledDown(amount, rate)
}

/**
 * Fraction of an amount: ⌈amount·rate / ONE⌉.
 *
 * ```ts
 * formatDecimal(fractionUp(fp9('1000'), fp9('0.05%'))) // → 0.5
 * ```
 */
export function fractionUp(amount: Quote, rate: Rate): Quote {
  return scaledUp(amount, rate)
}

/**
 * Exposure of a margin at a leverage: ⌊margin·leverage / ONE⌋.
 *
 * ```ts
 * formatDecimal(exposureDown(fp9('100'), fp9('10'))) // → 1000
 * ```
 */
export function exposureDown(margin: Quote, leverage: Leverage): Quote {
  return scaledDown(margin, leverage)
}

/**
 * Margin that carries a notional at a leverage: ⌈notional·ONE / leverage⌉. `leverage > 0`.
 *
 * ```ts
 * formatDecimal(marginUp(fp9('1000'), fp9('3'))) // → 333.333333334
 * ```
 */
export function marginUp(notional: Quote, leverage: Leverage): Quote {
  return divideUp(notional * ONE, leverage)
}

/** Leverage of a notional on a margin: ⌈notional·ONE / margin⌉. `margin > 0`. */
export function leverageUp(notional: Quote, margin: Quote): Leverage {
  return divideUp(notional * ONE, margin)
}

/** Rate on the exposure of an amount: ⌈amount·leverage·rate / ONE²⌉. */
export function rateOnExposureUp(amount: Quote, leverage: Leverage, rate: Rate): Quote {
  return divideUp(amount * leverage * rate, ONE_SQUARED)
}

/** The part of an amount that falls to `part` of `whole`: ⌊amount·part / whole⌋. `whole > 0`. */
export function proRataDown(amount: Quote, part: Base, whole: Base): Quote {
  return divideDown(amount * part, whole)
}

/** The part of an amount that falls to `part` of `whole`: ⌈amount·part / whole⌉. `whole > 0`. */
export function proRataUp(amount: Quote, part: Base, whole: Base): Quote {
  return divideUp(amount * part, whole)
}

/** The part of an amount that falls to `part` of `whole`: ⌊amount·part / whole⌋. `whole > 0`. */
export function shareDown(amount: Quote, part: Quote, whole: Quote): Quote {
  return divideDown(amount * part, whole)
}

/** One amount as a fraction of another: ⌊part·ONE / whole⌋. `whole > 0`. */
export function ratioDown(part: Quote, whole: Quote): Rate {
  return divideDown(part * ONE, whole)
}

/** A multiple of a rate: ⌈rate·coefficient / ONE⌉. */
export function scaledRateUp(rate: Rate, coefficient: Leverage): Rate {
  return scaledUp(rate, coefficient)
}

/** A price plus a fraction of itself: ⌈price·(ONE + rate) / ONE⌉. */
export function raisedPriceUp(price: Price, rate: Rate): Price {
  return scaledUp(price, ONE + rate)
}

/** A price minus a fraction of itself: ⌊price·(ONE − rate) / ONE⌋. */
export function loweredPriceDown(price: Price, rate: Rate): Price {
  return scaledDown(price, ONE - rate)
}

/** The largest index price that, raised by `rate` and rounded up, is still at or below `price`. */
export function raisedFromDown(price: Price, rate: Rate): Price {
  return divideDown(price * ONE, ONE + rate)
}

/** The smallest index price that, lowered by `rate` and rounded down, is still at or above `price`. `rate < ONE`. */
export function loweredFromUp(price: Price, rate: Rate): Price {
  return divideUp(price * ONE, ONE - rate)
}

/** A fraction of a price: ⌊price·rate / ONE⌋. */
export function priceFractionDown(price: Price, rate: Rate): Price {
  return scaledDown(price, rate)
}

/**
 * Whether a maintenance margin rate leaves room under the highest leverage (E1): mmr < (1 − s)/maxLeverage − s, in
 * whole numbers (mmr + s)·maxLeverage < (ONE − s)·ONE.
 */
export function leavesRoom(maintenanceMarginRate: Rate, spread: Rate, maxLeverage: Leverage): boolean {
  return (maintenanceMarginRate + spread) * maxLeverage < (ONE - spread) * ONE
}
