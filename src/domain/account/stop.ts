/** Platform stops: one procedure for failing, freezing, promoting and closing an account (H2, J10, J15). */
import type { StopAccount, UnfreezeAccount } from '../command.ts'
import { type Refusal, refusal } from '../errors.ts'
import type { Market } from '../market/market.ts'
import { cancelOrder } from '../order/ending.ts'
import type { CloseReason } from '../order/order.ts'
import { forceClose } from '../position/closing.ts'
import type { Step } from '../step.ts'
import { type Account, type Breach, nextPhase, type StopReason } from './account.ts'
import { platformAccount } from './switches.ts'

const STATUS_AFTER = { fail: 'failed', freeze: 'frozen', manual: 'closed' } as const

/** The string that orders, positions and events carry. */
function closeReasonOf(reason: StopReason): CloseReason {
  return `stop_accounts_${reason}`
}

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

/** Cancels every order, closes every position, then changes the status. */
export function stop(
  step: Step,
  account: Account,
  reason: Exclude<StopReason, 'promote'>,
  breach: Breach | null,
  frozenUntil: number | null,
): void {
  flatten(step, account, closeReasonOf(reason))
  step.emit({
    type: 'accountStopped',
    accountId: account.id,
    reason,
    status: STATUS_AFTER[reason],
    breach,
    frozenUntil,
  })
}

/** The next phase starts flat, with the account's configured balance (H7). */
export function promote(step: Step, account: Account): void {
  flatten(step, account, closeReasonOf('promote'))
  const initialBalance = account.parameters.balance
  step.emit({
    type: 'accountPromoted',
    accountId: account.id,
    phase: nextPhase(account.phase),
    initialBalance,
    adjustment: initialBalance - account.free,
  })
}

function flatten(step: Step, account: Account, reason: CloseReason): void {
  for (const order of [...account.orders]) cancelOrder(step, order, reason)
  for (const position of [...account.positions])
    forceClose(step, position, step.world.markets.get(position.market) as Market, reason)
}

/** Frozen back to active; its risk is checked at once (J11). */
export function unfreezeAccount(step: Step, command: UnfreezeAccount): Refusal | null {
  const access = platformAccount(step.world, command.accountId)
  if (access.refused !== null) return access.refused
  if (access.account.status !== 'frozen') return refusal('challenge_closed')
  step.emit({ type: 'accountUnfrozen', accountId: access.account.id })
  step.touched.add(access.account)
  return null
}
