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
import { fractionUp } from '../../quantity/products.ts'
import { type Account, balanceOf } from './account.ts'
import { isEligibleForPromotion } from './profitTarget.ts'

/** Whether every account's day starts by an event of its own, as in the logs of 0.1.0, or only where it is judged. */
export type DayBoundary = 'account' | 'venue'

export class Days {
  boundary: DayBoundary = 'account'
  /** How many days have begun for the whole venue. */
  #begun = 0
  /** Accounts that the next midnight looks at; the others are as it would leave them. */
  #watched: Account[] = []
  /** Accounts that may be promoted for days alone, by the day on which they have enough of them. */
  readonly #promising = new Map<number, Set<Account>>()

  /** How many days have begun: what a fresh account starts with. */
  get seen(): number {
    return this.#begun
  }

  /** Finished profitable days of the phase, those that only passed included (J13), up to a day of the venue. */
  profitableDaysOf(account: Account, day = this.#begun): number {
    const { profitableDaysSeen, daysSeen } = account
    if (daysSeen >= day || !countsIdleDays(account)) return profitableDaysSeen
    return profitableDaysSeen + day - daysSeen
  }

  /** Counts the days that have passed, before anything about the account changes. Costs the same for any number of them. */
  count(account: Account): void {
    if (account.daysSeen >= this.#begun) return
    account.profitableDaysSeen = this.profitableDaysOf(account)
    account.daysSeen = this.#begun
  }

  /** The account's own day started, just before the venue's: it is not counted again. */
  startedOwn(account: Account): void {
    if (this.boundary === 'venue') account.daysSeen = this.#begun + 1
  }

  /** The account will be looked at at midnight: its positions or what it has realized may have changed. */
  watch(account: Account): void {
    if (account.watched || this.boundary === 'account') return
    account.watched = true
    this.#watched.push(account)
  }

  /** Watches the account if there is something to judge, now or when enough days have passed. */
  consider(account: Account): void {
    if (this.boundary === 'account') return
    if (this.hasDayToJudge(account, Number.POSITIVE_INFINITY)) this.watch(account)
    else if (this.#mayBePromotedForDays(account)) this.#promise(account)
  }

  /** The accounts to look at at midnight, in creation order. */
  due(): Account[] {
    const promising = this.#promising.get(this.#begun + 1) ?? []
    return [...new Set([...this.#watched, ...promising])].sort((a, b) => a.sequence - b.sequence)
  }

  /** A day began for the whole venue. What was looked at is looked at again only if it has something to judge. */
  begin(): void {
    const seen = this.due()
    this.#begun += 1
    this.#promising.delete(this.#begun)
    this.#watched = []
    for (const account of seen) account.watched = false
    for (const account of seen) this.consider(account)
  }

  /**
   * Whether a midnight at time `at` changes anything of the account but a count of days: it holds a position, thaws, has
   * another balance than its day started with (by what it has realized), is below its floor, or has earned its next phase.
   */
  hasDayToJudge(account: Account, at: number): boolean {
    const { status, phase, frozenUntil, lossFloor } = account
    if (!hasDays(account)) return false
    if (account.positions.size > 0) return true
    if (frozenUntil !== null && frozenUntil <= at) return true
    const balance = balanceOf(account)
    if (balance !== account.dayStartEquity || balance !== account.dayStartBalance) return true
    if (status !== 'active' || phase === null) return false
    if (lossFloor !== null && balance < lossFloor) return true
    if (!account.parameters.autoPromote) return false
    const tonight = this.profitableDaysOf(account) + (countsIdleDays(account) ? 1 : 0)
    return isEligibleForPromotion(account, tonight)
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

/** Only an account that trades, or may again, has days (H5). */
export function hasDays({ status }: Account): boolean {
  return status === 'active' || status === 'frozen'
}

/** Whether a day on which nothing is realized is profitable: the plan asks for no profit, or there is no balance (J13). */
function countsIdleDays(account: Account): boolean {
  return hasDays(account) && fractionUp(account.initialBalance, account.parameters.profitableDayShare) <= 0n
}
