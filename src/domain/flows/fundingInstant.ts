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
  const { id: marketId, indexPrice } = market
  const rates = {
    long: fundingRateOf(market.parameters, 'long'),
    short: fundingRateOf(market.parameters, 'short'),
  }
  const settled: number[] = []
  const events: PayFunding[] = []
  for (let row = market.positions.oldest; row >= 0; row = market.positions.after(row)) {
    if (!positions.wasOpenBefore(row, decision.at)) continue
    const direction = positions.directionOf(row)
    const fundingRate = rates[direction]
    const terms = { size: positions.sizeOf(row), margin: positions.marginOf(row) }
    const amount = fundingPayment(terms, indexPrice, fundingRate)
    if (amount === 0n) continue
    settled.push(row)
    events.push({
      type: 'payFunding',
      positionId: positions.idOf(row),
      accountId: positions.accountIdOf(row),
      marketId,
      direction,
      amount,
      indexPrice,
      fundingRate,
    })
  }
  triggers.gather()
  decision.emitFunding(settled, events)
  triggers.arrange()
  // Whoever is beyond their liquidation price waits at a price that the index has reached (E1): mostly nobody does.
  if (triggers.mayFire(market)) for (const row of settled) decision.changed.add(positions.at(row))
}
