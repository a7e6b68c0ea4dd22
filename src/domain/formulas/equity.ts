/** Equity: what the account would be worth if its positions were settled at the index prices (C11, D7). */
import type { Quote } from '../../quantity/units.ts'
import { type Account, balanceOf } from '../state/account.ts'
import type { World } from '../state/world.ts'
import { unrealizedPnl } from './profitCap.ts'

/** free + Σ reserve + Σ (margin + unrealized pnl), the pnl capped inside the 60-second window, at time `at`. */
export function equityOf(world: World, account: Account, at: number): Quote {
  let equity = balanceOf(account)
  for (const position of account.positions) {
    const market = world.markets.get(position.marketId)
    if (market !== undefined)
      equity += unrealizedPnl(position, market.indexPrice, at, world.rules.profitWindowMs)
  }
  return equity
}
