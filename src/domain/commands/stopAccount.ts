/** The operator stops an account (H2, J10, J15). */

import type { StopAccount } from '../../events/command.ts'
import { ACCOUNT_STATUSES, nextPhase } from '../../terms/accountStatus.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { promote, stop } from '../flows/endPhase.ts'
import { platformAccount } from './access.ts'

/** The operator's `stopAccount`. Promotion needs no eligibility here. */
export function stopByPlatform(decision: Decision, command: StopAccount): Rejection | null {
  const access = platformAccount(decision.world, command.accountId)
  if (access.rejected !== null) return access.rejected
  const { account } = access
  if (!ACCOUNT_STATUSES[account.status].stops.includes(command.reason)) return rejection('challenge_closed')
  if (command.reason === 'promote') {
    if (nextPhase(account.phase) === null) return rejection('account_phase_not_allowed')
    promote(decision, account)
  } else stop(decision, account, command.reason, null, null)
  return null
}
