/** The funding rate changes of all markets, as the prices of a run come past them. */
import type { RateChange } from '../feed/fundingSchedule.ts'

/** A change of the rate of one market. */
export interface MarketRate extends RateChange {
  readonly market: number
}

export class RateSchedules {
  /** By market, each in ascending order of time. */
  readonly #changes: readonly (readonly RateChange[])[]
  /** How many of each have been passed. */
  readonly #passed: number[]
  /** Time of the earliest change that has not been passed. */
  nextAt = Number.POSITIVE_INFINITY

  constructor(changes: readonly (readonly RateChange[])[]) {
    this.#changes = changes
    this.#passed = changes.map(() => 0)
    this.#look()
  }

  /** The changes before a time, each told once: in order of their times, because time never goes back. */
  passedBy(time: number): MarketRate[] {
    const passed = this.#changes.flatMap((changes, market) => {
      const from = this.#passed[market] as number
      let to = from
      while (to < changes.length && (changes[to] as RateChange).at < time) to++
      this.#passed[market] = to
      return changes.slice(from, to).map((change) => ({ ...change, market }))
    })
    this.#look()
    return passed.sort((one, other) => one.at - other.at)
  }

  #look(): void {
    const next = this.#changes.map((changes, market) => changes[this.#passed[market] as number]?.at)
    this.nextAt = Math.min(...next.map((at) => at ?? Number.POSITIVE_INFINITY))
  }
}
