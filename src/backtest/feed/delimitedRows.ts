/**
 * Delimited text into columns: the hot path of every backtest that reads CSV. A layout says which column is what;
 * numbers are converted while the line is split, and only what is unusual (exponents, more than 15 digits, quotes)
 * goes through text.
 */
import type { ByteSource } from './byteSource.ts'
import type { ColumnWriter } from './columnWriter.ts'
import { type ExcessDecimals, fp9OfText, POWERS_OF_TEN } from './decimalText.ts'
import { Fields } from './fields.ts'
import { midDown } from './mid.ts'
import type { RowTime } from './rowTime.ts'
import { wholeLines } from './wholeLines.ts'

/** Which column is what. Columns count from 0. */
export interface DelimitedLayout {
  /** One byte. */
  readonly delimiter: string
  readonly hasHeader: boolean
  /** Fields of every row, a header included. */
  readonly columns: number
  readonly time: number
  /** Open, high, low, close; or bid, ask; or the trade's price. */
  readonly prices: readonly number[]
  /** Columns of a second price for each of `prices`: the price is then the mid of both, rounded down. */
  readonly counterPrices?: readonly number[]
  readonly volume?: number
  /** A column that holds 1 in rows which their source marks as suspicious. */
  readonly suspicious?: number
}

/** How the text is to be read. */
export interface DelimitedReading {
  readonly rowTime: RowTime
  readonly excessDecimals: ExcessDecimals
  /** Prices in the file are multiplied by 10^priceShift, 0 to 9. */
  readonly priceShift: number
  /** Whether a last row without a line end is known to be whole. */
  readonly lastRowIsWhole: boolean
}

const FP9_DECIMALS = 9

/**
 * Reads the rows of a source into `writer`, pausing (one step of the iteration) each time the writer is full.
 *
 * @throws FeedError for a bad row, unless those are skipped, and for damaged packing.
 */
export async function* delimitedRows(
  source: ByteSource,
  layout: DelimitedLayout,
  reading: DelimitedReading,
  writer: ColumnWriter,
): AsyncGenerator<void> {
  const rows = new DelimitedRows(source.path, layout, reading, writer)
  for await (const { bytes, end, complete } of wholeLines(source)) {
    if (!complete && !source.sealed && !reading.lastRowIsWhole) {
      rows.refuseUnfinished()
      return
    }
    for (let at = 0; at < end; ) {
      at = rows.read(bytes, at, end)
      if (writer.full) yield
    }
  }
}

class DelimitedRows {
  readonly #file: string
  readonly #layout: DelimitedLayout
  readonly #reading: DelimitedReading
  readonly #writer: ColumnWriter
  readonly #fields = new Fields()
  readonly #delimiter: number
  readonly #isBars: boolean
  #line = 0

  constructor(file: string, layout: DelimitedLayout, reading: DelimitedReading, writer: ColumnWriter) {
    this.#file = file
    this.#layout = layout
    this.#reading = reading
    this.#writer = writer
    this.#delimiter = layout.delimiter.charCodeAt(0)
    this.#isBars = writer.kind === 'bars'
  }

