/**
 * A backtest: market data and a strategy, through the engine itself. Nothing is modelled a second time here; what the
 * account would have earned is what the account in the engine has.
 */
import type { AccountConfiguration, Command, MarketConfiguration } from '../domain/command.ts'
import { MARKET_DEFAULTS } from '../domain/market/configuration.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine } from '../engine/open.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { AccountRecord } from '../projections/accountRecord.ts'
import { fp9 } from '../quantity/decimal.ts'
import type { Quote } from '../quantity/units.ts'
import { CostLedger, type Costs } from './costs.ts'
import { type AccountCurve, CurveRecorder } from './curve.ts'
import { EngineContext } from './engineContext.ts'
import { Exposure } from './exposure.ts'
import type { BarColumns, TickColumns } from './feed/columns.ts'
import type { Feed } from './feed/feed.ts'
import type { FundingRates } from './feed/funding.ts'
import { type MergedBlock, mergeFeeds } from './feed/merge.ts'
import { type BarPath, PATH_STEPS, writeBarPath } from './feed/path.ts'
import type { FeedSummary } from './feed/rowReport.ts'
import { fundingIntervalOf, type RateChange, rateChanges } from './fundingSchedule.ts'
import type { RunRecorder } from './recording/recorder.ts'
import { type RunStatistics, runStatistics } from './statistics/statistics.ts'
import type { Bar, MaybePromise, Strategy } from './strategy.ts'
import { type Trade, TradeLog } from './tradeLog.ts'
import { type Verdict, VerdictWatch } from './verdict.ts'

/** One market of a run. */
export interface BacktestMarket {
  readonly asset: string
  readonly feed: Feed
  /** Parameters that differ from an ordinary market's. */
  readonly parameters?: Omit<Partial<MarketConfiguration>, 'id' | 'baseAsset'>
  /** Rates by instant; without them the market's constant rate applies. */
  readonly funding?: FundingRates
}

export interface BacktestOptions {
  readonly markets: readonly BacktestMarket[]
  readonly strategy: Strategy
  /** The account and its plan, where they differ from an ordinary evaluation's; default balance 10,000. */
  readonly account?: Omit<Partial<AccountConfiguration>, 'id' | 'userId'>
  /** Order of the prices inside a bar. Default `adverse`. */
  readonly path?: BarPath
  /** Seeds the engine's ids. Default `backtest`. */
  readonly seed?: string
  /** Watches the run, for a report or an export. */
  readonly recorder?: RunRecorder
  /** Told now and then how far the run is. */
  readonly onProgress?: (progress: { readonly rows: number; readonly time: number }) => void
}

export interface BacktestResult {
  readonly strategy: string
  readonly path: BarPath
  /** First and last time of the data, epoch ms. */
  readonly from: number
  readonly to: number
  /** Bars or ticks read. */
  readonly rows: number
  readonly initialBalance: Quote
  readonly account: AccountRecord
  readonly verdict: Verdict
  /** Soft daily breaches. */
  readonly freezes: number
  readonly statistics: RunStatistics
  readonly costs: Costs
  readonly trades: readonly Trade[]
  readonly fills: number
  readonly liquidations: number
  /** The closest any position came to its liquidation price, as a fraction of the price then; null without positions. */
  readonly closestToLiquidation: number | null
  /** The smallest distance to the drawdown floors seen at a sampling time; null when the rule is off. */
  readonly leastDailyHeadroom: Quote | null
  readonly leastTotalHeadroom: Quote | null
  readonly openPositions: number
  /** Refused actions by code. */
  readonly refusals: Readonly<Record<string, number>>
  readonly curve: AccountCurve
  readonly feeds: readonly FeedSummary[]
  /** What the reader should know before believing the figures. */
  readonly notes: readonly string[]
  /** Fingerprint of the engine at the end: equal runs have equal hashes. */
  readonly stateHash: string
  /** Commits in the engine's log. */
  readonly commits: number
}

