/** Tells whoever runs the venue which market its sources leave without a price, once that has lasted, and when it has one again. */

/** Sources are silent until their first frame, and old for as long as they are connected anew, ms. */
const LASTING_MS = 10_000

export class Outages {
  readonly #intervalMs: number
  readonly #onNotice: (notice: string) => void
  /** Of each market without a price, at how many looks in a row. */
  readonly #lacking = new Map<string, number>()

  /** `intervalMs`: between two looks. */
  constructor(intervalMs: number, onNotice: (notice: string) => void) {
    this.#intervalMs = intervalMs
    this.#onNotice = onNotice
  }

  /** Is called at every look, with `why` there is no price; null: there is one. */
  look(market: string, why: (() => string) | null): void {
    const lasted = (this.#lacking.get(market) ?? 0) * this.#intervalMs
    if (why === null) {
      this.#lacking.delete(market)
      if (lasted >= LASTING_MS) this.#onNotice(`feed: ${market} has a price again`)
      return
    }
    this.#lacking.set(market, (this.#lacking.get(market) ?? 0) + 1)
    const isTold = lasted < LASTING_MS && lasted + this.#intervalMs >= LASTING_MS
    if (isTold) this.#onNotice(`feed: ${market} has no price: ${why()}`)
  }
}
