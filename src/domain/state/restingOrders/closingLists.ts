/**
 * The lists of resting orders by the position that they close: most positions have a stop and a take, so a list is a row of numbers and
 * found by the position's id, of which the row has the words.
 */
import { knownUuid, knownWords, textOf } from '../../../events/codec/uuidWords.ts'
import { RowIds } from '../rows/rowIds.ts'
import { RowMemory } from '../rows/rowMemory.ts'
import { copyWords, hashOfText } from './rowForm.ts'
import { ID, IN_POSITION } from './rowLayout.ts'

/** Integers of a row, behind the four of the id. */
const OLDEST = ID + 4
const NEWEST = OLDEST + 1
const SIZE = NEWEST + 1
const WORDS = 4

const NONE = -1

/** The list of a row, while it is at hand: it is another one once the next is asked for. */
class ClosingList {
  readonly links = IN_POSITION
  ints: Int32Array = new Int32Array(0)
  start = 0

  get oldest(): number {
    return this.ints[this.start + OLDEST] as number
  }

  set oldest(row: number) {
    this.ints[this.start + OLDEST] = row
  }

  get newest(): number {
    return this.ints[this.start + NEWEST] as number
  }

  set newest(row: number) {
    this.ints[this.start + NEWEST] = row
  }

  get size(): number {
    return this.ints[this.start + SIZE] as number
  }

  set size(size: number) {
    this.ints[this.start + SIZE] = size
  }
}

export class ClosingLists {
  readonly #memory = new RowMemory(WORDS)
  readonly #ids = new RowIds(this.#memory)
  /** By row, ids that are no uuids. */
  readonly #texts = new Map<number, string>()
  readonly #list = new ClosingList()

  /** Lists there is memory for, and words of the table of ids. */
  get room(): { readonly rows: number; readonly words: number; readonly texts: number } {
    return { rows: this.#memory.room, words: this.#ids.room, texts: this.#texts.size }
  }

  /** The row of a position's list; −1 where it has none. */
  find(positionId: string): number {
    const known = knownUuid(positionId)
    const ids = this.#ids
    if (known < 0) {
      const hash = hashOfText(positionId)
      let row = ids.first(hash)
      while (row !== NONE && this.#texts.get(row) !== positionId) row = ids.next(hash)
      return row
    }
    const [a, b] = [knownWords[known] as number, knownWords[known + 1] as number]
    const [c, d] = [knownWords[known + 2] as number, knownWords[known + 3] as number]
    for (let row = ids.first(a); row !== NONE; row = ids.next(a)) {
      const { ints } = this.#memory.chunkOf(row)
      const at = this.#memory.intsAt(row) + ID
      if (ints[at + 1] === b && ints[at + 2] === c && ints[at + 3] === d && !this.#texts.has(row)) return row
    }
    return NONE
  }

  /** A list for a position that has none. Nothing is in what memory was here before. Gives its row. */
  begin(positionId: string): number {
    const row = this.#memory.take()
    const list = this.at(row)
    const known = knownUuid(positionId)
    if (known >= 0) copyWords(list.ints, list.start + ID, known)
    else {
      list.ints[list.start + ID] = hashOfText(positionId)
      this.#texts.set(row, positionId)
    }
    list.newest = NONE
    this.#ids.add(row)
    return row
  }

  /** Nothing is in the list any more. */
  end(row: number): void {
    this.#ids.remove(row)
    this.#texts.delete(row)
    this.#memory.giveBack(row)
  }

  /** Until another one is asked for. */
  at(row: number): ClosingList {
    const list = this.#list
    list.ints = this.#memory.chunkOf(row).ints
    list.start = this.#memory.intsAt(row)
    return list
  }

  /** Of the position whose list it is. */
  positionId(row: number): string {
    return this.#texts.get(row) ?? textOf(this.#memory.chunkOf(row).ints, this.#memory.intsAt(row) + ID)
  }
}
