/** Opening market data: finds the format of a file and makes a feed of one or several. */
import { openByteSource } from './byteSource.ts'
import type { BarColumns, TickColumns } from './columns.ts'
import { ColumnWriter } from './columnWriter.ts'
import type { Feed } from './feed.ts'
import { FeedError } from './feedError.ts'
import { dataFilesOf, leftOutNote } from './folder.ts'
import { binanceCaptureReader } from './formats/binanceCapture.ts'
import { binanceCsvReader } from './formats/binanceCsv.ts'
import { csvReader } from './formats/csv.ts'
import { featherReader } from './formats/feather.ts'
import { jsonReader } from './formats/json.ts'
import { leanReader } from './formats/lean.ts'
import { mtGoxReader } from './formats/mtgox.ts'
import { parquetReader } from './formats/parquet.ts'
import { type FeedFormat, type OpenReader, type Reader, type ReadingOptions, readHead } from './reader.ts'
import { RowReport } from './rowReport.ts'

/** What to open and how to read it. */
export interface FeedOptions extends ReadingOptions {
  /**
   * A file, or several files of the same kind in the order of their time, or a folder: its files in the order of their
   * names. Files may be plain, gzip, or a ZIP with one file inside.
   */
  readonly path: string | readonly string[]
  /** `auto` (default): by name and content. Anything else: refuse a file that is not of this format. */
  readonly format?: FeedFormat | 'auto'
  /** What a bad row does: end the reading with a `FeedError` (`fail`, default), or be counted and left out (`skip`). */
  readonly onBadRow?: 'fail' | 'skip'
  /** How far apart bars open, in ms. Default: what the format says, else the commonest step of the first 256 rows. */
  readonly intervalMs?: number
  /** Rows per chunk. Default 8192. */
  readonly chunkRows?: number
}

/** In the order in which they are asked; the formats with the surest marks come first. */
const READERS: readonly OpenReader[] = [
  parquetReader,
  featherReader,
  jsonReader,
  binanceCaptureReader,
  leanReader,
  mtGoxReader,
  binanceCsvReader,
  csvReader,
]

const CHUNK_ROWS = 8192
const PROBED_ROWS = 256

/**
 * Opens a feed and reads enough of its files to know what they hold, and that they hold the same: a run that ends within the first
 * is told of the others too. The rest is read while the feed is iterated, a chunk at a time, so that the data may be larger than
 * memory (JSON documents excepted).
 *
 * ```ts
 * const { writeFile } = await import('node:fs/promises')
 * await writeFile(`${directory}/bars.csv`, 'time,open,high,low,close,volume\n1767225600000,100,101,99,100,1\n1767225660000,100,102,99,101,2\n')
 * const feed = await openFeed({ path: `${directory}/bars.csv` })
 * feed.kind // → bars
 * ```
 *
 * @throws FeedError for a file that cannot be opened or is of no readable format, with the reason, and for one of another kind, format
 *   or interval than the first. Iterating throws one for the first bad row (unless those are skipped) and for damaged packing.
 * @throws RangeError for `chunkRows` that is no whole number from 1 up.
 */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { chunkRows = CHUNK_ROWS } = options
  if (!Number.isInteger(chunkRows) || chunkRows < 1)
    throw new RangeError(`chunkRows must be 1 or more, not ${chunkRows}`)
  const found = await dataFilesOf(options.path)
  const { files } = found
  const [file] = files
  if (file === undefined) throw new FeedError(String(options.path), null, 'there is no file to read')
  const first = await openReader(file, options)
  let report = new RowReport('fail')
  const note = leftOutNote(options.path, found)
  const properties = {
    sources: files,
    format: first.format,
    ...(note !== null && { note }),
    summary: () => report.summary(),
  }
  if (first.kind === 'bars') {
    const intervalMs =
      options.intervalMs ?? first.intervalMs ?? (await commonestStep(first, options.onBadRow ?? 'fail'))
    await mustBeAlike(files, { ...first, intervalMs }, options)
    return {
      ...properties,
      kind: 'bars',
      intervalMs,
      [Symbol.asyncIterator]() {
        report = new RowReport(options.onBadRow ?? 'fail')
        const writer = new ColumnWriter('bars', chunkRows, report, intervalMs)
        return chunks(files, { ...first, intervalMs }, options, writer, () => writer.takeBars())
      },
    }
  }
  await mustBeAlike(files, first, options)
  return {
    ...properties,
    kind: 'ticks',
    [Symbol.asyncIterator]() {
      report = new RowReport(options.onBadRow ?? 'fail')
      const writer = new ColumnWriter(first.kind, chunkRows, report, null)
      return chunks(files, first, options, writer, () => writer.takeTicks())
    },
  }
}

