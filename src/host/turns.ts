/**
 * Turns of the event loop for work that is cut into pieces (K15): one piece a turn, whoever wants how many, so that what
 * holds everybody else up is one piece and not one of each. Clients come round one after the other: who has much waiting
 * waits for it, and nobody else does.
 */
export class Turns {
  /** What waits for a turn, by client; the client whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when a turn begins that is this client's and nobody else's. */
  next(client: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#give())
      const own = this.#waiting.get(client)
      if (own === undefined) this.#waiting.set(client, [resolve])
      else own.push(resolve)
    })
  }

  #give(): void {
    for (const [client, own] of this.#waiting) {
      this.#waiting.delete(client)
      const [first, ...rest] = own
      if (rest.length > 0) this.#waiting.set(client, rest)
      if (this.#waiting.size > 0) setImmediate(() => this.#give())
      return first?.()
    }
  }
}
