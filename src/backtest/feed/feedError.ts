/**
 * Market data that cannot be read: which file, which row and why. `line` counts from 1 and includes a header; in
 * Parquet, Arrow and JSON files, which have no lines, it is the row. `null` where the whole file is refused.
 */
export class FeedError extends Error {
  readonly file: string
  /** Null where the file has no lines. */
  readonly line: number | null
  /** One sentence, without file and line. */
  readonly reason: string

  constructor(file: string, line: number | null, reason: string, options?: ErrorOptions) {
    super(line === null ? `${file}: ${reason}` : `${file}:${line}: ${reason}`, options)
    this.name = 'FeedError'
    this.file = file
    this.line = line
    this.reason = reason
  }
}
