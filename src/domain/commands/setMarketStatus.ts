/** Opening, pausing and closing a market (G1, G2). */

import type { SetMarketStatus } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'

export function setMarketStatus(decision: Decision, command: SetMarketStatus): Rejection | null {
  const market = decision.world.markets.get(command.marketId)
  if (market === undefined) return rejection('market_not_found')
  decision.emit({ type: 'marketStatusChanged', marketId: market.id, status: command.status })
  return null
}
