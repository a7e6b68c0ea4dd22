/**
 * A file of columns: the chunks of a feed as they lie in memory, so that reading them needs no parsing.
 *
 * ```
 * magic · chunk · chunk · … · index (JSON) · length of the index (4 bytes) · SHA-256 of the index (32 bytes) · magic
 * ```
 *
 * A chunk is its columns one after the other, eight bytes a value in the order of bytes of the machine. The index says where
 * each chunk lies, with the SHA-256 of its bytes; it comes last, so that a file that was cut off has none.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { BarColumns, TickColumns } from '../columns.ts'
import type { Feed } from '../feed.ts'
import type { FeedFormat } from '../reader.ts'
import type { FeedSummary, SkippedRow } from '../rowReport.ts'

/** Raised when the layout of the file changes, or what a reader makes of the same bytes. */
export const COLUMN_FORMAT = 1

const MAGIC = Buffer.from('MCCOLS\n1')
const HASH_BYTES = 32
const TAIL_BYTES = 4 + HASH_BYTES + MAGIC.length
const VALUE_BYTES = 8

/** What the columns of a chunk are, in their order in the file. */
type ColumnKind = 'bars' | 'trades' | 'quotes'

const COLUMNS = {
  bars: ['openTime', 'open', 'high', 'low', 'close', 'volume'],
  trades: ['time', 'price'],
  quotes: ['time', 'price', 'bid', 'ask'],
} as const

/** Columns of doubles; all others are fp9. */
const DOUBLES: readonly string[] = ['openTime', 'time', 'volume']

/** A source as it was when its columns were written. */
export interface SourceState {
  /** Bytes. */
  readonly size: number
  /** When it was written and when anything about it was changed, ns since 1970, as text. */
  readonly modified: string
  readonly changed: string
  /** Of its bytes, hexadecimal. */
  readonly sha256: string
}

/** The state of the reading when a chunk was given: rows, skipped, gaps, missing bars, and the largest gap. */
type Counts = readonly [
  rows: number,
  skipped: number,
  gaps: number,
  missing: number,
  from: number,
  to: number,
]

interface ChunkPlace {
  /** Where it begins in the file. */
  readonly at: number
  readonly rows: number
  readonly sha256: string
  readonly counts: Counts
}

/** What a file of columns says of itself. */
export interface ColumnIndex {
  readonly columns: ColumnKind
  readonly format: FeedFormat | null
  readonly intervalMs: number | null
  readonly chunks: readonly ChunkPlace[]
  readonly end: Counts
  readonly firstSkipped: readonly SkippedRow[]
  readonly sources: readonly SourceState[]
  /** Epoch ms, before the sources were looked at. */
  readonly begun: number
}

/** Writes the chunks of one iteration, then the index. */
export class ColumnFileWriter {
  readonly #file: FileHandle
  readonly #chunks: ChunkPlace[] = []
  #columns: ColumnKind
  #at = MAGIC.length

  constructor(file: FileHandle, kind: Feed['kind']) {
    this.#file = file
    this.#columns = kind === 'bars' ? 'bars' : 'trades'
  }

  async begin(): Promise<void> {
    await this.#file.write(MAGIC)
  }

  /** @param summary the state of the reading after this chunk. */
  async add(chunk: BarColumns | TickColumns, summary: FeedSummary): Promise<void> {
    if ('bid' in chunk) this.#columns = 'quotes'
    const [at, hash] = [this.#at, createHash('sha256')]
    for (const bytes of bytesOf(chunk, this.#columns)) {
      hash.update(bytes)
      await this.#file.write(bytes)
      this.#at += bytes.length
    }
    this.#chunks.push({ at, rows: chunk.length, sha256: hash.digest('hex'), counts: countsOf(summary) })
  }

  async end(
    summary: FeedSummary,
    index: Pick<ColumnIndex, 'format' | 'intervalMs' | 'sources' | 'begun'>,
  ): Promise<void> {
    const whole: ColumnIndex = {
      ...index,
      columns: this.#columns,
      chunks: this.#chunks,
      end: countsOf(summary),
      firstSkipped: summary.firstSkipped,
    }
    const json = Buffer.from(JSON.stringify(whole))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(json.length)
    await this.#file.write(Buffer.concat([json, length, createHash('sha256').update(json).digest(), MAGIC]))
  }
}

/** The index of a file; `null` for anything but a whole file of columns. */
export async function readIndex(file: FileHandle): Promise<ColumnIndex | null> {
  const { size } = await file.stat()
  if (size < MAGIC.length + TAIL_BYTES) return null
  const tail = await bytesAt(file, size - TAIL_BYTES, TAIL_BYTES)
  const length = tail.readUInt32LE(0)
  const at = size - TAIL_BYTES - length
  if (!tail.subarray(4 + HASH_BYTES).equals(MAGIC) || at < MAGIC.length) return null
  const json = await bytesAt(file, at, length)
  if (
    !createHash('sha256')
      .update(json)
      .digest()
      .equals(tail.subarray(4, 4 + HASH_BYTES))
  )
    return null
  return JSON.parse(json.toString()) as ColumnIndex
}

/** The chunk of that number; `null` where its bytes are not what was written. */
export async function readChunk(
  file: FileHandle,
  index: ColumnIndex,
  number: number,
): Promise<BarColumns | TickColumns | null> {
  const { at, rows, sha256 } = index.chunks[number] as ChunkPlace
  const names = COLUMNS[index.columns]
  const bytes = await bytesAt(file, at, rows * names.length * VALUE_BYTES)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return null
  const columns: Record<string, Float64Array | BigInt64Array> = {}
  for (const [column, name] of names.entries()) {
    const Values = DOUBLES.includes(name) ? Float64Array : BigInt64Array
    columns[name] = new Values(
      bytes.buffer as ArrayBuffer,
      bytes.byteOffset + column * rows * VALUE_BYTES,
      rows,
    )
  }
  // What the kind names, and nothing else: the compiler sees a record of names.
  return { length: rows, ...columns } as unknown as BarColumns | TickColumns
}

/** What the summary of the feed was when it gave that chunk; after the last one, what it ended with. */
export function summaryAt(index: ColumnIndex, number: number): FeedSummary {
  const [rows, skipped, gaps, missingBars, from, to] = index.chunks[number]?.counts ?? index.end
  return {
    rows,
    skipped,
    firstSkipped: index.firstSkipped.slice(0, skipped),
    gaps,
    missingBars,
    largestGap: to > from ? { from, to } : null,
  }
}

function countsOf({ rows, skipped, gaps, missingBars, largestGap }: FeedSummary): Counts {
  return [rows, skipped, gaps, missingBars, largestGap?.from ?? 0, largestGap?.to ?? 0]
}

function bytesOf(chunk: BarColumns | TickColumns, kind: ColumnKind): Uint8Array[] {
  // By name, which the types of chunks are not.
  const columns = chunk as unknown as Record<string, Float64Array | BigInt64Array>
  return COLUMNS[kind].map((name) => {
    const { buffer, byteOffset, byteLength } = columns[name] as Float64Array | BigInt64Array
    return new Uint8Array(buffer, byteOffset, byteLength)
  })
}

/** Fewer where the file ends before. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(length))
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
