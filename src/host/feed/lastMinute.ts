/** What a source has said lately. */

/** How many within the last sixty seconds, the current one included. */
export class LastMinute {
  readonly #monotonic: () => number
  readonly #counts = new Map<number, number>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  add(): void {
    const second = this.#forgetPast()
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1)
  }

  get count(): number {
    this.#forgetPast()
    let sum = 0
    for (const count of this.#counts.values()) sum += count
    return sum
  }

  #forgetPast(): number {
    const second = Math.floor(this.#monotonic() / 1_000)
    for (const one of this.#counts.keys()) {
      if (one > second - 60) break
      this.#counts.delete(one)
    }
    return second
  }
}
