/**
 * Decimal text to fp9, exactly. The reader of delimited rows converts the common case itself, in safe integers; what
 * it cannot convert comes here.
 */

/** What happens to a price with more than nine significant decimals: refused, or rounded half away from zero. */
export type ExcessDecimals = 'refuse' | 'round'

/** Ten to the power of the index, exact as doubles. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

const FP9_DECIMALS = 9
const INT64_LIMIT = 2n ** 63n
const LONGEST = 60
const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?$/

/**
 * The fp9 integer of a decimal such as `1.5`, `-0.00004667` or `1.2e-05`, divided by 10^`shift` first (0 to 9).
 *
 * @throws RangeError with a sentence that fits behind "row": not a number, more than nine decimals, beyond 64 bits.
 */
export function fp9OfText(text: string, excess: ExcessDecimals = 'refuse', shift = 0): bigint {
  if (text.length === 0) throw new RangeError('a number is missing')
  const match = text.length > LONGEST ? null : grammar.exec(text)
  const whole = match?.[2] ?? ''
  const decimals = match?.[3] ?? ''
  if (match === null || whole.length + decimals.length === 0)
    throw new RangeError(`"${text}" is not a number`)
  const digits = BigInt(whole + decimals)
  const exponent = FP9_DECIMALS - shift - decimals.length + Number(match[4] ?? '0')
  if (exponent > 40 || exponent < -400) throw new RangeError(`"${text}" is out of range`)
  const magnitude =
    exponent >= 0 ? digits * 10n ** BigInt(exponent) : dividedExactly(digits, exponent, text, excess)
  if (magnitude >= INT64_LIMIT) throw new RangeError(`"${text}" is out of range`)
  return match[1] === '-' ? -magnitude : magnitude
}

function dividedExactly(digits: bigint, exponent: number, text: string, excess: ExcessDecimals): bigint {
  const divisor = 10n ** BigInt(-exponent)
  if (excess === 'refuse' && digits % divisor !== 0n)
    throw new RangeError(`"${text}" has more than nine decimals`)
  return (2n * digits + divisor) / (2n * divisor)
}

/**
 * The fp9 integer of a binary double, read as its shortest decimal and rounded to nine decimals half away from zero:
 * formats that hold doubles carry the noise of earlier arithmetic far behind the price's last decimal.
 *
 * @throws RangeError for NaN, infinities and values beyond 64 bits.
 */
export function fp9OfDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number`)
  // A decimal of at most 15 digits that converts to `value` is its shortest one: no other such decimal does.
  for (let decimals = 0; decimals <= FP9_DECIMALS; decimals++) {
    const digits = Math.round(value * (POWERS_OF_TEN[decimals] as number))
    if (Math.abs(digits) >= 1e15) break
    if (digits / (POWERS_OF_TEN[decimals] as number) === value) {
      const scaled = digits * (POWERS_OF_TEN[FP9_DECIMALS - decimals] as number)
      return Number.isSafeInteger(scaled)
        ? BigInt(scaled)
        : checked(BigInt(digits) * 10n ** BigInt(FP9_DECIMALS - decimals), value)
    }
  }
  return fp9OfText(String(value), 'round')
}

function checked(value: bigint, source: number): bigint {
  if (value >= INT64_LIMIT || value <= -INT64_LIMIT) throw new RangeError(`${source} is out of range`)
  return value
}

/** The shortest decimal of a 32-bit float, as a double: `0.1f` is 0.1, not 0.10000000149011612. */
export function widenedFloat(value: number): number {
  for (let digits = 6; digits <= 9; digits++) {
    const candidate = Number(value.toPrecision(digits))
    if (Math.fround(candidate) === value) return candidate
  }
  return value
}
