/** What is known of a trader's own trade. */
import type { Direction } from '../../terms/direction.ts'

/** One closed trade. Amounts are quote currency, costs included; times are epoch ms. */
export interface OwnTrade {
  /** Null where the table does not say it. */
  readonly openedAt: number | null
  /** Epoch ms. */
  readonly closedAt: number
  /** Quote currency, costs included. */
  readonly pnl: number
  /** The deepest loss while it was open, 0 or less; null where the table does not say it. */
  readonly worst: number | null
  /** What was traded, where the table says it: what its prices are found by. */
  readonly traded?: TradedAt
}

/** Where a trade was entered and left, as far as the table says it. */
export interface TradedAt {
  /** As the platform writes it. */
  readonly symbol?: string
  readonly side?: Direction
  /** How many lots, contracts or units of the asset, as the platform counts; above 0. */
  readonly size?: number
  /** Above 0, quote currency. */
  readonly entryPrice?: number
  /** Above 0, quote currency. */
  readonly exitPrice?: number
  /** How many times its margin the position was, from 1 up. */
  readonly leverage?: number
  /** What the prices alone brought, quote currency. */
  readonly gross?: number
}
