/** When the log says that what it holds is durable: in every stretch of time in which something was appended (K7). */
import type { CommitLog } from '../log/commitLog.ts'

/** Half of what K7 allows, ms: the mark has to be written as well. */
const AFTER_MS = 50

export class Marking {
  readonly #log: CommitLog
  #timer: NodeJS.Timeout | null = null

  constructor(log: CommitLog) {
    this.#log = log
  }

  appended(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // A mark that cannot be written is told to whoever appends next.
      this.#log.mark().catch(() => {})
    }, AFTER_MS)
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
