/** The managed capital limit of an account (H4). */

import type { SetAccountLock } from '../../events/command.ts'
import type { Refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { platformAccount } from './access.ts'

export function setAccountLock(step: Step, { accountId, locked }: SetAccountLock): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  step.emit({ type: 'accountLockChanged', accountId, locked })
  return null
}
