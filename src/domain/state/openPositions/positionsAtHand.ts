/**
 * Positions that are objects for now: whoever changes one is given its object, and a row says all of it only once it is written, between
 * commands. What has just been opened is often closed next, and is then never written.
 */
import type { Position } from '../position.ts'
import type { RowMemory } from '../rows/rowMemory.ts'
import { AT_HAND, FLAGS, PLACE } from './positionLayout.ts'

export class PositionsAtHand {
  readonly #memory: RowMemory
  readonly #positions: Position[] = []
  /** The row of each. */
  readonly #rows: number[] = []

  constructor(memory: RowMemory) {
    this.#memory = memory
  }

  get size(): number {
    return this.#positions.length
  }

  /** Of a row that is {@link AT_HAND}. */
  of(row: number): Position {
    return this.#positions[this.#placeOf(row)] as Position
  }

  add(row: number, position: Position): void {
    const { ints } = this.#memory.chunkOf(row)
    const int = this.#memory.intsAt(row)
    ints[int + FLAGS] = (ints[int + FLAGS] as number) | AT_HAND
    ints[int + PLACE] = this.#positions.length
    this.#positions.push(position)
    this.#rows.push(row)
  }

  /** The one that came last comes in its place. */
  delete(row: number): void {
    const place = this.#placeOf(row)
    const last = this.#positions.pop() as Position
    const lastRow = this.#rows.pop() as number
    if (place < this.#positions.length) this.#put(place, lastRow, last)
  }

  /** Writes those that came first, and keeps those that came last, so many of them. */
  leave(stay: number, write: (row: number, position: Position) => void): void {
    const [positions, rows] = [this.#positions, this.#rows]
    const end = positions.length - stay
    for (let place = 0; place < end; place++) write(rows[place] as number, positions[place] as Position)
    for (let place = 0; place < stay; place++)
      this.#put(place, rows[end + place] as number, positions[end + place] as Position)
    positions.length = stay
    rows.length = stay
  }

  #placeOf(row: number): number {
    return this.#memory.chunkOf(row).ints[this.#memory.intsAt(row) + PLACE] as number
  }

  #put(place: number, row: number, position: Position): void {
    this.#positions[place] = position
    this.#rows[place] = row
    this.#memory.chunkOf(row).ints[this.#memory.intsAt(row) + PLACE] = place
  }
}
