/** The switch of an account for API keys (H9). */

import type { SetApiTrading } from '../../events/command.ts'
import type { Refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { platformAccount } from './access.ts'

export function setApiTrading(step: Step, { accountId, enabled }: SetApiTrading): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  step.emit({ type: 'apiTradingChanged', accountId, enabled })
  return null
}
