/**
 * The venue's clock as a client knows it. A message was on its way for some time, so it shows a time that has passed by then: the
 * largest lead of a message over the client's own clock is the closest, and what is reckoned with it is never ahead of the venue.
 */
export class VenueTime {
  readonly #clock: () => number
  #lead = Number.NEGATIVE_INFINITY

  /** `clock`: the client's own, epoch ms. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Call with the time of each message as it comes. */
  told(at: number): void {
    this.#lead = Math.max(this.#lead, at - this.#clock())
  }

  /** Epoch ms; the client's own before the venue has said anything. */
  get now(): number {
    return this.#clock() + (Number.isFinite(this.#lead) ? this.#lead : 0)
  }
}
