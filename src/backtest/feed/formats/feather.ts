/** Arrow and Feather files, which are recognised and refused. */
import { FeedError } from '../feedError.ts'
import type { Head } from '../reader.ts'

const MARKS = ['ARROW1', 'FEA1']

/** @throws FeedError for every file of the format: its usual LZ4 compression has no decoder that is worth its size. */
export function featherReader(head: Head): undefined {
  const start = head.bytes.toString('latin1', 0, 6)
  if (!MARKS.some((mark) => start.startsWith(mark))) return undefined
  throw new FeedError(
    head.source.path,
    null,
    'Arrow and Feather files are not read; convert them to CSV or Parquet',
  )
}
