/**
 * A projection of the engine's own that is in step with the last decision: the rules ask it, so it is told of a commit before
 * that is durable, and an engine whose own throws stops (`projection.ts` has those of the other stage, which are blocked).
 */
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Commit } from '../events/commit.ts'
import type { Keeping } from './keeping.ts'

/** `Beside`: what a store keeps beside its log. */
export interface DecidedProjection<Served, Beside> {
  readonly name: string
  /** What was kept under another one is not used, and it is folded again from the log. */
  readonly version: number
  readonly stage: 'decided'
  /** With nothing folded yet, over what is kept beside the log; null where there is nothing to keep it in. */
  begin(beside: Beside): DecidedFold<Served> | null
}

/** A commit as far as it is folded before it is durable. */
export type FoldedCommit = Pick<Commit, 'seq' | 'at' | 'events'>

/** What the events of a commit do not say, and whoever applied them knew. */
export interface Applied {
  /** The orders that it ended, in the order of their ends. */
  readonly ended: { at(index: number): Order }
  /** Of each event of a position, in their order, the creation sequence of that position. */
  readonly changed: { at(index: number): number }
}

/**
 * A projection in step with decisions that is folded. It follows the state, so it is saved with it: a snapshot carries what
 * {@link saved} and the places of records say, and it goes on from both.
 */
export interface DecidedFold<Served> {
  readonly served: Served
  /** How it is kept beside the log; null: it lives with the process, and a snapshot carries all of it. */
  readonly keeping: Keeping | null
  /** Names the shape of what a snapshot carries of it, where that is another than that of what is in memory. */
  readonly form: string | null
  /** Folds a commit right after its events were applied. */
  apply(commit: FoldedCommit, applied: Applied): void
  /** What a snapshot carries of it first, as plain data. It is written at once, whatever there is. */
  saved(): object
  /** What a snapshot carries along with an account, as plain data that does not change; null: nothing. */
  placesOf(account: Account): object | null
  /** The same of a resting order or an open position. */
  placeOf(record: Order | Position): number | null
  /**
   * Goes on from what a snapshot of commit `seq` carried, before which so many accounts, orders and positions were
   * `created`; null: from the beginning, which is after commit 0.
   */
  restore(saved: object | null, seq: number, created: number): void
  /** After {@link restore}, for every account in creation order. */
  restorePlaces(account: Account, places: object | null): void
  /** After the accounts, for every resting order and every open position in creation order. */
  restorePlace(record: Order | Position, place: number | null): void
}
