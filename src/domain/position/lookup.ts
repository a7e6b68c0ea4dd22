/** Why a position that is not open cannot be had (E6, H3, I14). */
import { accessFault } from '../account/access.ts'
import type { Caller } from '../command.ts'
import { type Refusal, refusal } from '../errors.ts'
import type { World } from '../world.ts'

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
