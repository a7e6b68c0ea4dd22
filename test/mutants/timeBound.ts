/** How long judging may take as a whole. */
export class TimeBound {
  readonly #ends: number

  /** @param minutes From now; Infinity for no bound. */
  constructor(minutes: number) {
    this.#ends = performance.now() + minutes * 60_000
  }

  /** Seconds, above zero. */
  get left(): number {
    return Math.max(this.#ends - performance.now(), 1) / 1_000
  }

  get isOver(): boolean {
    return performance.now() >= this.#ends
  }
}
