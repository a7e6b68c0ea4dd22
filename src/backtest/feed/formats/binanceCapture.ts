/**
 * Raw captures of Binance's websocket streams: per line the local time in nanoseconds and the message. Lines of the
 * trade or bookTicker stream become ticks; all others (depth, mark price) are passed over. Rows carry the local time:
 * it is the moment a trader could have known the price, it ascends, and spot bookTicker messages have no other.
 */
import type { ColumnWriter } from '../columnWriter.ts'
import { fp9OfText } from '../decimalText.ts'
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import { wholeLines } from '../wholeLines.ts'

const LINE_FEED = 10
const NANOSECONDS = 1_000_000n
const STREAM_BYTES = 80
const captureLine = /^\d{19} \{"stream":"/

interface CaptureMessage {
  readonly data: { readonly s: string; readonly p?: string; readonly b?: string; readonly a?: string }
}

export function binanceCaptureReader(head: Head, options: ReadingOptions): Reader | undefined {
  if (!captureLine.test(head.lines[0] ?? '')) return undefined
  const kind = options.captureOf ?? 'quotes'
  return {
    format: 'binance-capture',
    kind,
    intervalMs: null,
    rows: (writer) => captureRows(head, options, kind === 'quotes' ? '@bookTicker"' : 'rade"', writer),
  }
}

async function* captureRows(
  head: Head,
  options: ReadingOptions,
  stream: string,
  writer: ColumnWriter,
): AsyncGenerator<void> {
  const { path, sealed } = head.source
  let line = 0
  let symbol: string | undefined
  for await (const { bytes, end, complete } of wholeLines(head.source)) {
    for (let at = 0; at < end; ) {
      const lineEnd = bytes.indexOf(LINE_FEED, at)
      line += 1
      // The name of the stream stands at the start of a line; depth messages are long and need no more.
      const streamEnd = bytes.indexOf(',', at)
      const isWanted =
        streamEnd > 0 &&
        streamEnd < at + STREAM_BYTES &&
        bytes.toString('latin1', at, streamEnd).endsWith(stream)
      const text = isWanted || !complete ? bytes.toString('latin1', at, lineEnd) : ''
      at = lineEnd + 1
      if (!complete && !sealed && !text.endsWith('}')) {
        writer.report.refuse(path, line, 'the last line was cut off')
      } else if (isWanted) {
        try {
          symbol = addMessage(text, line, symbol, path, options, writer)
        } catch (cause) {
          if (!(cause instanceof RangeError) && !(cause instanceof SyntaxError)) throw cause
          writer.report.refuse(path, line, `the message cannot be read (${cause.message})`)
        }
      }
      if (writer.full) yield
    }
  }
}

function addMessage(
  text: string,
  line: number,
  symbol: string | undefined,
  path: string,
  options: ReadingOptions,
  writer: ColumnWriter,
): string {
  const separator = text.indexOf(' ')
  const { data } = JSON.parse(text.slice(separator + 1)) as CaptureMessage
  if (symbol !== undefined && data.s !== symbol) {
    throw new RangeError(`it is about ${data.s}, those before it about ${symbol}`)
  }
  const excess = options.excessDecimals ?? 'refuse'
  const prices = writer.kind === 'quotes' ? [data.b, data.a] : [data.p]
  for (const [slot, price] of prices.entries()) writer.setWidePrice(slot, fp9OfText(price ?? '', excess))
  writer.addTick(Number(BigInt(text.slice(0, separator)) / NANOSECONDS), path, line)
  return data.s
}
