/** Prices drawn in blocks from a sample, several markets together, each with the funding of its bars. */
import type { BarColumns } from '../feed/columns.ts'
import type { BarFeed } from '../feed/feed.ts'
import type { FundingRates } from '../feed/funding.ts'
import { commonStep } from '../feed/priceSteps.ts'
import { type BarSample, changesOf } from './barSample.ts'
import { bootstrapFeed } from './blockBootstrap.ts'
import { type BlockDraw, BlockRows } from './blockRows.ts'
import { pathFunding, sampleFunding } from './pathFunding.ts'
import { Random } from './random.ts'
import { volatilityRegimes } from './regimes.ts'

/** A market of drawn or simulated prices. */
export interface DrawnMarket {
  readonly feed: BarFeed
  /** Null where the market's constant rate applies. */
  readonly funding: FundingRates | null
}

/** How blocks are drawn. */
export interface BlockSettings {
  /** Mean length of a block, in bars. */
  readonly meanBlock: number
  /** How many states the market is told to be in, so that a block begins in that in which the one before it ended; 1 = any after any. */
  readonly regimes: number
  /** Bars per chunk. */
  readonly chunkRows?: number
}

/** One drawing. */
interface Drawing {
  readonly seed: string
  /** When the first bar opens, UTC ms. */
  readonly startTime: number
  /** How many bars. */
  readonly length: number
  /** What the first bar's open is measured from. */
  readonly from: 'first close' | 'last close'
}

/**
 * The markets of a sample as often as wanted, in its order. All of one drawing take the same rows, so that what happened together does.
 *
 * @param fundings by market; null where a constant rate applies.
 */
export function drawnMarkets(
  { markets: samples, intervalMs }: BarSample,
  fundings: readonly (FundingRates | null)[],
  { meanBlock, regimes: count, chunkRows }: BlockSettings,
): (drawing: Drawing) => DrawnMarket[] {
  const regimes = count > 1 ? volatilityRegimes(samples.map(changesOf), Math.ceil(meanBlock), count) : null
  const markets = samples.map((bars, index) => {
    const funding = fundings[index] ?? null
    return {
      prices: { sample: bars, tickSize: commonStep([bars.open, bars.high, bars.low, bars.close]) },
      ends: { 'first close': bars.close[0] ?? 0n, 'last close': bars.close[bars.length - 1] ?? 0n },
      funding: funding === null ? null : sampleFunding(bars.openTime, intervalMs, funding),
    }
  })
  const isFunded = markets.some(({ funding }) => funding !== null)
  const [{ length: rows }] = samples as [BarColumns]
  return ({ seed, startTime, length, from }) => {
    const drawn = isFunded ? drawnRows({ rows, meanBlock, regimes, seed }, length) : null
    return markets.map(({ prices, ends, funding }) => ({
      feed: bootstrapFeed({
        ...prices,
        ...{ meanBlock, seed, startTime, intervalMs, length },
        startPrice: ends[from],
        ...(regimes === null ? {} : { regimes }),
        ...(chunkRows === undefined ? {} : { chunkRows }),
      }),
      funding: funding === null || drawn === null ? null : pathFunding(funding, drawn, startTime, intervalMs),
    }))
  }
}

/** The rows that a feed of the same seed is made of. */
function drawnRows({ seed, ...draw }: BlockDraw & { readonly seed: string }, length: number): Uint32Array {
  const rows = new BlockRows(draw, new Random(seed))
  return Uint32Array.from({ length }, () => rows.next())
}
