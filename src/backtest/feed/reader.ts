/** What a format has to provide, and what it is told. */
import type { ByteSource } from './byteSource.ts'
import type { ColumnWriter, RowKind } from './columnWriter.ts'
import type { ExcessDecimals } from './decimalText.ts'
import type { TimeUnit } from './rowTime.ts'

/** The formats that can be read; `docs` and `openFeed` describe each. */
export type FeedFormat =
  | 'csv'
  | 'binance-klines'
  | 'binance-agg-trades'
  | 'binance-trades'
  | 'binance-capture'
  | 'bitstamp-trades'
  | 'mtgox-trades'
  | 'ninjatrader'
  | 'lean'
  | 'dukascopy'
  | 'json'
  | 'parquet'

/** Which column is what, by header name or by number from 0; bars, or quotes, or trades. */
export type ColumnMap = { readonly time: string | number } & (
  | {
      readonly open: string | number
      readonly high: string | number
      readonly low: string | number
      readonly close: string | number
      readonly volume?: string | number
    }
  | { readonly bid: string | number; readonly ask: string | number }
  | { readonly price: string | number }
)

/** The options of `openFeed` that concern the reading of one file. */
export interface ReadingOptions {
  readonly columns?: ColumnMap
  readonly timeUnit?: TimeUnit
  readonly timeZone?: string
  readonly priceDivisor?: number
  readonly excessDecimals?: ExcessDecimals
  readonly lastRow?: 'checked' | 'whole'
  readonly captureOf?: 'quotes' | 'trades'
}

/** The beginning of a data file. */
export interface Head {
  readonly source: ByteSource
  /** The first bytes, some 64 thousand or more; of a shorter file all. */
  readonly bytes: Buffer
  /** The first lines, without line ends and without empty ones. */
  readonly lines: readonly string[]
}

/** One file, ready to be read. */
export interface Reader {
  readonly format: FeedFormat
  readonly kind: RowKind
  /** Known from the format; `null` where only the rows tell. */
  readonly intervalMs: number | null
  /** Writes the rows, pausing each time the writer is full. */
  rows(writer: ColumnWriter): AsyncIterable<void>
}

/**
 * A format's way in.
 *
 * @returns `undefined` where the file is not of this format.
 * @throws FeedError where it is, but cannot be read.
 */
export type OpenReader = (
  head: Head,
  options: ReadingOptions,
) => Reader | undefined | Promise<Reader | undefined>

const HEAD_BYTES = 1 << 16
const LINES_KEPT = 50

/** @throws FeedError for damaged packing. */
export async function readHead(source: ByteSource): Promise<Head> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source.bytes()) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('latin1')
  // A line that the head cuts in two is left out; the only line of a file is not.
  const whole = length >= HEAD_BYTES && text.includes('\n') ? text.slice(0, text.lastIndexOf('\n')) : text
  return { source, bytes, lines: whole.split(/\r?\n/, LINES_KEPT).filter((line) => line !== '') }
}
