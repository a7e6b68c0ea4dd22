/**
 * Ticks that do nothing but move their market's price: how far a feed runs without any other, and whether a single one
 * is such. Two comparisons of prices and three of times per tick of a feed, on typed arrays, with nothing allocated.
 */
import type { UpdatePrice } from '../domain/command.ts'
import { schemaFault } from '../domain/commandSchema.ts'
import { movePrice } from '../domain/market/applyMarketEvent.ts'
import type { Market } from '../domain/market/market.ts'
import { LAST_INSTANT } from '../domain/schedule.ts'
import type { World } from '../domain/world.ts'
import type { TickColumns } from '../events/tickColumns.ts'

/** The largest 64-bit integer. */
const HIGHEST = 9_223_372_036_854_775_807n

/** The market of a tick at time `at` that would do nothing but move its price; null where it has to be decided. */
export function quietMarket(world: World, command: UpdatePrice, at: number): Market | null {
  const { marketId, indexPrice } = command
  if (typeof indexPrice !== 'bigint' || at >= world.nextDueAt) return null
  const market = world.markets.get(marketId)
  if (market === undefined) return null
  const range = world.triggers.quietRange(market)
  const quiet = range !== null && indexPrice > range.above && indexPrice < range.below
  return quiet && schemaFault(command) === null ? market : null
}

/**
 * Ticks that a run is looked for among at a time. They are still in the processor's cache when they are recorded, and
 * a loop that is entered often does not depend on being compiled while it runs.
 */
const STRIDE = 4_096

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

  /**
   * Up to where the ticks from `from` on are quiet, before `to` and within one stride: the tick there has to be
   * dispatched by itself if it is `from`, and otherwise looked at again.
   */
  end(from: number, before: number): number {
    if (this.#world.now === 0) return from
    this.#look()
    const to = Math.min(before, from + STRIDE)
    const { at, indexPrice, market } = this.#ticks
    const above = this.#above
    const below = this.#below
    const last = this.#last
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
