/** Funding rates by time. */
import { openByteSource } from './byteSource.ts'
import { type ExcessDecimals, fp9OfText } from './decimalText.ts'
import { FeedError } from './feedError.ts'
import { Fields } from './fields.ts'
import { dataFilesOf } from './folder.ts'
import { columnName, isHeader, type SplitLine, splitLine } from './formats/csv.ts'
import { readHead } from './reader.ts'
import { CivilTime, EpochTime, type RowTime } from './rowTime.ts'
import { TimeZone } from './timeZone.ts'
import { wholeLines } from './wholeLines.ts'

/**
 * The funding rates of a market, in ascending order of time, one per instant. A positive rate is paid by longs to
 * shorts. Times are UTC milliseconds, rates fp9 fractions of the notional per interval (`100000n` is 0.01 %).
 */
export interface FundingRates {
  /** Number of instants. */
  readonly length: number
  readonly time: Float64Array
  readonly rate: BigInt64Array
}

export interface FundingOptions {
  /** A file, or a folder: its files in the order of their names, each going on where the one before it ended. */
  readonly path: string
  /** Time zone of text timestamps; see `TimeZone`. Default `UTC`. */
  readonly timeZone?: string
  /** What rates with more than nine decimals become. Default `round`: venues publish them, and they are no prices. */
  readonly excessDecimals?: ExcessDecimals
  /**
   * Whether a last row without a line end is taken as it stands. `checked` (default): only where every rate of the file
   * has the same number of decimals, as then a row that was cut off would have fewer, or in a gzip or ZIP file.
   */
  readonly lastRow?: 'checked' | 'whole'
}

const HOUR_MS = 3_600_000
const JITTER_MS = 60_000
const TIME_NAMES = ['fundingtimems', 'fundingtime', 'calctime', 'timestamp', 'time', 'date']
const RATE_NAMES = ['fundingrate', 'lastfundingrate', 'rate']

/**
 * Moves the time of a funding event to its instant. Venues settle on the hour and stamp the event when they get to it,
 * milliseconds later: a time within a minute of a full hour becomes that hour, any other time stays as it is.
 */
export function fundingInstant(time: number): number {
  const hour = Math.round(time / HOUR_MS) * HOUR_MS
  return Math.abs(time - hour) <= JITTER_MS ? hour : time
}

/**
 * Reads a funding file: delimited text, with a header that names a time and a rate (`fundingTime,fundingRate,…`,
 * `funding_time_ms,funding_rate`, `calc_time,…,last_funding_rate`) or as `yyyymmdd hh:mm:ss,rate` without one; plain,
 * gzip or ZIP. Times are moved to their instants, see {@link fundingInstant}.
 *
 * ```ts
 * const { writeFile } = await import('node:fs/promises')
 * await writeFile(`${directory}/funding.csv`, 'fundingTime,fundingRate\n1767225600000,0.0001\n')
 * const rates = await readFunding({ path: `${directory}/funding.csv` })
 * rates.rate[0] // → 100000
 * ```
 *
 * @throws FeedError for anything else, for a row that cannot be read, and for an instant that repeats or goes back.
 */
export async function readFunding(options: FundingOptions): Promise<FundingRates> {
  const { files } = await dataFilesOf(options.path)
  const [only] = files
  if (only === undefined) throw new FeedError(options.path, null, 'there is no file to read')
  if (files.length === 1) return readFile({ ...options, path: only })
  const parts: FundingRates[] = []
  for (const file of files) {
    const part = await readFile({ ...options, path: file })
    const before = parts.at(-1)?.time.at(-1) ?? Number.NEGATIVE_INFINITY
    if ((part.time[0] ?? Number.POSITIVE_INFINITY) <= before)
      throw new FeedError(file, null, 'its first funding instant is not after the last of the file before it')
    if (part.length > 0) parts.push(part)
  }
  return {
    length: parts.reduce((length, part) => length + part.length, 0),
    time: Float64Array.from(parts.flatMap(({ time }) => [...time])),
    rate: BigInt64Array.from(parts.flatMap(({ rate }) => [...rate])),
  }
}

