/**
 * Records looked up in an LMDB file without LMDB, every bound checked on the way down: so the records can be read
 * while the rest of their file is still being checked.
 */
import type { KeyedRecords, StoredRecord } from './keyedRecords.ts'
import { isBig, nodeOf, overflowStart, type Page, type PageFile, Unsound } from './pageFile.ts'
import { RecordsDamaged } from './sealedRecord.ts'

/** A page on the way down, and the node that was taken. */
interface Turn {
  readonly page: Page
  index: number
}

export class PageSearch implements KeyedRecords {
  readonly #file: PageFile

  constructor(file: PageFile) {
    this.#file = file
  }

  /** @throws RecordsDamaged when a page on the way is not what it should be. */
  get(key: Buffer): Buffer | undefined {
    return told(() => {
      const record = this.#record(this.#wayTo(key))
      return record?.key.equals(key) ? record.value : undefined
    })
  }

  /** @throws RecordsDamaged when a page on the way is not what it should be. */
  lastOf(after: Buffer, upTo: Buffer, limit: number): StoredRecord[] {
    return told(() => {
      const records: StoredRecord[] = []
      const way = this.#wayTo(upTo)
      for (let record = this.#record(way); record !== null; record = this.#record(this.#back(way))) {
        if (records.length === limit || record.key.compare(after) <= 0) break
        records.push(record)
      }
      return records
    })
  }

  /** From the root to the last record whose key is not above `key`; empty: there is none. */
  #wayTo(key: Buffer): Turn[] {
    const { root } = this.#file.meta.main
    if (root === null) return []
    const way: Turn[] = []
    this.#down(way, root, (page) => lastNotAbove(page, key))
    // Below the first separator lies the first child: all of its keys may be above.
    if ((way.at(-1) as Turn).index < 0) return this.#back(way)
    return way
  }

  /** To the record before. */
  #back(way: Turn[]): Turn[] {
    for (let turn = way.at(-1); turn !== undefined; turn = way.at(-1)) {
      turn.index -= 1
      if (turn.index >= 0) {
        if (!turn.page.leaf) this.#down(way, nodeOf(turn.page, turn.index).value, ({ nodes }) => nodes - 1)
        return way
      }
      way.pop()
    }
    return way
  }

  #down(way: Turn[], from: number, choose: (page: Page) => number): void {
    const { main, pageBytes, lastPage } = this.#file.meta
    for (let number = from; ; ) {
      if (number > lastPage) throw new Unsound(`page ${number} lies outside the file`)
      const page = this.#file.page(number, way.length === main.depth - 1, Buffer.allocUnsafe(pageBytes))
      const index = choose(page)
      way.push({ page, index })
      if (page.leaf) return
      number = nodeOf(page, index).value
    }
  }

  #record(way: readonly Turn[]): RecordInPage | null {
    const turn = way.at(-1)
    if (turn === undefined) return null
    const { page, index } = turn
    const node = nodeOf(page, index)
    const key = page.bytes.subarray(node.key, node.data)
    if (!isBig(node)) return { key, value: page.bytes.subarray(node.data, node.end) }
    const { first } = this.#file.overflow(page, node)
    return { key, value: this.#file.read(overflowStart(first, this.#file.meta.pageBytes), node.value) }
  }
}

interface RecordInPage extends StoredRecord {
  readonly key: Buffer
}

/** The last node whose key is not above one; the first key of a branch is below all. −1 in a leaf: all are above. */
function lastNotAbove(page: Page, key: Buffer): number {
  let [low, high] = [page.leaf ? -1 : 0, page.nodes - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const node = nodeOf(page, middle)
    if (page.bytes.compare(key, 0, key.length, node.key, node.data) <= 0) low = middle
    else high = middle - 1
  }
  return low
}

function told<T>(search: () => T): T {
  try {
    return search()
  } catch (error) {
    if (error instanceof Unsound)
      throw new RecordsDamaged(`the records beside the log are damaged: ${error.message}`)
    throw error
  }
}
