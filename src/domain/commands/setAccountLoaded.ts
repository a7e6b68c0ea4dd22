/** Loading and unloading an account (H9, J16). */

import type { SetAccountLoaded } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { accessAccount } from './access.ts'

/** Unloading needs an account without position and without active order (J16). */
export function setAccountLoaded(
  decision: Decision,
  { accountId, loaded }: SetAccountLoaded,
): Rejection | null {
  const access = accessAccount(decision.world, accountId, null, false)
  if (access.rejected !== null) return access.rejected
  const { account } = access
  if (!loaded && (account.positions.size > 0 || account.orders.size > 0))
    return rejection('position_not_available')
  decision.emit({ type: 'accountLoadedChanged', accountId, loaded })
  return null
}