async function readFile(options: FundingOptions): Promise<FundingRates> {
  const source = await openByteSource(options.path)
  const head = await readHead(source)
  const first = splitLine(head.lines[0])
  const columns = first && fundingColumns(first)
  if (first === undefined || columns === undefined) {
    throw new FeedError(
      options.path,
      null,
      'the file names no funding time and rate; its first line is such as fundingTime,fundingRate',
    )
  }
  const hasHeader = isHeader(first)
  const sample = hasHeader ? splitLine(head.lines[1]) : first
  const isEpoch = /^\d{9,}$/.test(sample?.fields[columns.time] ?? '')
  const rowTime = isEpoch ? new EpochTime(null) : new CivilTime(new TimeZone(options.timeZone ?? 'UTC'))
  const table = new FundingTable(options, columns, first, rowTime)
  for await (const { bytes, end, complete } of wholeLines(source)) {
    table.read(bytes, end, complete || source.sealed || options.lastRow === 'whole')
  }
  return table.rates()
}

interface FundingColumns {
  readonly time: number
  readonly rate: number
}

function fundingColumns(first: SplitLine): FundingColumns | undefined {
  if (!isHeader(first)) return first.fields.length === 2 ? { time: 0, rate: 1 } : undefined
  const names = first.fields.map(columnName)
  const index = (candidates: readonly string[]) => names.findIndex((name) => candidates.includes(name))
  const columns = { time: index(TIME_NAMES), rate: index(RATE_NAMES) }
  return columns.time < 0 || columns.rate < 0 ? undefined : columns
}

class FundingTable {
  readonly #options: FundingOptions
  readonly #columns: FundingColumns
  readonly #first: SplitLine
  readonly #rowTime: RowTime
  readonly #fields = new Fields()
  readonly #times: number[] = []
  readonly #rates: bigint[] = []
  readonly #decimals = new Set<number>()
  #line = 0

  constructor(options: FundingOptions, columns: FundingColumns, first: SplitLine, rowTime: RowTime) {
    this.#options = options
    this.#columns = columns
    this.#first = first
    this.#rowTime = rowTime
  }

  read(bytes: Buffer, end: number, isWhole: boolean): void {
    for (let at = 0; at < end; ) {
      const start = at
      at = this.#fields.scan(bytes, at, this.#first.delimiter.charCodeAt(0))
      this.#line += 1
      if (this.#fields.count === 1 && this.#fields.ends[0] === start) continue
      if (this.#line === 1 && isHeader(this.#first)) continue
      this.#readRow(bytes, isWhole)
    }
  }

  #readRow(bytes: Buffer, isWhole: boolean): void {
    const { time: timeColumn, rate: rateColumn } = this.#columns
    const fields = this.#fields
    const expected = this.#first.fields.length
    if (fields.count !== expected)
      this.#refuse(`the row has ${fields.count} fields where ${expected} are expected`)
    const time = this.#rowTime.read(bytes, fields, timeColumn)
    if (typeof time === 'string') this.#refuse(time)
    const instant = fundingInstant(time)
    const previous = this.#times.at(-1) ?? Number.NEGATIVE_INFINITY
    if (instant <= previous) this.#refuse('the funding instant is not after the one before it')
    const text = fields.text(bytes, rateColumn).trim()
    const decimals = text.length - (text.lastIndexOf('.') + 1 || text.length)
    if (!isWhole && !this.#isFixed(decimals, rateColumn === expected - 1)) {
      this.#refuse('the last row has no line end and may have been cut off')
    }
    this.#decimals.add(decimals)
    this.#times.push(instant)
    this.#rates.push(this.#rateOf(text))
  }

  /** Whether every rate so far has as many decimals as this one, so that none is missing from it. */
  #isFixed(decimals: number, isLastColumn: boolean): boolean {
    return isLastColumn && decimals > 0 && this.#decimals.size === 1 && this.#decimals.has(decimals)
  }

  #rateOf(text: string): bigint {
    try {
      return fp9OfText(text, this.#options.excessDecimals ?? 'round')
    } catch (cause) {
      return this.#refuse((cause as Error).message)
    }
  }

  #refuse(reason: string): never {
    throw new FeedError(this.#options.path, this.#line, reason)
  }

  rates(): FundingRates {
    return {
      length: this.#times.length,
      time: Float64Array.from(this.#times),
      rate: BigInt64Array.from(this.#rates),
    }
  }
}

/** The number of the first rate at or after `time`; `rates.length` where there is none. */
export function fundingIndexFrom(rates: FundingRates, time: number): number {
  let low = 0
  let high = rates.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rates.time[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** The rate of an instant, or `null` where the file has none for it. */
export function fundingRateAt(rates: FundingRates, instant: number): bigint | null {
  const index = fundingIndexFrom(rates, instant)
  return rates.time[index] === instant ? (rates.rate[index] as bigint) : null
}
