/**
 * The liquidation levels of a market's positions, by the rows that these have: each lies in one of two books. What comes or moves
 * is put there when much has moved; where it has all moved alike it stays where it lies, and where most has moved the books are made anew.
 */

import { RowLevelBook, type Rows } from '../../collections/rowLevelBook.ts'
import type { Price } from '../../quantity/units.ts'
import type { Market } from '../state/market.ts'
import type { PositionRows } from '../state/openPositions/positionRows.ts'
import type { Path } from './firingSequence.ts'
import { liquidationSide, positionLevel } from './level.ts'

/** In place of a leaf: it lies in no book. */
const NOWHERE = -1
/** A tick has taken it out; its slot is its place among the reached. */
const REACHED = -2

/** So few on their way are placed one by one. */
const FEW = 8

/** Books are made anew where this many times as much comes as stays: one that comes is as dear as so many that stay. */
const MOST = 4

export class PositionLevels implements Rows {
  readonly #market: Market
  readonly #positions: PositionRows
  #below = new RowLevelBook('below', this)
  #above = new RowLevelBook('above', this)
  /** Rows. */
  readonly #coming: number[] = []
  /** What the last tick took out of the books: rows, and their levels. */
  readonly #reached: number[] = []
  readonly #reachedLevels: Price[] = []

  constructor(market: Market, positions: PositionRows) {
    this.#market = market
    this.#positions = positions
  }

  /** Where the price that falls reaches the first; null = nowhere. */
  get nearestBelow(): Price | null {
    return this.#below.nearest
  }

  /** Where the price that rises does. */
  get nearestAbove(): Price | null {
    return this.#above.nearest
  }

  /** Its level may have moved, or it is new. */
  set(row: number): void {
    if (this.#positions.comingOf(row) === 0) this.#positions.setComing(row, this.#coming.push(row))
  }

  remove(row: number): void {
    this.#comesNoMore(row)
    this.#leaveBook(row)
  }

  /** Puts what is on its way into the books. Whether there was anything. */
  arrange(): boolean {
    const coming = this.#coming
    if (coming.length === 0) return false
    if (coming.length > FEW && MOST * coming.length > this.#below.size + this.#above.size) this.#makeAnew()
    else for (const row of coming) this.#arrange(row)
    coming.length = 0
    return true
  }

  /** Every level is worked out again. */
  reconfigure(): void {
    this.#below = new RowLevelBook('below', this)
    this.#above = new RowLevelBook('above', this)
    this.#forgetReached()
    for (const row of this.#market.positions.rows()) {
      this.place(row, NOWHERE, 0)
      this.set(row)
    }
  }

  /** Takes what an index price has reached out of the books, and tells the path of it. */
  meet(path: Path, indexPrice: Price): void {
    const positions = this.#positions
    for (const book of [this.#below, this.#above])
      book.takeReached(indexPrice, (row, level) => {
        this.place(row, REACHED, this.#reached.push(row) - 1)
        this.#reachedLevels.push(level)
        path.meetLiquidation(positions.idOf(row), positions.sequenceOf(row), book.side, level)
      })
  }

  /** What was reached, is still there and has not moved waits on: what has moved is {@link arrange}d before. */
  putBack(): void {
    for (let at = 0; at < this.#reached.length; at++) {
      const row = this.#reached[at] as number
      if (this.leafOf(row) === REACHED && this.slotOf(row) === at)
        this.#bookOf(row).insert(row, this.#reachedLevels[at] as Price)
    }
    this.#forgetReached()
  }

  leafOf(row: number): number {
    return this.#positions.leafOf(row)
  }

  slotOf(row: number): number {
    return this.#positions.slotOf(row)
  }

  place(row: number, leaf: number, slot: number): void {
    this.#positions.place(row, leaf, slot)
  }

  levelOf(row: number): Price {
    return this.#levelNow(row) as Price
  }

  #levelNow(row: number): Price | null {
    return positionLevel(this.#positions.termsOf(row), this.#market)
  }

  /** Takes it from where it lies to where it should: nowhere, where it is never liquidated. */
  #arrange(row: number): void {
    this.#positions.setComing(row, 0)
    const level = this.#levelNow(row)
    this.#leaveBook(row)
    if (level !== null) this.#bookOf(row).insert(row, level)
  }

  /** Both books, where much of what they will hold is on its way. What only moves mostly moves alike, and stays where it lies. */
  #makeAnew(): void {
    let stays = true
    for (const row of this.#coming) {
      this.#positions.setComing(row, 0)
      stays &&= this.leafOf(row) >= 0 && this.#isEverLiquidated(row)
    }
    if (stays && this.#below.follow() && this.#above.follow()) return
    const rows = new Set([...this.#below.rows(), ...this.#above.rows(), ...this.#coming])
    this.#below = new RowLevelBook('below', this)
    this.#above = new RowLevelBook('above', this)
    for (const row of rows) {
      this.place(row, NOWHERE, 0)
      this.#arrange(row)
    }
  }

  #isEverLiquidated(row: number): boolean {
    return this.#positions.directionOf(row) === 'short' || !this.#positions.isAllMargin(row)
  }

  #forgetReached(): void {
    this.#reached.length = 0
    this.#reachedLevels.length = 0
  }

  #leaveBook(row: number): void {
    if (this.leafOf(row) >= 0) this.#bookOf(row).remove(row)
    this.place(row, NOWHERE, 0)
  }

  /** The last one on its way comes in its place. */
  #comesNoMore(row: number): void {
    const at = this.#positions.comingOf(row)
    if (at === 0) return
    this.#positions.setComing(row, 0)
    const last = this.#coming.pop() as number
    if (last === row) return
    this.#coming[at - 1] = last
    this.#positions.setComing(last, at)
  }

  #bookOf(row: number): RowLevelBook {
    return liquidationSide(this.#positions.directionOf(row)) === 'below' ? this.#below : this.#above
  }
}
