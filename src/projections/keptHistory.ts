/** The history lists as a projection that a store keeps itself, with a cursor of its own. */
import type { FoldedHistory } from './history.ts'

/**
 * Told of every change as the engine applies it, and served from at once; written once the commits are durable, so that
 * it never knows of a commit that the log might lose.
 */
export interface KeptHistory extends FoldedHistory {
  /** The last commit whose changes are kept for good. Telling of earlier ones again changes nothing. */
  readonly cursor: number
  /** Why what was kept could not be trusted and was removed: it is built again from the log (K8). Null mostly. */
  readonly removed: string | null
  /**
   * The log has been told as far as it goes: only from here on what was told is read, and others wait for the process.
   * Before, after {@link restore}, more may be done in one go.
   */
  recovered(): void
  /** Commits up to `seq` are durable: what they changed may be written. */
  durable(seq: number): void
  /**
   * Resolves once there is room for more: at once, unless much more is told than can be written, or whoever tells has held
   * everything else back for some milliseconds (K15).
   */
  room(): Promise<void>
  /** Resolves once everything up to the last durable commit is kept for good. */
  flushed(): Promise<void>
}

/** Kept history lists beside a fold of the log that they should follow from. */
export interface ComparedHistory {
  /** Folded along with the log, it compares what it is told with what is kept, and writes nothing. */
  readonly history: KeptHistory
  /** The log is not folded from its first commit: the lists hold more than is told. */
  passOverEarlier(): void
  /** An empty one of the same kind, for the places that a snapshot carries. */
  places(): KeptHistory
  /**
   * Sequence of the commit up to which the lists are kept: what is told of later ones must not be said to be durable.
   */
  readonly upTo: number
  /** Sequence of the last commit of which anything is kept. */
  readonly newest: number
  /** How many records were compared, and the first that is missing, too many, or not what the log tells; null: none. */
  result(): Promise<{ readonly records: number; readonly difference: string | null }>
  close(): Promise<void>
}
