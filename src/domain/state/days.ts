/** The days of a venue, as the rules ask for them (H5–H7, J7, K15). They are kept by `evolve/venueDays.ts`. */
import type { DayBoundary } from '../../events/engineEvents.ts'
import type { Account } from './account.ts'

export interface Days {
  boundary: DayBoundary
  /** How many days have begun: what a fresh account starts with. */
  readonly seen: number
  /** Finished profitable days of the phase, those that only passed included (J13), up to a day of the venue. */
  profitableDaysOf(account: Account, day?: number): number
  /** Counts the days that have passed, before anything about the account changes. Costs the same for any number of them. */
  count(account: Account): void
  /** The account's own day started, just before the venue's: it is not counted again. */
  startedOwn(account: Account): void
  /** The account will be looked at at midnight: its positions or what it has realized may have changed. */
  watch(account: Account): void
  /** Watches the account if there is something to judge, now or when enough days have passed. */
  consider(account: Account): void
  /** The accounts to look at at midnight, in creation order. */
  due(): Account[]
  /** A day began for the whole venue. What was looked at is looked at again only if it has something to judge. */
  begin(): void
  /**
   * Whether a midnight at time `at` changes anything of the account but a count of days: it holds a position, thaws, has
   * another balance than its day started with (by what it has realized), is below its floor, or has earned its next phase.
   */
  hasDayToJudge(account: Account, at: number): boolean
}
