/** The funding rate of a market (E4, J2). */

import type { SetFundingRate } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'

/** The rate used from the next instant on. */
export function setFundingRate(step: Step, command: SetFundingRate): Refusal | null {
  const market = step.world.markets.get(command.marketId)
  if (market === undefined) return refusal('market_not_found')
  step.emit({
    type: 'fundingRateChanged',
    marketId: market.id,
    fundingRate: command.fundingRate,
    fundingRateShort: command.fundingRateShort ?? null,
  })
  return null
}
