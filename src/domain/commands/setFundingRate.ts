/** The funding rate of a market (E4, J2). */

import type { SetFundingRate } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'

/** The rate used from the next instant on. */
export function setFundingRate(decision: Decision, command: SetFundingRate): Rejection | null {
  const market = decision.world.markets.get(command.marketId)
  if (market === undefined) return rejection('market_not_found')
  decision.emit({
    type: 'fundingRateChanged',
    marketId: market.id,
    fundingRate: command.fundingRate,
    fundingRateShort: command.fundingRateShort ?? null,
  })
  return null
}
