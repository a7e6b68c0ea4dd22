/**
 * Everything that waits at a level, in the order in which a moving price reaches it: a B+ tree. Insert and remove are
 * O(log n), the nearest entry is O(1) after each of them.
 *
 * Nodes compare the levels as doubles first: they lie side by side in memory, and a bigint is looked at only where two
 * doubles are equal and too large to be exact. Rounding to a double never reverses an order, so neither does the tree.
 */

/** What is ordered by: level, then rank, then creation sequence. May change only while the entry is in no book. */
export interface LevelEntry {
  readonly level: bigint
  readonly rank: number
  readonly sequence: number
}

const CAPACITY = 64

class Leaf<T> {
  readonly keys: number[] = []
  readonly entries: T[] = []
}

/**
 * `entries[i]` is a lower bound of child i; the first child takes whatever is below the second. Bounds are copies: the entry
 * that a bound was made of may have left the book, and have another level by now.
 */
class Branch<T> {
  readonly keys: number[] = []
  readonly entries: LevelEntry[] = []
  readonly children: Node<T>[] = []
}

type Node<T> = Leaf<T> | Branch<T>

/** What a split leaves to the right. */
interface Sibling<T> {
  readonly key: number
  readonly entry: LevelEntry
  readonly node: Node<T>
}

export class LevelBook<T extends LevelEntry> {
  /** `below`: the price comes from above, the highest level is nearest; `above`: the lowest is. */
  readonly side: 'below' | 'above'
  #root: Node<T> = new Leaf<T>()
  #nearest: T | null = null
  #size = 0

  constructor(side: 'below' | 'above') {
    this.side = side
  }

  get size(): number {
    return this.#size
  }

  /** The entry that a moving price reaches first. */
  get nearest(): T | null {
    return this.#nearest
  }

  insert(entry: T): void {
    const sibling = this.#insert(this.#root, this.#keyOf(entry), entry)
    if (sibling !== null) this.#root = this.#rootOver(sibling)
    this.#size += 1
    if (this.#nearest === null || this.#precedes(entry, this.#nearest)) this.#nearest = entry
  }

  /** @throws ReferenceError when the entry is not in the book. */
  remove(entry: T): void {
    this.#remove(this.#root, this.#keyOf(entry), entry)
    this.#dropThinRoots()
    this.#size -= 1
    if (this.#nearest === entry) this.#nearest = this.#first()
  }

  /** Removes every entry that a price at `level` has reached. @returns them, nearest first. */
  takeReached(level: bigint): T[] {
    const taken: T[] = []
    const beyond = { level, rank: Number.POSITIVE_INFINITY, sequence: 0 }
    if (this.#nearest === null || this.#precedes(beyond, this.#nearest)) return taken
    if (this.#takeUpTo(this.#root, this.#keyOf(beyond), beyond, taken)) this.#root = new Leaf<T>()
    this.#dropThinRoots()
    this.#size -= taken.length
    this.#nearest = this.#first()
    return taken
  }

  /** Of the entries at a level the one that is reached last; null when there is none. */
  lastAt(level: bigint): T | null {
    const beyond = { level, rank: Number.POSITIVE_INFINITY, sequence: 0 }
    const found = this.#lastUpTo(this.#root, this.#keyOf(beyond), beyond)
    return found?.level === level ? found : null
  }

  /** Visits entries from the nearest on until `visit` returns false. The book must not change meanwhile. */
  walk(visit: (entry: T) => boolean): void {
    walkNode(this.#root, visit)
  }

  /** Every entry, nearest first. */
  toArray(): T[] {
    const all: T[] = []
    this.walk((entry) => all.push(entry) > 0)
    return all
  }

  #keyOf({ level }: LevelEntry): number {
    return this.side === 'above' ? Number(level) : -Number(level)
  }

  #precedes(a: LevelEntry, b: LevelEntry): boolean {
    if (a.level !== b.level) return this.side === 'above' ? a.level < b.level : a.level > b.level
    return a.rank === b.rank ? a.sequence < b.sequence : a.rank < b.rank
  }

  /** How many of a node's entries are at or before the given one. */
  #upperBound(node: Node<T>, key: number, entry: LevelEntry): number {
    const { keys, entries } = node
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = keys[middle] as number
      if (found < key || (found === key && !this.#precedes(entry, entries[middle] as LevelEntry)))
        low = middle + 1
      else high = middle
    }
    return low
  }

  #lastUpTo(node: Node<T>, key: number, entry: LevelEntry): T | null {
    const end = this.#upperBound(node, key, entry)
    if (node instanceof Leaf) return node.entries[end - 1] ?? null
    // What a child is bounded by may have left it.
    for (let child = Math.max(end - 1, 0); child >= 0 && node.children.length > 0; child--) {
      const found = this.#lastUpTo(node.children[child] as Node<T>, key, entry)
      if (found !== null) return found
    }
    return null
  }

  #insert(node: Node<T>, key: number, entry: T): Sibling<T> | null {
    const at = this.#upperBound(node, key, entry)
    if (node instanceof Leaf) {
      insertAt(node.keys, at, key)
      insertAt(node.entries, at, entry)
      return node.keys.length > CAPACITY ? splitLeaf(node) : null
    }
    const child = Math.max(at - 1, 0)
    const sibling = this.#insert(node.children[child] as Node<T>, key, entry)
    if (sibling === null) return null
    insertAt(node.keys, child + 1, sibling.key)
    insertAt(node.entries, child + 1, sibling.entry)
    insertAt(node.children, child + 1, sibling.node)
    return node.keys.length > CAPACITY ? splitBranch(node) : null
  }

  #rootOver(sibling: Sibling<T>): Branch<T> {
    const root = new Branch<T>()
    const left = this.#root
    root.keys.push(left.keys[0] as number, sibling.key)
    root.entries.push(boundOf(left.entries[0] as LevelEntry), sibling.entry)
    root.children.push(left, sibling.node)
    return root
  }

