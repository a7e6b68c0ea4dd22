/**
 * Follows both trees of an LMDB file to their ends, in the order of their keys: that every page is used once, that keys
 * ascend and lie where the branches above look for them, that there are as many pages and records as the file says, and
 * that no page counts as free which holds something.
 */
import { LoopPace } from './loopTurns.ts'
import {
  integer,
  isBig,
  type Node,
  nodeOf,
  overflowStart,
  type Page,
  type PageFile,
  type Tree,
  Unsound,
} from './pageFile.ts'

/** Is told of a record: its key is `bytes[key, data)`, its value `bytes[data, end)`. The bytes are used again for the next. */
export type Visit = (bytes: Buffer, key: number, data: number, end: number) => void

/** What a walk through a tree comes by. */
interface Found {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

export class PageWalk {
  readonly #file: PageFile
  readonly #signal: AbortSignal | undefined
  /** A bit a page: used by a tree, or free. */
  readonly #taken: Uint8Array
  #last = 1
  /** A page a level: one is done before the next of its level is read. */
  readonly #buffers: Buffer[] = []

  /** Where the signal is aborted, the walk ends with its reason. */
  constructor(file: PageFile, signal?: AbortSignal) {
    this.#file = file
    this.#signal = signal
    this.#taken = new Uint8Array((file.meta.lastPage >> 3) + 1)
    for (const meta of [0, 1]) this.#take(meta)
  }

  /**
   * Tells of every record, by key.
   *
   * @throws Unsound at whatever LMDB could stumble over.
   */
  async records(visit: Visit): Promise<void> {
    const { main, free, lastPage } = this.#file.meta
    await this.#tree(main, new LastKey(compareBytes), visit)
    await this.#tree(free, new LastKey(compareIntegers), (bytes, key, data, end) =>
      this.#takeFree(bytes.subarray(key, data), bytes.subarray(data, end)),
    )
    if (this.#last !== lastPage) throw new Unsound(`the last page is ${this.#last}, not ${lastPage}`)
  }

  async #tree(tree: Tree, previous: LastKey, visit: Visit): Promise<void> {
    const found: Found = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    /** The branches from the root down to here, and the child of each that comes next. */
    const path: { readonly page: Page; next: number }[] = []
    const pace = new LoopPace()
    const enter = (number: number): void => {
      if (path.length >= tree.depth) throw new Unsound('a tree is deeper than it says')
      this.#take(number)
      const leaf = path.length === tree.depth - 1
      const page = this.#file.page(number, leaf, this.#buffer(path.length))
      if (leaf) this.#leaf(page, previous, found, visit)
      else {
        found.branchPages += 1
        path.push({ page, next: 0 })
      }
    }
    if (tree.root !== null) enter(tree.root)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.next === top.page.nodes) {
        path.pop()
        continue
      }
      const { key, data, value } = nodeOf(top.page, top.next)
      if (top.next > 0) previous.separate(top.page.bytes, key, data)
      top.next += 1
      enter(value)
      if (!pace.over) continue
      await pace.step()
      this.#signal?.throwIfAborted()
    }
    for (const [what, number] of Object.entries(found) as [keyof Found, number][])
      if (number !== tree[what]) throw new Unsound(`a tree has ${number} ${what}, not ${tree[what]}`)
  }

  #leaf(page: Page, previous: LastKey, found: Found, visit: Visit): void {
    found.leafPages += 1
    found.entries += page.nodes
    for (let index = 0; index < page.nodes; index++) {
      const node = nodeOf(page, index)
      previous.follow(page.bytes, node.key, node.data)
      if (isBig(node)) this.#big(page, node, found, visit)
      else visit(page.bytes, node.key, node.data, node.end)
    }
  }

  #big(page: Page, node: Node, found: Found, visit: Visit): void {
    const { first, pages } = this.#file.overflow(page, node)
    for (let number = first; number < first + pages; number++) this.#take(number)
    found.overflowPages += pages
    const key = page.bytes.subarray(node.key, node.data)
    const value = this.#file.read(overflowStart(first, this.#file.meta.pageBytes), node.value)
    visit(Buffer.concat([key, value]), 0, key.length, key.length + value.length)
  }

  #buffer(level: number): Buffer {
    this.#buffers[level] ??= Buffer.allocUnsafe(this.#file.meta.pageBytes)
    return this.#buffers[level]
  }

  /** A list of free pages: its length, then numbers; one below zero is the length of a run, and its first page follows. */
  #takeFree(key: Buffer, value: Buffer): void {
    if (key.length !== 8 || integer(key, 0) > this.#file.meta.transaction || value.length < 8)
      throw new Unsound('a list of free pages is of a transaction that is not')
    const length = integer(value, 0)
    if (8 * (length + 1) > value.length) throw new Unsound('a list of free pages is longer than its record')
    for (let at = 8; at <= 8 * length; at += 8) {
      const entry = value.readBigInt64LE(at)
      if (entry === 0n) continue
      const run = entry < 0n ? Number(-entry) : 1
      if (entry < 0n) {
        at += 8
        if (at > 8 * length) throw new Unsound('a list of free pages ends early')
      }
      const first = integer(value, at)
      if (first + run > this.#file.meta.lastPage + 1) throw new Unsound('a free page lies outside the file')
      for (let number = first; number < first + run; number++) this.#take(number)
    }
  }

  #take(number: number): void {
    const byte = number >> 3
    if (number > this.#file.meta.lastPage) throw new Unsound(`page ${number} lies outside the file`)
    if (((this.#taken[byte] as number) >> (number & 7)) & 1) throw new Unsound(`page ${number} is used twice`)
    this.#taken[byte] = (this.#taken[byte] as number) | (1 << (number & 7))
    this.#last = Math.max(this.#last, number)
  }
}

type Compare = (a: Buffer, b: Buffer, from: number, to: number) => number

/** Keys are short: asking the platform costs more than comparing them. */
function compareBytes(a: Buffer, b: Buffer, from: number, to: number): number {
  const length = Math.min(a.length, to - from)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[from + index] as number)
    if (difference !== 0) return difference
  }
  return a.length - (to - from)
}

function compareIntegers(a: Buffer, b: Buffer, from: number, to: number): number {
  if (a.length !== 8 || to - from !== 8) throw new Unsound('a list of free pages has no transaction')
  return integer(a, 0) - integer(b, from)
}

/** The key that came last, and the separator that stood before the keys that are coming. */
class LastKey {
  readonly #compare: Compare
  #key: Buffer | null = null
  #floor: Buffer | null = null

  constructor(compare: Compare) {
    this.#compare = compare
  }

  /** Keys ascend, and none lies before where the branches say that its page begins. */
  follow(bytes: Buffer, from: number, to: number): void {
    if (from === to || (this.#key !== null && this.#compare(this.#key, bytes, from, to) >= 0))
      throw new Unsound('keys do not ascend')
    if (this.#floor !== null && this.#compare(this.#floor, bytes, from, to) > 0)
      throw new Unsound('a key lies astray')
    this.#floor = null
    if (this.#key?.length !== to - from) this.#key = Buffer.allocUnsafe(to - from)
    for (let at = from; at < to; at++) this.#key[at - from] = bytes[at] as number
  }

  separate(bytes: Buffer, from: number, to: number): void {
    if (from === to || this.#key === null || this.#compare(this.#key, bytes, from, to) >= 0)
      throw new Unsound('a branch leads astray')
    this.#floor = Buffer.from(bytes.subarray(from, to))
  }
}
