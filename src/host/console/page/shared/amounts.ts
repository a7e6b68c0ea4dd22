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

/** Beside another amount: to the cent, and whole where cents would make of the two one. */
export function moneyBeside(value: bigint, other: bigint): string {
  const text = money(value)
  return value !== other && text === money(other) ? exact(value) : text
}

/** A price with as many decimals as its size makes sense of. */
export function price(value: bigint): string {
  return grouped(formatDecimal(value, priceDecimals(value)))
}

const [HUNDRED, UNIT, HUNDREDTH] = [100_000_000_000n, 1_000_000_000n, 10_000_000n]

export function priceDecimals(value: bigint): number {
  const size = value < 0n ? -value : value
  if (size >= HUNDRED) return 2
  if (size >= UNIT) return 4
  return size >= HUNDREDTH || size === 0n ? 6 : 9
}

/** A fraction. */
export function percent(value: bigint, decimals = 2): string {
  return grouped(formatPercent(value, decimals))
}

/** A multiple. */
export function times(value: bigint): string {
  return `${formatDecimal(value)}x`
}

/** For drawing alone: charts and meters have no use for more digits. */
export function approximately(value: bigint): number {
  return Number(formatDecimal(value))
}

/** What is shown to be as good as nothing, 0.00, has none. */
export function toneOf(value: bigint, least = HALF_CENT): '' | 'gain' | 'loss' {
  if (value >= least) return 'gain'
  return value <= -least ? 'loss' : ''
}

const HALF_CENT = 5_000_000n
