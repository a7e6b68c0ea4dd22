/** The part of a feed that lies in a period. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { RowReport } from '../feed/rowReport.ts'

/**
 * Rows that open, or happen, in [from, to), epoch ms; the feed itself where neither end is given. Its summary tells rows and gaps of the
 * period: files are read in chunks, so that more may have been read. Rows that were skipped are told wherever they are.
 */
export function feedWithin(feed: Feed, from?: number, to?: number): Feed {
  if (from === undefined && to === undefined) return feed
  const period = { start: from ?? Number.NEGATIVE_INFINITY, end: to ?? Number.POSITIVE_INFINITY }
  let report = new RowReport('skip')
  const summary = () => {
    const { skipped, firstSkipped } = feed.summary()
    return { ...report.summary(), skipped, firstSkipped }
  }
  const begin = () => {
    report = new RowReport('skip')
    return { ...period, report }
  }
  if (feed.kind === 'bars') {
    const { intervalMs } = feed
    const bars = () => within(feed, ({ openTime }) => openTime, { ...begin(), intervalMs })
    return { ...feed, summary, [Symbol.asyncIterator]: bars }
  }
  const ticks = () => within(feed, ({ time }) => time, { ...begin(), intervalMs: null })
  return { ...feed, summary, [Symbol.asyncIterator]: ticks }
}

interface Part {
  readonly start: number
  readonly end: number
  readonly report: RowReport
  readonly intervalMs: number | null
}

async function* within<C extends BarColumns | TickColumns>(
  chunks: AsyncIterable<C>,
  timeOf: (chunk: C) => Float64Array,
  part: Part,
): AsyncGenerator<C> {
  let before = Number.NEGATIVE_INFINITY
  for await (const chunk of chunks) {
    const time = timeOf(chunk)
    const first = firstAtOrAfter(time, part.start)
    const last = firstAtOrAfter(time, part.end)
    if (last > first) {
      noteRows(part, before, time.subarray(first, last))
      before = time[last - 1] as number
      yield rowsOf(chunk, first, last)
    }
    if (last < chunk.length) return
  }
}

/** Counts rows and gaps as a reading does. */
function noteRows({ report, intervalMs }: Part, before: number, times: Float64Array): void {
  report.rows += times.length
  // Most bars follow each other without a gap, which their ends tell.
  const whole = (times[times.length - 1] as number) - before
  if (intervalMs !== null && whole === times.length * intervalMs) return
  let previous = before
  for (const time of times) {
    report.noteStep(previous, time, intervalMs)
    previous = time
  }
}

/** Index of the first time at or after a moment; the length where there is none. */
function firstAtOrAfter(time: Float64Array, moment: number): number {
  let [low, high] = [0, time.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((time[middle] as number) < moment) low = middle + 1
    else high = middle
  }
  return low
}

function rowsOf<C extends BarColumns | TickColumns>(chunk: C, first: number, last: number): C {
  const rows: Record<string, unknown> = { length: last - first }
  for (const [name, column] of Object.entries(chunk))
    if (name !== 'length') rows[name] = (column as Float64Array | BigInt64Array).subarray(first, last)
  return rows as C
}
