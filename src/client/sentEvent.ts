/** What a stream sends, whatever carries it. */

export interface SentEvent {
  /** The commit that is told in full with it; null where more of it follows. */
  readonly id: number | null
  /** The JSON object. */
  readonly message: unknown
}
