/**
 * The data that a live strategy is told before it trades: what of it lies before now, where it ends, and a hash of it, so that the same can
 * be told again.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Feed } from '../feed/feed.ts'
import { mergeFeeds } from '../feed/merge.ts'
import { BarPrices } from '../run/barPrices.ts'
import { type PastHearer, PastTold } from '../run/pastTold.ts'
import { feedWithin } from '../run/period.ts'
import { MarketTickBars, type OpenBar } from '../run/tickBars.ts'
import type { WarmUp } from '../run/warmUp.ts'

/** What a strategy was told of a market before it traded. */
interface ToldMarketPast {
  readonly asset: string
  /** Bars or ticks. */
  readonly rows: number
  /** Bars that the data lacks within itself. */
  readonly missing: number
  /** Of the last row: the end of its bar, or of its tick; epoch ms. */
  readonly to: number
  /** From there until the run began, ms: of that the strategy was told nothing. */
  readonly gapMs: number
}

/** What a strategy was told before it traded. */
export interface ToldPast {
  /** The first moment of data that was asked for, epoch ms. */
  readonly from: number
  /** When the run began: nothing later was told, epoch ms. */
  readonly to: number
  /** In the order of the run. */
  readonly markets: readonly ToldMarketPast[]
  /** Of all rows in the order of the markets, hexadecimal: equal data have equal hashes. */
  readonly sha256: string
}

/** The rows of each feed that lie in [from, to) with all of their bar, epoch ms. */
export function pastOf(feeds: readonly Feed[], from: number, to: number): Feed[] {
  return feeds.map((feed) =>
    feedWithin(feed, from, feed.kind === 'bars' ? to - (feed.intervalMs ?? 0) + 1 : to),
  )
}

/** `to` of a market without a row is that of `from`. @throws FeedError for data that cannot be read. */
export async function surveyedPast(
  assets: readonly string[],
  past: readonly Feed[],
  from: number,
  to: number,
): Promise<ToldPast> {
  const hash = createHash('sha256')
  const markets: ToldMarketPast[] = []
  for (const [index, feed] of past.entries()) {
    const asset = assets[index] as string
    let last = from
    // How rows lie in chunks is the reader's affair.
    const columns = new Map<string, Hash>()
    for await (const chunk of feed as AsyncIterable<object>)
      for (const [name, column] of Object.entries(chunk)) {
        if (!ArrayBuffer.isView(column)) continue
        const ofColumn = columns.get(name) ?? createHash('sha256')
        columns.set(name, ofColumn)
        ofColumn.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
        if (name === 'openTime' || name === 'time') last = (column as Float64Array).at(-1) ?? last
      }
    hash.update(`${asset}\n`)
    for (const [name, ofColumn] of columns) hash.update(`${name} ${ofColumn.digest('hex')}\n`)
    const { rows, missingBars: missing } = feed.summary()
    const end = feed.kind === 'bars' && rows > 0 ? last + (feed.intervalMs ?? 0) - 1 : last
    markets.push({ asset, rows, missing, to: end, gapMs: to - end })
  }
  return { from, to, markets, sha256: hash.digest('hex') }
}

interface TellingParts {
  readonly markets: readonly { readonly id: string; readonly asset: string }[]
  /** Length of the bars that ticks are told in, ms. */
  readonly intervalMs: number
  readonly warmUp: WarmUp
  readonly hearer: PastHearer
  /** The run begins at this time, epoch ms. */
  readonly to: number
  /** Ends the telling. */
  readonly signal?: AbortSignal
}

/**
 * Tells it, as a backtest tells its warm-up.
 *
 * @returns of each market the bar of ticks that has begun and is not over.
 */
export async function tellPast(past: readonly Feed[], parts: TellingParts): Promise<(OpenBar | null)[]> {
  const { markets, intervalMs, warmUp, hearer, to, signal } = parts
  const ofTicks = past.map((feed, market) =>
    feed.kind === 'ticks' ? (markets[market]?.asset ?? null) : null,
  )
  const tickBars = new MarketTickBars(ofTicks, intervalMs)
  const barPrices = new BarPrices('adverse', [], [], markets.length)
  const told = new PastTold({ warmUp, markets, barPrices, tickBars, hearer })
  for await (const block of mergeFeeds(past)) {
    await told.tell(block)
    // The venue goes on talking meanwhile.
    await new Promise((resolve) => setImmediate(resolve))
    if (signal?.aborted) break
  }
  await told.end(to)
  warmUp.isOn = false
  return markets.map((_, market) => tickBars.openOf(market))
}
