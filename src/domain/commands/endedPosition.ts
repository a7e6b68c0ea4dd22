/** Why a position that is not open cannot be had (E6, H3, I14). */

import type { Caller } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { World } from '../state/world.ts'
import { accessRejection } from './access.ts'

/** Unknown, another user's, of an earlier phase, or no longer open: in this order. */
export function endedPositionRejection(world: World, positionId: string, caller: Caller | null): Rejection {
  const ended = world.archive.endedPosition(positionId)
  const account = ended && world.accounts.get(ended.accountId)
  if (ended === undefined || account === undefined) return rejection('position_not_found')
  const denied = accessRejection(account, caller, false)
  if (denied?.code === 'account_access_denied') return denied
  if (ended.phaseOrdinal !== account.phaseOrdinal) return rejection('position_not_found')
  return accessRejection(account, caller, true) ?? rejection('position_not_available')
}
