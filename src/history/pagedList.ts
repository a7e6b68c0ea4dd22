/** A history list whose entries are rows of a table: where its pages begin, and what of it is not written yet. */

import type { Paging } from '../projections/history.ts'
import { CHUNK, leaveOut, newRanks, type Ranks, shown, startOfPage, withoutActive } from './listRanks.ts'

/** Plain data, for snapshots. */
export interface SavedList {
  readonly ranks: Ranks
  readonly starts: readonly number[]
}

/** A page as it is put together: of entries in memory and of rows, newest first. */
export interface PagePlan<Entry> {
  /** Entries and rows from this creation sequence on come before the page. */
  readonly below: number
  /** Entries below it that are not in the table, newest first. */
  readonly entries: readonly Entry[]
  /** Rows below it that are passed over, and how many are read then. */
  readonly skip: number
  readonly rows: number
  /** How many of entries and rows together still come before the page. */
  readonly before: number
  readonly limit: number
  readonly totalCount: number
}

interface Sequenced {
  readonly sequence: number
}

export class PagedList<Entry extends Sequenced> {
  readonly #ranks: Ranks
  /** Creation sequences of the first of each chunk of ranks. */
  readonly #starts: number[]
  /** Entries that are not rows yet, by creation sequence. */
  readonly #unwritten = new Map<number, Entry>()

  constructor(saved: SavedList | null = null) {
    this.#ranks = saved === null ? newRanks() : withoutActive(saved.ranks)
    this.#starts = saved === null ? [] : [...saved.starts]
  }

  saved(): SavedList {
    return { ranks: withoutActive(this.#ranks), starts: [...this.#starts] }
  }

  /** Something was created that the list shows at once. */
  add(sequence: number): void {
    if (this.#ranks.created % CHUNK === 0) this.#starts.push(sequence)
    this.#ranks.created += 1
  }

  /** Something was created that the list shows once it has ended. */
  begin(sequence: number): void {
    const rank = this.#ranks.created
    this.add(sequence)
    this.#ranks.active.set(sequence, rank)
  }

  /** The place of something that has not ended. */
  placeOf(sequence: number): number {
    return this.#ranks.active.get(sequence) as number
  }

  restore(sequence: number, place: number): void {
    this.#ranks.active.set(sequence, place)
  }

  end(sequence: number): void {
    this.#ranks.active.delete(sequence)
  }

  /** It ended, and is not shown. */
  endUnseen(sequence: number): void {
    leaveOut(this.#ranks, this.placeOf(sequence))
    this.end(sequence)
  }

  /** An entry that no row says yet. */
  hold(entry: Entry): void {
    this.#unwritten.set(entry.sequence, entry)
  }

  release(sequence: number): void {
    this.#unwritten.delete(sequence)
  }

  /** `others`: what the list shows besides that is in no table. */
  page({ limit, offset }: Paging, others: Iterable<Entry> = []): PagePlan<Entry> {
    const totalCount = shown(this.#ranks)
    const wanted = Math.max(0, Math.min(limit, totalCount - offset))
    if (wanted === 0) return { below: 0, entries: [], skip: 0, rows: 0, before: 0, limit: 0, totalCount }
    const { beforeChunk, skip: before } = startOfPage(this.#ranks, offset)
    const below = this.#starts[beforeChunk] ?? Number.POSITIVE_INFINITY
    const entries = [...this.#unwritten.values(), ...others]
      .filter(({ sequence }) => sequence < below)
      .sort((a, b) => b.sequence - a.sequence)
    // Entries in memory take places before the page first: what is left of those places is rows to pass over.
    const skip = Math.max(0, before - entries.length)
    const written = totalCount - (offset - before) - entries.length
    return {
      below,
      entries,
      skip,
      rows: Math.min(before - skip + wanted, written - skip),
      before: before - skip,
      limit: wanted,
      totalCount,
    }
  }
}

/** The page, of the rows that its plan asked for. */
export function pageOf<Entry extends Sequenced>(
  { entries, before, limit }: PagePlan<Entry>,
  rows: readonly Entry[],
): Entry[] {
  const page: Entry[] = []
  let [entry, row] = [0, 0]
  while (page.length < before + limit) {
    const [first, second] = [entries[entry], rows[row]]
    const next =
      second === undefined || (first !== undefined && first.sequence > second.sequence) ? first : second
    if (next === undefined) throw new Error('the history tables hold less than is counted')
    if (next === first) entry += 1
    else row += 1
    page.push(next)
  }
  return page.slice(before)
}
