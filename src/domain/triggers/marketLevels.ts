/**
 * Every level of one market: resting orders, trailing stops, liquidation prices and drawdown watches.
 *
 * What comes or moves is put into the books when they are arranged: mostly at once; where much moves, as at a funding instant or
 * while a log is folded, in one go at its end. What has left by then is never placed, and where most of a market has moved
 * the books are made anew.
 */

import { LevelBook } from '../../collections/levelBook.ts'
import type { LevelEntry } from '../../collections/levelLeaf.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import { Worklist } from '../../collections/worklist.ts'
import { FP9_MAXIMUM } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type FiringSide, isTrailing } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { RestingOrders } from '../state/restingOrders/restingOrders.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { Firing, QuietMove, QuietRange } from '../state/triggers.ts'
import { LIQUIDATION_RANK, Path } from './firingSequence.ts'
import { liquidationSide, positionLevel } from './level.ts'
import { MarketWatches } from './marketWatches.ts'
import { RestingLevels } from './restingLevels.ts'
import { TrailingLevels } from './trailingLevels.ts'

/** A position at its liquidation price. */
interface Entry extends LevelEntry {
  level: Price
  readonly position: Position
  place: Place
}

/** In its book; on its way there, or to another place of it; taken out of it because the price has reached it; or gone for good. */
type Place = 'book' | 'coming' | 'reached' | 'gone'

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

/** Until its own has been worked out. */
const NO_LEVEL = 0n

/** So few on their way are placed one by one, and may all be gone. */
const FEW = 8

/** Books are made anew where this many times as much comes as stays: one that comes is as dear as so many that stay. */
const MOST = 4

export class MarketLevels {
  readonly watches = new MarketWatches()
  readonly #market: Market
  #below = new LevelBook<Entry>('below')
  #above = new LevelBook<Entry>('above')
  readonly #resting: RestingLevels
  /** Of the positions that have a liquidation price. */
  #liquidations = new SequenceMap<Entry>()
  /** What is on its way into the books; some of it may be gone. */
  readonly #coming = new Worklist<Entry>()
  /** What the last tick took out of the books: nearly all of it is gone for good when the tick is over. */
  #reached: Entry[] = []
  readonly #longStops: TrailingLevels
  readonly #shortStops: TrailingLevels
  /** null when it has to be worked out again. */
  #nearest: Nearest | null = null

  get marketId(): string {
    return this.#market.id
  }

  constructor(market: Market, orders: RestingOrders) {
    this.#market = market
    this.#resting = new RestingLevels(market, orders)
    this.#longStops = new TrailingLevels(market.trailing.long)
    this.#shortStops = new TrailingLevels(market.trailing.short)
  }

  addOrder(order: Order): void {
    this.#nearest = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order.direction).add(order)
    this.#resting.add(order)
  }

  removeOrder(order: Order): void {
    this.#nearest = null
    if (isTrailing(order.orderType)) return this.#stopsOf(order.direction).remove(order)
    this.#resting.remove(order)
  }

  setPosition(position: Position): void {
    const held = this.#liquidations.get(position.sequence)
    if (held?.place === 'coming') return
    if (held !== undefined) {
      held.place = 'coming'
      return this.#expect(held)
    }
    const entry: Entry = {
      level: NO_LEVEL,
      rank: LIQUIDATION_RANK,
      sequence: position.sequence,
      position,
      place: 'coming',
      leaf: null,
      slot: 0,
    }
    this.#liquidations.set(entry)
    this.#expect(entry)
  }

  removePosition(position: Position): void {
    const held = this.#liquidations.take(position.sequence)
    if (held === undefined) return
    this.#nearest = null
    this.#takeOut(held)
  }

