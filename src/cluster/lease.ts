/**
 * How long a node may serve without having heard from the database. It is counted from before the renewal was sent: the
 * others count from after they have seen it, so that whoever takes over begins later than the node has ended, however
 * long answers are under way and whatever the clocks show.
 */
export class Lease {
  readonly #ms: number
  readonly #monotonic: () => number
  #until = Number.NEGATIVE_INFINITY

  constructor(ms: number, monotonic: () => number) {
    this.#ms = ms
    this.#monotonic = monotonic
  }

  /** The database knows of a renewal that was sent at `sent` or later, on the node's own monotonic clock, ms. */
  renewed(sent: number): void {
    this.#until = Math.max(this.#until, sent + this.#ms)
  }

  /** Milliseconds until it runs out; 0 or less: nothing may be answered. */
  get left(): number {
    return this.#until - this.#monotonic()
  }
}
