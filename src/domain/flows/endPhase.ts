/** Platform stops: one procedure for failing, freezing, promoting and closing an account (H2, J10, J15). */

import type { Breach } from '../../events/accountEvents.ts'
import { nextPhase, STOPS, type StopReason } from '../../terms/accountStatus.ts'
import type { CloseReason } from '../../terms/closeReason.ts'
import type { Account } from '../state/account.ts'
import { forceClose } from './closeByPlatform.ts'
import type { Decision } from './decision.ts'
import { cancelOrder } from './endOrder.ts'

/** Cancels every order, closes every position, then changes the status. */
export function stop(
  decision: Decision,
  account: Account,
  reason: Exclude<StopReason, 'promote'>,
  breach: Breach | null,
  frozenUntil: number | null,
): void {
  const { becomes: status, closeReason } = STOPS[reason]
  flatten(decision, account, closeReason)
  decision.emit({
    type: 'accountStopped',
    accountId: account.id,
    reason,
    status,
    breach,
    frozenUntil,
  })
}

/** The next phase starts flat, with the account's configured balance (H7). */
export function promote(decision: Decision, account: Account): void {
  flatten(decision, account, STOPS.promote.closeReason)
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
    forceClose(decision, position, decision.world.markets.known(position.marketId), reason)
}
