/**
 * Between people's decimals and fp9. People write "1.5" and "5%"; the engine counts 10^-9. decimal.js is used here
 * and for statistics, never for the engine's own arithmetic.
 */
import { Decimal } from 'decimal.js'
import { ONE } from './fp9.ts'

/** decimal.js with enough digits for any product of two fp9 values, and no exponents in its output. */
const People = Decimal.clone({
  precision: 80,
  toExpNeg: -40,
  toExpPos: 60,
  rounding: Decimal.ROUND_DOWN,
})

const decimalGrammar = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)%?$/

/**
 * Reads a person's decimal into fp9, exactly: `fp9('1.5')` is `1500000000n`, `fp9('5%')` is `50000000n`.
 *
 * ```ts
 * fp9('1.5') // → 1500000000
 * fp9('5%') // → 50000000
 * ```
 *
 * @throws RangeError for text that is not a decimal, or that has more than nine decimals and would have to be rounded;
 * TypeError for a number, which has been rounded already, and for a bigint, which may be an fp9 value already.
 */
export function fp9(text: string): bigint {
  if (typeof text !== 'string') throw new TypeError(`fp9 reads text: ${inText(text)}`)
  const trimmed = text.trim()
  if (trimmed.length > 60 || !decimalGrammar.test(trimmed))
    throw new RangeError(`not a decimal number: ${text}`)
  const percent = trimmed.endsWith('%')
  const units = new People(percent ? trimmed.slice(0, -1) : trimmed)
    .times(ONE.toString())
    .div(percent ? 100 : 1)
  if (!units.isInteger()) throw new RangeError(`more than nine decimals: ${text}`)
  return BigInt(units.toFixed(0))
}

/** What to write instead. */
function inText(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value))
    return `write fp9('${new People(value).toFixed()}') for fp9(${value})`
  if (typeof value === 'bigint')
    return `write fp9('${value}') for ${value} whole units; ${value}n as it is means ${formatDecimal(value)}`
  return `a decimal such as fp9('1.5') or fp9('5%'), not ${value === null ? 'null' : typeof value}`
}

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
