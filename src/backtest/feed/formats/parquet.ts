/**
 * Parquet files, a row group at a time. Needs hyparquet, and reads what it and Node can unpack: uncompressed, Snappy,
 * GZIP and Brotli, and Zstandard on Node 22.15 and later. Prices may be doubles (their shortest decimal is taken), 32-bit
 * floats, whole numbers, decimals of at most 15 digits, or text.
 */
import type { SchemaElement } from 'hyparquet'
import { CellTime } from '../cellTime.ts'
import type { ColumnWriter } from '../columnWriter.ts'
import { fp9OfDouble, fp9OfText, widenedFloat } from '../decimalText.ts'
import { FeedError } from '../feedError.ts'
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import type { TimeZone } from '../timeZone.ts'
import { type Columns, columnName, columnsNamed, mappedColumns } from './csv.ts'
import { zoneOf } from './delimitedReader.ts'
import { type Group, ParquetFile } from './parquetFile.ts'
import { type Hyparquet, loadHyparquet } from './parquetLibrary.ts'
import { ColumnCells } from './parquetPages.ts'

const EXACT_DIGITS = 15

export async function parquetReader(head: Head, options: ReadingOptions): Promise<Reader | undefined> {
  if (head.bytes.toString('latin1', 0, 4) !== 'PAR1') return undefined
  const { path, sealed } = head.source
  const zone = zoneOf(head, options.timeZone ?? 'UTC')
  if (sealed) throw new FeedError(path, null, 'Parquet inside an archive is not read; unpack it first')
  const hyparquet = await loadHyparquet(path)
  const file = await opened(path, hyparquet)
  const { elements } = file
  await file.close()
  const names = elements.map((element) => element.name)
  const columns = options.columns
    ? mappedColumns(head, names, true, options.columns)
    : columnsNamed(names.map(columnName))
  if (columns === undefined) {
    throw new FeedError(
      path,
      null,
      `the columns (${names.join(', ')}) are not known; name them time, open, high, low, close, or in the option columns of a program`,
    )
  }
  return {
    format: 'parquet',
    kind: columns.kind,
    intervalMs: null,
    rows: (writer) => {
      const cells = cellsOf(path, options, zone, elements, columns)
      return parquetRows(path, hyparquet, columns, cells, writer)
    },
  }
}

/** How the cells of the columns in use are converted. */
interface Cells {
  readonly time: (cell: unknown) => number
  readonly prices: readonly ((cell: unknown) => bigint)[]
}

async function* parquetRows(
  path: string,
  hyparquet: Hyparquet,
  columns: Columns,
  cells: Cells,
  writer: ColumnWriter,
): AsyncGenerator<void> {
  const file = await opened(path, hyparquet)
  let line = 0
  try {
    for (const group of groupsOf(path, file, columns)) {
      const read = await readGroup(hyparquet, file, group).catch((cause) => unreadable(path, line + 1, cause))
      const row: unknown[] = read.map(() => null)
      for (let index = 0; index < group.rows; index++) {
        line += 1
        try {
          for (const [column, pages] of read.entries()) row[column] = pages.next()
        } catch (cause) {
          unreadable(path, line, cause)
        }
        writeRow(row, cells, writer, path, line)
        if (writer.full) yield
      }
    }
  } finally {
    await file.close()
  }
}

function groupsOf(path: string, file: ParquetFile, { time, prices, volume }: Columns): Group[] {
  try {
    return file.groups([time, ...prices, ...(volume === undefined ? [] : [volume])])
  } catch (cause) {
    return damaged(path, cause)
  }
}

function readGroup(hyparquet: Hyparquet, file: ParquetFile, { rows, chunks }: Group): Promise<ColumnCells[]> {
  return Promise.all(
    chunks.map(async (chunk) => new ColumnCells(hyparquet, await file.read(chunk), chunk, rows)),
  )
}

/** A row as it was read: its time, its prices, and its volume where there is one. */
function writeRow(
  row: readonly unknown[],
  cells: Cells,
  writer: ColumnWriter,
  path: string,
  line: number,
): void {
  try {
    const time = cells.time(row[0])
    for (const [slot, price] of cells.prices.entries()) writer.setWidePrice(slot, price(row[1 + slot]))
    if (writer.kind !== 'bars') writer.addTick(time, path, line)
    else writer.addBar(time, row.length > 5 ? volumeOf(row[5]) : 0, path, line)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    writer.report.refuse(path, line, cause.message)
  }
}

async function opened(path: string, hyparquet: Hyparquet): Promise<ParquetFile> {
  return ParquetFile.open(path, hyparquet).catch((cause) => damaged(path, cause))
}

function damaged(path: string, cause: unknown): never {
  const { message } = cause as Error
  throw new FeedError(path, null, `the Parquet file is damaged or was cut off (${message})`, { cause })
}

function unreadable(path: string, line: number, cause: unknown): never {
  const { message } = cause as Error
  throw new FeedError(path, line, `the row group cannot be read (${message})`, { cause })
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
