/** Why a position that is not open cannot be had (E6, H3, I14). */

import type { Caller } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { World } from '../state/world.ts'
import { accessFault } from './access.ts'

/** Unknown, another user's, of an earlier phase, or no longer open: in this order. */
export function endedPositionFault(world: World, positionId: string, caller: Caller | null): Refusal {
  const ended = world.archive.endedPosition(positionId)
  const account = ended && world.accounts.get(ended.accountId)
  if (ended === undefined || account === undefined) return refusal('position_not_found')
  const denied = accessFault(account, caller, false)
  if (denied?.code === 'account_access_denied') return denied
  if (ended.phaseOrdinal !== account.phaseOrdinal) return refusal('position_not_found')
  return accessFault(account, caller, true) ?? refusal('position_not_available')
}
