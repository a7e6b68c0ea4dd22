/**
 * Bars that a strategy hears late: it takes longer than they come, or it waits for the venue. None is left out, so that each is acted
 * upon at prices that it no longer has.
 */
export class LateBars {
  readonly #intervalMs: number
  #toldMs = 0

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /**
   * Call with how long after its end each bar is heard, ms.
   *
   * @returns what is to be told: more than an interval when that begins and whenever it has doubled, 0 when it is over; null for nothing.
   */
  heard(ms: number): number | null {
    if (ms <= this.#intervalMs) {
      if (this.#toldMs === 0) return null
      this.#toldMs = 0
      return 0
    }
    if (ms < 2 * this.#toldMs) return null
    this.#toldMs = ms
    return ms
  }
}
