// Exact decimal arithmetic in whole units, rounded only where a decision says so, and then to nine decimals.

import { Decimal } from 'decimal.js'

/** Enough digits that a quotient can never be rounded across a ninth decimal. */
export const Exact = Decimal.clone({ precision: 300, toExpNeg: -400, toExpPos: 400 })

export type Exact = Decimal

const SCALE = new Exact('1000000000')

/** An fp9 integer as the number it stands for. */
export const units = (fp9: bigint): Exact => new Exact(fp9.toString()).div(SCALE)

/** The fp9 integer of a number with at most nine decimals. */
export function fp9Of(value: Exact): bigint {
  const scaled = value.times(SCALE)
  if (!scaled.isInteger()) throw new RangeError(`${value.toFixed()} has more than nine decimals`)
  return BigInt(scaled.toFixed(0))
}

export const down = (value: Exact): Exact => value.toDecimalPlaces(9, Decimal.ROUND_FLOOR)
export const up = (value: Exact): Exact => value.toDecimalPlaces(9, Decimal.ROUND_CEIL)

export const least = (a: Exact, b: Exact): Exact => (a.lessThan(b) ? a : b)
export const most = (a: Exact, b: Exact): Exact => (a.greaterThan(b) ? a : b)

export const ZERO = new Exact(0)
export const WHOLE = new Exact(1)
