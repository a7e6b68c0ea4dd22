/** Loading and unloading an account (H10, J16). */

import type { SetAccountLoaded } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { accessAccount } from './access.ts'

/** Unloading needs an account without position and without active order (J16). */
export function setAccountLoaded(step: Step, { accountId, loaded }: SetAccountLoaded): Refusal | null {
  const access = accessAccount(step.world, accountId, null, false)
  if (access.refused !== null) return access.refused
  const { account } = access
  if (!loaded && (account.positions.size > 0 || account.orders.size > 0))
    return refusal('position_not_available')
  step.emit({ type: 'accountLoadedChanged', accountId, loaded })
  return null
}
