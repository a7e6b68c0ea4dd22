/** Prices of any format that is read, as one table of text. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { formatDecimal } from '../../quantity/decimal.ts'
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { TickBars } from '../run/tickBars.ts'
import { LongerBars } from '../strategy/longerBars.ts'
import type { Bar } from '../strategy/strategy.ts'

const BARS = 'open_time_ms,open,high,low,close,volume'
const MINUTE_MS = 60_000

/**
 * Writes a feed as {@link csvOf} gives it, gzipped where the file is called so. The file has its name once it is whole.
 *
 * @returns how many rows there are, without the header.
 * @throws what {@link csvOf} and the file system throw.
 */
export async function writeCsv(feed: Feed, file: string, interval?: string): Promise<number> {
  let lines = -1
  async function* counted() {
    for await (const text of csvOf(feed, interval)) {
      lines += text.split('\n').length - 1
      yield text
    }
  }
  const part = `${file}.part`
  try {
    const packing = file.endsWith('.gz') ? createGzip() : new PassThrough()
    await pipeline(Readable.from(counted()), packing, createWriteStream(part))
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
  return Math.max(0, lines)
}

/**
 * The rows of a feed as lines of CSV with a header, prices with all their digits, times in epoch ms, UTC: opened again, they
 * give the same rows.
 *
 * @param interval longer bars instead of the feed's own, `1h`: those that lie within the data. Ticks become bars, without a volume.
 * @throws RangeError for an interval that is none, or shorter than the bars; whatever reading throws.
 */
async function* csvOf(feed: Feed, interval?: string): AsyncGenerator<string> {
  if (interval !== undefined) yield* longerRows(feed, interval)
  else if (feed.kind === 'bars') {
    yield `${BARS}\n`
    for await (const chunk of feed) yield rowsOfBars(barsOf(chunk))
  } else yield* rowsOfTicks(feed)
}

async function* longerRows(feed: Feed, interval: string): AsyncGenerator<string> {
  const longer = new LongerBars(interval)
  yield `${BARS}\n`
  const bars = feed.kind === 'bars' ? chunkedBars(feed, feed.intervalMs ?? MINUTE_MS) : minutesOf(feed)
  let begun: number | null = null
  for await (const some of bars) {
    begun ??= some[0]?.openTime ?? null
    // One that began before the data does is no more whole than one that ends after it.
    const text = rowsOfBars(
      some.flatMap((bar) => longer.add(bar)).filter(({ openTime }) => openTime >= (begun as number)),
    )
    if (text !== '') yield text
  }
}

async function* chunkedBars(chunks: AsyncIterable<BarColumns>, intervalMs: number): AsyncGenerator<Bar[]> {
  for await (const chunk of chunks) yield barsOf(chunk, intervalMs)
}

async function* minutesOf(chunks: AsyncIterable<TickColumns>): AsyncGenerator<Bar[]> {
  const minutes = new TickBars('', MINUTE_MS)
  for await (const { length, time, price } of chunks) {
    const ended: Bar[] = []
    for (let row = 0; row < length; row++) {
      const bar = minutes.endedBy(time[row] as number)
      if (bar !== null) ended.push(bar)
      minutes.add(time[row] as number, price[row] as bigint)
    }
    yield ended
  }
}

function barsOf(chunk: BarColumns, intervalMs = MINUTE_MS): Bar[] {
  const { length, openTime, open, high, low, close, volume } = chunk
  return Array.from({ length }, (_, row) => ({
    asset: '',
    openTime: openTime[row] as number,
    closeTime: (openTime[row] as number) + intervalMs - 1,
    open: open[row] as bigint,
    high: high[row] as bigint,
    low: low[row] as bigint,
    close: close[row] as bigint,
    volume: volume[row] as number,
  }))
}

function rowsOfBars(bars: readonly Bar[]): string {
  return bars
    .map(({ openTime, open, high, low, close, volume }) => {
      const prices = [open, high, low, close].map((price) => formatDecimal(price)).join()
      return `${openTime},${prices},${volume}\n`
    })
    .join('')
}

async function* rowsOfTicks(chunks: AsyncIterable<TickColumns>): AsyncGenerator<string> {
  let header: string | null = null
  for await (const { length, time, price, bid, ask } of chunks) {
    const columns = bid === undefined || ask === undefined ? [price] : [bid, ask]
    let text = ''
    if (header === null) text = header = columns.length === 1 ? 'time_ms,price\n' : 'time_ms,bid,ask\n'
    for (let row = 0; row < length; row++)
      text += `${[time[row], ...columns.map((column) => formatDecimal(column[row] as bigint))].join()}\n`
    yield text
  }
}
