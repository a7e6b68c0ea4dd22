/** What commits add to the history tables, until it is written: whole commits in their order, none before it is durable. */
import type { Keeping } from '../projections/keeping.ts'
import type { RowStore, RowsLost } from '../store/rowStore.ts'
import { type CommitPast, rowsOf } from './commitPast.ts'

/** Rows that wait at most; beyond it those who tell of more have to wait. */
const CAPACITY = 50_000
/** A write takes what has gathered, or this many rows and those of one commit: they are made in one turn of the loop. */
const BATCH = 500

export class RowQueue implements Keeping {
  readonly #tables: RowStore
  readonly #onWritten: (commits: readonly CommitPast[], upTo: number) => void
  /** What is not written yet, oldest first; most commits add nothing. */
  #waiting: CommitPast[] = []
  #size = 0
  #durable = 0
  #writing: Promise<void> | null = null
  /** After a write that failed, or was lost, nothing is written: what the tables hold is unknown until they are opened again. */
  #broken = false
  #fail: (error: Error) => void = () => {}
  readonly failed: Promise<never>
  readonly removed = null

  /** `onWritten` is told in the turn in which the cursor moves. */
  constructor(
    tables: RowStore,
    onWritten: (commits: readonly CommitPast[], upTo: number) => void = () => {},
  ) {
    this.#tables = tables
    this.#onWritten = onWritten
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // There may be nobody to hear of it.
    this.failed.catch(() => {})
  }

  get cursor(): number {
    return this.#tables.cursor
  }

  push(commit: CommitPast): void {
    if (commit.size === 0) return
    this.#waiting.push(commit)
    this.#size += commit.size
  }

  /** Everything that waits is told again. */
  forget(): void {
    this.#waiting = []
    this.#size = 0
  }

  recovered(): void {}

  durable(seq: number): void {
    this.#durable = seq
    if ((this.#waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq) this.#write()
  }

  /** Null: there is room now. */
  room(): Promise<void> | null {
    return this.#size > CAPACITY && this.#writing !== null ? this.#someRoom() : null
  }

  async #someRoom(): Promise<void> {
    while (this.#size > CAPACITY && this.#writing !== null) await this.#writing
  }

  /** What is durable by now is written, whatever becomes so meanwhile. Rejects where it could not be. */
  async flushed(): Promise<void> {
    const upTo = this.#durable
    while (this.cursor < upTo && !this.#broken) {
      this.#write()
      await this.#writing
    }
    if (this.#broken) await this.failed
  }

  /** One write is under way at a time, and what comes meanwhile goes into the next. */
  #write(): void {
    if (this.#writing !== null || this.#broken) return
    this.#writing = this.#writeNext()
      .catch((cause) => this.#break('the history tables could not be written', cause))
      .finally(() => {
        this.#writing = null
        this.durable(this.#durable)
      })
  }

  /** What was written is there no more: whoever opens the tables again writes it anew. */
  lost(cause: RowsLost): void {
    this.#break('the history tables have lost rows', cause)
  }

  #break(what: string, cause: unknown): void {
    this.#broken = true
    this.forget()
    this.#fail(new Error(what, { cause }))
  }

  async #writeNext(): Promise<void> {
    let [count, size] = [0, 0]
    for (const commit of this.#waiting) {
      if (commit.seq > this.#durable || size >= BATCH) break
      size += commit.size
      count += 1
    }
    const taken = this.#waiting.slice(0, count)
    const next = this.#waiting[count]
    // Between them are commits that add nothing.
    const upTo = Math.min(this.#durable, next === undefined ? this.#durable : next.seq - 1)
    await this.#tables.write(rowsOf(taken), upTo)
    this.#waiting.splice(0, count)
    this.#size -= size
    this.#onWritten(taken, upTo)
  }
}
