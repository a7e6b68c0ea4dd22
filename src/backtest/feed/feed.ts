/** A feed: market data that can be walked in chunks of columns, as often as wanted. */
import type { BarColumns, TickColumns } from './columns.ts'
import type { FeedFormat } from './reader.ts'
import type { FeedSummary } from './rowReport.ts'

interface FeedProperties {
  /** The files, or what made the data. */
  readonly sources: readonly string[]
  /** The format of the files; `null` for data that comes from no file. */
  readonly format: FeedFormat | null
  /** What whoever reads of a run over it should know of where its prices come from; none where they are those of its files. */
  readonly note?: string
  /** What the latest iteration has read so far; final once it has ended. */
  summary(): FeedSummary
}

/** Candles. Each iteration starts from the beginning. */
export interface BarFeed extends FeedProperties, AsyncIterable<BarColumns> {
  readonly kind: 'bars'
  /** How far apart bars open, in ms; `null` where fewer than two bars tell. */
  readonly intervalMs: number | null
}

/** Trades or quotes. Each iteration starts from the beginning. */
export interface TickFeed extends FeedProperties, AsyncIterable<TickColumns> {
  readonly kind: 'ticks'
}

/** Prices in the order of their time: bars or ticks. */
export type Feed = BarFeed | TickFeed

/**
 * A feed of bars, `intervalMs` ms each, that are already in memory or are generated; `chunks` is called once per iteration.
 *
 * ```ts
 * const price = BigInt64Array.of(fp9('100'))
 * const bars = { length: 1, openTime: Float64Array.of(at), volume: Float64Array.of(1) }
 * const feed = barFeedOf('one bar', 60_000, () => [{ ...bars, open: price, high: price, low: price, close: price }])
 * feed.intervalMs // → 60000
 * ```
 */
export function barFeedOf(
  source: string,
  intervalMs: number,
  chunks: () => Iterable<BarColumns> | AsyncIterable<BarColumns>,
): BarFeed {
  let rows = 0
  return {
    kind: 'bars',
    intervalMs,
    sources: [source],
    format: null,
    summary: () => ({ rows, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null }),
    async *[Symbol.asyncIterator]() {
      rows = 0
      for await (const chunk of chunks()) {
        rows += chunk.length
        yield chunk
      }
    },
  }
}
