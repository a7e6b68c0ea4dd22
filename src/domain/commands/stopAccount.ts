/** The operator stops an account (H2, J10, J15). */

import type { StopAccount } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { promote, stop } from '../flows/stop.ts'
import { platformAccount } from './access.ts'

/** The operator's `stopAccount`. Promotion needs no eligibility here. */
export function stopByPlatform(step: Step, command: StopAccount): Refusal | null {
  const access = platformAccount(step.world, command.accountId)
  if (access.refused !== null) return access.refused
  const { account } = access
  const stoppable =
    account.status === 'active' ||
    (account.status === 'frozen' && (command.reason === 'fail' || command.reason === 'manual'))
  if (!stoppable) return refusal('challenge_closed')
  if (command.reason === 'promote') {
    if (account.phase === 'funded') return refusal('account_phase_not_allowed')
    promote(step, account)
  } else stop(step, account, command.reason, null, null)
  return null
}
