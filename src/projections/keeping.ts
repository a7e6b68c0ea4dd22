/** How what a projection keeps beside the log is written: once its commits are durable, with how far the log is in it. */
export interface Keeping {
  /** The last commit whose changes are kept for good. Telling of earlier ones again changes nothing. */
  readonly cursor: number
  /** Why what was kept could not be used and was removed: it is built again from the log (K8). Null mostly. */
  readonly removed: string | null
  /** Rejects once it can no longer be written or believed. Never resolves. */
  readonly failed: Promise<never>
  /**
   * The log has been told as far as it goes: only from here on what was told is read, and others wait for the process.
   * Before, more may be done in one go.
   */
  recovered(): void
  /** Commits up to `seq` are durable: what they changed may be written. It never knows of a commit that the log might lose. */
  durable(seq: number): void
  /**
   * Resolves once there is room for more: soon, unless much more is told than can be written, or whoever tells has held
   * everything else back for some milliseconds (K15). Null: there is room now.
   */
  room(): Promise<void> | null
  /** Resolves once everything up to the last durable commit is kept for good. */
  flushed(): Promise<void>
}
