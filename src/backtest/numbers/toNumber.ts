/** Between prices and doubles, for indicators: money is never computed from them. */
import type { Price } from '../../quantity/units.ts'

/**
 * A price as a floating point number, for indicators and charts: not exact.
 *
 * ```ts
 * toNumber(fp9('50000.5')) // → 50000.5
 * ```
 */
export function toNumber(price: Price): number {
  return Number(price) / 1e9
}

/** The same of a price that is a safe integer and at hand as one: reading bigints costs more. */
export function safeToNumber(price: number): number {
  return price / 1e9
}

/**
 * The fp9 price nearest to a finite double.
 *
 * ```ts
 * toPrice(50_000.5) // → 50000500000000
 * ```
 *
 * @throws RangeError for what is not finite.
 */
export function toPrice(value: number): Price {
  return BigInt(Math.round(value * 1e9))
}
