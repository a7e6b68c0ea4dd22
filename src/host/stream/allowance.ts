/**
 * How much may wait for a reader, and for how long (K4): a MiB; and what comes at once and is longer by itself, as all is that
 * one price sets off (500 orders of an account fill in 1.2 MB), for as long as whoever reads it takes.
 */

/** Bytes that may wait for a reader. */
export const MOST_UNSENT = 1_048_576
/** How long a reader may take for a MiB, or for less, ms. */
export const PATIENCE_MS = 30_000

/** How long a reader may take for what was sent at once, bytes; ms. */
export function patienceFor(bytes: number): number {
  return PATIENCE_MS * Math.max(1, Math.ceil(bytes / MOST_UNSENT))
}

/** What may wait for one reader. */
export class Allowance {
  #most = MOST_UNSENT
  /** Until when more than the usual may wait, ms of the process. */
  #until = Number.POSITIVE_INFINITY

  /** So many bytes came at once, and beside them the usual may wait until they have been read. */
  extend(unsent: number): void {
    this.#most = MOST_UNSENT + unsent
    this.#until = performance.now() + patienceFor(unsent)
  }

  /** Whether so many bytes may wait, of which `before` did before the last were sent. */
  covers(unsent: number, before: number): boolean {
    if (before <= MOST_UNSENT && unsent - before > MOST_UNSENT) this.extend(unsent)
    this.#most = Math.max(MOST_UNSENT, Math.min(this.#most, MOST_UNSENT + unsent))
    return unsent <= MOST_UNSENT || (unsent <= this.#most && performance.now() < this.#until)
  }
}
