/** Platform stops: one procedure for failing, freezing, promoting and closing an account (H2, J10, J15). */

import type { Breach } from '../../events/accountEvents.ts'
import { nextPhase, STATUS_AFTER_STOP, type StopReason } from '../../terms/accountStatus.ts'
import type { CloseReason } from '../../terms/orderStatus.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import { forceClose } from './closing.ts'
import type { Decision } from './decision.ts'
import { cancelOrder } from './ending.ts'

/** The string that orders, positions and events carry. */
function closeReasonOf(reason: StopReason): CloseReason {
  return `stop_accounts_${reason}`
}

/** Cancels every order, closes every position, then changes the status. */
export function stop(
  decision: Decision,
  account: Account,
  reason: Exclude<StopReason, 'promote'>,
  breach: Breach | null,
  frozenUntil: number | null,
): void {
  flatten(decision, account, closeReasonOf(reason))
  decision.emit({
    type: 'accountStopped',
    accountId: account.id,
    reason,
    status: STATUS_AFTER_STOP[reason],
    breach,
    frozenUntil,
  })
}

/** The next phase starts flat, with the account's configured balance (H7). */
export function promote(decision: Decision, account: Account): void {
  flatten(decision, account, closeReasonOf('promote'))
  const initialBalance = account.parameters.balance
  decision.emit({
    type: 'accountPromoted',
    accountId: account.id,
    phase: nextPhase(account.phase),
    initialBalance,
    adjustment: initialBalance - account.free,
  })
}

function flatten(decision: Decision, account: Account, reason: CloseReason): void {
  for (const order of [...account.orders]) cancelOrder(decision, order, reason)
  for (const position of [...account.positions])
    forceClose(decision, position, decision.world.markets.get(position.marketId) as Market, reason)
}
