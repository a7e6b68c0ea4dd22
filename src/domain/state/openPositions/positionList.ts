/** The open positions of an account or a market, oldest first: a chain of rows. */
import type { Position } from '../position.ts'
import { RowList } from '../rows/rowChain.ts'
import { IN_ACCOUNT, IN_MARKET } from './positionLayout.ts'
import type { PositionWorth } from './positionRows.ts'

/** Where the rows of a chain are. */
export interface Chained {
  asItStands(row: number): Position
  worthOf(row: number): PositionWorth
  newer(row: number, links: number): number
}

const NOTHING: readonly never[] = []

export class PositionList extends RowList implements Iterable<Position> {
  /** Null until it has had a position, and a number. */
  rowsOf: Chained | null = null

  static ofAccount(): PositionList {
    return new PositionList(IN_ACCOUNT)
  }

  static ofMarket(): PositionList {
    return new PositionList(IN_MARKET)
  }

  /** The row after one of the list's; −1 = none. */
  after(row: number): number {
    return (this.rowsOf as Chained).newer(row, this.links)
  }

  /** Their rows, oldest first. */
  rows(): number[] {
    const rows: number[] = []
    for (let row = this.oldest; row >= 0; row = this.after(row)) rows.push(row)
    return rows
  }

  /** What equity asks of each, which all accounts are asked for again and again. */
  worths(): readonly PositionWorth[] {
    const { oldest, rowsOf } = this
    if (rowsOf === null || oldest < 0) return NOTHING
    // Of most accounts there is one, and a list that grows has room for seventeen.
    const worths = [rowsOf.worthOf(oldest)]
    for (let row = this.after(oldest); row >= 0; row = this.after(row)) worths.push(rowsOf.worthOf(row))
    return worths
  }

  /** Oldest first, each as it stands. To add or remove on the way, walk a copy. */
  [Symbol.iterator](): Iterator<Position, undefined> {
    return new PositionWalk(this.rowsOf, this.oldest, this.links)
  }
}

/** Answers with itself: the positions of an account are walked with every command. */
class PositionWalk implements Iterator<Position, undefined> {
  value: Position | undefined
  done = false
  readonly #chained: Chained | null
  readonly #links: number
  #row: number

  constructor(chained: Chained | null, row: number, links: number) {
    this.#chained = chained
    this.#row = row
    this.#links = links
  }

  next(): IteratorResult<Position, undefined> {
    const chained = this.#chained
    const row = this.#row
    if (row < 0 || chained === null) {
      this.value = undefined
      this.done = true
      return this as IteratorReturnResult<undefined>
    }
    this.#row = chained.newer(row, this.#links)
    this.value = chained.asItStands(row)
    return this as IteratorYieldResult<Position>
  }
}
