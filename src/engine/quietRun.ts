/**
 * The fast half of a feed: how far it runs without a tick that does anything. Two comparisons of prices and three of
 * times per tick, on typed arrays, with nothing allocated.
 */
import { movePrice } from '../domain/market/applyMarketEvent.ts'
import { LAST_INSTANT } from '../domain/schedule.ts'
import type { World } from '../domain/world.ts'
import type { TickColumns } from '../events/tickColumns.ts'

/** The largest 64-bit integer. */
const HIGHEST = 9_223_372_036_854_775_807n

/** The quiet ranges of a feed's markets, as columns. */
export class QuietRun {
  readonly #world: World
  readonly #ticks: TickColumns
  /** Prices strictly between the two are quiet; an empty range where nothing is. */
  readonly #above: BigInt64Array
  readonly #below: BigInt64Array
  /** The last tick of each market in the run; -1 = none. */
  readonly #last: Int32Array

  constructor(world: World, ticks: TickColumns) {
    const markets = ticks.marketIds.length
    this.#world = world
    this.#ticks = ticks
    this.#above = new BigInt64Array(markets)
    this.#below = new BigInt64Array(markets)
    this.#last = new Int32Array(markets)
  }

  /** The first tick in `from` up to before `to` that has to be dispatched by itself; `to` when there is none. */
  end(from: number, to: number): number {
    if (this.#world.now === 0) return from
    this.#look()
    const { at, indexPrice, market } = this.#ticks
    const [above, below, last] = [this.#above, this.#below, this.#last]
    const due = Math.min(this.#world.nextDueAt, LAST_INSTANT)
    let now = this.#world.now
    for (let tick = from; tick < to; tick++) {
      const time = at[tick] as number
      const of = market[tick] as number
      const price = indexPrice[tick] as bigint
      // An unknown market has no range: comparing with undefined is false, as is comparing with a time that is NaN.
      const quiet = price > (above[of] as bigint) && price < (below[of] as bigint)
      if (!quiet || !(time >= now) || !(time < due) || Math.floor(time) !== time) return tick
      now = time
      last[of] = tick
    }
    return to
  }

  /** Leaves the prices and the clock as the run from `from` up to before `end` leaves them. */
  apply(from: number, end: number): void {
    const { at, indexPrice, marketIds } = this.#ticks
    for (const [of, tick] of this.#last.entries()) {
      const market = tick < from ? undefined : this.#world.markets.get(marketIds[of] as string)
      if (market !== undefined) movePrice(market, indexPrice[tick] as bigint, at[tick] as number)
    }
    this.#world.now = at[end - 1] as number
    this.#world.seq += end - from
  }

  #look(): void {
    this.#last.fill(-1)
    for (const [of, marketId] of this.#ticks.marketIds.entries()) {
      const market = this.#world.markets.get(marketId)
      const range = market === undefined ? null : this.#world.triggers.quietRange(market)
      this.#above[of] =
        range === null || range.above > HIGHEST ? HIGHEST : range.above > 0n ? range.above : 0n
      this.#below[of] = range === null ? 0n : range.below > HIGHEST ? HIGHEST : range.below
    }
  }
}
