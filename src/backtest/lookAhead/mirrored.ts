/** Another future: prices that are those of the data up to a moment, and after it rise where those fell. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'

/**
 * The feed with every price p of a row from `after` (epoch ms) on as ⌊c²/p⌋, c being the last price before it: each change is the same in size
 * and turned round. Times and volumes stay.
 */
export function mirrored(feed: Feed, after: number): Feed {
  return feed.kind === 'bars'
    ? { ...feed, [Symbol.asyncIterator]: () => mirroredBars(feed, after) }
    : { ...feed, [Symbol.asyncIterator]: () => mirroredTicks(feed, after) }
}

async function* mirroredBars(chunks: AsyncIterable<BarColumns>, after: number): AsyncGenerator<BarColumns> {
  let axis: bigint | null = null
  for await (const chunk of chunks) {
    const first = firstFrom(chunk.openTime, after)
    if (first > 0) axis = chunk.close[first - 1] as bigint
    if (first === chunk.length) {
      yield chunk
      continue
    }
    axis ??= chunk.open[0] as bigint
    const turned = turnedFrom(first, axis)
    yield {
      ...chunk,
      open: turned(chunk.open),
      // What was highest is lowest.
      high: joined(chunk.high, turned(chunk.low), first),
      low: joined(chunk.low, turned(chunk.high), first),
      close: turned(chunk.close),
    }
    after = Number.NEGATIVE_INFINITY
  }
}

async function* mirroredTicks(
  chunks: AsyncIterable<TickColumns>,
  after: number,
): AsyncGenerator<TickColumns> {
  let axis: bigint | null = null
  for await (const { length, time, price } of chunks) {
    const first = firstFrom(time, after)
    if (first > 0) axis = price[first - 1] as bigint
    axis ??= price[0] as bigint
    yield { length, time, price: turnedFrom(first, axis)(price) }
    if (first < length) after = Number.NEGATIVE_INFINITY
  }
}

function firstFrom(times: Float64Array, after: number): number {
  const first = times.findIndex((time) => time >= after)
  return first === -1 ? times.length : first
}

/** A column whose elements from `first` on are turned round the axis. */
function turnedFrom(first: number, axis: bigint): (column: BigInt64Array) => BigInt64Array {
  return (column) => {
    const turned = column.slice()
    for (let row = first; row < column.length; row++) {
      const price = (axis * axis) / (column[row] as bigint)
      turned[row] = price > 0n ? price : 1n
    }
    return turned
  }
}

/** The one column up to `first`, the other from there on. */
function joined(before: BigInt64Array, from: BigInt64Array, first: number): BigInt64Array {
  const column = from.slice()
  column.set(before.subarray(0, first))
  return column
}
