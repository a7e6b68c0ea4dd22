/** A funding instant (E4, E5). */

import type { PayFunding } from '../../events/positionEvents.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { fundingPayment, fundingRateOf } from '../formulas/funding.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { Decision } from './decision.ts'

/** Every position opened before the instant settles in full, at the last index even if it is old; not while paused. */
export function settleFunding(decision: Decision, market: Market): void {
  if (!MARKET_STATUSES[market.status].evaluates) return
  const settled: Position[] = []
  const events: PayFunding[] = []
  for (const position of market.positions) {
    if (position.openedAt >= decision.at) continue
    const fundingRate = fundingRateOf(market.parameters, position.direction)
    const amount = fundingPayment(position, market.indexPrice, fundingRate)
    if (amount === 0n) continue
    settled.push(position)
    events.push({
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
  const { triggers } = decision.world
  triggers.gather()
  decision.emitFunding(settled, events)
  triggers.arrange()
  // Whoever is beyond their liquidation price waits at a price that the index has reached (E1): mostly nobody does.
  if (triggers.mayFire(market)) for (const position of settled) decision.changed.add(position)
}