  /** Puts what is on its way into the books. */
  arrange(): void {
    if (this.#resting.arrange()) this.#nearest = null
    const coming = this.#coming
    if (coming.isEmpty) return
    const staying = this.#below.size + this.#above.size
    if (coming.size > FEW && MOST * coming.size > staying) this.#makeAnew(coming.toArray())
    else for (let index = 0; index < coming.size; index++) this.#arrange(coming.at(index))
    coming.clear()
  }

  /** Spread or maintenance margin rate may have changed: every level is worked out again. */
  reconfigure(): void {
    this.#nearest = null
    this.#resting.reconfigure()
    this.#below = new LevelBook('below')
    this.#above = new LevelBook('above')
    this.#coming.clear()
    this.#reached = []
    this.#liquidations = new SequenceMap()
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

  /** Whether the index is at or beyond a price that something waits for. */
  mayFire(): boolean {
    const { firesAbove, firesBelow } = this.range()
    return this.#market.indexPrice <= firesAbove || this.#market.indexPrice >= firesBelow
  }

  firing(from: Price): readonly Firing[] {
    const { indexPrice } = this.#market
    if (this.staysAt(indexPrice)) return NOTHING
    const path = new Path(from)
    this.#resting.meet(path, indexPrice)
    for (const book of [this.#below, this.#above])
      for (const entry of book.takeReached(indexPrice)) {
        entry.place = 'reached'
        this.#reached.push(entry)
        path.meetLiquidation(entry.position, book.side, entry.level)
      }
    this.#nearest = null
    this.#longStops.meet(path, indexPrice)
    this.#shortStops.meet(path, indexPrice)
    return path.inOrder()
  }

  range(): Nearest {
    this.arrange()
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
    firesAbove = higher(firesAbove, this.#resting.nearestBelow)
    firesAbove = higher(firesAbove, watches.below.nearest?.level)
    firesAbove = higher(firesAbove, this.#longStops.nearestTriggerPrice())
    let firesBelow = lower(ABOVE_ALL, this.#above.nearest?.level)
    firesBelow = lower(firesBelow, this.#resting.nearestAbove)
    firesBelow = lower(firesBelow, watches.above.nearest?.level)
    firesBelow = lower(firesBelow, this.#shortStops.nearestTriggerPrice())
    const above = higher(firesAbove, short.nearestTurn())
    const below = lower(firesBelow, long.nearestTurn())
    return { above, below, firesAbove, firesBelow }
  }

  /** What was reached and is still waiting waits on. */
  #putBack(): void {
    this.#resting.putBack()
    if (this.#reached.length === 0) return
    for (const entry of this.#reached) {
      if (entry.place !== 'reached') continue
      entry.place = 'book'
      this.#bookOf(sideOf(entry)).insert(entry)
    }
    this.#reached = []
  }

  #arrange(entry: Entry): void {
    if (entry.place !== 'coming') return
    const level = this.#levelOf(entry)
    if (level === entry.level && entry.leaf !== null) {
      entry.place = 'book'
      return
    }
    this.#nearest = null
    this.#leaveBook(entry)
    if (this.#hasPlace(entry, level)) this.#bookOf(sideOf(entry)).insert(entry)
  }

  /** More may leave while they are on their way than ever arrive. */
  #expect(entry: Entry): void {
    const coming = this.#coming
    coming.add(entry)
    if (coming.size <= FEW || coming.size <= 2 * this.#liquidations.size) return
    const still = coming.toArray().filter(({ place }) => place === 'coming')
    coming.clear()
    for (const one of still) coming.add(one)
  }

  /** Both books, where much of what they will hold is on its way. What only moves mostly moves alike, and comes in the order it had. */
  #makeAnew(coming: readonly Entry[]): void {
    this.#nearest = null
    const fresh: Entry[] = []
    let stays = true
    for (const entry of coming) {
      if (entry.place !== 'coming') continue
      if (!this.#hasPlace(entry, this.#levelOf(entry))) stays &&= entry.leaf === null
      else if (entry.leaf === null) fresh.push(entry)
    }
    if (stays && fresh.length === 0 && this.#below.follow() && this.#above.follow()) return
    const [below, above]: [Entry[], Entry[]] = [[], []]
    const keep = (entry: Entry) => (sideOf(entry) === 'below' ? below : above).push(entry)
    for (const book of [this.#below, this.#above])
      book.forEach((entry) => {
        if (entry.place === 'book') keep(entry)
      })
    for (const entry of fresh) keep(entry)
    this.#below = LevelBook.of('below', below)
    this.#above = LevelBook.of('above', above)
  }

  #levelOf(entry: Entry): Price | null {
    return positionLevel(entry.position, this.#market)
  }

  /** Whether what lies in no book now belongs into one, at this level; a position may have none. */
  #hasPlace(entry: Entry, level: Price | null): boolean {
    if (level === null) {
      this.#liquidations.take(entry.sequence)
      entry.place = 'gone'
      return false
    }
    entry.level = level
    entry.place = 'book'
    return true
  }

  #takeOut(entry: Entry): void {
    this.#leaveBook(entry)
    entry.place = 'gone'
  }

  #leaveBook(entry: Entry): void {
    if (entry.leaf !== null) this.#bookOf(sideOf(entry)).remove(entry)
  }

  #bookOf(side: FiringSide): LevelBook<Entry> {
    return side === 'below' ? this.#below : this.#above
  }

  #stopsOf(direction: Direction): TrailingLevels {
    return direction === 'long' ? this.#longStops : this.#shortStops
  }
}

function sideOf({ position }: Entry): FiringSide {
  return liquidationSide(position)
}

function higher(price: Price, level: Price | null | undefined): Price {
  return level != null && level > price ? level : price
}

function lower(price: Price, level: Price | null | undefined): Price {
  return level != null && level < price ? level : price
}
