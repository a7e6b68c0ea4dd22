/** Every level of one market: resting orders, trailing stops, liquidation prices and drawdown watches. */

import { LevelBook, type LevelEntry } from '../../collections/levelBook.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import { FP9_MAXIMUM } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import { type FiringSide, firingSide, isTrailing } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { Firing, QuietRange } from '../state/triggers.ts'
import { liquidationSide, orderLevel, positionLevel } from './level.ts'
import { MarketWatches } from './marketWatches.ts'
import { LIQUIDATION_RANK, Path, rankOf } from './path.ts'
import type { PeakMemory } from './peakMemory.ts'
import { TrailingStops } from './trailingStops.ts'

/** An order at its trigger price. */
interface OrderEntry extends LevelEntry {
  readonly order: Order
  readonly position: null
  place: Place
}

/** A position at its liquidation price. */
interface LiquidationEntry extends LevelEntry {
  level: Price
  readonly order: null
  readonly position: Position
  place: Place
}

type Entry = OrderEntry | LiquidationEntry

/** In its book; taken out of it because the price has reached it; or gone for good. */
type Place = 'book' | 'reached' | 'gone'

/** Where nothing waits on a side: beyond every price. */
const ABOVE_ALL = FP9_MAXIMUM + 1n
const BELOW_ALL = -1n

const NOTHING: readonly Firing[] = []

export class MarketLevels {
  readonly watches = new MarketWatches()
  readonly #market: Market
  #below = new LevelBook<Entry>('below')
  #above = new LevelBook<Entry>('above')
  #orders = new SequenceMap<OrderEntry>()
  /** Of the positions that have a liquidation price. */
  #liquidations = new SequenceMap<LiquidationEntry>()
  /** What the last tick took out of the books: nearly all of it is gone for good when the tick is over. */
  #reached: Entry[] = []
  readonly #longStops: TrailingStops
  readonly #shortStops: TrailingStops
  /** null when it has to be worked out again. */
  #range: QuietRange | null = null

  get marketId(): string {
    return this.#market.id
  }

  constructor(market: Market, memory: PeakMemory) {
    this.#market = market
    this.#longStops = new TrailingStops('long', memory)
    this.#shortStops = new TrailingStops('short', memory)
  }

  addOrder(order: Order): void {
    this.#range = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order).add(order)
    const level = orderLevel(order, this.#market, null) as Price
    const entry: OrderEntry = {
      level,
      rank: rankOf(order),
      sequence: order.sequence,
      order,
      position: null,
      place: 'book',
    }
    this.#orders.set(entry)
    this.#bookOf(firingSide(order)).insert(entry)
  }

  removeOrder(order: Order): void {
    this.#range = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order).remove(order)
    const entry = this.#orders.take(order.sequence)
    if (entry !== undefined) this.#takeOut(entry, firingSide(order))
  }

  setPosition(position: Position): void {
    const level = positionLevel(position, this.#market)
    if (level === null) return this.removePosition(position)
    const held = this.#liquidations.get(position.sequence)
    if (held?.level === level) return
    this.#range = null
    const side = liquidationSide(position)
    if (held !== undefined) {
      this.#takeOut(held, side)
      held.level = level
      held.place = 'book'
      return this.#bookOf(side).insert(held)
    }
    const entry: LiquidationEntry = {
      level,
      rank: LIQUIDATION_RANK,
      sequence: position.sequence,
      order: null,
      position,
      place: 'book',
    }
    this.#liquidations.set(entry)
    this.#bookOf(side).insert(entry)
  }

  removePosition(position: Position): void {
    const held = this.#liquidations.take(position.sequence)
    if (held === undefined) return
    this.#range = null
    this.#takeOut(held, liquidationSide(position))
  }

  /** Spread or maintenance margin rate may have changed: every level is worked out again. */
  reconfigure(): void {
    const orders = this.#orders
    this.#below = new LevelBook('below')
    this.#above = new LevelBook('above')
    this.#reached = []
    this.#orders = new SequenceMap()
    this.#liquidations = new SequenceMap()
    for (const { order } of orders.values()) this.addOrder(order)
    for (const position of this.#market.positions) this.setPosition(position)
  }

  peakOf(order: Order): Price | null {
    return this.#stopsOf(order).peakOf(order)
  }

  peakThen(order: Order): Price | null {
    return this.#stopsOf(order).peakThen(order)
  }

  priceMoved(): void {
    this.#moveStops(this.#market.indexPrice)
  }

  /** Whether an index price fires nothing and makes no account due, once trailing stops have moved with it. */
  takeQuietly(indexPrice: Price): boolean {
    if (this.isQuietAt(indexPrice)) return true
    this.#moveStops(indexPrice)
    // A stop at no distance from its peak fires where it activates or ratchets.
    return this.isQuietAt(indexPrice)
  }

  #moveStops(indexPrice: Price): void {
    this.#range = null
    this.#longStops.priceMoved(indexPrice)
    this.#shortStops.priceMoved(indexPrice)
  }

  /** Whether the index at a price reaches nothing, ratchets nothing and makes no account due. */
  isQuietAt(indexPrice: Price): boolean {
    const { above, below } = this.range()
    return indexPrice > above && indexPrice < below && this.watches.due.size === 0
  }

  firing(from: Price): readonly Firing[] {
    const { indexPrice } = this.#market
    if (this.isQuietAt(indexPrice)) return NOTHING
    const path = new Path(from)
    for (const book of [this.#below, this.#above])
      for (const entry of book.takeReached(indexPrice)) {
        entry.place = 'reached'
        this.#reached.push(entry)
        if (entry.order === null) path.meetLiquidation(entry.position, book.side, entry.level)
        else path.meetOrder(entry.order, book.side, entry.level)
      }
    this.#range = null
    this.#longStops.meet(path, indexPrice)
    this.#shortStops.meet(path, indexPrice)
    return path.inOrder()
  }

  range(): QuietRange {
    if (this.#range === null || this.watches.moved) {
      this.#range = this.#rangeNow()
      this.watches.moved = false
    }
    return this.#range
  }

  #rangeNow(): QuietRange {
    this.#putBack()
    const { watches } = this
    let above = higher(BELOW_ALL, this.#below.nearest?.level)
    above = higher(above, watches.below.nearest?.level)
    above = higher(above, this.#longStops.nearestTriggerPrice())
    above = higher(above, this.#shortStops.nearestTurn())
    let below = lower(ABOVE_ALL, this.#above.nearest?.level)
    below = lower(below, watches.above.nearest?.level)
    below = lower(below, this.#shortStops.nearestTriggerPrice())
    below = lower(below, this.#longStops.nearestTurn())
    return { above, below }
  }

  /** What was reached and is still waiting waits on. */
  #putBack(): void {
    for (const entry of this.#reached) {
      if (entry.place !== 'reached') continue
      entry.place = 'book'
      const side = entry.order === null ? liquidationSide(entry.position) : firingSide(entry.order)
      this.#bookOf(side).insert(entry)
    }
    this.#reached = []
  }

  #takeOut(entry: Entry, side: FiringSide): void {
    if (entry.place === 'book') this.#bookOf(side).remove(entry)
    entry.place = 'gone'
  }

  #bookOf(side: FiringSide): LevelBook<Entry> {
    return side === 'below' ? this.#below : this.#above
  }

  #stopsOf(order: Order): TrailingStops {
    return order.direction === 'long' ? this.#longStops : this.#shortStops
  }
}

function higher(price: Price, level: Price | null | undefined): Price {
  return level != null && level > price ? level : price
}

function lower(price: Price, level: Price | null | undefined): Price {
  return level != null && level < price ? level : price
}
