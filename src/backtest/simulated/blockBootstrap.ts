/**
 * Bars drawn from real ones: the stationary bootstrap (D. N. Politis, J. P. Romano, JASA 89, 1994). Blocks of
 * consecutive bars start anywhere and have geometrically distributed lengths; the sample wraps around at its end. Each
 * bar is carried over relative to the close before it, in whole numbers, so no rounding accumulates beyond the tick.
 */
import { type BarColumns, emptyBars } from '../feed/columns.ts'
import { type BarFeed, barFeedOf } from '../feed/feed.ts'
import { requireAtLeast } from './priceModel.ts'
import { Random } from './random.ts'

export interface BlockBootstrap {
  /** The bars to draw from, at least two; see `joinBars`. */
  readonly sample: BarColumns
  /** Mean length of a block, in bars; at least 1. Long enough to keep what should be kept: runs, volatility, days. */
  readonly meanBlock: number
  /** Any text; the same seed gives the same bytes on every machine. */
  readonly seed: string
  /** When the first bar opens, UTC ms. */
  readonly startTime: number
  /** How far apart bars open, in ms. */
  readonly intervalMs: number
  /** How many bars. */
  readonly length: number
  /** What the first bar's open is measured from, fp9. */
  readonly startPrice: bigint
  /** The step of prices, fp9. Prices are rounded to the nearest one, halves up, and never fall below one. */
  readonly tickSize: bigint
  /** Bars per chunk. Default 8192. */
  readonly chunkRows?: number
}

const CHUNK_ROWS = 8192
const INT64_MAX = 2n ** 63n - 1n

/**
 * Resampled bars, in chunks.
 *
 * @throws RangeError for settings outside their ranges, and where a price leaves the range of 64 bits.
 */
export function* bootstrapBars(settings: BlockBootstrap): Generator<BarColumns> {
  const { sample, meanBlock, length, startTime, intervalMs, chunkRows = CHUNK_ROWS } = settings
  requireAtLeast('the mean length of a block', meanBlock, 1)
  requireAtLeast('the interval', intervalMs, 1)
  requireAtLeast('the number of bars per chunk', chunkRows, 1)
  if (sample.length < 2) throw new RangeError('the sample must have at least two bars')
  if (settings.tickSize <= 0n || settings.startPrice < settings.tickSize) {
    throw new RangeError('the tick size must be above zero, and the starting price at least one tick')
  }
  const random = new Random(settings.seed)
  const ending = 1 / meanBlock
  let previousClose = settings.startPrice
  let source = 0
  for (let done = 0; done < length; done += chunkRows) {
    const rows = Math.min(chunkRows, length - done)
    const bars = emptyBars(rows)
    for (let row = 0; row < rows; row++) {
      const isNewBlock = done + row === 0 || random.uniform() < ending
      // The first bar of the sample has none before it, so blocks run over the others.
      source = isNewBlock
        ? 1 + random.below(sample.length - 1)
        : source === sample.length - 1
          ? 1
          : source + 1
      const base = sample.close[source - 1] as bigint
      const price = (column: BigInt64Array) =>
        carriedOver(column[source] as bigint, base, previousClose, settings.tickSize)
      bars.openTime[row] = startTime + (done + row) * intervalMs
      bars.open[row] = price(sample.open)
      bars.high[row] = price(sample.high)
      bars.low[row] = price(sample.low)
      bars.close[row] = price(sample.close)
      bars.volume[row] = sample.volume[source] as number
      previousClose = bars.close[row] as bigint
    }
    yield bars
  }
}

/** {@link bootstrapBars} as a feed; each iteration gives the same bars. */
export function bootstrapFeed(settings: BlockBootstrap): BarFeed {
  return barFeedOf(`bootstrap with seed ${settings.seed}`, settings.intervalMs, () => bootstrapBars(settings))
}

/** `price` · `close` / `base`, to the nearest tick; rounding keeps the order of the prices of a bar. */
function carriedOver(price: bigint, base: bigint, close: bigint, tickSize: bigint): bigint {
  const ticks = (2n * price * close + base * tickSize) / (2n * base * tickSize)
  const carried = (ticks > 0n ? ticks : 1n) * tickSize
  if (carried > INT64_MAX) throw new RangeError('a resampled price is out of range')
  return carried
}