  /** Whether the node has nothing left. Nodes are dropped when empty, not merged when thin. */
  #remove(node: Node<T>, key: number, entry: T): boolean {
    const at = Math.max(this.#upperBound(node, key, entry) - 1, 0)
    if (node instanceof Leaf) {
      if (node.entries[at] !== entry) throw new ReferenceError('the entry is not in the book')
      removeAt(node.keys, at)
      removeAt(node.entries, at)
      return node.keys.length === 0
    }
    if (!this.#remove(node.children[at] as Node<T>, key, entry)) return false
    removeAt(node.keys, at)
    removeAt(node.entries, at)
    removeAt(node.children, at)
    return node.keys.length === 0
  }

  /** Whether the node has nothing left. */
  #takeUpTo(node: Node<T>, key: number, entry: LevelEntry, taken: T[]): boolean {
    if (node instanceof Leaf) {
      const end = this.#upperBound(node, key, entry)
      node.keys.splice(0, end)
      for (const one of node.entries.splice(0, end)) taken.push(one)
      return node.keys.length === 0
    }
    let emptied = 0
    while (emptied < node.children.length && this.#takeUpTo(child(node, emptied), key, entry, taken))
      emptied += 1
    node.keys.splice(0, emptied)
    node.entries.splice(0, emptied)
    node.children.splice(0, emptied)
    return node.children.length === 0
  }

  #dropThinRoots(): void {
    while (this.#root instanceof Branch && this.#root.children.length === 1) this.#root = child(this.#root, 0)
  }

  #first(): T | null {
    let node = this.#root
    while (node instanceof Branch) {
      const [first] = node.children
      if (first === undefined) return null
      node = first
    }
    return node.entries[0] ?? null
  }
}

function child<T>(node: Branch<T>, at: number): Node<T> {
  return node.children[at] as Node<T>
}

/** The upper half of a leaf is a leaf of its own. */
function splitLeaf<T extends LevelEntry>(leaf: Leaf<T>): Sibling<T> {
  const half = leaf.keys.length >>> 1
  const node = new Leaf<T>()
  for (const key of leaf.keys.splice(half)) node.keys.push(key)
  for (const entry of leaf.entries.splice(half)) node.entries.push(entry)
  return { key: node.keys[0] as number, entry: boundOf(node.entries[0] as T), node }
}

/** The same of a branch. */
function splitBranch<T>(branch: Branch<T>): Sibling<T> {
  const half = branch.keys.length >>> 1
  const node = new Branch<T>()
  for (const key of branch.keys.splice(half)) node.keys.push(key)
  for (const entry of branch.entries.splice(half)) node.entries.push(entry)
  for (const one of branch.children.splice(half)) node.children.push(one)
  return { key: node.keys[0] as number, entry: node.entries[0] as LevelEntry, node }
}

function boundOf({ level, rank, sequence }: LevelEntry): LevelEntry {
  return { level, rank, sequence }
}

function walkNode<T>(node: Node<T>, visit: (entry: T) => boolean): boolean {
  if (node instanceof Branch) return node.children.every((child) => walkNode(child, visit))
  return node.entries.every((entry) => visit(entry))
}

function insertAt<T>(list: T[], at: number, item: T): void {
  list.push(item)
  for (let index = list.length - 1; index > at; index--) list[index] = list[index - 1] as T
  list[at] = item
}

function removeAt<T>(list: T[], at: number): void {
  for (let index = at + 1; index < list.length; index++) list[index - 1] = list[index] as T
  list.pop()
}
