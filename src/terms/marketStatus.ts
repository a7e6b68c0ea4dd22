/** The statuses of a market: a row for each, with everything that the rules ask about it (G1, G2). */
import type { ErrorCode } from './errors.ts'

/** Open ⇄ paused, open ⇄ close-only (G1, G2). */
export type MarketStatus = 'open' | 'paused' | 'close_only'

type MarketStatusRow = {
  /** Whether its price fires orders, liquidates and makes funding due; otherwise it only moves (G1). */
  readonly evaluates: boolean
} & (
  | { readonly takes: 'orders'; readonly refusal: null }
  | {
      /** What it takes of traders: everything, closes that fill at once, or nothing but cancels. */
      readonly takes: 'closes_at_market' | 'nothing'
      /** What the rest is refused with. */
      readonly refusal: ErrorCode
    }
)

export const MARKET_STATUSES: { readonly [Status in MarketStatus]: MarketStatusRow } = {
  open: { evaluates: true, takes: 'orders', refusal: null },
  paused: { evaluates: false, takes: 'nothing', refusal: 'market_paused' },
  close_only: { evaluates: true, takes: 'closes_at_market', refusal: 'market_close_only' },
}
