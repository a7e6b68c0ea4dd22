/** The managed capital limit of an account (H4). */

import type { SetAccountLock } from '../../events/command.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { platformAccount } from './access.ts'

export function setAccountLock(decision: Decision, { accountId, locked }: SetAccountLock): Rejection | null {
  const access = platformAccount(decision.world, accountId)
  if (access.rejected !== null) return access.rejected
  decision.emit({ type: 'accountLockChanged', accountId, locked })
  return null
}
