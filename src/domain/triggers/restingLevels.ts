/**
 * The levels of a market's resting orders, trailing stops aside, by their rows: they lie in two books. What comes while much moves is put there
 * when it is through, and what has left by then never is.
 */
import { RowLevelBook, type Rows } from '../../collections/rowLevelBook.ts'
import type { Price } from '../../quantity/units.ts'
import { canFire, type FiringSide, firingSide, isTrailing } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { RestingOrders } from '../state/restingOrders/restingOrders.ts'
import type { Path } from './firingSequence.ts'
import { orderLevel } from './level.ts'

/** In place of a leaf: it is on its way into a book, at its slot among the {@link RestingLevels.#coming}. */
const COMING = -2
/** In none: it has left, or a tick has taken it out. */
const NOWHERE = -1

export class RestingLevels implements Rows {
  readonly #market: Market
  readonly #orders: RestingOrders
  #below = new RowLevelBook('below', this)
  #above = new RowLevelBook('above', this)
  /** Rows, and their levels. */
  readonly #coming: number[] = []
  readonly #comingLevels: Price[] = []
  /** What the last tick took out of the books: rows, the sequences of their orders, and their levels. */
  readonly #reached: number[] = []
  readonly #reachedSequences: number[] = []
  readonly #reachedLevels: Price[] = []

  constructor(market: Market, orders: RestingOrders) {
    this.#market = market
    this.#orders = orders
  }

  /** Where the price that falls reaches the first; null = nowhere. */
  get nearestBelow(): Price | null {
    return this.#below.nearest
  }

  /** Where the price that rises does. */
  get nearestAbove(): Price | null {
    return this.#above.nearest
  }

  /** It waits for a price. */
  add(order: Order): void {
    const level = orderLevel(order, this.#market)
    if (level === null) throw new TypeError(`order ${order.id} waits for no price`)
    this.#orders.place(order.row, COMING, this.#coming.length)
    this.#coming.push(order.row)
    this.#comingLevels.push(level)
  }

  remove({ row }: Order): void {
    const leaf = this.#orders.leafOf(row)
    if (leaf >= 0) this.#bookOf(row).remove(row)
    else if (leaf === COMING) this.#comesNoMore(this.#orders.slotOf(row))
    this.#orders.place(row, NOWHERE, 0)
  }

  /** Puts what is on its way into the books. Whether there was anything. */
  arrange(): boolean {
    const coming = this.#coming
    if (coming.length === 0) return false
    for (let at = 0; at < coming.length; at++) {
      const row = coming[at] as number
      this.#bookOf(row).insert(row, this.#comingLevels[at] as Price)
    }
    coming.length = 0
    this.#comingLevels.length = 0
    return true
  }

  /** Every level is worked out again. */
  reconfigure(): void {
    this.#below = new RowLevelBook('below', this)
    this.#above = new RowLevelBook('above', this)
    this.#coming.length = 0
    this.#comingLevels.length = 0
    this.#forgetReached()
    for (const order of this.#market.orders)
      if (canFire(order) && !isTrailing(order.orderType)) this.add(order)
  }

  /** Takes what an index price has reached out of the books, and tells the path of it. */
  meet(path: Path, indexPrice: Price): void {
    for (const book of [this.#below, this.#above])
      book.takeReached(indexPrice, (row, level) => {
        const sequence = this.#orders.sequenceOf(row)
        this.#orders.place(row, NOWHERE, 0)
        this.#reached.push(row)
        this.#reachedSequences.push(sequence)
        this.#reachedLevels.push(level)
        path.meetOrder(row, sequence, this.#orders.typeOf(row), book.side, level)
      })
  }

  /** What was reached and is still waiting waits on. */
  putBack(): void {
    for (let at = 0; at < this.#reached.length; at++) {
      const row = this.#reached[at] as number
      if (this.#orders.sequenceOf(row) === this.#reachedSequences[at])
        this.#bookOf(row).insert(row, this.#reachedLevels[at] as Price)
    }
    this.#forgetReached()
  }

  leafOf(row: number): number {
    return this.#orders.leafOf(row)
  }

  slotOf(row: number): number {
    return this.#orders.slotOf(row)
  }

  place(row: number, leaf: number, slot: number): void {
    this.#orders.place(row, leaf, slot)
  }

  levelOf(row: number): Price {
    return orderLevel(this.#orders.order(row), this.#market) as Price
  }

  #forgetReached(): void {
    this.#reached.length = 0
    this.#reachedSequences.length = 0
    this.#reachedLevels.length = 0
  }

  /** The last one on its way comes in its place. */
  #comesNoMore(at: number): void {
    const row = this.#coming.pop() as number
    const level = this.#comingLevels.pop() as Price
    if (at === this.#coming.length) return
    this.#coming[at] = row
    this.#comingLevels[at] = level
    this.#orders.place(row, COMING, at)
  }

  #bookOf(row: number): RowLevelBook {
    const side: FiringSide = firingSide({
      orderType: this.#orders.typeOf(row),
      direction: this.#orders.directionOf(row),
    })
    return side === 'below' ? this.#below : this.#above
  }
}
