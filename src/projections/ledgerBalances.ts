/** The ledger as a projection: what stands in each account, and what the house put in or took out against it (C11). */
import type { Draft } from 'immer'
import { postingOf } from '../domain/evolve/ledger.ts'
import type { Event } from '../events/event.ts'
import { projection } from './projection.ts'

/** What an account's postings come to, fp9 quote; the four add up to zero. */
export interface LedgerBalance {
  /** Free balance, fp9 quote. */
  readonly free: bigint
  /** Held back for resting orders, fp9 quote. */
  readonly reserve: bigint
  /** In the margins of open positions, fp9 quote. */
  readonly margin: bigint
  /** What the house has of the account's losses and fees, less what it paid in; fp9 quote, signed. */
  readonly house: bigint
}

function post(balance: Draft<LedgerBalance>, event: Event): undefined {
  const posting = postingOf(event)
  if (posting === null) return
  balance.free += posting.free
  balance.reserve += posting.reserve
  balance.margin += posting.margin
  balance.house += posting.house
}

/**
 * The ledger per account, folded from the postings of every event: for an engine's `projections`. Its sums are those of
 * `read.ledger()`, as of what is durable.
 *
 * ```ts
 * const venue = await openEngine({ store: new MemoryStore(), at, projections: [ledgerBalances] })
 * await venue.send({ type: 'openAccount', account: { id: ALICE, userId: USER, balance: fp9('10000') } })
 * venue.projection(ledgerBalances).get(ALICE).free === fp9('10000') // → true
 * ```
 */
export const ledgerBalances = projection({
  name: 'ledger-balances',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: (): LedgerBalance => ({ free: 0n, reserve: 0n, margin: 0n, house: 0n }),
  on: {
    accountOpened: post,
    balanceAdjusted: post,
    accountPromoted: post,
    orderPlaced: post,
    orderExecuted: post,
    orderCanceled: post,
    orderFailed: post,
    orderReplaced: post,
    increasePosition: post,
    closePosition: post,
    liquidate: post,
    forceClose: post,
    addMargin: post,
    removeMargin: post,
    payFunding: post,
  },
})
