/**
 * Every level of one market: resting orders, trailing stops, liquidation prices and drawdown watches.
 *
 * What comes or moves is put into the books when they are arranged: mostly at once; where much moves, as at a funding instant or
 * while a log is folded, in one go at its end. What has left by then is never placed.
 */

import { FP9_MAXIMUM } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { isTrailing } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { PositionRows } from '../state/openPositions/positionRows.ts'
import type { Order } from '../state/order.ts'
import type { RestingOrders } from '../state/restingOrders/restingOrders.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { Firing, QuietMove, QuietRange } from '../state/triggers.ts'
import { Path } from './firingSequence.ts'
import { MarketWatches } from './marketWatches.ts'
import { PositionLevels } from './positionLevels.ts'
import { RestingLevels } from './restingLevels.ts'
import { TrailingLevels } from './trailingLevels.ts'

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
  readonly #resting: RestingLevels
  readonly #liquidations: PositionLevels
  readonly #longStops: TrailingLevels
  readonly #shortStops: TrailingLevels
  /** null when it has to be worked out again. */
  #nearest: Nearest | null = null

  get marketId(): string {
    return this.#market.id
  }

  constructor(market: Market, orders: RestingOrders, positions: PositionRows) {
    this.#market = market
    this.#resting = new RestingLevels(market, orders)
    this.#liquidations = new PositionLevels(market, positions)
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

  setPosition(row: number): void {
    this.#liquidations.set(row)
  }

  removePosition(row: number): void {
    this.#liquidations.remove(row)
    this.#nearest = null
  }

  /** Puts what is on its way into the books. */
  arrange(): void {
    if (this.#resting.arrange()) this.#nearest = null
    if (this.#liquidations.arrange()) this.#nearest = null
  }

  /** Spread or maintenance margin rate may have changed: every level is worked out again. */
  reconfigure(): void {
    this.#nearest = null
    this.#resting.reconfigure()
    this.#liquidations.reconfigure()
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
    this.#liquidations.meet(path, indexPrice)
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
    this.#resting.putBack()
    this.#liquidations.putBack()
    const { watches } = this
    const { long, short } = this.#market.trailing
    let firesAbove = higher(BELOW_ALL, this.#liquidations.nearestBelow)
    firesAbove = higher(firesAbove, this.#resting.nearestBelow)
    firesAbove = higher(firesAbove, watches.below.nearest?.level)
    firesAbove = higher(firesAbove, this.#longStops.nearestTriggerPrice())
    let firesBelow = lower(ABOVE_ALL, this.#liquidations.nearestAbove)
    firesBelow = lower(firesBelow, this.#resting.nearestAbove)
    firesBelow = lower(firesBelow, watches.above.nearest?.level)
    firesBelow = lower(firesBelow, this.#shortStops.nearestTriggerPrice())
    const above = higher(firesAbove, short.nearestTurn())
    const below = lower(firesBelow, long.nearestTurn())
    return { above, below, firesAbove, firesBelow }
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
