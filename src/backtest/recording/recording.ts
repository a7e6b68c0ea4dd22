/** Everything a report or an export needs beside the result: candles, fills, levels, floors and the events themselves. */
import type { Commit } from '../../events/commit.ts'
import type { RiskStatus } from '../../projections/accountRecord.ts'
import type { Charted, IndicatorLine } from '../strategy/indicator.ts'
import type { Bar, Tick } from '../strategy/strategy.ts'
import { AmbiguousBarRecorder } from './ambiguousBars.ts'
import { CandleRecorder } from './candles.ts'
import { FillRecorder } from './fills.ts'
import { FloorRecorder } from './floors.ts'
import { LevelRecorder } from './levels.ts'
import { MarketPriceRecorder, type MarketPrices } from './marketPrices.ts'
import { OrderedBarRecorder } from './orderedBars.ts'
import type { RecordedMarket, RecordedRun, RunRecorder } from './recorder.ts'

/** A line of an indicator: its values are a column of its market's candles. */
export interface DrawnLine {
  readonly market: number
  readonly line: IndicatorLine
  readonly chart: Charted['chart']
  readonly column: number
}

/** What a report and the tables of a run are drawn from, whoever recorded it. */
export type Recorded = Pick<
  Recording,
  'markets' | 'marketPrices' | 'candles' | 'indicators' | 'fills' | 'levels' | 'floors' | 'ambiguousBars'
>

/**
 * The recorder behind reports and exports. One per run; of several accounts it follows the first.
 *
 * ```ts
 * const recording = new Recording()
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * await runBacktest({ ...options, recorder: recording })
 * recording.fills.length // → 57
 * ```
 */
export class Recording implements RunRecorder {
  readonly #fills = new FillRecorder()
  readonly #levels = new LevelRecorder((positionId) => this.#run?.read.liquidationPrice(positionId))
  readonly #floors = new FloorRecorder()
  readonly #ambiguous = new AmbiguousBarRecorder()
  readonly #ordered = new OrderedBarRecorder()
  #candles: CandleRecorder[] = []
  #prices = new MarketPriceRecorder([])
  readonly #indicators: DrawnLine[] = []
  #run: RecordedRun | null = null
  /** Commits with more than a price, of all accounts, in order. */
  readonly commits: Commit[] = []

  /** @throws RangeError the second time. */
  start(run: RecordedRun): void {
    if (this.#run !== null) throw new RangeError('a recording is of one run')
    this.#run = run
    this.#ordered.start(run)
    this.#candles = run.markets.map(({ intervalMs }) => new CandleRecorder(intervalMs))
    this.#prices = new MarketPriceRecorder(run.markets.map(({ asset }) => asset))
    this.#recordFloors(run, run.read.now)
  }

  bar(market: number, bar: Bar): void {
    const { openTime, open, high, low, close, volume } = bar
    this.#candles[market]?.add(openTime, open, high, low, close, volume)
    this.#prices.told(market, open)
    const marketId = (this.markets[market] as RecordedMarket).id
    this.#ordered.bar(market, bar)
    this.#ambiguous.bar({ marketId, openTime, high, low }, this.#levels.levels, this.#fills.fills)
  }

  indicator(market: number, indicator: Charted): void {
    const candles = this.#candles[market]
    for (const line of indicator.lines) {
      const known = this.#indicators.find((drawn) => drawn.line === line)
      const drawn = known ?? { market, line, chart: indicator.chart, column: candles?.addColumn() ?? 0 }
      if (known === undefined) this.#indicators.push(drawn)
      if (line.value !== null) candles?.setColumn(drawn.column, line.value)
    }
  }

  tick(market: number, { time, price }: Tick): void {
    this.#candles[market]?.add(time, price, price, price, price, 0)
    this.#prices.told(market)
  }

  sampled(at: number, priceOf: (market: number) => bigint): void {
    this.#prices.sampled(at, priceOf)
  }

  commit(commit: Commit): void {
    this.commits.push(commit)
    this.#ordered.commit(commit)
    const run = this.#run as RecordedRun
    const own = commit.events.filter((event) => 'accountId' in event && event.accountId === run.accountId)
    for (const event of own) {
      this.#fills.add(event, commit, run.partOf)
      this.#levels.add(event, commit.at)
    }
    if (own.some(({ type }) => FloorRecorder.moves(type))) this.#recordFloors(run, commit.at)
  }

  get markets(): readonly RecordedMarket[] {
    return this.#run?.markets ?? []
  }

  /** By market, at the points of the account's curve. */
  get marketPrices(): readonly MarketPrices[] {
    return this.#prices.prices()
  }

  /** Candles by market, in the order of `markets`. */
  get candles() {
    return this.#candles.map((recorder) => recorder.candles())
  }

  /** The lines of indicators, in the order in which they were first computed. */
  get indicators(): readonly DrawnLine[] {
    return this.#indicators
  }

  get fills() {
    return this.#fills.fills
  }

  get levels() {
    return this.#levels.levels
  }

  get floors() {
    return this.#floors.floors
  }

  get ambiguousBars() {
    return this.#ambiguous.bars
  }

  /** Bars in which the order of the extremes may decide something, as they are told. */
  get orderedBars() {
    return this.#ordered.bars
  }

  /** Whether positions in several markets were open at once. */
  get heldTogether() {
    return this.#ordered.heldTogether
  }

  #recordFloors({ read, accountId }: RecordedRun, at: number): void {
    this.#floors.add(at, read.riskStatus(accountId) as RiskStatus)
  }
}