async function* chunks<Columns extends BarColumns | TickColumns>(
  files: readonly string[],
  first: Reader,
  options: FeedOptions,
  writer: ColumnWriter,
  take: () => Columns,
): AsyncGenerator<Columns> {
  for (const [index, file] of files.entries()) {
    const reader = index === 0 ? first : await openReader(file, options)
    mustBeOfKind(file, reader, first)
    for await (const _ of reader.rows(writer)) yield take()
  }
  if (writer.length > 0) yield take()
}

/** @throws FeedError for a file of another kind, format or interval than the first. */
async function mustBeAlike(files: readonly string[], first: Reader, options: FeedOptions): Promise<void> {
  for (const file of files.slice(1)) {
    const reader = await openReader(file, options)
    mustBeOfKind(file, reader, first)
    if (reader.kind === 'bars') await mustBeApart(file, reader, first.intervalMs)
  }
}

/** @throws FeedError for a file that holds something else than the first. */
function mustBeOfKind(file: string, reader: Reader, first: Reader): void {
  if (reader.kind === first.kind && reader.format === first.format) return
  const reason = `the file holds ${reader.kind} (${reader.format}), those before it ${first.kind} (${first.format})`
  throw new FeedError(file, null, reason)
}

/** Fewer bars than these may be apart by a gap. */
const TELLING_ROWS = 10

/** @throws FeedError for a file whose bars are of another interval than those before it. */
async function mustBeApart(file: string, reader: Reader, intervalMs: number | null): Promise<void> {
  const bars = await firstBars(reader, 'skip')
  const own = reader.intervalMs ?? (bars.length < TELLING_ROWS ? null : stepOf(bars))
  if (own === null || intervalMs === null || own === intervalMs) return
  const [here, before] = [own, intervalMs].map((ms) => `${ms / 1_000} s`)
  throw new FeedError(
    file,
    null,
    `its bars are ${here} apart, those of the files before it ${before}: give files of one interval`,
  )
}

async function openReader(file: string, options: FeedOptions): Promise<Reader> {
  const head = await readHead(await openByteSource(file))
  if (head.bytes.length === 0) throw new FeedError(file, null, 'the file is empty')
  for (const open of READERS) {
    const reader = await open(head, options)
    if (reader === undefined) continue
    if (options.format === undefined || options.format === 'auto' || options.format === reader.format)
      return reader
    throw new FeedError(file, null, `the file is ${reader.format}, not ${options.format}`)
  }
  throw new FeedError(
    file,
    null,
    'it holds no prices of a known format; delimited text needs a first line that names time, open, high, low and close, or bid and ask, or price',
  )
}

/**
 * The commonest step between the first bars, the smaller of two equally common ones; `null` for a single bar.
 *
 * @throws FeedError where too few good rows are left because of a bad one that is not to be skipped.
 */
async function commonestStep(reader: Reader, onBadRow: 'fail' | 'skip'): Promise<number | null> {
  const bars = await firstBars(reader, 'skip')
  if (bars.length < 2) await firstBars(reader, onBadRow)
  return stepOf(bars)
}

function stepOf({ length, openTime }: BarColumns): number | null {
  const counts = new Map<number, number>()
  for (let row = 1; row < length; row++) {
    const step = (openTime[row] as number) - (openTime[row - 1] as number)
    counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  let commonest: number | null = null
  for (const [step, count] of counts) {
    const best = commonest === null ? 0 : (counts.get(commonest) ?? 0)
    if (commonest === null || count > best || (count === best && step < commonest)) commonest = step
  }
  return commonest
}

async function firstBars(reader: Reader, onBadRow: 'fail' | 'skip'): Promise<BarColumns> {
  const writer = new ColumnWriter('bars', PROBED_ROWS, new RowReport(onBadRow), null)
  for await (const _ of reader.rows(writer)) break
  return writer.takeBars()
}
