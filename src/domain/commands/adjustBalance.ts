/** The operator's switches and balance adjustments (H4, H9, H10, J8, J16). */

import type { AdjustBalance } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { platformAccount } from './access.ts'

/** A deposit or withdrawal against the house. It moves the floors along and neither fails nor promotes (J8). */
export function adjustBalance(step: Step, { accountId, amount }: AdjustBalance): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  if (access.account.free + amount < 0n) return refusal('insufficient_balance')
  step.emit({ type: 'balanceAdjusted', accountId, amount })
  return null
}
