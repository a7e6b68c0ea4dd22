/** How a source of prices stands, for operators. */
import type { Price } from '../../quantity/units.ts'
import type { Exclusion } from './indexPrice.ts'

/** A source of prices, as far as it is about one market. */
export interface SourceStanding {
  readonly marketId: string
  readonly name: string
  readonly isConnected: boolean
  /** The newest that it said; null = nothing yet. */
  readonly price: Price | null
  readonly ageMs: number | null
  /** How far its clock is ahead of the one of this machine, ms; negative: behind. Null = it has told no time. */
  readonly clockAheadMs: number | null
  /** Prices of all its markets within the last minute. */
  readonly perMinute: number
  /** Why it does not count; null: it does. */
  readonly excluded: Exclusion | null
  /** Connections after the first, and frames that could not be read. */
  readonly reconnections: number
  readonly unreadable: number
  /** Why it was lost, what could not be read or what it objected to, last; null = nothing yet. And when, epoch ms. */
  readonly lastError: string | null
  readonly lastErrorAt: number | null
}
