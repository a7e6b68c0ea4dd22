/**
 * How long a node may serve without having heard from the database. It is counted from before the renewal was sent: the
 * others count from after they have seen it, so that whoever takes over begins later than the node has ended, however
 * long answers are under way and whatever the clocks show.
 *
 * A monotonic clock stands still while its machine is suspended, and the wall clock goes on: what either says has passed
 * has passed. A wall clock that is set forward costs the time until the next renewal, one that is set back nothing.
 */

/** Two clocks of a machine at one instant, ms. */
export interface Instant {
  readonly monotonic: number
  readonly wall: number
}

/** Renewals to a lease. */
export const ROUNDS = 3

export class Lease {
  readonly #ms: number
  readonly #clocks: () => Instant
  /** When the newest renewal was sent that the database knows of. */
  #sent: Instant | null = null

  constructor(ms: number, clocks: () => Instant) {
    this.#ms = ms
    this.#clocks = clocks
  }

  /** The database knows of a renewal that was sent at `sent` or later. */
  renewed(sent: Instant): void {
    if (this.#sent === null || sent.monotonic >= this.#sent.monotonic) this.#sent = sent
  }

  /** Milliseconds until it runs out; 0 or less: nothing may be answered. */
  get left(): number {
    if (this.#sent === null) return Number.NEGATIVE_INFINITY
    const now = this.#clocks()
    return this.#ms - Math.max(now.monotonic - this.#sent.monotonic, now.wall - this.#sent.wall)
  }
}
