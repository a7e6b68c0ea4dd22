/**
 * fp9: every amount, price, leverage, multiplier and rate is an integer scaled by 10^9, written as a string on the
 * wire (A1).
 */

/** One unit: 1 = `1_000_000_000n`. */
export const ONE = 1_000_000_000n

/** The longest fp9 string accepted, sign included (A1): enough for 10^39 without inviting megabyte integers. */
export const FP9_MAX_LENGTH = 40

/** The grammar of A1. `-0`, leading zeros, signs other than minus, blanks and fractions are not fp9. */
export const FP9_PATTERN = '^(?:-?[1-9][0-9]*|0)$'

const grammar = new RegExp(FP9_PATTERN)

/**
 * Reads an fp9 string. Length and grammar are checked before the conversion, because `BigInt` itself accepts the
 * empty string, blanks and hexadecimal.
 *
 * ```ts
 * parseFp9('1500000000') // → 1500000000
 * parseFp9('1.5') // → undefined
 * ```
 *
 * @returns the integer, or `undefined` where `text` is not a string of at most 40 characters that matches A1.
 */
export function parseFp9(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || text.length > FP9_MAX_LENGTH || !grammar.test(text)) return undefined
  return BigInt(text)
}

/**
 * Writes an fp9 integer as its wire string; the inverse of {@link parseFp9}.
 *
 * ```ts
 * formatFp9(fp9('1.5')) // → 1500000000
 * ```
 */
export function formatFp9(value: bigint): string {
  return value.toString()
}

/** The largest integer that an fp9 string can hold. */
export const FP9_MAXIMUM = 10n ** BigInt(FP9_MAX_LENGTH) - 1n
const MINIMUM = -(10n ** BigInt(FP9_MAX_LENGTH - 1) - 1n)

/** Whether a value is an integer that an fp9 string can hold (A1). */
export function isFp9(value: unknown): value is bigint {
  return typeof value === 'bigint' && value <= FP9_MAXIMUM && value >= MINIMUM
}
