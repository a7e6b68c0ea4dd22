/** A funding instant (E4, E5). */

import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { fundingPayment, fundingRateOf } from '../formulas/funding.ts'
import type { Market } from '../state/market.ts'
import type { Decision } from './decision.ts'

/** Every position opened before the instant settles in full, at the last index even if it is old; not while paused. */
export function settleFunding(decision: Decision, market: Market): void {
  if (!MARKET_STATUSES[market.status].evaluates) return
  const { triggers } = decision.world
  triggers.gather()
  for (const position of [...market.positions]) {
    if (position.openedAt >= decision.at) continue
    const fundingRate = fundingRateOf(market.parameters, position.direction)
    const amount = fundingPayment(position, market.indexPrice, fundingRate)
    if (amount === 0n) continue
    decision.emit({
      type: 'payFunding',
      positionId: position.id,
      accountId: position.accountId,
      marketId: market.id,
      direction: position.direction,
      amount,
      indexPrice: market.indexPrice,
      fundingRate,
    })
  }
  triggers.arrange()
}
