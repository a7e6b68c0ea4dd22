/** A funding instant (E4, E5). */

import type { PayFunding } from '../../events/positionEvents.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { fundingPayment, fundingRateOf } from '../formulas/funding.ts'
import type { Market } from '../state/market.ts'
import type { Decision } from './decision.ts'

/** Every position opened before the instant settles in full, at the last index even if it is old; not while paused. */
export function settleFunding(decision: Decision, market: Market): void {
  if (!MARKET_STATUSES[market.status].evaluates) return
  const { triggers } = decision.world
  const positions = decision.world.positions.rows
  const settled: number[] = []
  const events: PayFunding[] = []
  for (const row of market.positions.rows()) {
    const terms = positions.fundingTermsOf(row, decision.at)
    if (terms === null) continue
    const fundingRate = fundingRateOf(market.parameters, terms.direction)
    const amount = fundingPayment(terms, market.indexPrice, fundingRate)
    if (amount === 0n) continue
    settled.push(row)
    events.push({
      type: 'payFunding',
      positionId: positions.idOf(row),
      accountId: positions.accountIdOf(row),
      marketId: market.id,
      direction: terms.direction,
      amount,
      indexPrice: market.indexPrice,
      fundingRate,
    })
  }
  triggers.gather()
  decision.emitFunding(settled, events)
  triggers.arrange()
  // Whoever is beyond their liquidation price waits at a price that the index has reached (E1): mostly nobody does.
  if (triggers.mayFire(market)) for (const row of settled) decision.changed.add(positions.at(row))
}
