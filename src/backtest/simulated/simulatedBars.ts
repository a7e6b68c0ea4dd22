/** Bars from models of prices. */
import { type BarColumns, emptyBars } from '../feed/columns.ts'
import { type BarFeed, barFeedOf } from '../feed/feed.ts'
import { choleskyFactor, correlate } from './correlation.ts'
import { exp } from './exponential.ts'
import { normal } from './normal.ts'
import { type PriceModel, type PriceStep, requireAtLeast, YEAR_MS } from './priceModel.ts'
import { Random } from './random.ts'

/** What all markets of a simulation share. */
export interface SimulatedTime {
  /** Any text; the same seed gives the same bytes on every machine. */
  readonly seed: string
  /** When the first bar opens, UTC ms. */
  readonly startTime: number
  /** How far apart bars open, in ms; whole and above zero. */
  readonly intervalMs: number
  /** How many bars. */
  readonly length: number
  /** Steps of the model inside a bar, from which high and low are taken. Default 8. */
  readonly stepsPerBar?: number
  /** Bars per chunk. Default 8192. */
  readonly chunkRows?: number
}

/** What is a market's own. */
export interface SimulatedMarket {
  readonly model: PriceModel
  /** The first open, fp9; a multiple of the tick size. */
  readonly startPrice: bigint
  /** The step of prices, fp9. Prices are rounded to the nearest one and never fall below one. */
  readonly tickSize: bigint
  /** Mean volume of a bar. Volumes are uniform between half and one and a half of it. Default 0. */
  readonly meanVolume?: number
}

/** Markets that move together. */
export interface CorrelatedMarkets extends SimulatedTime {
  readonly markets: readonly SimulatedMarket[]
  /** Correlation of the shocks of each pair, in the order of `markets`; positive definite, ones on its diagonal. */
  readonly correlation: readonly (readonly number[])[]
}

const CHUNK_ROWS = 8192
const STEPS_PER_BAR = 8
const INT64_MAX = 2n ** 63n - 1n

/**
 * The bars of one market, in chunks.
 *
 * @throws RangeError for settings outside their ranges, and where a price leaves the range of 64 bits.
 */
export function* simulateBars(settings: SimulatedTime & SimulatedMarket): Generator<BarColumns> {
  for (const [bars] of simulateMarkets({ ...settings, markets: [settings], correlation: [[1]] })) {
    yield bars as BarColumns
  }
}

/**
 * {@link simulateBars} as a feed; each iteration gives the same bars.
 *
 * ```ts
 * const market = { model: priceModelOf('brownian'), startPrice: fp9('50000'), tickSize: fp9('0.1') }
 * const feed = simulatedFeed({ seed: 'mine', startTime: at, intervalMs: 60_000, length: 1440, ...market })
 * const { rows } = await runBacktest({ markets: [{ asset: 'BTC', feed }], strategy: breakout({ asset: 'BTC' }) })
 * rows // → 1440
 * ```
 *
 * @throws RangeError, when it is read, as {@link simulateBars} does.
 */
export function simulatedFeed(settings: SimulatedTime & SimulatedMarket): BarFeed {
  return barFeedOf(`simulated with seed ${settings.seed}`, settings.intervalMs, () => simulateBars(settings))
}

/**
 * The bars of several markets, in chunks of the same rows, in the order of `markets`. Each market has random numbers of
 * its own, so that adding one leaves the independent ones as they were.
 *
 * ```ts
 * const time = { seed: 'mine', startTime: at, intervalMs: 60_000, length: 1440 }
 * const market = { model: priceModelOf('brownian'), startPrice: fp9('50000'), tickSize: fp9('0.1') }
 * const [[btc, eth]] = simulateMarkets({ ...time, markets: [market, market], correlation: [[1, 0.8], [0.8, 1]] })
 * btc.length === eth.length // → true
 * ```
 *
 * @throws RangeError as {@link simulateBars}, and for a matrix that is no correlation matrix.
 */
