/** The operator thaws a frozen account (J11). */

import type { UnfreezeAccount } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { platformAccount } from './access.ts'

/** Frozen back to active; its risk is checked at once (J11). */
export function unfreezeAccount(step: Step, command: UnfreezeAccount): Refusal | null {
  const access = platformAccount(step.world, command.accountId)
  if (access.refused !== null) return access.refused
  if (access.account.status !== 'frozen') return refusal('challenge_closed')
  step.emit({ type: 'accountUnfrozen', accountId: access.account.id })
  step.touched.add(access.account)
  return null
}
