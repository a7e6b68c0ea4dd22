/** Deposits and withdrawals (J8, J16). */

import type { AdjustBalance } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { platformAccount } from './access.ts'

/** A deposit or withdrawal against the house. It moves the floors along and neither fails nor promotes (J8). */
export function adjustBalance(decision: Decision, { accountId, amount }: AdjustBalance): Rejection | null {
  const access = platformAccount(decision.world, accountId)
  if (access.rejected !== null) return access.rejected
  if (access.account.free + amount < 0n) return rejection('insufficient_balance')
  decision.emit({ type: 'balanceAdjusted', accountId, amount })
  return null
}
