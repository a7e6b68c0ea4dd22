/**
 * The days of a venue (H5–H7, J7, K15). At midnight an account with something to be judged gets a `dayStarted` of its
 * own; for all the others one `dayBegan` stands, however many they are.
 *
 * Of an account that is flat, and whose balance is the one its day started with, a new day moves nothing: neither its
 * floors nor its high-water mark nor its best day. Only a plan for which a day that realizes nothing is profitable (J13)
 * has one profitable day more: their number is the days since it was counted last, read when somebody asks.
 *
 * All of this follows from the accounts and the events: it is in no hash and in no snapshot.
 */

import type { DayBoundary } from '../../events/engineEvents.ts'
import { mayTrade } from '../../terms/accountStatus.ts'
import { countsIdleDays, hasDays, isEligibleForPromotion } from '../formulas/profitTarget.ts'
import { type Account, balanceOf } from '../state/account.ts'
import type { Days } from '../state/days.ts'

export class VenueDays implements Days {
  boundary: DayBoundary = 'account'
  /** How many days have begun for the whole venue. */
  #begun = 0
  /** Accounts that the next midnight looks at; the others are as it would leave them. */
  #watched: Account[] = []
  /** Accounts that may be promoted for days alone, by the day on which they have enough of them. */
  readonly #promising = new Map<number, Set<Account>>()

  get seen(): number {
    return this.#begun
  }

  profitableDaysOf(account: Account, day = this.#begun): number {
    const { profitableDaysSeen, daysSeen } = account
    if (daysSeen >= day || !countsIdleDays(account)) return profitableDaysSeen
    return profitableDaysSeen + day - daysSeen
  }

  count(account: Account): void {
    if (account.daysSeen >= this.#begun) return
    account.profitableDaysSeen = this.profitableDaysOf(account)
    account.daysSeen = this.#begun
  }

  startedOwn(account: Account): void {
    if (this.boundary === 'venue') account.daysSeen = this.#begun + 1
  }

  watch(account: Account): void {
    if (account.watched || this.boundary === 'account') return
    account.watched = true
    this.#watched.push(account)
  }

  consider(account: Account): void {
    if (this.boundary === 'account') return
    if (this.hasDayToJudge(account, Number.POSITIVE_INFINITY)) this.watch(account)
    else if (this.#mayBePromotedForDays(account)) this.#promise(account)
  }

  due(): Account[] {
    return this.#tonight().sort((a, b) => a.sequence - b.sequence)
  }

  begin(): void {
    const seen = this.#tonight()
    this.#begun += 1
    this.#promising.delete(this.#begun)
    this.#watched = []
    for (const account of seen) account.watched = false
    for (const account of seen) this.consider(account)
  }

  hasDayToJudge(account: Account, at: number): boolean {
    const { frozenUntil, lossFloor } = account
    if (!hasDays(account)) return false
    if (account.positions.size > 0) return true
    if (frozenUntil !== null && frozenUntil <= at) return true
    const balance = balanceOf(account)
    if (balance !== account.dayStartEquity || balance !== account.dayStartBalance) return true
    if (!mayTrade(account)) return false
    if (lossFloor !== null && balance < lossFloor) return true
    if (!account.parameters.autoPromote) return false
    const tonight = this.profitableDaysOf(account) + (countsIdleDays(account) ? 1 : 0)
    return isEligibleForPromotion(account, tonight)
  }

  /** Whom the next midnight looks at, in no order. */
  #tonight(): Account[] {
    const promising = this.#promising.get(this.#begun + 1)
    return promising === undefined ? this.#watched.slice() : [...new Set([...this.#watched, ...promising])]
  }

  #mayBePromotedForDays(account: Account): boolean {
    const { autoPromote, minProfitableDays } = account.parameters
    return autoPromote && countsIdleDays(account) && isEligibleForPromotion(account, minProfitableDays)
  }

  #promise(account: Account): void {
    const missing = account.parameters.minProfitableDays - this.profitableDaysOf(account)
    const day = this.#begun + missing
    const promising = this.#promising.get(day) ?? new Set()
    promising.add(account)
    this.#promising.set(day, promising)
  }
}
