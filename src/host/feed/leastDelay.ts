/** The clock of an exchange, which may be off, against the one of this machine. */

const MINUTE_MS = 60_000

/**
 * How long a ticker was under way beyond the fastest one of this minute and the last. The clock of an exchange may be off by
 * any amount: only how the delay changes is known.
 */
export class LeastDelay {
  readonly #monotonic: () => number
  #minute = -1
  #least = Number.POSITIVE_INFINITY
  #leastBefore = Number.POSITIVE_INFINITY

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Milliseconds; 0 where the exchange does not say when. */
  beyond(at: number | null): number {
    if (at === null) return 0
    const now = this.#monotonic()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#leastBefore = minute === this.#minute + 1 ? this.#least : Number.POSITIVE_INFINITY
      this.#least = Number.POSITIVE_INFINITY
      this.#minute = minute
    }
    this.#least = Math.min(this.#least, now - at)
    return now - at - Math.min(this.#least, this.#leastBefore)
  }

  /** The clock of the exchange less the monotonic one, ms: the fastest ticker of the two minutes as if it came at once; null: nothing says. */
  get ahead(): number | null {
    const least = Math.min(this.#least, this.#leastBefore)
    return least === Number.POSITIVE_INFINITY ? null : -least
  }

  forget(): void {
    this.#minute = -1
    this.#least = Number.POSITIVE_INFINITY
    this.#leastBefore = Number.POSITIVE_INFINITY
  }
}
