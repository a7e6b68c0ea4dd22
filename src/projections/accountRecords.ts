/** Account records as a projection: what events say of an account, as of what is durable. */
import type { Draft } from 'immer'
import { postingOf } from '../domain/evolve/ledger.ts'
import type { AccountOpened } from '../events/accountEvents.ts'
import type { Event } from '../events/event.ts'
import type { AccountRecord } from './accountRecord.ts'
import { projection } from './projection.ts'

/**
 * The Account resource without what prices and days decide: its risk status follows every tick, and a day on which nothing
 * happened has no event of the account's own (K15). `read.account()` has both.
 */
export type FoldedAccountRecord = Omit<AccountRecord, 'riskStatus' | 'profitableDays' | Money> & {
  readonly [Field in Money]: bigint
}

type Money = 'initialAccountBalance' | 'accountBalance'

/** Nobody is shown it: the first event of an account is its opening. */
const UNOPENED: FoldedAccountRecord = {
  accountId: '',
  status: 'active',
  apiTrading: false,
  type: 'demo',
  currentPhase: null,
  initialAccountBalance: 0n,
  accountBalance: 0n,
  maxDailyDrawdown: 0n,
  maxTotalDrawdown: 0n,
  profitTarget: 0n,
  minTradingDays: 0,
}

function recordOf({ accountId, status, apiTrading, phase, parameters }: AccountOpened): FoldedAccountRecord {
  return {
    accountId,
    status,
    apiTrading,
    type: parameters.type,
    currentPhase: phase,
    initialAccountBalance: parameters.balance,
    accountBalance: parameters.balance,
    maxDailyDrawdown: parameters.maxDailyLoss,
    maxTotalDrawdown: parameters.maxTotalLoss,
    profitTarget: parameters.profitTarget,
    minTradingDays: parameters.minProfitableDays,
  }
}

/** What an account has is what the house does not have of it (C11). */
function post(record: Draft<FoldedAccountRecord>, event: Event): undefined {
  record.accountBalance -= postingOf(event)?.house ?? 0n
}

/**
 * A record for each account, by its id: for an engine's `projections`.
 *
 * ```ts
 * const venue = await openEngine({ store: new MemoryStore(), at, projections: [accountRecords] })
 * await venue.send({ type: 'openAccount', account: { id: ALICE, userId: USER, balance: fp9('10000') } })
 * venue.projection(accountRecords).get(ALICE).accountBalance === fp9('10000') // → true
 * ```
 */
export const accountRecords = projection({
  name: 'account-records',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: () => UNOPENED,
  on: {
    accountOpened: (_none, event) => recordOf(event),
    balanceAdjusted(record, event) {
      record.initialAccountBalance += event.amount
      post(record, event)
    },
    apiTradingChanged(record, { enabled }) {
      record.apiTrading = enabled
    },
    accountStopped(record, { status }) {
      record.status = status
    },
    accountUnfrozen(record) {
      record.status = 'active'
    },
    accountPromoted(record, event) {
      record.currentPhase = event.phase
      record.initialAccountBalance = event.initialBalance
      post(record, event)
    },
    increasePosition: post,
    closePosition: post,
    liquidate: post,
    forceClose: post,
    payFunding: post,
  },
})
