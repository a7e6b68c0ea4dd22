/** What happens by time alone: funding instants, then the day boundary (E4, E5, H5, J1, J7). */

import type { Refusal } from '../../terms/errors.ts'
import { DAY_MS } from '../../terms/instants.ts'
import { settleFunding } from '../flows/fundingInstant.ts'
import { startDays } from '../flows/newDay.ts'
import { liquidateChanged } from '../flows/risk.ts'
import type { Step } from '../flows/step.ts'

/**
 * Everything that falls due at the step's own time. The engine advances instant by instant, so nothing can be due
 * before it.
 */
export function advanceTime(step: Step): Refusal | null {
  if (step.at < step.world.nextDueAt) return null
  for (const market of step.world.markets.values())
    if (step.at % market.parameters.fundingIntervalMs === 0) settleFunding(step, market)
  liquidateChanged(step)
  if (step.at % DAY_MS === 0) startDays(step)
  return null
}
