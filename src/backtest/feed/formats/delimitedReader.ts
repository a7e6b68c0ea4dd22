/** A reader of delimited text from a layout and the reading options, for all formats that are such text. */
import type { RowKind } from '../columnWriter.ts'
import { type DelimitedLayout, delimitedRows } from '../delimitedRows.ts'
import { FeedError } from '../feedError.ts'
import type { FeedFormat, Head, Reader, ReadingOptions } from '../reader.ts'
import { CivilTime, EpochTime, type RowTime, unitOf } from '../rowTime.ts'
import { TimeZone } from '../timeZone.ts'

export interface DelimitedFormat {
  readonly format: FeedFormat
  readonly kind: RowKind
  readonly layout: DelimitedLayout
  readonly intervalMs?: number | null
  /** Where the format says it; otherwise the options and the first row do. */
  readonly priceDivisor?: number
  readonly rowTime?: () => RowTime
}

export function delimitedReader(head: Head, options: ReadingOptions, format: DelimitedFormat): Reader {
  const { layout } = format
  const priceShift = priceShiftOf(head, options.priceDivisor ?? format.priceDivisor ?? 1)
  const first = head.lines[layout.hasHeader ? 1 : 0]?.split(layout.delimiter)[layout.time] ?? ''
  const rowTime = format.rowTime ?? rowTimeOf(head, options, first)
  return {
    format: format.format,
    kind: format.kind,
    intervalMs: format.intervalMs ?? null,
    rows: (writer) =>
      delimitedRows(
        head.source,
        layout,
        {
          rowTime: rowTime(),
          excessDecimals: options.excessDecimals ?? 'refuse',
          priceShift,
          lastRowIsWhole: options.lastRow === 'whole',
        },
        writer,
      ),
  }
}

/** Epoch or text, by the look of the first row's time. */
function rowTimeOf(head: Head, options: ReadingOptions, first: string): () => RowTime {
  const isEpoch =
    options.timeUnit !== undefined || (/^\d+(\.\d+)?$/.test(first) && unitOf(Number(first)) !== null)
  if (isEpoch) return () => new EpochTime(options.timeUnit ?? null)
  const zone = zoneOf(head, options.timeZone ?? 'UTC')
  return () => new CivilTime(zone)
}

/** @throws FeedError for an unknown zone. */
export function zoneOf(head: Head, name: string): TimeZone {
  try {
    return new TimeZone(name)
  } catch (cause) {
    throw new FeedError(head.source.path, null, `"${name}" is not a time zone`, { cause })
  }
}

function priceShiftOf(head: Head, divisor: number): number {
  const shift = Math.round(Math.log10(divisor))
  if (!(shift >= 0 && shift <= 9) || 10 ** shift !== divisor) {
    throw new FeedError(
      head.source.path,
      null,
      `the price divisor ${divisor} is not a power of ten up to 10^9`,
    )
  }
  return shift
}
