/**
 * The open positions of a venue, by their ids and in the lists of their accounts and markets. V8 has to mark every object that stays, and
 * a position has 33 fields; so most are rows of numbers (`positionRows.ts`).
 */
import { hashOf } from '../../../collections/idMap.ts'
import type { Account } from '../account.ts'
import type { Market } from '../market.ts'
import type { Position } from '../position.ts'
import { append, type Chain, cut } from '../rows/rowChain.ts'
import { RowIds } from '../rows/rowIds.ts'
import { ACCOUNT, IN_ALL, MARKET } from './positionLayout.ts'
import type { PositionList } from './positionList.ts'
import { type Owners, PositionRows } from './positionRows.ts'

/** Whose positions are: an account, or a market. */
export interface Holder {
  readonly id: string
  readonly positions: PositionList
}

const NONE = -1

export class OpenPositions<A extends Holder = Account, M extends Holder = Market> implements Owners {
  readonly rows: PositionRows
  readonly #ids: RowIds
  readonly #all: Chain = { links: IN_ALL, oldest: NONE, newest: NONE, size: 0 }
  /** By the numbers of their lists, which they keep: accounts and markets are never removed. */
  readonly #accounts: A[] = []
  readonly #markets: M[] = []
  /** The rows at which walks over all of them go on. */
  readonly #walks = new Set<{ next: number }>()
  /** The id that was asked for last, and its row: one command asks for the same few again and again. */
  #lastId = ''
  #lastRow = NONE

  /** `most`, `stay`: of those at hand, as of {@link PositionRows}. */
  constructor(most?: number, stay?: number) {
    this.rows = new PositionRows(this, most, stay)
    this.#ids = new RowIds(this.rows.first)
  }

  get size(): number {
    return this.#all.size
  }

  /** Of the rows, and words of the table of ids. */
  get room(): PositionRows['room'] & { readonly words: number } {
    return { ...this.rows.room, words: this.#ids.room }
  }

  /** Itself, for whoever decides on it: what is assigned to it stays. */
  get(id: string): Position | undefined {
    const row = this.#find(id)
    return row === NONE ? undefined : this.rows.at(row)
  }

  /**
   * The one that has to be here.
   *
   * @throws ReferenceError where it is not.
   */
  known(id: string): Position {
    return this.rows.at(this.rowOf(id))
  }

  /** For whoever only reads: as it stands. */
  read(id: string): Position | undefined {
    const row = this.#find(id)
    return row === NONE ? undefined : this.rows.asItStands(row)
  }

  /** @throws ReferenceError where nothing has the id. */
  rowOf(id: string): number {
    const row = this.#find(id)
    if (row === NONE) throw new ReferenceError(`nothing known has the id ${id}`)
    return row
  }

  /** `position`, which is newer than everything that was ever here, belongs here from now on. Gives its row. */
  add(position: Position, account: A, market: M): number {
    const { rows } = this
    const row = rows.take(position)
    rows.write(row, ACCOUNT, this.#enlist(row, account, this.#accounts))
    rows.write(row, MARKET, this.#enlist(row, market, this.#markets))
    append(rows, this.#all, row)
    this.#ids.add(row)
    this.#lastId = position.id
    this.#lastRow = row
    return row
  }

  /**
   * Takes one that has ended out of every list; its row goes to another.
   *
   * @throws ReferenceError where nothing has the row.
   */
  delete(row: number): void {
    const { rows } = this
    for (const walk of this.#walks) if (walk.next === row) walk.next = rows.newer(row, IN_ALL)
    this.#ids.remove(row)
    cut(rows, this.accountAt(row).positions, row)
    cut(rows, (this.#markets[rows.read(row, MARKET)] as M).positions, row)
    cut(rows, this.#all, row)
    rows.giveBack(row)
    this.#lastId = ''
    this.#lastRow = NONE
  }

  /** A command begins, and nobody holds what the one before it was about. */
  settle(): void {
    this.rows.settle()
  }

  /** Oldest first, each as it stands. What is added or ends on the way may be met or not; everything else is. */
  *values(): Generator<Position, void> {
    const walk = { next: this.#all.oldest }
    this.#walks.add(walk)
    try {
      while (walk.next !== NONE) {
        const row = walk.next
        walk.next = this.rows.newer(row, IN_ALL)
        yield this.rows.asItStands(row)
      }
    } finally {
      this.#walks.delete(walk)
    }
  }

  /** Whose the position of a row is. */
  accountAt(row: number): A {
    return this.#accounts[this.rows.read(row, ACCOUNT)] as A
  }

  accountId(list: number): string {
    return (this.#accounts[list] as A).id
  }

  marketId(list: number): string {
    return (this.#markets[list] as M).id
  }

  /** The row of an id; −1 where nothing has it. */
  #find(id: string): number {
    if (this.#lastRow !== NONE && id === this.#lastId) return this.#lastRow
    const hash = hashOf(id)
    let row = this.#ids.first(hash)
    while (row !== NONE && this.rows.idOf(row) !== id) row = this.#ids.next(hash)
    if (row !== NONE) {
      this.#lastId = id
      this.#lastRow = row
    }
    return row
  }

  /** Gives the number of the list. */
  #enlist<H extends Holder>(row: number, holder: H, holders: H[]): number {
    const list = holder.positions
    if (list.rowsOf !== this.rows) {
      list.rowsOf = this.rows
      list.number = holders.push(holder) - 1
    }
    append(this.rows, list, row)
    return list.number
  }
}
