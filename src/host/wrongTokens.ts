/**
 * Wrong operator tokens by address: twenty within a minute, and the address waits a minute (K10). Counted on a clock
 * that no operator moves: under a manual clock nobody could end the wait.
 */

import { networkOf } from './network.ts'

/** Within a minute. */
export const MOST_WRONG = 20
const WINDOW_MS = 60_000
const WAIT_MS = 60_000
/** Addresses that are remembered; of more, the ones that erred first are forgotten. */
const MOST_ADDRESSES = 10_000

interface Errors {
  /** Instants of the latest wrong tokens, oldest first. */
  readonly at: number[]
  waitsUntil: number
}

export class WrongTokens {
  /** By address, in the order of their latest wrong token. */
  readonly #byAddress = new Map<string, Errors>()
  readonly #monotonic: () => number

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#byAddress.size
  }

  /** Milliseconds an address still has to wait; 0 = none. */
  wait(address: string): number {
    const errors = this.#byAddress.get(networkOf(address))
    return errors === undefined ? 0 : Math.max(errors.waitsUntil - this.#monotonic(), 0)
  }

  add(address: string): void {
    const now = this.#monotonic()
    this.#forgetPast(now)
    const place = networkOf(address)
    const errors = this.#byAddress.get(place) ?? { at: [], waitsUntil: 0 }
    this.#byAddress.delete(place)
    this.#byAddress.set(place, errors)
    errors.at.push(now)
    if (errors.at.length > MOST_WRONG) errors.at.shift()
    const oldest = errors.at[0] as number
    if (errors.at.length === MOST_WRONG && now - oldest < WINDOW_MS) errors.waitsUntil = now + WAIT_MS
  }

  /** The map is in the order of the latest wrong token, so what is past stands in front. */
  #forgetPast(now: number): void {
    for (const [place, { at }] of this.#byAddress) {
      const past = now - (at.at(-1) as number) >= Math.max(WINDOW_MS, WAIT_MS)
      if (!past && this.#byAddress.size < MOST_ADDRESSES) return
      this.#byAddress.delete(place)
    }
  }
}
