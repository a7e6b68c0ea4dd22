/**
 * Where the entries of a history list stand. Every order or position gets the next rank of its lists when it is created,
 * so ranks are in creation order (I10) and never change; which of them a list shows is told by what it leaves out: those
 * still active, which are few and in memory, and replaced orders, which are kept as bits.
 */

export const CHUNK = 1_024

/** Plain data: it travels in snapshots, and what is active of it with the records themselves. */
export interface Ranks {
  /** Ranks given so far. */
  created: number
  /** Ranks left out for good. */
  replaced: number
  /** The same by chunk, as a Fenwick tree: place n (from 1) holds the sum over the chunks n − (n & −n) to n − 1. */
  readonly replacedIn: number[]
  /** Ranks of what has not ended yet, by creation sequence, oldest first. */
  readonly active: Map<number, number>
}

/** Ranks whose entries are found by them. */
export interface RankedList extends Ranks {
  /** Number of the list over the whole index: its key. */
  readonly list: number
}

export function newRanks(): Ranks {
  return { created: 0, replaced: 0, replacedIn: [0], active: new Map() }
}

export function newList(list: number): RankedList {
  return { list, ...newRanks() }
}

/** A copy without what is active, which later changes of the list leave as it is. */
export function withoutActive<List extends Ranks>(list: List): List {
  return { ...list, replacedIn: [...list.replacedIn], active: new Map() }
}

/** How many entries the list shows. */
export function shown({ created, replaced, active }: Ranks): number {
  return created - replaced - active.size
}

/** Leaves a rank out for good; gives its chunk. */
export function leaveOut(list: Ranks, rank: number): number {
  const { replacedIn: tree } = list
  const chunk = Math.floor(rank / CHUNK)
  while (tree.length <= chunk + 1) {
    const place = tree.length
    tree.push(sumBefore(tree, place - 1) - sumBefore(tree, place - (place & -place)))
  }
  for (let place = chunk + 1; place < tree.length; place += place & -place)
    tree[place] = (tree[place] as number) + 1
  list.replaced += 1
  return chunk
}

/** How many are left out for good in the chunks before one. */
function sumBefore(tree: readonly number[], chunk: number): number {
  let sum = 0
  for (let place = Math.min(chunk, tree.length - 1); place > 0; place -= place & -place)
    sum += tree[place] as number
  return sum
}

/**
 * The ranks that a page shows, newest first. `holes` gives the bits of a chunk that are left out for good, and is asked
 * only for chunks that the page shows something of: a page costs the same wherever it lies.
 */
export function ranksOfPage(
  list: RankedList,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  holes: (chunk: number) => Uint8Array | undefined,
): number[] {
  const active = [...list.active.values()]
  const ranks: number[] = []
  const total = shown(list)
  while (ranks.length < limit && offset + ranks.length < total) {
    const chunk = chunkOf(list, active, offset + ranks.length)
    let skip = offset + ranks.length - shownFrom(list, active, chunk + 1)
    const first = chunk * CHUNK
    const bits = list.replaced === 0 ? undefined : holes(chunk)
    const before = ranks.length
    const hidden = new Set(active.slice(countBelow(active, first), countBelow(active, first + CHUNK)))
    for (
      let rank = Math.min(first + CHUNK, list.created) - 1;
      rank >= first && ranks.length < limit;
      rank--
    ) {
      if (hidden.has(rank) || (bits !== undefined && hasBit(bits, rank - first))) continue
      if (skip > 0) skip--
      else ranks.push(rank)
    }
    // A chunk that shows nothing would be chosen again for ever.
    if (ranks.length === before)
      throw new Error(`chunk ${chunk} of list ${list.list} shows less than is counted`)
  }
  return ranks
}

/**
 * Where a page begins when a list is read backwards: `skip` shown entries, fewer than a chunk has, before the first rank of
 * chunk `beforeChunk`.
 */
export function startOfPage(
  list: Ranks,
  offset: number,
): { readonly beforeChunk: number; readonly skip: number } {
  const active = [...list.active.values()]
  const beforeChunk = chunkOf(list, active, offset) + 1
  return { beforeChunk, skip: offset - shownFrom(list, active, beforeChunk) }
}

/** The chunk of the entry that has `newer` shown ones after it: the last chunk from which on more than so many are shown. */
function chunkOf(list: Ranks, active: readonly number[], newer: number): number {
  let [low, high] = [0, Math.floor((list.created - 1) / CHUNK)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (shownFrom(list, active, middle) > newer) low = middle
    else high = middle - 1
  }
  return low
}

/** How many entries the list shows from a chunk on. */
function shownFrom(
  { created, replaced, replacedIn }: Ranks,
  active: readonly number[],
  chunk: number,
): number {
  const first = chunk * CHUNK
  if (first >= created) return 0
  return (
    created - first - (replaced - sumBefore(replacedIn, chunk)) - (active.length - countBelow(active, first))
  )
}

/** How many of ascending ranks lie below one. */
function countBelow(ranks: readonly number[], below: number): number {
  let [low, high] = [0, ranks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranks[middle] as number) < below) low = middle + 1
    else high = middle
  }
  return low
}

/** The bits of a chunk with one more set. */
export function withBit(bits: Uint8Array | undefined, index: number): Uint8Array {
  const copy = new Uint8Array(CHUNK >> 3)
  if (bits !== undefined) copy.set(bits)
  copy[index >> 3] = (copy[index >> 3] as number) | (1 << (index & 7))
  return copy
}

function hasBit(bits: Uint8Array, index: number): boolean {
  return (((bits[index >> 3] as number) >> (index & 7)) & 1) === 1
}
