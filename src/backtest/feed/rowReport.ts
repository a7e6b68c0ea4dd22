/** What became of the rows of a feed: read, skipped, missing. */
import { FeedError } from './feedError.ts'

/** A row that was not read. */
export interface SkippedRow {
  readonly file: string
  /** 1-based, header included. */
  readonly line: number
  readonly reason: string
}

/** A stretch without rows, from the start of the row before it to the start of the row after it, in ms. */
interface Gap {
  readonly from: number
  readonly to: number
}

/** The state of a reading; final once the iteration has ended. */
export interface FeedSummary {
  /** Rows delivered. */
  readonly rows: number
  /** Rows that could not be used, or that their own source marks as suspicious. */
  readonly skipped: number
  /** The first ten of them. */
  readonly firstSkipped: readonly SkippedRow[]
  /** Bars only: places where at least one bar is missing. */
  readonly gaps: number
  /** Bars only: how many bars are missing in all gaps together. */
  readonly missingBars: number
  /** Bars: the largest gap. Ticks: the longest time between two ticks. */
  readonly largestGap: Gap | null
}

const REASONS_KEPT = 10

/** Collects the summary while rows are read, and decides what a bad row does. */
export class RowReport {
  rows = 0
  gaps = 0
  missingBars = 0
  largestFrom = 0
  largestTo = 0
  #skipped = 0
  readonly #firstSkipped: SkippedRow[] = []
  readonly #onBadRow: 'fail' | 'skip'

  constructor(onBadRow: 'fail' | 'skip') {
    this.#onBadRow = onBadRow
  }

  /** @throws FeedError unless bad rows are to be skipped. */
  refuse(file: string, line: number, reason: string): void {
    if (this.#onBadRow === 'fail') throw new FeedError(file, line, reason)
    this.setAside(file, line, reason)
  }

  /** A row follows another; bars lie `intervalMs` apart, which is null for ticks. Before the first row `before` is not finite. */
  noteStep(before: number, time: number, intervalMs: number | null): void {
    const step = time - before
    if (!Number.isFinite(step)) return
    if (intervalMs !== null) {
      if (step <= intervalMs) return
      this.gaps += 1
      this.missingBars += Math.max(1, Math.round(step / intervalMs) - 1)
    }
    if (step <= this.largestTo - this.largestFrom) return
    this.largestFrom = before
    this.largestTo = time
  }

  /** Skips a row that is well formed but not to be used. */
  setAside(file: string, line: number, reason: string): void {
    this.#skipped += 1
    if (this.#firstSkipped.length < REASONS_KEPT) this.#firstSkipped.push({ file, line, reason })
  }

  summary(): FeedSummary {
    return {
      rows: this.rows,
      skipped: this.#skipped,
      firstSkipped: [...this.#firstSkipped],
      gaps: this.gaps,
      missingBars: this.missingBars,
      largestGap: this.largestTo > this.largestFrom ? { from: this.largestFrom, to: this.largestTo } : null,
    }
  }
}
