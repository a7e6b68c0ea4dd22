/**
 * Parquet files, a row group at a time. Needs hyparquet, and reads what it and Node can unpack: uncompressed, Snappy,
 * GZIP and Brotli, and Zstandard on Node 22.15 and later. Prices may be doubles (their shortest decimal is taken), 32-bit
 * floats, whole numbers, decimals of at most 15 digits, or text.
 */
import zlib from 'node:zlib'
import type { AsyncBuffer, Compressors, FileMetaData, ParquetParsers, SchemaElement } from 'hyparquet'
import { CellTime } from '../cellTime.ts'
import type { ColumnWriter } from '../columnWriter.ts'
import { fp9OfDouble, fp9OfText, widenedFloat } from '../decimalText.ts'
import { FeedError } from '../feedError.ts'
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import type { TimeZone } from '../timeZone.ts'
import { type Columns, columnName, columnsNamed, mappedColumns } from './csv.ts'
import { zoneOf } from './delimitedReader.ts'

type Hyparquet = typeof import('hyparquet')

const EXACT_DIGITS = 15
const DAY_MS = 86_400_000

export async function parquetReader(head: Head, options: ReadingOptions): Promise<Reader | undefined> {
  if (head.bytes.toString('latin1', 0, 4) !== 'PAR1') return undefined
  const { path, sealed } = head.source
  const zone = zoneOf(head, options.timeZone ?? 'UTC')
  if (sealed) throw new FeedError(path, null, 'Parquet inside an archive is not read; unpack it first')
  const hyparquet = await loadHyparquet(path)
  const file = await hyparquet.asyncBufferFromFile(path)
  const metadata = await hyparquet.parquetMetadataAsync(file).catch((cause: Error) => {
    throw new FeedError(path, null, `the Parquet file is damaged or was cut off (${cause.message})`, {
      cause,
    })
  })
  const elements = hyparquet.parquetSchema(metadata).children.map((child) => child.element)
  const names = elements.map((element) => element.name)
  const columns = options.columns
    ? mappedColumns(head, names, true, options.columns)
    : columnsNamed(names.map(columnName))
  if (columns === undefined) {
    throw new FeedError(
      path,
      null,
      `the columns (${names.join(', ')}) are not known; name them with the option columns`,
    )
  }
  return {
    format: 'parquet',
    kind: columns.kind,
    intervalMs: null,
    rows: (writer) => {
      const cells = cellsOf(path, options, zone, elements, columns)
      return parquetRows(path, hyparquet, file, metadata, names, columns, cells, writer)
    },
  }
}

async function loadHyparquet(path: string): Promise<Hyparquet> {
  try {
    return await import('hyparquet')
  } catch (cause) {
    throw new FeedError(path, null, 'reading Parquet needs the package hyparquet', { cause })
  }
}

/** Times as milliseconds instead of hyparquet's `Date`, which costs an object per row. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros) => Number(BigInt(micros) / 1000n),
  timestampFromNanoseconds: (nanos) => Number(BigInt(nanos) / 1_000_000n),
  dateFromDays: (days) => days * DAY_MS,
}

const compressors: Compressors = {
  GZIP: (input) => zlib.gunzipSync(input),
  BROTLI: (input) => zlib.brotliDecompressSync(input),
  ...('zstdDecompressSync' in zlib && {
    ZSTD: zlib.zstdDecompressSync as (input: Uint8Array) => Uint8Array,
  }),
}

/** How the cells of the columns in use are converted. */
interface Cells {
  readonly time: (cell: unknown) => number
  readonly prices: readonly ((cell: unknown) => bigint)[]
}

async function* parquetRows(
  path: string,
  hyparquet: Hyparquet,
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  columns: Columns,
  cells: Cells,
  writer: ColumnWriter,
): AsyncGenerator<void> {
  const wanted = [columns.time, ...columns.prices, ...(columns.volume === undefined ? [] : [columns.volume])]
  const wantedNames = wanted.map((index) => names[index] as string)
  let line = 0
  // Without a filter the ranges of a scan are the row groups.
  const scan = await hyparquet.parquetScan({ file, metadata, columns: wantedNames, parsers, compressors })
  for (const range of scan.ranges) {
    const data = await Promise.all(wantedNames.map((column) => scan.readColumn({ column, ...range }))).catch(
      (cause: Error) => {
        throw new FeedError(path, line + 1, `the row group cannot be read (${cause.message})`, { cause })
      },
    )
    const [times, ...values] = data
    for (let row = 0; row < range.rowEnd - range.rowStart; row++) {
      line += 1
      try {
        const time = cells.time(times?.[row])
        for (const [slot, price] of cells.prices.entries())
          writer.setWidePrice(slot, price(values[slot]?.[row]))
        if (writer.kind !== 'bars') writer.addTick(time, path, line)
        else writer.addBar(time, columns.volume === undefined ? 0 : volumeOf(values[4]?.[row]), path, line)
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause
        writer.report.refuse(path, line, cause.message)
      }
      if (writer.full) yield
    }
  }
}

function cellsOf(
  path: string,
  options: ReadingOptions,
  zone: TimeZone,
  elements: readonly SchemaElement[],
  columns: Columns,
): Cells {
  return {
    time: timeOf(elements[columns.time] as SchemaElement, new CellTime(options.timeUnit ?? null, zone), zone),
    prices: columns.prices.map((index) => priceOf(path, elements[index] as SchemaElement, options)),
  }
}

/** Timestamps come as milliseconds; those that are not in UTC are wall-clock times of the file's zone. */
function timeOf(element: SchemaElement, text: CellTime, zone: TimeZone): (cell: unknown) => number {
  const { logical_type: logical, converted_type: converted, type } = element
  const isTimestamp = logical?.type === 'TIMESTAMP' || logical?.type === 'DATE' || type === 'INT96'
  const isConverted = converted === 'DATE' || converted?.startsWith('TIMESTAMP') === true
  const isUtc = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : isConverted && converted !== 'DATE'
  return (cell) => {
    if (cell === null || cell === undefined) throw new RangeError('the time is missing')
    if ((!isTimestamp && !isConverted) || typeof cell !== 'number') return text.read(String(cell))
    return isUtc ? cell : zone.toUtc(cell)
  }
}

function priceOf(path: string, element: SchemaElement, options: ReadingOptions): (cell: unknown) => bigint {
  const { name, type, converted_type: converted, scale = 0, precision = 0 } = element
  const isDecimal = converted === 'DECIMAL' || element.logical_type?.type === 'DECIMAL'
  if (isDecimal && precision > EXACT_DIGITS) {
    const reason = `${name} is a decimal of ${precision} digits, of which no more than ${EXACT_DIGITS} are read exactly`
    throw new FeedError(path, null, `${reason}; convert it to text`)
  }
  return (cell) => {
    if (typeof cell === 'bigint') return fp9OfText(cell.toString())
    if (typeof cell === 'string') return fp9OfText(cell, options.excessDecimals ?? 'refuse')
    if (typeof cell !== 'number') throw new RangeError(`${name} is missing or no number`)
    if (isDecimal) return fp9OfText(cell.toFixed(scale), options.excessDecimals ?? 'refuse')
    return fp9OfDouble(type === 'FLOAT' ? widenedFloat(cell) : cell)
  }
}

function volumeOf(cell: unknown): number {
  return cell === null || cell === undefined || cell === '' ? Number.NaN : Number(cell)
}
