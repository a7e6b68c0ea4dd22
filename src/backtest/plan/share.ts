/**
 * Shares as people write them: "0.08%", or 0.0008. A plain number that is far from what is usual is mostly a percentage
 * without its sign, and a hundredfold fee is not noticed in the figures; so it is refused, with what to write instead.
 */
import { formatDecimal, fp9 } from '../../quantity/decimal.ts'
import { ONE } from '../../quantity/fp9.ts'

interface Usual {
  /** Beyond this a number needs its percent sign, fp9. */
  readonly plainUpTo: bigint
  /** What no share of its kind exceeds, fp9; null = there is no such limit. */
  readonly most: bigint | null
}

/** What is charged: more than this is rare enough to be written out. */
const COST: Usual = { plainUpTo: fp9('0.5%'), most: null }
/** A part of a whole. */
const PART: Usual = { plainUpTo: ONE, most: ONE }
/** A part that may be more than the whole, such as a profit. */
const GAIN: Usual = { plainUpTo: ONE, most: null }

/** The shares of a plan, by the engine's names. */
export const SHARES = {
  feeRate: COST,
  spread: COST,
  fundingRate: COST,
  fundingRateShort: COST,
  maxDailyLoss: PART,
  maxTotalLoss: PART,
  profitTarget: GAIN,
  profitableDayShare: GAIN,
} as const satisfies Readonly<Record<string, Usual>>

/** The name of a share of a plan. */
export type Share = keyof typeof SHARES

/** Whether a parameter is a share. */
export function isShare(name: string): name is Share {
  return Object.hasOwn(SHARES, name)
}

/** Why a decimal is not taken for a share, in words that say what to write; null where it is. */
export function shareFault(name: Share, text: string): string | null {
  const { plainUpTo, most }: Usual = SHARES[name]
  const value = fp9(text)
  const size = value < 0n ? -value : value
  const isPlain = !text.trim().endsWith('%')
  if (most !== null && value < 0n) return `${text} is not between 0% and 100%`
  const meant = `${formatDecimal(value * 100n)}%`
  if (isPlain && size > plainUpTo) {
    const mayBeMeant = most === null || size <= most
    return `${text} is ${meant}: write ${mayBeMeant ? `${meant} if it is meant, ${text}% if not` : `${text}%`}`
  }
  return most !== null && value > most ? `${text} is not between 0% and 100%` : null
}
