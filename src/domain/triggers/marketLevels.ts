/** Every level of one market: resting orders, trailing stops, liquidation prices and drawdown watches. */

import { LevelBook, type LevelEntry } from '../../collections/levelBook.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import { FP9_MAXIMUM } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type FiringSide, firingSide, isTrailing } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { Firing, QuietMove, QuietRange } from '../state/triggers.ts'
import { LIQUIDATION_RANK, Path, rankOf } from './firingSequence.ts'
import { liquidationSide, orderLevel, positionLevel } from './level.ts'
import { MarketWatches } from './marketWatches.ts'
import { TrailingLevels } from './trailingLevels.ts'

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

/** The nearest prices that matter. */
interface Nearest extends QuietRange {
  /** What fires or makes an account due, where the range ends at a price that begins a trailing stop or moves a peak too. */
  readonly firesAbove: Price
  readonly firesBelow: Price
}

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
  readonly #longStops: TrailingLevels
  readonly #shortStops: TrailingLevels
  /** null when it has to be worked out again. */
  #nearest: Nearest | null = null

  get marketId(): string {
    return this.#market.id
  }

  constructor(market: Market) {
    this.#market = market
    this.#longStops = new TrailingLevels(market.trailing.long)
    this.#shortStops = new TrailingLevels(market.trailing.short)
  }

  addOrder(order: Order): void {
    this.#nearest = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order.direction).add(order)
    const level = orderLevel(order, this.#market)
    if (level === null) throw new TypeError(`order ${order.id} waits for no price`)
    const entry: OrderEntry = {
      level,
      rank: rankOf(order),
      sequence: order.sequence,
      order,
      position: null,
      place: 'book',
      leaf: null,
      slot: 0,
    }
    this.#orders.set(entry)
    this.#bookOf(firingSide(order)).insert(entry)
  }

  removeOrder(order: Order): void {
    this.#nearest = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order.direction).remove(order)
    const entry = this.#orders.take(order.sequence)
    if (entry !== undefined) this.#takeOut(entry, firingSide(order))
  }

  setPosition(position: Position): void {
    const level = positionLevel(position, this.#market)
    if (level === null) return this.removePosition(position)
    const held = this.#liquidations.get(position.sequence)
    if (held?.level === level) return
    this.#nearest = null
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
      leaf: null,
      slot: 0,
    }
    this.#liquidations.set(entry)
    this.#bookOf(side).insert(entry)
  }

  removePosition(position: Position): void {
    const held = this.#liquidations.take(position.sequence)
    if (held === undefined) return
    this.#nearest = null
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

  peaksMerged(peak: RunningPeak, other: RunningPeak): void {
    this.#nearest = null
    this.#stopsOf(peak.direction).merge(peak, other)
  }

  peaksMoved(): void {
    this.#nearest = null
  }

  /** Whether the index at a price reaches nothing, moves no peak and makes no account due. */
  staysAt(indexPrice: Price): boolean {
    const { above, below } = this.range()
    return indexPrice > above && indexPrice < below && this.watches.due.size === 0
  }

  /** What the index at a price moves, if nothing else: a new peak is away from the trigger prices behind it. */
  quietMove(indexPrice: Price): QuietMove | null {
    if (this.staysAt(indexPrice)) return 'price'
    const { firesAbove, firesBelow } = this.range()
    if (indexPrice <= firesAbove || indexPrice >= firesBelow || this.watches.due.size > 0) return null
    const fires =
      this.#longStops.firesWhereItTurns(indexPrice) || this.#shortStops.firesWhereItTurns(indexPrice)
    return fires ? null : 'peaks'
  }

  firing(from: Price): readonly Firing[] {
    const { indexPrice } = this.#market
    if (this.staysAt(indexPrice)) return NOTHING
    const path = new Path(from)
    for (const book of [this.#below, this.#above])
      for (const entry of book.takeReached(indexPrice)) {
        entry.place = 'reached'
        this.#reached.push(entry)
        if (entry.order === null) path.meetLiquidation(entry.position, book.side, entry.level)
        else path.meetOrder(entry.order, book.side, entry.level)
      }
    this.#nearest = null
    this.#longStops.meet(path, indexPrice)
    this.#shortStops.meet(path, indexPrice)
    return path.inOrder()
  }

  range(): Nearest {
    if (this.#nearest === null || this.watches.moved) {
      this.#nearest = this.#nearestNow()
      this.watches.moved = false
    }
    return this.#nearest
  }

  #nearestNow(): Nearest {
    this.#putBack()
    const { watches } = this
    const { long, short } = this.#market.trailing
    let firesAbove = higher(BELOW_ALL, this.#below.nearest?.level)
    firesAbove = higher(firesAbove, watches.below.nearest?.level)
    firesAbove = higher(firesAbove, this.#longStops.nearestTriggerPrice())
    let firesBelow = lower(ABOVE_ALL, this.#above.nearest?.level)
    firesBelow = lower(firesBelow, watches.above.nearest?.level)
    firesBelow = lower(firesBelow, this.#shortStops.nearestTriggerPrice())
    const above = higher(firesAbove, short.nearestTurn())
    const below = lower(firesBelow, long.nearestTurn())
    return { above, below, firesAbove, firesBelow }
  }

  /** What was reached and is still waiting waits on. */
  #putBack(): void {
    if (this.#reached.length === 0) return
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

  #stopsOf(direction: Direction): TrailingLevels {
    return direction === 'long' ? this.#longStops : this.#shortStops
  }
}

function higher(price: Price, level: Price | null | undefined): Price {
  return level != null && level > price ? level : price
}

function lower(price: Price, level: Price | null | undefined): Price {
  return level != null && level < price ? level : price
}