  /** Reads lines from `start` until the writer is full or `end` is reached; returns where it stopped. */
  read(bytes: Buffer, start: number, end: number): number {
    const writer = this.#writer
    let at = start
    while (at < end && !writer.full) {
      const lineStart = at
      at = this.#fields.scan(bytes, at, this.#delimiter)
      this.#line += 1
      if (this.#line === 1 && this.#layout.hasHeader) continue
      if (this.#fields.count === 1 && this.#fields.ends[0] === lineStart) continue
      this.#readRow(bytes)
    }
    return at
  }

  refuseUnfinished(): void {
    this.#writer.report.refuse(
      this.#file,
      this.#line + 1,
      'the last row has no line end and may have been cut off (read it with lastRow: "whole" if it is complete)',
    )
  }

  #readRow(bytes: Buffer): void {
    const { time: timeColumn, columns, suspicious, volume: volumeColumn } = this.#layout
    const fields = this.#fields
    if (fields.count !== columns) {
      this.#refuse(`the row has ${fields.count} fields where ${columns} are expected`)
      return
    }
    const time = this.#reading.rowTime.read(bytes, fields, timeColumn)
    if (typeof time === 'string') {
      this.#refuse(time)
      return
    }
    if (suspicious !== undefined && fields.digits[suspicious] === 1 && fields.decimals[suspicious] === 0) {
      this.#writer.report.setAside(this.#file, this.#line, 'the source marks the row as suspicious')
      return
    }
    if (!this.#readPrices(bytes)) return
    if (!this.#isBars) {
      this.#writer.addTick(time, this.#file, this.#line)
      return
    }
    const volume = volumeColumn === undefined ? 0 : this.#volumeAt(bytes, volumeColumn)
    this.#writer.addBar(time, volume, this.#file, this.#line)
  }

  /** Sets the prices of the row; false where one cannot be read and the row has been refused. */
  #readPrices(bytes: Buffer): boolean {
    const { prices, counterPrices } = this.#layout
    for (let slot = 0; slot < prices.length; slot++) {
      const column = prices[slot] as number
      const price = this.#safePriceAt(column)
      if (counterPrices === undefined) {
        if (price >= 0) this.#writer.setPrice(slot, price)
        else if (!this.#setWidePrice(bytes, slot, column)) return false
        continue
      }
      const counter = this.#safePriceAt(counterPrices[slot] as number)
      const sum = price + counter
      if (price > 0 && counter > 0 && sum <= Number.MAX_SAFE_INTEGER) {
        this.#writer.setPrice(slot, Math.floor(sum / 2))
      } else if (!this.#setWidePrice(bytes, slot, column, counterPrices[slot])) return false
    }
    return true
  }

  /** The price as a safe integer, or NaN where only the text tells. */
  #safePriceAt(column: number): number {
    const decimals = this.#fields.decimals[column] as number
    const digits = this.#fields.digits[column] as number
    const exponent = FP9_DECIMALS - this.#reading.priceShift - decimals
    if (decimals < 0 || exponent < -FP9_DECIMALS) return Number.NaN
    if (exponent >= 0) {
      const price = digits * (POWERS_OF_TEN[exponent] as number)
      return price <= Number.MAX_SAFE_INTEGER ? price : Number.NaN
    }
    const divisor = POWERS_OF_TEN[-exponent] as number
    return digits % divisor === 0 ? digits / divisor : Number.NaN
  }

  #setWidePrice(bytes: Buffer, slot: number, column: number, counter?: number): boolean {
    try {
      const price = this.#widePriceAt(bytes, column)
      this.#writer.setWidePrice(
        slot,
        counter === undefined ? price : midDown(price, this.#widePriceAt(bytes, counter)),
      )
      return true
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      this.#refuse(cause.message)
      return false
    }
  }

  /** @throws RangeError with a sentence about the column. */
  #widePriceAt(bytes: Buffer, column: number): bigint {
    const { excessDecimals, priceShift } = this.#reading
    try {
      const price = fp9OfText(this.#fields.text(bytes, column).trim(), excessDecimals, priceShift)
      if (price > 0n) return price
    } catch (cause) {
      throw new RangeError(`in column ${column + 1}, ${(cause as Error).message}`, { cause })
    }
    throw new RangeError(`in column ${column + 1}, the price is not above zero`)
  }

  /** The volume as the double nearest to its text; NaN where it is no number. */
  #volumeAt(bytes: Buffer, column: number): number {
    const decimals = this.#fields.decimals[column] as number
    // An integer and a power of ten that are both exact give a quotient that is rounded once.
    const scale = POWERS_OF_TEN[decimals]
    if (scale !== undefined) return (this.#fields.digits[column] as number) / scale
    const text = this.#fields.text(bytes, column).trim()
    return text === '' ? Number.NaN : Number(text)
  }

  #refuse(reason: string): void {
    this.#writer.report.refuse(this.#file, this.#line, reason)
  }
}
