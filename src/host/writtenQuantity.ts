/**
 * Quantities as people write them into a configuration: a decimal with its unit, `"10000 USD"`, `"0.1%"`, `"50x"`. A whole
 * number without a unit is fp9, as on the wire (A1).
 */
import { formatDecimal } from '../quantity/decimal.ts'
import { formatFp9, isFp9, ONE, parseFp9 } from '../quantity/fp9.ts'
import type { Quantity } from '../terms/fieldKinds.ts'

interface Form {
  /** The units it is written in, the first one where the host writes it; each with how many of it are 1. */
  readonly units: Readonly<Record<string, bigint>>
  readonly example: string
  /** From here up to zero a bare number is hardly meant as it stands. */
  readonly tiny: bigint
}

const MONEY = { USD: 1n }

const FORMS: { readonly [Name in Quantity]: Form } = {
  quote: { units: MONEY, example: '10000 USD', tiny: ONE / 100n },
  price: { units: MONEY, example: '65000 USD', tiny: ONE / 1_000n },
  rate: { units: { '%': 100n, bp: 10_000n }, example: '0.1%', tiny: 1_000n },
  leverage: { units: { x: 1n }, example: '50x', tiny: ONE },
  // No configuration has one of these.
  base: { units: {}, example: '1000000000', tiny: 0n },
  amount: { units: {}, example: '1000000000', tiny: 0n },
}

const WRITTEN = /^(-?\d{1,40}(?:\.\d{1,30})?) *([A-Za-z%]+)$/

/** The units a quantity may be written in. */
export function unitsOf(quantity: Quantity): readonly string[] {
  return Object.keys(FORMS[quantity].units)
}

/** How a quantity may be written, for people. */
export function writtenForms(quantity: Quantity): string {
  const { units, example } = FORMS[quantity]
  return `a decimal with its unit (${Object.keys(units).join(', ')}) such as ${JSON.stringify(example)}, or an fp9 integer as a string`
}

/** How a quantity stands on the wire, for people: nothing but fp9 is read there (A1). */
export function fp9Form(quantity: Quantity): string {
  const value = readWritten(FORMS[quantity].example, quantity) as bigint
  return `an fp9 integer as a string, such as "${formatFp9(value)}" for ${written(value, quantity)}`
}

/**
 * Reads fp9, or a decimal with a unit that fits, exactly; undefined where it is neither.
 *
 * @throws RangeError where a unit fits, but more than nine decimals would have to be rounded.
 */
export function readWritten(json: unknown, quantity: Quantity): bigint | undefined {
  const [, digits = '', unit = ''] = (typeof json === 'string' && WRITTEN.exec(json)) || []
  const { units } = FORMS[quantity]
  if (!Object.hasOwn(units, unit)) return parseFp9(json)
  const parts = units[unit] as bigint
  const [whole = '', decimals = ''] = digits.split('.')
  // All digits as one integer: with a unit of which 100 are 1, nine decimals of 1 are seven of it.
  const scaled = BigInt(whole + decimals) * ONE
  const divisor = 10n ** BigInt(decimals.length) * parts
  if (scaled % divisor !== 0n) throw new RangeError('has more than nine decimals')
  const value = scaled / divisor
  return isFp9(value) ? value : undefined
}

/** A quantity as people write it: `0.1%` is `1000000` as a rate. */
export function written(value: bigint, quantity: Quantity): string {
  const [unit = '', parts = 1n] = Object.entries(FORMS[quantity].units)[0] ?? []
  return `${formatDecimal(value * parts)}${unit.length > 1 ? ' ' : ''}${unit}`
}

/** Why a value is hardly meant as it stands, and what to write instead; null where nothing is to be said. */
export function doubtAbout(json: unknown, quantity: Quantity): string | null {
  const value = parseFp9(json)
  if (value === undefined || value === 0n) return null
  const { tiny } = FORMS[quantity]
  if (value >= tiny || value <= -tiny) return null
  const asWritten = written(value, quantity)
  const [unit = ''] = unitsOf(quantity)
  const meant = `${json}${unit.length > 1 ? ' ' : ''}${unit}`
  return `"${json}" is ${asWritten}; write "${meant}" if that is what is meant, or "${asWritten}" if not`
}
