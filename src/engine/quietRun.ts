/**
 * Ticks that do nothing but move their market's price, and the peaks of trailing stops with it: how far a feed runs
 * without any other, and whether a single one is such. Two comparisons of prices and three of times per tick of a feed,
 * on typed arrays, with nothing allocated.
 */

import { schemaRejection } from '../domain/commands/commandSchema.ts'
import { movePrice, setPrice } from '../domain/evolve/applyMarketEvent.ts'
import type { Market } from '../domain/state/market.ts'
import type { World } from '../domain/state/world.ts'
import type { UpdatePrice } from '../events/command.ts'
import type { TickColumns } from '../events/tickColumns.ts'
import type { Price } from '../quantity/units.ts'
import { LAST_INSTANT } from '../terms/instants.ts'

/** The largest 64-bit integer. */
const HIGHEST = 9_223_372_036_854_775_807n

/** Folds a tick at time `at` that moves nothing but the price of its market and peaks; null where it has to be decided. */
export function takeQuietly(world: World, command: UpdatePrice, at: number): Market | null {
  const { marketId, indexPrice } = command
  if (typeof indexPrice !== 'bigint' || at >= world.nextDueAt) return null
  const market = world.markets.get(marketId)
  if (market === undefined || schemaRejection(command) !== null) return null
  const move = world.triggers.quietMove(market, indexPrice)
  if (move === null) return null
  if (move === 'price') setPrice(market, indexPrice, at)
  else movePrice(world, market, indexPrice, at)
  return market
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
  readonly #markets: (Market | undefined)[] = []
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
   * Moves prices and clock along the quiet ticks from `from` on, before `to` and within one stride.
   *
   * @returns the tick behind them: if that is `from`, it has to be dispatched by itself, otherwise looked at again.
   */
  advance(from: number, to: number): number {
    if (this.#world.now === 0) return from
    this.#look()
    const end = this.#end(from, Math.min(to, from + STRIDE))
    if (end > from) this.#apply(from, end)
    return end
  }

  #end(from: number, to: number): number {
    const { at, indexPrice, market } = this.#ticks
    const above = this.#above
    const below = this.#below
    const last = this.#last
    const due = Math.min(this.#world.nextDueAt, LAST_INSTANT)
    let now = this.#world.now
    for (let tick = from; tick < to; tick++) {
      const time = at[tick] as number
      // False of a time that is NaN.
      const passes = time >= now && time < due && Math.floor(time) === time
      if (!passes) return tick
      const of = market[tick] as number
      const price = indexPrice[tick] as bigint
      // An unknown market has no range: comparing with undefined is false.
      const quiet = price > (above[of] as bigint) && price < (below[of] as bigint)
      if (!quiet && !this.#movePeaks(of, price, time)) return tick
      now = time
      last[of] = tick
    }
    return to
  }

  /** A price outside the range may be quiet all the same: then it moves peaks, and the range with them. */
  #movePeaks(of: number, indexPrice: Price, at: number): boolean {
    const market = this.#markets[of]
    if (market === undefined || indexPrice <= 0n) return false
    if (this.#world.triggers.quietMove(market, indexPrice) === null) return false
    movePrice(this.#world, market, indexPrice, at)
    this.#lookAt(of)
    return true
  }

  #apply(from: number, end: number): void {
    const { at, indexPrice } = this.#ticks
    for (const [of, market] of this.#markets.entries()) {
      const tick = this.#last[of] as number
      if (market !== undefined && tick >= from)
        setPrice(market, indexPrice[tick] as bigint, at[tick] as number)
    }
    this.#world.now = at[end - 1] as number
    this.#world.seq += end - from
  }

  #look(): void {
    this.#last.fill(-1)
    for (const [of, marketId] of this.#ticks.marketIds.entries()) {
      this.#markets[of] = this.#world.markets.get(marketId)
      this.#lookAt(of)
    }
  }

  #lookAt(of: number): void {
    const market = this.#markets[of]
    const range = market === undefined ? null : this.#world.triggers.quietRange(market)
    this.#above[of] = range === null || range.above > HIGHEST ? HIGHEST : range.above > 0n ? range.above : 0n
    this.#below[of] = range === null ? 0n : range.below > HIGHEST ? HIGHEST : range.below
  }
}