export function* simulateMarkets(settings: CorrelatedMarkets): Generator<BarColumns[]> {
  const { seed, startTime, intervalMs, length, markets, correlation } = settings
  const { stepsPerBar = STEPS_PER_BAR, chunkRows = CHUNK_ROWS } = settings
  requireAtLeast('the interval', intervalMs, 1)
  requireAtLeast('the number of steps per bar', stepsPerBar, 1)
  requireAtLeast('the number of bars per chunk', chunkRows, 1)
  if (correlation.length !== markets.length) {
    throw new RangeError(
      `the correlation matrix has ${correlation.length} rows for ${markets.length} markets`,
    )
  }
  const factor = choleskyFactor(correlation)
  const stepYears = intervalMs / stepsPerBar / YEAR_MS
  const walks = markets.map((market, index) => new Walk(market, stepYears, new Random(`${seed}/${index}`)))
  const independent = new Array<number>(markets.length).fill(0)
  const shocks = new Array<number>(markets.length).fill(0)
  for (let done = 0; done < length; done += chunkRows) {
    const rows = Math.min(chunkRows, length - done)
    const chunk = walks.map(() => emptyBars(rows))
    for (let row = 0; row < rows; row++) {
      for (const walk of walks) walk.openBar()
      for (let step = 0; step < stepsPerBar; step++) {
        for (let index = 0; index < walks.length; index++)
          independent[index] = normal((walks[index] as Walk).random)
        correlate(factor, independent, shocks)
        for (let index = 0; index < walks.length; index++)
          (walks[index] as Walk).move(shocks[index] as number)
      }
      const openTime = startTime + (done + row) * intervalMs
      for (const [index, walk] of walks.entries()) walk.closeBar(chunk[index] as BarColumns, row, openTime)
    }
    yield chunk
  }
}

/** One market's price as it moves: its logarithm relative to the start, and the extremes of the bar so far. */
class Walk {
  readonly random: Random
  readonly #step: PriceStep
  readonly #startTicks: number
  readonly #tickSize: bigint
  readonly #meanVolume: number
  #logPrice = 0
  #open = 0
  #high = 0
  #low = 0

  constructor(market: SimulatedMarket, stepYears: number, random: Random) {
    const { model, startPrice, tickSize, meanVolume = 0 } = market
    if (tickSize <= 0n || startPrice <= 0n || startPrice % tickSize !== 0n) {
      throw new RangeError('the starting price must be a multiple of the tick size, both above zero')
    }
    requireAtLeast('the mean volume', meanVolume, 0)
    this.random = random
    this.#step = model.start(stepYears)
    this.#startTicks = Number(startPrice / tickSize)
    this.#tickSize = tickSize
    this.#meanVolume = meanVolume
  }

  openBar(): void {
    this.#open = this.#logPrice
    this.#high = this.#logPrice
    this.#low = this.#logPrice
  }

  move(shock: number): void {
    const logPrice = this.#step(this.#logPrice, shock, this.random)
    this.#logPrice = logPrice
    if (logPrice > this.#high) this.#high = logPrice
    if (logPrice < this.#low) this.#low = logPrice
  }

  closeBar(bars: BarColumns, row: number, openTime: number): void {
    bars.openTime[row] = openTime
    bars.open[row] = this.#price(this.#open)
    bars.high[row] = this.#price(this.#high)
    bars.low[row] = this.#price(this.#low)
    bars.close[row] = this.#price(this.#logPrice)
    bars.volume[row] = this.#meanVolume === 0 ? 0 : this.#meanVolume * (0.5 + this.random.uniform())
  }

  #price(logPrice: number): bigint {
    const ticks = Math.max(1, Math.floor(this.#startTicks * exp(logPrice) + 0.5))
    const price = Number.isFinite(ticks) ? BigInt(ticks) * this.#tickSize : INT64_MAX + 1n
    if (price > INT64_MAX) throw new RangeError('a simulated price is out of range; the model grows too fast')
    return price
  }
}
