/** Equity: what the account would be worth if its positions were settled at the index prices (C11, D7). */
import type { Price, Quote } from '../../quantity/units.ts'
import { type AccountFields, balanceOf } from '../state/account.ts'
import type { Position } from '../state/position.ts'
import type { Rules } from '../state/venueRules.ts'
import { unrealizedPnl, type WindowedPosition } from './profitWindow.ts'

/** What equity depends on beside the account. */
export interface EquityTerms {
  readonly markets: { get(marketId: string): { readonly indexPrice: Price } | undefined }
  readonly rules: Rules
}

/** What of a position equity depends on. */
export type ValuedPosition = WindowedPosition & Pick<Position, 'marketId'>

/** free + Σ reserve + Σ (margin + unrealized pnl), the pnl capped inside the 60-second window, at time `at`. */
export function equityOf(
  { markets, rules }: EquityTerms,
  account: AccountFields & { readonly positions: Iterable<ValuedPosition> },
  at: number,
  positions: Iterable<ValuedPosition> = account.positions,
): Quote {
  let equity = balanceOf(account)
  for (const position of positions) {
    const market = markets.get(position.marketId)
    if (market !== undefined) equity += unrealizedPnl(position, market.indexPrice, at, rules.profitWindowMs)
  }
  return equity
}
