/**
 * An append-only log of commits in memory, as the bytes that a disk would hold: a commit is read back from them when
 * somebody asks. Nothing that is kept can be changed through what was given or is read (K16), and the collector has
 * nothing to look at. A tick that changed nothing but its market's price is a row of columns, 20 bytes.
 */

import { unseenMemory } from '../collections/unseenMemory.ts'
import { ByteReader } from '../events/codec/byteReader.ts'
import { EncodedBlocks, offsetOf } from '../events/codec/encodedBlocks.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { TickColumns } from '../events/tickColumns.ts'
import { isPlainTick, tickCommit } from '../events/tickColumns.ts'
import { type EventRun, RUN, readInRuns, readRun, writeInRuns } from './commitRuns.ts'

const ROWS = 4_096
/** The kinds of a row whose commit is no such tick: it is encoded, one of many events in runs. */
const ENCODED = -1
const IN_RUNS = -2

/** Runs that are at hand: as many as a few neighbours have events, when their lives are read one after the other. */
const RUNS_KEPT = 16

/** What is about to be pushed. */
type Coming = Pick<Commit, 'seq' | 'at' | 'events'>

/** A stretch of the log. A row's `kind` is a market number, or one below zero: `at` is then the place of its bytes. */
class Page {
  readonly at = new Float64Array(unseenMemory(8 * ROWS))
  /** Of ticks: none while it has none. */
  #indexPrice: BigInt64Array | null = null
  readonly kind = new Int32Array(unseenMemory(4 * ROWS))

  get indexPrice(): BigInt64Array {
    this.#indexPrice ??= new BigInt64Array(unseenMemory(8 * ROWS))
    return this.#indexPrice
  }
}

export class CommitLog {
  readonly #pages: Page[] = []
  readonly #encoded = new EncodedBlocks()
  readonly #marketIds: string[] = []
  readonly #marketNumbers = new Map<string, number>()
  /** The market asked for last: mostly the one asked for next. */
  #last = { marketId: '', number: -1 }
  #length = 0
  #coming: Coming | null = null
  readonly #reader = new ByteReader(new Uint8Array())
  /** The runs read last, oldest first: the next event is mostly another of one of them. */
  readonly #runs: (EventRun & { readonly seq: number; readonly index: number })[] = []

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
      const inRuns = writeInRuns(this.#encoded.writer, commit)
      this.#encoded.end()
      page.kind[row] = inRuns ? IN_RUNS : ENCODED
    }
    this.#length += 1
    this.#coming = null
  }

  /** The next commit, which is about to be pushed: its events can be read from now on. */
  expect(coming: Coming): void {
    this.#coming = coming
  }

  /**
   * The event `index` of commit `seq`, which is no plain tick, for a look: it is nobody's to change or to keep. `at` is the time of its commit.
   *
   * @throws RangeError where there is none.
   */
  event(seq: number, index: number): { readonly event: Event; readonly at: number } {
    const { at, events, offset } = this.#eventsAround(seq, index)
    const event = events[index - offset]
    if (event === undefined) throw new RangeError(`commit ${seq} has no event ${index}`)
    return { event, at }
  }

  #eventsAround(seq: number, index: number): EventRun & { readonly offset: number } {
    if (this.#coming?.seq === seq) return { at: this.#coming.at, events: this.#coming.events, offset: 0 }
    const run = Math.floor(index / RUN)
    const { at, events } = this.#readLately(seq, run) ?? this.#readAnew(seq, run)
    return { at, events, offset: run * RUN }
  }

  #readLately(seq: number, index: number): EventRun | null {
    const runs = this.#runs
    for (let at = runs.length - 1; at >= 0; at--) {
      const run = runs[at] as (typeof runs)[number]
      if (run.seq === seq && run.index === index) return run
    }
    return null
  }

  #readAnew(seq: number, index: number): EventRun {
    const runs = this.#runs
    const run = { seq, index, ...this.#readRun(seq, index) }
    if (runs.length === RUNS_KEPT) runs.shift()
    runs.push(run)
    return run
  }

  #readRun(seq: number, run: number): EventRun {
    const { page, row } = this.#rowOf(seq)
    return readRun(this.#readerAt(page.at[row] as number), page.kind[row] === IN_RUNS, run)
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
    const commits: Commit[] = []
    for (let seq = from; seq < to; seq++) commits.push(this.#commit(seq))
    return commits
  }

  #commit(seq: number): Commit {
    const { page, row } = this.#rowOf(seq)
    const at = page.at[row] as number
    const kind = page.kind[row] as number
    if (kind < 0) return readInRuns(this.#readerAt(at), kind === IN_RUNS)
    return tickCommit(seq, at, this.#marketIds[kind] as string, page.indexPrice[row] as bigint)
  }

  /** A reader where the bytes of a commit begin. */
  #readerAt(place: number): ByteReader {
    this.#reader.reset(this.#encoded.block(place), offsetOf(place))
    return this.#reader
  }

  #rowOf(seq: number): { readonly page: Page; readonly row: number } {
    return { page: this.#pages[Math.floor((seq - 1) / ROWS)] as Page, row: (seq - 1) % ROWS }
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
