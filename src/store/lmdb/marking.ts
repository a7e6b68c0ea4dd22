/**
 * When the log says that what it holds is durable: in every stretch of time in which something was appended, and on
 * closing. It is said twice, in the log and beside it (K7).
 */
import type { CommitLog } from '../log/commitLog.ts'
import type { DirectoryMark } from './directoryMark.ts'

/** Half of what K7 allows, ms: the mark has to be written as well. */
const AFTER_MS = 50

export class Marking {
  readonly #log: CommitLog
  readonly #beside: DirectoryMark
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(log: CommitLog, beside: DirectoryMark) {
    this.#log = log
    this.#beside = beside
  }

  appended(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#writing = this.#mark()
    }, AFTER_MS)
  }

  /** What cannot be marked is told to whoever appends next: the log has failed then. */
  async #mark(): Promise<void> {
    const { head } = this.#log
    await this.#log
      .mark()
      .then(() => this.#beside.write(head))
      .catch(() => {})
  }

  /** After the log was closed. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#writing
    await this.#beside.write(this.#log.head).catch(() => {})
    await this.#beside.close()
  }
}