const ACCOUNT_ID = '00000000-0000-4000-8000-0000000000a1'
const USER_ID = '00000000-0000-4000-8000-0000000000b1'
const DEFAULT_BALANCE = fp9('10000')
/** A curve point per minute where the data is ticks. */
const TICK_SAMPLING_MS = 60_000
const PROGRESS_BLOCKS = 4

/**
 * Runs a strategy over market data.
 *
 * @throws FeedError for data that cannot be read; RangeError for parameters the engine refuses; whatever the strategy
 *   throws.
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const run = new Run(options)
  let blocks = 0
  for await (const block of mergeFeeds(options.markets.map(({ feed }) => feed))) {
    await run.play(block)
    blocks += 1
    if (blocks % PROGRESS_BLOCKS === 0) options.onProgress?.({ rows: run.rows, time: run.time })
  }
  return run.finish()
}

/** The id a run gives its n-th market. */
function marketId(index: number): string {
  return `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}

class Run {
  readonly #options: BacktestOptions
  readonly #engine: Engine
  readonly #context: EngineContext
  readonly #curve = new CurveRecorder()
  readonly #costs = new CostLedger()
  readonly #tradeLog = new TradeLog()
  readonly #exposure: Exposure
  readonly #verdict: VerdictWatch
  readonly #refusals: Record<string, number> = {}
  readonly #notes: string[] = []
  readonly #rateChanges: RateChange[][]
  readonly #nextChange: number[]
  readonly #commits: Commit[] = []
  readonly #barPrices: bigint[][]
  readonly #path: BarPath
  #from = -1
  #sampledAt = Number.NEGATIVE_INFINITY
  #leastDaily: Quote | null = null
  #leastTotal: Quote | null = null
  time = 0
  rows = 0

  constructor(options: BacktestOptions) {
    this.#options = options
    this.#path = options.path ?? 'adverse'
    this.#barPrices = options.markets.map(() => [0n, 0n, 0n, 0n])
    this.#engine = createEngine({
      seed: options.seed ?? 'backtest',
      markets: options.markets.map(marketConfiguration),
      accounts: [{ balance: DEFAULT_BALANCE, ...options.account, id: ACCOUNT_ID, userId: USER_ID }],
    })
    this.#engine.subscribe((commit) => this.#commits.push(commit), 'backtest')
    const ids = new Map(options.markets.map(({ asset }, index) => [asset, marketId(index)]))
    this.#context = new EngineContext(this.#engine, ACCOUNT_ID, ids, (command, code) =>
      this.#countRefusal(command, code),
    )
    this.#exposure = new Exposure(
      this.#engine.read,
      options.markets.map((_, index) => marketId(index)),
    )
    this.#verdict = new VerdictWatch(ACCOUNT_ID, this.#engine.read)
    this.#rateChanges = options.markets.map((market) => this.#fundingOf(market))
    this.#nextChange = options.markets.map(() => 0)
    this.#noteCosts()
  }

  async play(block: MergedBlock): Promise<void> {
    const { strategy } = this.#options
    if (this.#from < 0) {
      this.#from = block.time[0] as number
      this.#startRecorder()
      await strategy.onStart?.(this.#context)
    }
    for (let entry = 0; entry < block.length; entry++) {
      const market = block.market[entry] as number
      const columns = block.columns[market] as BarColumns | TickColumns
      const row = block.row[entry] as number
      const time = block.time[entry] as number
      const step = block.step[entry] as number
      const price =
        'open' in columns ? this.#barPrice(market, columns, row, step) : (columns.price[row] as bigint)
      this.#moveTo(market, time, price)
      if (this.#commits.length > 0) await this.#settleEvents()
      const ticked = strategy.onTick?.({ asset: this.#asset(market), time, price }, this.#context)
      if (ticked instanceof Promise) await ticked
      if ('open' in columns) {
        if (step === PATH_STEPS - 1) await this.#endBar(market, columns, row, time)
      } else this.#endTick(market, time, price)
      if (this.#commits.length > 0) await this.#settleEvents()
    }
  }

  async finish(): Promise<BacktestResult> {
    await this.#options.strategy.onEnd?.(this.#context)
    await this.#settleEvents()
    if (this.#from >= 0) this.#sample(this.time)
    const curve = this.#curve.curve()
    const { read } = this.#engine
    const account = read.account(ACCOUNT_ID) as AccountRecord
    const openPositions = read.activePositions(ACCOUNT_ID).length
    if (openPositions > 0)
      this.#notes.push(`${openPositions} position(s) still open at the end, valued at the index price`)
    return {
      strategy: this.#options.strategy.name,
      path: this.#path,
      from: Math.max(this.#from, 0),
      to: this.time,
      rows: this.rows,
      initialBalance: account.initialAccountBalance,
      account,
      verdict: this.#verdict.verdict,
      freezes: this.#verdict.freezes,
      statistics: runStatistics(curve, this.#tradeLog.trades),
      costs: this.#costs.totals(),
      trades: this.#tradeLog.trades,
      fills: this.#tradeLog.fills,
      liquidations: this.#tradeLog.liquidations,
      closestToLiquidation: this.#exposure.closest,
      leastDailyHeadroom: this.#leastDaily,
      leastTotalHeadroom: this.#leastTotal,
      openPositions,
      refusals: this.#refusals,
      curve,
      feeds: this.#options.markets.map(({ feed }) => feed.summary()),
      notes: this.#notes,
      stateHash: this.#engine.stateHash(),
      commits: this.#engine.head,
    }
  }

  /** The prices of a bar are laid out when it opens, by the side that is exposed then. */
  #barPrice(market: number, columns: BarColumns, row: number, step: number): bigint {
    const prices = this.#barPrices[market] as bigint[]
    if (step === 0)
      writeBarPath(
        this.#path,
        this.#exposure.side(market),
        columns.open[row] as bigint,
        columns.high[row] as bigint,
        columns.low[row] as bigint,
        columns.close[row] as bigint,
        prices,
      )
    return prices[step] as bigint
  }

  #moveTo(market: number, time: number, price: bigint): void {
    this.#changeRates(time)
    const outcome = this.#engine.dispatch(
      { type: 'updatePrice', marketId: marketId(market), indexPrice: price },
      { at: time },
    )
    if (!outcome.ok) throw new RangeError(`price ${price} refused: ${outcome.error.code}`)
    this.time = time
    this.#exposure.priced(market, price)
  }

  /** Makes the funding rate changes that come before a time. */
  #changeRates(time: number): void {
    for (let market = 0; market < this.#rateChanges.length; market++) {
      const changes = this.#rateChanges[market] as RateChange[]
      let next = this.#nextChange[market] as number
      if (next >= changes.length || (changes[next] as RateChange).at >= time) continue
      for (; next < changes.length && (changes[next] as RateChange).at < time; next++) {
        const { at, rate } = changes[next] as RateChange
        if (at < this.#engine.now || this.#engine.now === 0) continue
        this.#engine.dispatch(
          { type: 'setFundingRate', marketId: marketId(market), fundingRate: rate, fundingRateShort: null },
          { at },
        )
      }
      this.#nextChange[market] = next
    }
  }

  async #endBar(market: number, columns: BarColumns, row: number, closeTime: number): Promise<void> {
    this.rows += 1
    this.#sample(closeTime)
    const { strategy, recorder } = this.#options
    if (strategy.onBar === undefined && recorder === undefined) return
    const bar: Bar = {
      asset: this.#asset(market),
      openTime: columns.openTime[row] as number,
      closeTime,
      open: columns.open[row] as bigint,
      high: columns.high[row] as bigint,
      low: columns.low[row] as bigint,
      close: columns.close[row] as bigint,
      volume: columns.volume[row] as number,
    }
    recorder?.bar(market, bar)
    const handled: MaybePromise<void> = strategy.onBar?.(bar, this.#context)
    if (handled instanceof Promise) await handled
  }

  #endTick(market: number, time: number, price: bigint): void {
    this.rows += 1
    this.#options.recorder?.tick(market, { asset: this.#asset(market), time, price })
    if (time >= this.#sampledAt + TICK_SAMPLING_MS) this.#sample(time)
  }

  #sample(time: number): void {
    this.#sampledAt = time
    const { read } = this.#engine
    const equity = read.equity(ACCOUNT_ID) as Quote
    this.#curve.add(time, equity, read.balance(ACCOUNT_ID) as Quote, this.#exposure.notional)
    if (this.#exposure.notional === 0n) return
    const risk = read.riskStatus(ACCOUNT_ID)
    this.#leastDaily = lesser(this.#leastDaily, risk?.dailyLossRemaining ?? null)
    this.#leastTotal = lesser(this.#leastTotal, risk?.totalLossRemaining ?? null)
  }

  /** Tells everyone what happened, including what their reactions cause. */
  async #settleEvents(): Promise<void> {
    for (let index = 0; index < this.#commits.length; index++) {
      const commit = this.#commits[index] as Commit
      const { at, events } = commit
      if (events.some(({ type }) => type !== 'priceUpdated')) this.#options.recorder?.commit(commit)
      for (const event of events) {
        if (event.type === 'priceUpdated') continue
        this.#record(event, at)
        const handled = this.#options.strategy.onEvent?.(event, this.#context)
        if (handled instanceof Promise) await handled
      }
    }
    this.#commits.length = 0
  }

  #record(event: Event, at: number): void {
    this.#costs.add(event)
    this.#tradeLog.add(event, at)
    this.#exposure.add(event)
    this.#verdict.add(event, at)
  }

  #startRecorder(): void {
    const { markets, recorder } = this.#options
    recorder?.start({
      read: this.#engine.read,
      accountId: ACCOUNT_ID,
      markets: markets.map(({ asset, feed }, index) => ({
        id: marketId(index),
        asset,
        intervalMs: feed.kind === 'bars' ? feed.intervalMs : null,
      })),
    })
  }

  #asset(market: number): string {
    return (this.#options.markets[market] as BacktestMarket).asset
  }

  #countRefusal(_command: Command, code: string): void {
    this.#refusals[code] = (this.#refusals[code] ?? 0) + 1
  }

  #fundingOf(market: BacktestMarket): RateChange[] {
    if (market.funding === undefined) return []
    const { changes, missing } = rateChanges(market.funding, fundingInterval(market))
    if (missing > 0)
      this.#notes.push(
        `${market.asset}: ${missing} funding instant(s) have no rate in the file; none was charged`,
      )
    return changes
  }

  /** Costs are never silently zero. */
  #noteCosts(): void {
    for (const market of this.#engine.read.markets()) {
      const name = market.config.baseAsset
      const funded = this.#options.markets.some(
        ({ asset, funding }) => asset === name && funding !== undefined,
      )
      if (market.config.feeRate === 0n) this.#notes.push(`${name}: no fees are charged`)
      if (market.config.spread === 0n) this.#notes.push(`${name}: no spread is charged`)
      if (funded) continue
      if (market.state.fundingRate === 0n) this.#notes.push(`${name}: no funding is charged`)
      else this.#notes.push(`${name}: no funding file; every instant uses the constant rate of the market`)
    }
  }
}

function marketConfiguration(market: BacktestMarket, index: number): MarketConfiguration {
  const interval = market.feed.kind === 'bars' ? (market.feed.intervalMs ?? 0) : TICK_SAMPLING_MS
  return {
    ticker: `${market.asset}/USD`,
    category: 'crypto',
    // A price inside a bar is as old as the step before it; data gaps are reported, not traded on.
    maxPriceAgeMs: Math.max(MARKET_DEFAULTS.maxPriceAgeMs, 2 * interval),
    ...(market.funding === undefined ? {} : { fundingRate: 0n, fundingIntervalMs: fundingInterval(market) }),
    ...market.parameters,
    id: marketId(index),
    baseAsset: market.asset,
  }
}

function fundingInterval(market: BacktestMarket): number {
  const configured = market.parameters?.fundingIntervalMs
  const found = market.funding && fundingIntervalOf(market.funding)
  return configured ?? found ?? MARKET_DEFAULTS.fundingIntervalMs
}

function lesser(least: Quote | null, value: Quote | null): Quote | null {
  if (value === null) return least
  return least === null || value < least ? value : least
}
