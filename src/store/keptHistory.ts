/** The history lists as a projection that a store keeps itself, with a cursor of its own. */
import type { Observer } from '../domain/apply.ts'
import type { History } from '../projections/history.ts'

/**
 * Told of every change as the engine applies it, and served from at once; written once the commits are durable, so that
 * it never knows of a commit that the log might lose.
 */
export interface KeptHistory extends History, Observer {
  /** The last commit whose changes are kept for good. Telling of earlier ones again changes nothing. */
  readonly cursor: number
  /** Everything told since the last call belongs to commit `seq`. */
  completed(seq: number): void
  /** Commits up to `seq` are durable: what they changed may be written. */
  durable(seq: number): void
  /** Resolves once everything up to the last durable commit is kept for good. */
  flushed(): Promise<void>
  /** What a snapshot has to carry so that telling can go on from there: plain data. */
  saved(): object
  /** Goes on from a snapshot; null: from the beginning, with nothing kept. */
  restore(saved: object | null): void
}
