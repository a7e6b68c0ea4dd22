/** The price of a market out of what several sources say of it. */
import { ONE } from '../../quantity/fp9.ts'
import type { Price, Rate } from '../../quantity/units.ts'

/** What a source says of a market. */
export interface Quote {
  /** Null where it has said nothing yet. */
  readonly price: Price | null
  /** How old that is, ms. */
  readonly ageMs: number
  /** From here on it is too old, ms. */
  readonly maxAgeMs: number
}

/** Why a source does not count: it has said nothing, what it said is old, or is far from what the others say. */
export const EXCLUSIONS = ['silent', 'old', 'far'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

export interface IndexTerms {
  /** How far from the median a source may be, of the median. */
  readonly maxDeviation: Rate
  /** How many must count for there to be a price. */
  readonly minSources: number
}

export interface IndexPrice {
  readonly price: Price | null
  /** Of each quote, in their order; null: it counts. */
  readonly excluded: readonly (Exclusion | null)[]
}

/**
 * The median of those that are near the median of all that are current. Of an even number it is the mean of the two in the
 * middle, rounded down.
 */
export function indexPrice(quotes: readonly Quote[], { maxDeviation, minSources }: IndexTerms): IndexPrice {
  const middle = median(quotes.flatMap((quote) => (staleness(quote) === null ? [quote.price as Price] : [])))
  const excluded = quotes.map((quote) => staleness(quote) ?? (isFar(quote.price as Price) ? 'far' : null))
  const counted = quotes.flatMap(({ price }, at) => (excluded[at] === null ? [price as Price] : []))
  return { price: counted.length < minSources ? null : median(counted), excluded }

  function isFar(price: Price): boolean {
    const distance = price > middle ? price - middle : middle - price
    return distance * ONE > maxDeviation * middle
  }
}

function staleness({ price, ageMs, maxAgeMs }: Quote): Exclusion | null {
  if (price === null) return 'silent'
  return ageMs > maxAgeMs ? 'old' : null
}

/** Of none: 0. */
function median(prices: readonly Price[]): Price {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const [low = 0n, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return (low + high) / 2n
}
