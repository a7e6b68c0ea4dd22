/**
 * Delimited text that names its columns in a header, or whose columns the caller names, or that has the customary
 * order: `time,open,high,low,close[,volume]`.
 */
import type { RowKind } from '../columnWriter.ts'
import type { DelimitedLayout } from '../delimitedRows.ts'
import { FeedError } from '../feedError.ts'
import type { ColumnMap, FeedFormat, Head, Reader, ReadingOptions } from '../reader.ts'
import { unitOf } from '../rowTime.ts'
import { delimitedReader } from './delimitedReader.ts'
import { withoutQuotes } from './quotedCsv.ts'

/** Names under which columns are published, in lower case and without anything but letters and digits. */
const COLUMN_NAMES = {
  time: [
    'opentimems',
    'opentime',
    'timestampms',
    'timestamp',
    'timems',
    'time',
    'datetimeutc',
    'datetime',
    'date',
    'transacttime',
    'transactiontime',
    'createdtime',
    'tradetime',
    'unix',
    'ts',
  ],
  open: ['open', 'o', 'openprice'],
  high: ['high', 'h', 'highprice', 'max'],
  low: ['low', 'l', 'lowprice', 'min'],
  close: ['close', 'c', 'closeprice'],
  volume: ['volume', 'vol', 'v', 'basevolume'],
  bid: ['bid', 'bidprice', 'bestbidprice', 'bidpx'],
  ask: ['ask', 'askprice', 'bestaskprice', 'askpx', 'offer'],
  price: ['price', 'px', 'tradeprice', 'last'],
} as const

type Field = keyof typeof COLUMN_NAMES

const DELIMITERS = [',', ';', '\t', '|'] as const

/** A row of text in its fields. */
export interface SplitLine {
  readonly delimiter: string
  readonly fields: readonly string[]
}

/** @returns `undefined` for a line that no delimiter splits. */
export function splitLine(line: string | undefined): SplitLine | undefined {
  if (line === undefined) return undefined
  const delimiter = DELIMITERS.find((candidate) => line.includes(candidate))
  return delimiter === undefined ? undefined : { delimiter, fields: line.split(delimiter) }
}

/** The plain name of a column: `Open Time (ms)` is `opentimems`. */
export function columnName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Whether a line is a header: its first field holds a letter and is no timestamp. */
export function isHeader(line: SplitLine): boolean {
  return /^["']?[^0-9+-.]*[A-Za-z]/.test(line.fields[0] ?? '')
}

/** Reads delimited text; see the head of this file. */
export async function csvReader(head: Head, options: ReadingOptions): Promise<Reader | undefined> {
  if (head.lines.slice(0, 5).some((line) => line.includes('"'))) {
    const plain = await withoutQuotes(head)
    return plain === undefined ? undefined : csvReader(plain, options)
  }
  const first = splitLine(head.lines[0])
  if (first === undefined) return undefined
  const hasHeader = isHeader(first)
  const mapped =
    options.columns !== undefined
      ? mappedColumns(head, first.fields, hasHeader, options.columns)
      : hasHeader
        ? namedColumns(head, first)
        : customaryColumns(head, first)
  if (mapped === undefined) return undefined
  const { format = 'csv', kind, ...columns } = mapped
  const layout = { ...columns, delimiter: first.delimiter, hasHeader, columns: first.fields.length }
  return delimitedReader(head, options, { format, kind, layout })
}

/** What a table's columns are, by number from 0. */
export type Columns = Pick<DelimitedLayout, 'time' | 'prices' | 'volume'> & {
  readonly kind: RowKind
  readonly format?: FeedFormat
}

function namedColumns(head: Head, header: SplitLine): Columns | undefined {
  const names = header.fields.map(columnName)
  if (names.some((name) => name.endsWith('fundingrate'))) {
    throw new FeedError(
      head.source.path,
      null,
      'the file holds funding rates; they are given as --funding, or to readFunding',
    )
  }
  const columns = columnsNamed(names)
  if (columns !== undefined) return columns
  throw new FeedError(
    head.source.path,
    1,
    `the header (${header.fields.join(', ').slice(0, 120)}) names no time with open, high, low, close, or bid, ask, or price; ` +
      'name them so in the header, or in the option columns of a program',
  )
}

/** The columns behind plain names, see {@link columnName}; `undefined` where they make no bars, quotes or trades. */
export function columnsNamed(names: readonly string[]): Columns | undefined {
  return columnsOf((field) => {
    const name = COLUMN_NAMES[field].find((candidate) => names.includes(candidate))
    return name === undefined ? -1 : names.indexOf(name)
  })
}

/** Bars, else quotes, else trades, as far as `column` knows their fields (-1 where not). */
function columnsOf(column: (field: Field) => number): Columns | undefined {
  const time = column('time')
  const bar = [column('open'), column('high'), column('low'), column('close')]
  const quote = [column('bid'), column('ask')]
  const price = column('price')
  if (time < 0) return undefined
  if (bar.every((index) => index >= 0)) {
    const volume = column('volume')
    return { kind: 'bars', time, prices: bar, ...(volume >= 0 && { volume }) }
  }
  if (quote.every((index) => index >= 0)) return { kind: 'quotes', time, prices: quote }
  return price >= 0 ? { kind: 'trades', time, prices: [price] } : undefined
}

/**
 * The columns that the caller names.
 *
 * @throws FeedError for a name or number that the file does not have.
 */
export function mappedColumns(
  head: Head,
  names: readonly string[],
  hasHeader: boolean,
  map: ColumnMap,
): Columns | undefined {
  return columnsOf((field) => {
    const wanted = (map as Partial<Record<Field, string | number>>)[field]
    if (wanted === undefined) return -1
    const index = typeof wanted === 'number' ? wanted : hasHeader ? names.indexOf(wanted) : -1
    if (index >= 0 && index < names.length) return index
    throw new FeedError(head.source.path, 1, `there is no column ${wanted} for ${field}`)
  })
}

function customaryColumns(head: Head, first: SplitLine): Columns | undefined {
  const { fields, delimiter } = first
  const [time = ''] = fields
  if (!fields.slice(1).every((field) => /^-?[0-9.]+(e[+-]?\d+)?$/i.test(field))) return undefined
  if (fields.length === 2 && /^\d{8} /.test(time)) {
    throw new FeedError(
      head.source.path,
      null,
      'the rows look like funding rates; they are given as --funding, or to readFunding',
    )
  }
  if (fields.length === 3 && unitOf(Number(time)) === 's') {
    return { format: 'bitstamp-trades', kind: 'trades', time: 0, prices: [1] }
  }
  if (fields.length !== 5 && fields.length !== 6) return undefined
  const format = delimiter === ';' && /^\d{8} \d{6}$/.test(time) ? 'ninjatrader' : 'csv'
  return { format, kind: 'bars', time: 0, prices: [1, 2, 3, 4], ...(fields.length === 6 && { volume: 5 }) }
}
