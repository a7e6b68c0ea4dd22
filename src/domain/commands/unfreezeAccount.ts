/** The operator thaws a frozen account (J11). */

import type { UnfreezeAccount } from '../../events/command.ts'
import { ACCOUNT_STATUSES } from '../../terms/accountStatus.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { platformAccount } from './access.ts'

/** Frozen back to active; its risk is checked at once (J11). */
export function unfreezeAccount(decision: Decision, command: UnfreezeAccount): Rejection | null {
  const access = platformAccount(decision.world, command.accountId)
  if (access.rejected !== null) return access.rejected
  if (!ACCOUNT_STATUSES[access.account.status].thaws) return rejection('challenge_closed')
  decision.emit({ type: 'accountUnfrozen', accountId: access.account.id })
  decision.touched.add(access.account)
  return null
}
