/**
 * Where the entries of a history list stand. Every order or position gets the next rank of its lists when it is created,
 * so ranks are in creation order (I10) and never change; which of them a list shows is told by what it leaves out: those
 * still active, which are few and in memory, and replaced orders, which are kept as bits.
 */

export const CHUNK = 1_024

/** Plain data: it travels in snapshots. */
export interface RankedList {
  /** Number of the list over the whole index: its key. */
  readonly list: number
  /** Ranks given so far. */
  created: number
  /** Ranks left out for good. */
  replaced: number
  /** Ranks of what has not ended yet, by id, oldest first. */
  readonly active: Map<string, number>
}

/** How many entries the list shows. */
export function shown({ created, replaced, active }: RankedList): number {
  return created - replaced - active.size
}

/** The ranks that a page shows, newest first. `holes` gives the bits of a chunk that are left out for good. */
export function ranksOfPage(
  list: RankedList,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  holes: (chunk: number) => Uint8Array | undefined,
): number[] {
  const activeIn = new Map<number, number[]>()
  for (const rank of list.active.values()) {
    const chunk = Math.floor(rank / CHUNK)
    const ranks = activeIn.get(chunk)
    if (ranks === undefined) activeIn.set(chunk, [rank])
    else ranks.push(rank)
  }
  const ranks: number[] = []
  let skip = offset
  for (let chunk = Math.floor((list.created - 1) / CHUNK); chunk >= 0 && ranks.length < limit; chunk--) {
    const first = chunk * CHUNK
    const last = Math.min(first + CHUNK, list.created) - 1
    const bits = list.replaced === 0 ? undefined : holes(chunk)
    const active = activeIn.get(chunk) ?? []
    const visible = last - first + 1 - active.length - (bits === undefined ? 0 : population(bits))
    if (skip >= visible) {
      skip -= visible
      continue
    }
    for (let rank = last; rank >= first && ranks.length < limit; rank--) {
      if (active.includes(rank) || (bits !== undefined && hasBit(bits, rank - first))) continue
      if (skip > 0) skip--
      else ranks.push(rank)
    }
  }
  return ranks
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

function population(bits: Uint8Array): number {
  let total = 0
  for (let byte of bits) for (; byte > 0; byte &= byte - 1) total++
  return total
}
