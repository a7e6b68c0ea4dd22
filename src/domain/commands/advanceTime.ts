/** What happens by time alone: funding instants, then the day boundary (E4, E5, H5, J1, J7). */

import type { Rejection } from '../../terms/errors.ts'
import { DAY_MS } from '../../terms/instants.ts'
import type { Decision } from '../flows/decision.ts'
import { settleFunding } from '../flows/fundingInstant.ts'
import { startDays } from '../flows/newDay.ts'
import { liquidateChanged } from '../flows/riskChecks.ts'

/**
 * Everything that falls due at the decision's own time. The engine advances instant by instant (J30), so nothing can be
 * due before it.
 */
export function advanceTime(decision: Decision): Rejection | null {
  if (decision.at < decision.world.nextDueAt) return null
  for (const market of decision.world.markets.values())
    if (decision.at % market.parameters.fundingIntervalMs === 0) settleFunding(decision, market)
  liquidateChanged(decision)
  if (decision.at % DAY_MS === 0) startDays(decision)
  return null
}
