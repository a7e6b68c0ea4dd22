/**
 * The liquidation levels of a market's positions: each position has a row, by which its level lies in one of two books. What comes or moves
 * is put there when much has moved; where it has all moved alike it stays where it lies, and where most has moved the books are made anew.
 */

import { RowLevelBook, type Rows } from '../../collections/rowLevelBook.ts'
import type { Price } from '../../quantity/units.ts'
import type { FiringSide } from '../../terms/orderTypes.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import { RowIds } from '../state/restingOrders/rowIds.ts'
import { ID } from '../state/restingOrders/rowLayout.ts'
import { RowMemory } from '../state/restingOrders/rowMemory.ts'
import type { Path } from './firingSequence.ts'
import { liquidationSide, positionLevel } from './level.ts'

/** Integers of a row, behind the hash of its position's sequence. */
const LEAF = ID + 1
const SLOT = LEAF + 1
/** Its place among what is on its way, from 1; 0 = it is not. */
const COMING = SLOT + 1
const WORDS = 2

/** In place of a leaf: it lies in no book. */
const NOWHERE = -1
/** A tick has taken it out; its slot is its place among the reached. */
const REACHED = -2
const NO_ROW = -1

/** So few on their way are placed one by one. */
const FEW = 8

/** Books are made anew where this many times as much comes as stays: one that comes is as dear as so many that stay. */
const MOST = 4

export class PositionLevels implements Rows {
  readonly #market: Market
  readonly #memory = new RowMemory(WORDS)
  readonly #rows = new RowIds(this.#memory)
  /** By row. */
  readonly #positions: (Position | null)[] = []
  #below = new RowLevelBook('below', this)
  #above = new RowLevelBook('above', this)
  /** Rows. */
  readonly #coming: number[] = []
  /** What the last tick took out of the books: rows, and their levels. */
  readonly #reached: number[] = []
  readonly #reachedLevels: Price[] = []

  constructor(market: Market) {
    this.#market = market
  }

  /** Rows there is memory for and words of the table that they are found in; how many positions it can hold. */
  get room(): { readonly rows: number; readonly words: number; readonly positions: number } {
    return { rows: this.#memory.room, words: this.#rows.room, positions: this.#positions.length }
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
  set(position: Position): void {
    const found = this.#find(position.sequence)
    const row = found === NO_ROW ? this.#begin(position) : found
    if (this.#read(row, COMING) === 0) this.#write(row, COMING, this.#coming.push(row))
  }

  /** Whether it was here. */
  remove(position: Position): boolean {
    const row = this.#find(position.sequence)
    if (row === NO_ROW) return false
    this.#comesNoMore(row)
    this.#leaveBook(row)
    this.#end(row)
    return true
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
    for (const position of this.#market.positions) {
      const row = this.#find(position.sequence)
      if (row !== NO_ROW) this.place(row, NOWHERE, 0)
      this.set(position)
    }
  }

  /** Takes what an index price has reached out of the books, and tells the path of it. */
  meet(path: Path, indexPrice: Price): void {
    for (const book of [this.#below, this.#above])
      book.takeReached(indexPrice, (row, level) => {
        this.place(row, REACHED, this.#reached.push(row) - 1)
        this.#reachedLevels.push(level)
        path.meetLiquidation(this.#position(row), book.side, level)
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
    return this.#read(row, LEAF)
  }

  slotOf(row: number): number {
    return this.#read(row, SLOT)
  }

  place(row: number, leaf: number, slot: number): void {
    this.#write(row, LEAF, leaf)
    this.#write(row, SLOT, slot)
  }

  levelOf(row: number): Price {
    return this.#levelNow(row) as Price
  }

  #levelNow(row: number): Price | null {
    return positionLevel(this.#position(row), this.#market)
  }

  /** Takes it from where it lies to where it should; a position that is never liquidated needs no row. */
  #arrange(row: number): void {
    this.#write(row, COMING, 0)
    const level = this.#levelNow(row)
    this.#leaveBook(row)
    if (level === null) this.#end(row)
    else this.#bookOf(row).insert(row, level)
  }

  /** Both books, where much of what they will hold is on its way. What only moves mostly moves alike, and stays where it lies. */
  #makeAnew(): void {
    let stays = true
    for (const row of this.#coming) {
      this.#write(row, COMING, 0)
      stays &&= this.leafOf(row) >= 0 && this.#levelNow(row) !== null
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
    const at = this.#read(row, COMING)
    if (at === 0) return
    this.#write(row, COMING, 0)
    const last = this.#coming.pop() as number
    if (last === row) return
    this.#coming[at - 1] = last
    this.#write(last, COMING, at)
  }

  #bookOf(row: number): RowLevelBook {
    const side: FiringSide = liquidationSide(this.#position(row))
    return side === 'below' ? this.#below : this.#above
  }

  #position(row: number): Position {
    return this.#positions[row] as Position
  }

  #find(sequence: number): number {
    const hash = hashOf(sequence)
    let row = this.#rows.first(hash)
    while (row !== NO_ROW && this.#position(row).sequence !== sequence) row = this.#rows.next(hash)
    return row
  }

  #begin(position: Position): number {
    const row = this.#memory.take()
    while (this.#positions.length <= row) this.#positions.push(null)
    this.#positions[row] = position
    this.#write(row, ID, hashOf(position.sequence))
    this.#write(row, COMING, 0)
    this.place(row, NOWHERE, 0)
    this.#rows.add(row)
    return row
  }

  #end(row: number): void {
    this.#rows.remove(row)
    this.#memory.giveBack(row)
    const positions = this.#positions
    positions[row] = null
    while (positions.length > 0 && positions[positions.length - 1] === null) positions.pop()
  }

  #read(row: number, field: number): number {
    return this.#memory.chunkOf(row).ints[this.#memory.intsAt(row) + field] as number
  }

  #write(row: number, field: number, value: number): void {
    this.#memory.chunkOf(row).ints[this.#memory.intsAt(row) + field] = value
  }
}

/** Sequences are dense: times 2^32 over the golden ratio, neighbours come to lie far apart. */
function hashOf(sequence: number): number {
  return Math.imul(sequence, 0x9e3779b1)
}
