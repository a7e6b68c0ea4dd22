/** The part of a feed that lies in a period. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'

/** Rows that open, or happen, in [from, to), epoch ms; the feed itself where neither end is given. */
export function feedWithin(feed: Feed, from?: number, to?: number): Feed {
  if (from === undefined && to === undefined) return feed
  const start = from ?? Number.NEGATIVE_INFINITY
  const end = to ?? Number.POSITIVE_INFINITY
  if (feed.kind === 'bars')
    return { ...feed, [Symbol.asyncIterator]: () => within(feed, ({ openTime }) => openTime, start, end) }
  return { ...feed, [Symbol.asyncIterator]: () => within(feed, ({ time }) => time, start, end) }
}

async function* within<C extends BarColumns | TickColumns>(
  chunks: AsyncIterable<C>,
  timeOf: (chunk: C) => Float64Array,
  start: number,
  end: number,
): AsyncGenerator<C> {
  for await (const chunk of chunks) {
    const time = timeOf(chunk)
    const first = firstAtOrAfter(time, start)
    const last = firstAtOrAfter(time, end)
    if (last > first) yield rowsOf(chunk, first, last)
    if (last < chunk.length) return
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
