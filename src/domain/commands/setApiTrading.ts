/** The switch of an account for API keys (H10). */

import type { SetApiTrading } from '../../events/command.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { platformAccount } from './access.ts'

export function setApiTrading(decision: Decision, { accountId, enabled }: SetApiTrading): Rejection | null {
  const access = platformAccount(decision.world, accountId)
  if (access.rejected !== null) return access.rejected
  decision.emit({ type: 'apiTradingChanged', accountId, enabled })
  return null
}
