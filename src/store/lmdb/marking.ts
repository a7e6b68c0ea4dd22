/**
 * When it is said that what the log holds is durable: beside it in every stretch of time in which something was appended,
 * and in the log itself once nothing more comes, because a group is proof of all before it; and on closing (K7).
 */
import type { CommitLog } from '../log/commitLog.ts'
import type { DirectoryMark } from './directoryMark.ts'

/** Half of what K7 allows, ms: the mark has to be written as well. */
const AFTER_MS = 50
/** Where the last append is no older than this, ms, the next group is waited for: until then it is 75 ms old at most. */
const BUSY_MS = 25

export class Marking {
  readonly #log: CommitLog
  readonly #beside: DirectoryMark
  #timer: NodeJS.Timeout | null = null
  #appendedAt = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(log: CommitLog, beside: DirectoryMark) {
    this.#log = log
    this.#beside = beside
  }

  appended(): void {
    this.#appendedAt = performance.now()
    this.#timer ??= setTimeout(() => this.#mark(), AFTER_MS)
  }

  #mark(): void {
    const isBusy = performance.now() - this.#appendedAt < BUSY_MS
    this.#timer = isBusy ? setTimeout(() => this.#mark(), AFTER_MS) : null
    this.#writing = this.#writing.then(() => this.#write(isBusy))
  }

  /** What cannot be marked is told to whoever appends next: the log has failed then. */
  async #write(isBusy: boolean): Promise<void> {
    const { head } = this.#log
    const inLog = isBusy ? Promise.resolve() : this.#log.mark()
    await inLog.then(() => this.#beside.write(head)).catch(() => {})
  }

  /** After the log was closed. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#writing
    await this.#beside.write(this.#log.head).catch(() => {})
    await this.#beside.close()
  }
}
