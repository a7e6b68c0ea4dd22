// Quantities as the venue writes them, fp9 text, and as people read them. Nothing is ever computed in floating point.
import { formatDecimal, formatPercent } from '../../../../quantity/decimal.ts'

const MINUS = '−'

/** The integer of an fp9 text that came from the venue. */
export const quantity = (text: string): bigint => BigInt(text)

/** In groups of three digits. */
function grouped(decimal: string): string {
  const [whole = '', decimals] = decimal.replace('-', '').split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (decimals === undefined ? '' : `.${decimals}`)
  return decimal.startsWith('-') && /[1-9]/.test(text) ? MINUS + text : text
}

/** An amount of the quote currency, to the cent. */
export function money(value: bigint): string {
  return grouped(formatDecimal(value, 2))
}

/** With its sign. */
export function signedMoney(value: bigint): string {
  const text = money(value)
  return value > 0n && /[1-9]/.test(text) ? `+${text}` : text
}

/** All its digits. */
export function exact(value: bigint): string {
  return grouped(formatDecimal(value))
}

/** A price with as many decimals as its size makes sense of. */
export function price(value: bigint): string {
  return grouped(formatDecimal(value, priceDecimals(value)))
}

const [HUNDRED, UNIT] = [100_000_000_000n, 1_000_000_000n]

export function priceDecimals(value: bigint): number {
  const size = value < 0n ? -value : value
  return size >= HUNDRED ? 2 : size >= UNIT ? 4 : 6
}

/** A fraction. */
export function percent(value: bigint, decimals = 2): string {
  return formatPercent(value, decimals).replace('-', MINUS)
}

/** A multiple. */
export function times(value: bigint): string {
  return `${formatDecimal(value)}x`
}

/** For drawing alone: charts and meters have no use for more digits. */
export function approximately(value: bigint): number {
  return Number(formatDecimal(value))
}

export const toneOf = (value: bigint): '' | 'gain' | 'loss' =>
  value > 0n ? 'gain' : value < 0n ? 'loss' : ''
