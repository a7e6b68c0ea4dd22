/**
 * Bars drawn from real ones: the stationary bootstrap (D. N. Politis, J. P. Romano, JASA 89, 1994). Blocks of
 * consecutive bars start anywhere and have geometrically distributed lengths; the sample wraps around at its end. Each
 * bar is carried over relative to the close before it, in whole numbers, so no rounding accumulates beyond the tick.
 */
import { safeInteger } from '../../quantity/safeIntegers.ts'
import { type BarWords, barWordsOf } from '../feed/barWords.ts'
import { type BarColumns, emptyBars } from '../feed/columns.ts'
import { type BarFeed, barFeedOf } from '../feed/feed.ts'
import { setWords, wordsAt } from '../numbers/int64Words.ts'
import { BlockRows } from './blockRows.ts'
import { requireAtLeast } from './priceModel.ts'
import { Random } from './random.ts'
import type { Regimes } from './regimes.ts'

/** What {@link bootstrapFeed} resamples, and how. */
export interface BlockBootstrap {
  /** The bars to draw from, at least two; see `joinBars`. */
  readonly sample: BarColumns
  /** Mean length of a block, in bars; at least 1. Long enough to keep what should be kept: runs, volatility, days. */
  readonly meanBlock: number
  /** Where given, a block begins in the regime in which the one before it ended; see `volatilityRegimes`. */
  readonly regimes?: Regimes
  /** Any text; the same seed gives the same bytes on every machine, and the same rows of samples of one length. */
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
  const drawnRows = new BlockRows(
    { rows: sample.length, meanBlock, regimes: settings.regimes ?? null },
    new Random(settings.seed),
  )
  const words = barWordsOf(sample)
  const tick = safeInteger(settings.tickSize)
  let previousClose = settings.startPrice
  for (let done = 0; done < length; done += chunkRows) {
    const rows = Math.min(chunkRows, length - done)
    const bars = emptyBars(rows)
    const drawn = barWordsOf(bars)
    let closeTicks = safeInteger(previousClose) / tick
    for (let row = 0; row < rows; row++) {
      const source = drawnRows.next()
      bars.openTime[row] = startTime + (done + row) * intervalMs
      bars.volume[row] = sample.volume[source] as number
      if (!carryOverSafely(words, source, drawn, row, closeTicks, tick))
        carryOver(
          sample,
          source,
          bars,
          row,
          row === 0 ? previousClose : (bars.close[row - 1] as bigint),
          settings.tickSize,
        )
      closeTicks = wordsAt(drawn.close, row) / tick
    }
    previousClose = bars.close[rows - 1] as bigint
    yield bars
  }
}

/**
 * Bars drawn from bars of one's own, in blocks, as a feed; each iteration gives the same.
 *
 * ```ts
 * const day = { seed: 'mine', startTime: at, intervalMs: 60_000, startPrice: fp9('50000'), tickSize: fp9('0.1') }
 * const { sample } = { sample: (await demoFeed('demo', 1)[Symbol.asyncIterator]().next()).value }
 * const feed = bootstrapFeed({ ...day, sample, meanBlock: 60, length: 1440 })
 * feed.intervalMs // → 60000
 * ```
 *
 * @throws RangeError, when it is read, as {@link bootstrapBars} does.
 */
export function bootstrapFeed(settings: BlockBootstrap): BarFeed {
  return barFeedOf(`bootstrap with seed ${settings.seed}`, settings.intervalMs, () => bootstrapBars(settings))
}

/** Writes the prices of a bar of the sample, as they are after `previousClose`, to a row. */
function carryOver(
  sample: BarColumns,
  source: number,
  bars: BarColumns,
  row: number,
  previousClose: bigint,
  tickSize: bigint,
): void {
  const base = sample.close[source - 1] as bigint
  const price = (column: BigInt64Array) =>
    carriedOver(column[source] as bigint, base, previousClose, tickSize)
  bars.open[row] = price(sample.open)
  bars.high[row] = price(sample.high)
  bars.low[row] = price(sample.low)
  bars.close[row] = price(sample.close)
}

/**
 * The same in doubles, counting in ticks.
 *
 * @returns false, with nothing written, where a price is no whole number of ticks or a product no safe integer.
 */
function carryOverSafely(
  sample: BarWords,
  source: number,
  bars: BarWords,
  row: number,
  closeTicks: number,
  tick: number,
): boolean {
  const base = wordsAt(sample.close, source - 1) / tick
  const open = safeTicks(wordsAt(sample.open, source) / tick, base, closeTicks)
  const high = safeTicks(wordsAt(sample.high, source) / tick, base, closeTicks)
  const low = safeTicks(wordsAt(sample.low, source) / tick, base, closeTicks)
  const close = safeTicks(wordsAt(sample.close, source) / tick, base, closeTicks)
  const total = (open + high + low + close) * tick
  if (!(total <= Number.MAX_SAFE_INTEGER)) return false
  setWords(bars.open, row, open * tick)
  setWords(bars.high, row, high * tick)
  setWords(bars.low, row, low * tick)
  setWords(bars.close, row, close * tick)
  return true
}

/** ⌊price·close / base + 1/2⌋, at least 1. A quotient of safe integers never rounds up to a whole number. */
function safeTicks(price: number, base: number, close: number): number {
  const doubled = 2 * price * close + base
  const isSafe = doubled <= Number.MAX_SAFE_INTEGER && isWhole(price) && isWhole(base) && isWhole(close)
  return isSafe ? Math.max(1, Math.floor(doubled / (2 * base))) : Number.NaN
}

function isWhole(value: number): boolean {
  return Math.floor(value) === value
}

/** `price` · `close` / `base`, to the nearest tick; rounding keeps the order of the prices of a bar. */
function carriedOver(price: bigint, base: bigint, close: bigint, tickSize: bigint): bigint {
  const ticks = (2n * price * close + base * tickSize) / (2n * base * tickSize)
  const carried = (ticks > 0n ? ticks : 1n) * tickSize
  if (carried > INT64_MAX) throw new RangeError('a resampled price is out of range')
  return carried
}
