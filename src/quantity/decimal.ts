/**
 * From fp9 to people's decimals. People read "1.5" and "5%"; the engine counts 10^-9. decimal.js is used here and for
 * statistics, never for the engine's own arithmetic.
 */
import { Decimal } from 'decimal.js'
import { ONE } from './fp9.ts'

export { fp9 } from './readDecimal.ts'

/** decimal.js with enough digits for any product of two fp9 values, and no exponents in its output. */
const People = Decimal.clone({
  precision: 80,
  toExpNeg: -40,
  toExpPos: 60,
  rounding: Decimal.ROUND_DOWN,
})

/**
 * An fp9 value as a decimal.js number in whole units, for statistics and display.
 *
 * ```ts
 * toDecimal(fp9('2')).sqrt().toFixed(3) // → 1.414
 * ```
 */
export function toDecimal(value: bigint): Decimal {
  return new People(value.toString()).div(ONE.toString())
}

/**
 * An fp9 value as people write it, without trailing zeros: `1500000000n` is "1.5".
 *
 * ```ts
 * formatDecimal(fp9('1234.5')) // → 1234.5
 * formatDecimal(fp9('1234.5'), 2) // → 1234.50
 * ```
 */
export function formatDecimal(value: bigint, decimals?: number): string {
  const decimal = toDecimal(value)
  return decimals === undefined ? decimal.toFixed() : decimal.toFixed(decimals, Decimal.ROUND_HALF_UP)
}

/**
 * An fp9 fraction as a percentage: `50000000n` is "5.00%".
 *
 * ```ts
 * formatPercent(fp9('5%')) // → 5.00%
 * ```
 */
export function formatPercent(value: bigint, decimals = 2): string {
  return `${toDecimal(value).times(100).toFixed(decimals, Decimal.ROUND_HALF_UP)}%`
}
