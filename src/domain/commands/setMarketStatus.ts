/** Opening, pausing and closing a market (G1, G2). */

import type { SetMarketStatus } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'

export function setMarketStatus(step: Step, command: SetMarketStatus): Refusal | null {
  const market = step.world.markets.get(command.marketId)
  if (market === undefined) return refusal('market_not_found')
  step.emit({ type: 'marketStatusChanged', marketId: market.id, status: command.status })
  return null
}
