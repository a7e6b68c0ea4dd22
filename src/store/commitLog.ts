/**
 * An append-only log of commits in memory, as the bytes that a disk would hold: a commit is read back from them when
 * somebody asks. Nothing that is kept can be changed through what was given or is read (K16), and the collector has
 * nothing to look at. A tick that changed nothing but its market's price is a row of columns, 20 bytes.
 */
import { ByteReader } from '../events/codec/byteReader.ts'
import { readCommit, writeCommit } from '../events/codec/commitCodec.ts'
import { EncodedBlocks, offsetOf, unseenMemory } from '../events/codec/encodedBlocks.ts'
import type { Commit } from '../events/commit.ts'
import type { TickColumns } from '../events/tickColumns.ts'
import { isPlainTick, tickCommit } from '../events/tickColumns.ts'

const ROWS = 4_096
/** The kind of a row whose commit is no such tick. */
const ENCODED = -1

/** A stretch of the log. A row's `kind` is a market number, or `ENCODED`: `at` is then the place of its bytes. */
class Page {
  readonly at = new Float64Array(unseenMemory(8 * ROWS))
  readonly indexPrice = new BigInt64Array(unseenMemory(8 * ROWS))
  readonly kind = new Int32Array(unseenMemory(4 * ROWS))
}

export class CommitLog {
  readonly #pages: Page[] = []
  readonly #encoded = new EncodedBlocks()
  readonly #marketIds: string[] = []
  readonly #marketNumbers = new Map<string, number>()
  /** The market asked for last: mostly the one asked for next. */
  #last = { marketId: '', number: -1 }
  #length = 0

  /** How many commits there are: the sequence of the last. */
  get length(): number {
    return this.#length
  }

  /** @throws RangeError or TypeError for what is no commit; the log is then as it was. */
  push(commit: Commit): void {
    const page = this.#lastPage()
    const row = this.#length % ROWS
    if (isPlainTick(commit)) {
      page.at[row] = commit.at
      page.indexPrice[row] = commit.command.indexPrice
      page.kind[row] = this.#numberOf(commit.command.marketId)
    } else {
      page.at[row] = this.#encoded.begin()
      writeCommit(this.#encoded.writer, commit)
      this.#encoded.end()
      page.kind[row] = ENCODED
    }
    this.#length += 1
  }

  /** The ticks `from` up to before `to`, of which each changed nothing but its market's price. */
  pushTicks(ticks: TickColumns, from: number, to: number): void {
    const numbers = ticks.marketIds.map((marketId) => this.#numberOf(marketId))
    for (let start = from; start < to; ) {
      const page = this.#lastPage()
      const row = this.#length % ROWS
      const end = Math.min(to, start + ROWS - row)
      page.at.set(ticks.at.subarray(start, end), row)
      page.indexPrice.set(ticks.indexPrice.subarray(start, end), row)
      for (let tick = start; tick < end; tick++)
        page.kind[row + tick - start] = numbers[ticks.market[tick] as number] as number
      this.#length += end - start
      start = end
    }
  }

  /** The commits of the sequences `from` up to before `to`: whoever asks gets commits of their own. */
  slice(from: number, to: number): Commit[] {
    const reader = new ByteReader(new Uint8Array())
    const commits: Commit[] = []
    for (let seq = from; seq < to; seq++) commits.push(this.#commit(seq, reader))
    return commits
  }

  #commit(seq: number, reader: ByteReader): Commit {
    const page = this.#pages[Math.floor((seq - 1) / ROWS)] as Page
    const row = (seq - 1) % ROWS
    const at = page.at[row] as number
    const kind = page.kind[row] as number
    if (kind === ENCODED) {
      reader.reset(this.#encoded.block(at), offsetOf(at))
      return readCommit(reader)
    }
    return tickCommit(seq, at, this.#marketIds[kind] as string, page.indexPrice[row] as bigint)
  }

  #lastPage(): Page {
    const last = Math.floor(this.#length / ROWS)
    this.#pages[last] ??= new Page()
    return this.#pages[last] as Page
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
