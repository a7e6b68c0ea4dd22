/**
 * JSON market data, one document per file: arrays of objects (`{"timestamp":…,"open":…}`, `{"timestamp":…,"askPrice":…,
 * "bidPrice":…}`), arrays of arrays (`[time, open, high, low, close, volume]`), and Dukascopy's wire format, which
 * codes times and prices as differences. The document is read whole, as such files cover an hour or a few days.
 */
import type { ByteSource } from '../byteSource.ts'
import { CellTime } from '../cellTime.ts'
import type { ColumnWriter, RowKind } from '../columnWriter.ts'
import { type ExcessDecimals, fp9OfText } from '../decimalText.ts'
import { FeedError } from '../feedError.ts'
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import type { TimeZone } from '../timeZone.ts'
import { type Columns, columnName, columnsNamed } from './csv.ts'
import { zoneOf } from './delimitedReader.ts'

const LARGEST_DOCUMENT = 1 << 28
const OPENING_BRACKET = 91
const OPENING_BRACE = 123

/** A number keeps its text, which `JSON.parse` would turn into a double. */
type Json = string | null | boolean | Json[] | { [key: string]: Json }

/** One row: the time as text, its prices in the order of the kind, and the volume of a bar. */
interface JsonRow {
  readonly time: string
  readonly prices: readonly (string | bigint)[]
  readonly volume: string
}

interface JsonRows {
  readonly kind: RowKind
  readonly intervalMs: number | null
  readonly rows: () => Iterable<JsonRow>
}

export async function jsonReader(head: Head, options: ReadingOptions): Promise<Reader | undefined> {
  const first = head.bytes.find((byte) => byte > 32)
  if (first !== OPENING_BRACKET && first !== OPENING_BRACE) return undefined
  const { path } = head.source
  const document = await readDocument(head.source)
  const isDelta = first === OPENING_BRACE
  const zone = zoneOf(head, options.timeZone ?? 'UTC')
  const table = isDelta ? deltaCoded(path, document) : listed(document)
  if (table === undefined)
    throw new FeedError(path, null, 'the JSON holds neither candles nor quotes nor trades')
  const { kind, intervalMs, rows } = table
  return {
    format: isDelta ? 'dukascopy' : 'json',
    kind,
    intervalMs,
    rows: (writer) => writeRows(path, zone, rows(), options, writer),
  }
}

async function readDocument(source: ByteSource): Promise<Json> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source.bytes()) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > LARGEST_DOCUMENT) {
      throw new FeedError(
        source.path,
        null,
        'a JSON document of more than 256 MiB is not read; convert it to CSV',
      )
    }
  }
  // No string of these formats holds a number behind a colon, comma or bracket, so every match is a JSON number.
  const quoted = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/([:,[]\s*)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,\]}])/g, '$1"$2"')
  try {
    return JSON.parse(quoted) as Json
  } catch (cause) {
    throw new FeedError(source.path, null, `the JSON is broken (${(cause as Error).message})`, { cause })
  }
}

async function* writeRows(
  path: string,
  zone: TimeZone,
  rows: Iterable<JsonRow>,
  options: ReadingOptions,
  writer: ColumnWriter,
): AsyncGenerator<void> {
  const time = new CellTime(options.timeUnit ?? null, zone)
  let number = 0
  for (const row of rows) {
    number += 1
    try {
      const at = time.read(row.time)
      for (const [slot, price] of row.prices.entries()) {
        writer.setWidePrice(slot, priceOf(price, options.excessDecimals ?? 'refuse'))
      }
      if (writer.kind === 'bars')
        writer.addBar(at, row.volume === '' ? Number.NaN : Number(row.volume), path, number)
      else writer.addTick(at, path, number)
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      writer.report.refuse(path, number, cause.message)
    }
    if (writer.full) yield
  }
}

function priceOf(price: string | bigint, excess: ExcessDecimals): bigint {
  return typeof price === 'bigint' ? price : fp9OfText(price, excess)
}

function listed(document: Json): JsonRows | undefined {
  if (!Array.isArray(document)) return undefined
  const [first] = document
  if (Array.isArray(first)) {
    if (first.length < 5) return undefined
    return { kind: 'bars', intervalMs: null, rows: () => fromArrays(document) }
  }
  if (first === null || typeof first !== 'object') return undefined
  const keys = Object.keys(first)
  const columns = columnsNamed(keys.map(columnName))
  if (columns === undefined) return undefined
  return { kind: columns.kind, intervalMs: null, rows: () => fromObjects(document, keys, columns) }
}

function* fromArrays(document: readonly Json[]): Generator<JsonRow> {
  for (const row of document) {
    const [time, open, high, low, close, volume = '0'] = (Array.isArray(row) ? row : []).map(textOf)
    yield { time: time ?? '', prices: [open ?? '', high ?? '', low ?? '', close ?? ''], volume }
  }
}

function* fromObjects(
  document: readonly Json[],
  keys: readonly string[],
  columns: Columns,
): Generator<JsonRow> {
  for (const row of document) {
    const record = row !== null && typeof row === 'object' && !Array.isArray(row) ? row : {}
    const text = (column: number | undefined) =>
      textOf(column === undefined ? '0' : record[keys[column] ?? ''])
    yield { time: text(columns.time), prices: columns.prices.map(text), volume: text(columns.volume) }
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Dukascopy's wire format: `times`, and `opens` … or `asks` and `bids`, are differences to the row before, in units of
 * `shift` milliseconds and of `multiplier`; the first row stands on `timestamp` and on `open` … or `ask` and `bid`.
 */
function deltaCoded(path: string, document: Json): JsonRows | undefined {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return undefined
  const isBars = document.opens !== undefined
  const fields = isBars ? ['open', 'high', 'low', 'close'] : ['bid', 'ask']
  const steps = [...fields.map((field) => document[`${field}s`]), document.times]
  if (!steps.every((list) => Array.isArray(list) && list.length === (document.times as Json[]).length))
    return undefined
  return {
    kind: isBars ? 'bars' : 'quotes',
    intervalMs: isBars ? Number(textOf(document.shift)) : null,
    rows: () => summedUp(path, document, fields),
  }
}

function* summedUp(
  path: string,
  document: { [key: string]: Json },
  fields: readonly string[],
): Generator<JsonRow> {
  const times = document.times as Json[]
  const differences = fields.map((field) => document[`${field}s`] as Json[])
  const volumes = document.volumes as Json[] | undefined
  let row = 0
  try {
    const multiplier = fp9OfText(textOf(document.multiplier))
    const shift = wholeNumber(document.shift ?? '1')
    const prices = fields.map((field) => fp9OfText(textOf(document[field])))
    let time = wholeNumber(document.timestamp)
    for (; row < times.length; row++) {
      time += wholeNumber(times[row]) * shift
      for (const [index, list] of differences.entries()) {
        prices[index] = (prices[index] as bigint) + wholeNumber(list[row]) * multiplier
      }
      yield { time: time.toString(), prices: [...prices], volume: textOf(volumes?.[row] ?? '0') }
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    // Every later row builds on this one, so it cannot be skipped.
    throw new FeedError(path, row + 1, cause.message, { cause })
  }
}

/** @throws RangeError for anything but a whole number. */
function wholeNumber(value: Json | undefined): bigint {
  const text = textOf(value)
  const match = /^(-?\d{1,20})(?:\.0+)?$/.exec(text)
  if (match === null) throw new RangeError(`"${text}" is not a whole number`)
  return BigInt(match[1] as string)
}
