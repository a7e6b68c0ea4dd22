/** Bytes in blocks that end with a line, so that a reader of rows never sees half of one. */
import type { ByteSource } from './byteSource.ts'
import { FeedError } from './feedError.ts'

const LINE_FEED = 10
const LONGEST_LINE = 1 << 26

/** Whole lines in `bytes[0, end)`; the last one may lack its line end, see `complete`. */
export interface LineBlock {
  readonly bytes: Buffer
  readonly end: number
  /** False for a last line that the file does not end; the block then ends it, and holds nothing else. */
  readonly complete: boolean
}

/**
 * The blocks of a source. A block is valid until the next one is asked for.
 *
 * @throws FeedError for a line of more than 64 MiB, which is no text.
 */
export async function* wholeLines(source: ByteSource): AsyncGenerator<LineBlock> {
  let buffer = Buffer.allocUnsafe(1 << 19)
  let held = 0
  for await (const chunk of source.bytes()) {
    if (chunk.length === 0) continue
    if (held + chunk.length + 1 > buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (held + chunk.length + 1))
      buffer.copy(larger, 0, 0, held)
      buffer = larger
    }
    buffer.set(chunk, held)
    const previously = held
    held += chunk.length
    const lastBreak = buffer.lastIndexOf(LINE_FEED, held - 1)
    if (lastBreak < previously) {
      if (held > LONGEST_LINE) throw new FeedError(source.path, null, 'a line is longer than 64 MiB')
      continue
    }
    yield { bytes: buffer, end: lastBreak + 1, complete: true }
    buffer.copy(buffer, 0, lastBreak + 1, held)
    held -= lastBreak + 1
  }
  if (held === 0) return
  buffer[held] = LINE_FEED
  yield { bytes: buffer, end: held + 1, complete: false }
}
