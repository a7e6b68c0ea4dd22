/** The statuses of a market: a row for each, with everything that the rules ask about it (G1, G2). */
import type { ErrorCode } from './errors.ts'

/** Open ⇄ paused, open ⇄ close-only (G1, G2). */
export type MarketStatus = 'open' | 'paused' | 'close_only'

type MarketStatusRow = {
  /** Whether its price fires orders, liquidates and makes funding due; otherwise it only moves (G1). */
  readonly evaluates: boolean
} & (
  | { readonly takes: 'orders'; readonly rejectsWith: null }
  | {
      /** What it takes of traders: everything, closes that fill at once, or nothing but cancels. */
      readonly takes: 'closes_at_market' | 'nothing'
      /** The code of its rejections. */
      readonly rejectsWith: ErrorCode
    }
)

export const MARKET_STATUSES: { readonly [Status in MarketStatus]: MarketStatusRow } = {
  open: { evaluates: true, takes: 'orders', rejectsWith: null },
  paused: { evaluates: false, takes: 'nothing', rejectsWith: 'market_paused' },
  close_only: { evaluates: true, takes: 'closes_at_market', rejectsWith: 'market_close_only' },
}
