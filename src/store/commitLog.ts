/**
 * An append-only list of commits. A tick that changed nothing but its market's price is kept as a row of columns, 20
 * bytes instead of four objects, and becomes the same commit again when it is read.
 */
import type { Commit } from '../events/commit.ts'
import type { TickColumns } from '../events/tickColumns.ts'
import { isPlainTick, tickCommit } from '../events/tickColumns.ts'

const ROWS = 4_096

/** A stretch of the log. A row's `kind` is a market number, or the complement of an index among the other commits. */
class Page {
  readonly at = new Float64Array(memory(8 * ROWS)) // number
  readonly indexPrice = new BigInt64Array(memory(8 * ROWS)) // number
  readonly kind = new Int32Array(memory(4 * ROWS)) // number
  readonly others: Commit[] = []
}

/**
 * Memory that V8 does not count as pressure on the heap. Counted, it collects the whole heap again and again while ticks
 * come in, which is slow where a million things rest, and frees nothing: the log stays.
 */
function memory(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)
}

export class CommitLog {
  readonly #pages: Page[] = []
  readonly #marketIds: string[] = []
  readonly #marketNumbers = new Map<string, number>()
  /** The market asked for last: mostly the one asked for next. */
  #last = { marketId: '', number: -1 }
  #length = 0

  /** How many commits there are: the sequence of the last. */
  get length(): number {
    return this.#length
  }

  push(commit: Commit): void {
    const page = this.#lastPage()
    const row = this.#length % ROWS // number
    this.#length += 1
    if (isPlainTick(commit)) {
      page.at[row] = commit.at
      page.indexPrice[row] = commit.command.indexPrice
      page.kind[row] = this.#numberOf(commit.command.marketId)
    } else {
      page.kind[row] = ~page.others.length
      page.others.push(commit)
    }
  }

  /** The ticks `from` up to before `to`, of which each changed nothing but its market's price. */
  pushTicks(ticks: TickColumns, from: number, to: number): void {
    const numbers = ticks.marketIds.map((marketId) => this.#numberOf(marketId))
    for (let start = from; start < to; ) {
      const page = this.#lastPage()
      const row = this.#length % ROWS // number
      const end = Math.min(to, start + ROWS - row)
      page.at.set(ticks.at.subarray(start, end), row)
      page.indexPrice.set(ticks.indexPrice.subarray(start, end), row)
      for (let tick = start; tick < end; tick++)
        page.kind[row + tick - start] = numbers[ticks.market[tick] as number] as number
      this.#length += end - start
      start = end
    }
  }

  /** The commits of the sequences `from` up to before `to`. */
  slice(from: number, to: number): Commit[] {
    const commits: Commit[] = []
    for (let seq = from; seq < to; seq++) commits.push(this.#commit(seq))
    return commits
  }

  #commit(seq: number): Commit {
    const page = this.#pages[Math.floor((seq - 1) / ROWS)] as Page // number
    const row = (seq - 1) % ROWS // number
    const kind = page.kind[row] as number
    if (kind < 0) return page.others[~kind] as Commit
    const marketId = this.#marketIds[kind] as string
    return tickCommit(seq, page.at[row] as number, marketId, page.indexPrice[row] as bigint)
  }

  #lastPage(): Page {
    if (this.#length % ROWS === 0) this.#pages.push(new Page()) // number
    return this.#pages[this.#pages.length - 1] as Page
  }

  #numberOf(marketId: string): number {
    if (this.#last.number >= 0 && this.#last.marketId === marketId) return this.#last.number
    let number = this.#marketNumbers.get(marketId)
    if (number === undefined) {
      number = this.#marketIds.push(marketId) - 1
      this.#marketNumbers.set(marketId, number)
    }
    this.#last = { marketId, number }
    return number
  }
}
