/**
 * Double entry: money lives in `free`, `reserve`, `margin` (per account) and `house`, and moves only by postings that
 * sum to zero (C11). Deposits are postings against the house too, so the whole ledger always sums to zero.
 */
import type { Event } from '../../events/event.ts'
import type { Quote } from '../../quantity/units.ts'
import type { Account } from '../state/account.ts'

/** What one event moves, signed, per ledger account. `free + reserve + margin + house = 0`. */
export interface Posting {
  readonly accountId: string
  readonly free: Quote
  readonly reserve: Quote
  readonly margin: Quote
  readonly house: Quote
}

/** A broken invariant of the ledger. It stops the engine: nothing it says after this could be trusted. */
class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

/**
 * The money an event moves, which sums to zero (C11); null when it moves none.
 *
 * ```ts
 * for await (const { events } of engine.commits({ from: 1 }))
 *   for (const event of events) console.log(event.type, toJson(postingOf(event)))
 * ```
 */
export function postingOf(event: Event): Posting | null {
  switch (event.type) {
    case 'accountOpened':
      return posting(event.accountId, event.parameters.balance, 0n, 0n, -event.parameters.balance)
    case 'balanceAdjusted':
      return posting(event.accountId, event.amount, 0n, 0n, -event.amount)
    case 'accountPromoted':
      return posting(event.accountId, event.adjustment, 0n, 0n, -event.adjustment)
    case 'orderPlaced':
      return event.reserveInherited || event.reserve === 0n
        ? null
        : posting(event.accountId, -event.reserve, event.reserve, 0n, 0n)
    case 'orderExecuted':
    case 'orderCanceled':
    case 'orderFailed':
    case 'orderReplaced':
      return event.released === 0n ? null : posting(event.accountId, event.released, -event.released, 0n, 0n)
    case 'increasePosition':
      return posting(event.accountId, 0n, -(event.margin + event.fee), event.margin, event.fee)
    case 'closePosition':
    case 'liquidate':
    case 'forceClose':
      return posting(event.accountId, event.credit, 0n, -event.marginReleased, event.fee - event.pnl)
    case 'addMargin':
      return posting(event.accountId, -event.amount, 0n, event.amount, 0n)
    case 'removeMargin':
      return posting(event.accountId, event.amount, 0n, -event.amount, 0n)
    case 'payFunding':
      return posting(event.accountId, 0n, 0n, event.amount, -event.amount)
    case 'engineCreated':
    case 'dayBegan':
    case 'commandRefused':
    case 'dayStarted':
    case 'marketListed':
    case 'marketConfigured':
    case 'marketStatusChanged':
    case 'fundingRateChanged':
    case 'priceUpdated':
    case 'notionalQuotaSet':
    case 'apiTradingChanged':
    case 'accountLockChanged':
    case 'accountLoadedChanged':
    case 'accountStopped':
    case 'accountUnfrozen':
    case 'apiKeyRegistered':
    case 'apiKeyRefreshed':
    case 'apiKeyRevoked':
    case 'apiKeyAmended':
    case 'apiKeyForgotten':
      return null
  }
}

function posting(accountId: string, free: Quote, reserve: Quote, margin: Quote, house: Quote): Posting {
  return { accountId, free, reserve, margin, house }
}

/** As {@link post} of funding that reaches a margin, but for the house, whose sum over an instant is for whoever settles it. */
export function postFunding(account: Account, amount: Quote): void {
  account.margin += amount
  if (account.margin < 0n) throw overdrawn(account)
}

/**
 * Moves money. Checked on every event, because it costs three additions and catches any event that creates or loses
 * some.
 *
 * @throws LedgerError when the posting does not sum to zero or would overdraw one of the account's three.
 */
export function post(account: Account, house: { house: Quote }, entry: Posting): void {
  const { free, reserve, margin } = entry
  if (free + reserve + margin + entry.house !== 0n) throw new LedgerError('a posting does not sum to zero')
  // What an entry leaves alone is not written anew: every sum is an object of its own.
  if (free !== 0n) account.free += free
  if (reserve !== 0n) account.reserve += reserve
  if (margin !== 0n) account.margin += margin
  if (entry.house !== 0n) house.house += entry.house
  if (account.free < 0n || account.reserve < 0n || account.margin < 0n) throw overdrawn(account)
}

function overdrawn({ id }: Account): LedgerError {
  return new LedgerError(`account ${id} is overdrawn`)
}
