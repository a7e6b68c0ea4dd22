/**
 * A backtest: market data and a strategy, through the engine itself. Nothing is modelled a second time here; what the
 * account would have earned is what the account in the engine has.
 */

import { RULES, type Rules } from '../../domain/state/venueRules.ts'
import { createEngine } from '../../engine/open.ts'
import type { AccountConfiguration, MarketConfiguration } from '../../events/command.ts'
import { formatInstant } from '../../projections/wire.ts'
import { fp9 } from '../../quantity/decimal.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import { costNotes, fundingNotes } from '../accounting/costNotes.ts'
import type { Feed } from '../feed/feed.ts'
import type { FundingRates } from '../feed/funding.ts'
import { fundingIntervalOf, rateChanges } from '../feed/fundingSchedule.ts'
import { mergeFeeds } from '../feed/merge.ts'
import { type BarPath, longestStep } from '../feed/path.ts'
import type { FeedSummary } from '../feed/rowReport.ts'
import type { ModelShelf } from '../learned/modelShelf.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { AtDataEnd } from './dataEnds.ts'
import { dataNotes, priceAgeNote } from './dataNotes.ts'
import type { AccountResult } from './participant.ts'
import { feedWithin } from './period.ts'
import { Playback } from './playback.ts'
import { untradedNote } from './untradedNote.ts'

/** One market of a run. */
export interface BacktestMarket {
  readonly asset: string
  readonly feed: Feed
  /** Parameters that differ from an ordinary market's. */
  readonly parameters?: Omit<Partial<MarketConfiguration>, 'id' | 'baseAsset'>
  /** Rates by instant; without them the market's constant rate applies. */
  readonly funding?: FundingRates
}

/** An account and its plan, where they differ from an ordinary evaluation's; default balance 10,000. */
export type BacktestAccount = Omit<Partial<AccountConfiguration>, 'id' | 'userId'>

/** One account of a run with several. */
export interface BacktestTrader {
  /** Unique in the run; what `context.of` finds it by. */
  readonly name: string
  readonly strategy: Strategy
  readonly account?: BacktestAccount
}

/** What a run does once every account has passed or failed. */
export type AfterVerdict = 'stop' | 'go-on'

/** What a run is made of. */
export interface BacktestOptions {
  readonly markets: readonly BacktestMarket[]
  readonly strategy: Strategy
  readonly account?: BacktestAccount
  /** Further accounts on the same markets, each with a strategy of its own. The first is called `main`. */
  readonly others?: readonly BacktestTrader[]
  /** First and last moment of the data to use, epoch ms: rows that open in [from, to). */
  readonly from?: number
  /** Not included, epoch ms. */
  readonly to?: number
  /**
   * How much data before `from` strategies are told, ms, so that their indicators are warm when the run begins. Until then actions
   * come back with `warming_up`, and the account is untouched: no day of it counts. Default none.
   */
  readonly warmUpMs?: number
  /** Order of the prices inside a bar. Default `adverse`. */
  readonly path?: BarPath
  /** By market, when the bars open (epoch ms) that take the other order than `path`: what `exploreOrders` plays. */
  readonly turnedBars?: readonly ReadonlySet<number>[]
  /** Rules that differ from the venue's own. */
  readonly rules?: Partial<Rules>
  /** Seeds the engine's ids. Default `backtest`. */
  readonly seed?: string
  /**
   * What becomes of a market whose data ends before that of others: `close` ends its orders and positions at its last
   * price and pauses it; `hold` leaves everything as it is, at a price that stands still. Default `close`.
   */
  readonly atDataEnd?: AtDataEnd
  /** Length of the bars that a strategy is told where the data is ticks, ms. Default 60,000. */
  readonly tickBarMs?: number
  /**
   * Whether the run ends when every account has passed or failed, or goes on to the end of the data: what an account does
   * after its verdict then counts in every figure. Default `stop`.
   */
  readonly afterVerdict?: AfterVerdict
  /** Least time between two points of the curve, ms. Default: every bar, and a minute between ticks. */
  readonly samplingMs?: number
  /** The kept models that the main account's start from, and where they are kept. Of one run. */
  readonly models?: ModelShelf
  /** Watches the run, for a report or an export. */
  readonly recorder?: RunRecorder
  /** Told now and then how far the run is: how many rows it has played, and up to which `time`, epoch ms. */
  readonly onProgress?: (progress: { readonly rows: number; readonly time: number }) => void
}

/** What a run played of the data of a market, and what that lacks. */
export interface PlayedFeed extends FeedSummary {
  /** Ticks only: days, UTC, between the first that was played and the last that have none, as 2025-01-05. */
  readonly emptyDays: readonly string[]
}

/** The run, and in it the account called `main`. */
export interface BacktestResult extends AccountResult {
  readonly path: BarPath
  /** First and last time of the data, epoch ms. */
  readonly from: number
  /** Last time of the data, epoch ms. */
  readonly to: number
  /** Bars or ticks read. */
  readonly rows: number
  /** The further accounts. */
  readonly others: readonly AccountResult[]
  readonly feeds: readonly PlayedFeed[]
  /** What the reader should know before believing the figures. */
  readonly notes: readonly string[]
  /** Fingerprint of the engine at the end: equal runs have equal hashes. */
  readonly stateHash: string
  /** Commits in the engine's log. */
  readonly commits: number
}

const MAIN = 'main'
const DEFAULT_BALANCE = fp9('10000')
/** A curve point per minute where the data is ticks. */
const TICK_SAMPLING_MS = 60_000
/** Unless a run says otherwise, `tickBarMs`. */
export const TICK_BAR_MS = 60_000
const PROGRESS_BLOCKS = 4

/**
 * Runs a strategy over market data.
 *
 * ```ts
 * const { trades } = await runBacktest({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 2) }],
 *   strategy: emaCross({ asset: 'BTC', fast: 60, slow: 240 }),
 * })
 * trades.length // → 7
 * ```
 *
 * @throws FeedError for data that cannot be read; RangeError for parameters the engine refuses, or a period without data;
 *   StrategyFailure for whatever the strategy throws; KeptModelError for kept models that are others than the strategy's.
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const { markets, path = 'adverse', from, to } = options
  const traders = [
    { name: MAIN, strategy: options.strategy, account: options.account ?? {} },
    ...(options.others ?? []),
  ]
  if (new Set(traders.map(({ name }) => name)).size < traders.length)
    throw new RangeError('two accounts of the run have the same name')
  const rules = { ...RULES, ...options.rules }
  const engine = createEngine({
    seed: options.seed ?? 'backtest',
    log: false,
    rules,
    markets: markets.map(marketConfiguration),
    accounts: traders.map(({ account }, index) => ({
      balance: DEFAULT_BALANCE,
      ...account,
      id: accountId(index),
      userId: USER_ID,
    })),
  })
  const schedules = markets.map((market) =>
    market.funding === undefined ? [] : rateChanges(market.funding, fundingInterval(market)),
  )
  const notes = costNotes(engine.read.markets(), markets)
  for (const { asset, feed } of markets) if (feed.note !== undefined) notes.push(`${asset}: ${feed.note}`)
  for (const market of markets)
    if (
      market.parameters?.maxPriceAgeMs === undefined &&
      maxPriceAgeOf(market) > MARKET_DEFAULTS.maxPriceAgeMs
    )
      notes.push(priceAgeNote(market.asset, maxPriceAgeOf(market), MARKET_DEFAULTS.maxPriceAgeMs))
  if (rules.profitWindowMs === 0) notes.push('the 60-second profit adjustment is off')
  const playback = new Playback({
    engine,
    markets: markets.map((market, index) => ({
      id: marketId(index),
      asset: market.asset,
      intervalMs: market.feed.kind === 'bars' ? market.feed.intervalMs : null,
      rates: schedules[index] ?? [],
      samplingMs: options.samplingMs ?? (market.feed.kind === 'bars' ? 0 : TICK_SAMPLING_MS),
    })),
    traders: traders.map(({ name, strategy }, index) => ({ name, strategy, accountId: accountId(index) })),
    path,
    turnedBars: options.turnedBars ?? [],
    recorder: options.recorder ?? null,
    models: options.models ?? null,
    profitWindowMs: rules.profitWindowMs,
    atDataEnd: options.atDataEnd ?? 'close',
    tickBarMs: options.tickBarMs ?? TICK_BAR_MS,
  })
  const warmUp = warmUpOf(options)
  const feeds = markets.map(({ feed }) => feedWithin(feed, from, to))
  const [main, ...others] = await played(playback, feeds, warmUp, options).finally(() => playback.leave())
  const result = main as AccountResult
  if (playback.from !== null) notes.push(...fundingNotes(markets, playback.from, playback.time))
  notes.push(...dataNotes(markets, playback))
  const untraded = untradedNote(result, playback.asked)
  if (untraded !== null) notes.push(untraded)
  notes.push(...unlearnedNotes(result))
  if (warmUp !== null) notes.push(warmUpNote(options, playback.warmedUpOn))
  const open = [result, ...others].reduce((count, { openPositions }) => count + openPositions, 0)
  if (open > 0) notes.push(`${open} position(s) still open at the end, valued at the index price`)
  const { returns } = result.statistics
  if (returns < LEAST_RETURNS)
    notes.push(
      `no Sharpe ratio and other figures from daily returns: they need ${LEAST_RETURNS}, this run has ${returns}`,
    )
  if (playback.decided) notes.push('the run ended at the verdict; later data was not looked at')
  return {
    ...result,
    path,
    from: playback.from ?? 0,
    to: playback.time,
    rows: playback.rows,
    others,
    feeds: feeds.map((feed, market) => ({ ...feed.summary(), emptyDays: playback.emptyDays.of(market) })),
    notes,
    stateHash: engine.stateHash(),
    commits: engine.head,
  }
}

type Period = { readonly from: number; readonly to: number }

/** Plays all of it; the results are in the order of the traders. */
async function played(
  playback: Playback,
  feeds: readonly Feed[],
  warmUp: Period | null,
  { markets, from, to, afterVerdict, onProgress }: BacktestOptions,
): Promise<AccountResult[]> {
  if (warmUp !== null) {
    for await (const block of mergeFeeds(markets.map(({ feed }) => feedWithin(feed, warmUp.from, warmUp.to))))
      await playback.warmUp(block)
    await playback.endWarmUp(warmUp.to)
  }
  let blocks = 0
  for await (const block of mergeFeeds(feeds)) {
    await playback.play(block, afterVerdict !== 'go-on')
    blocks += 1
    if (blocks % PROGRESS_BLOCKS === 0) onProgress?.({ rows: playback.rows, time: playback.time })
    if (playback.decided) break
  }
  if (playback.from === null && (from ?? to) !== undefined)
    throw new RangeError(`no row of the data lies in the period: ${periodText(from, to)}`)
  return playback.finish(to)
}

/** The data a warm-up is told, [from, to), epoch ms; null without one. @throws RangeError where it has no end. */
function warmUpOf({ from, warmUpMs }: BacktestOptions): Period | null {
  if (warmUpMs === undefined) return null
  if (from === undefined) throw new RangeError('a warm-up is the data before the run: say from when it runs')
  return { from: from - warmUpMs, to: from }
}

function warmUpNote({ from = 0, warmUpMs = 0 }: BacktestOptions, rows: number): string {
  const since = formatInstant(from - warmUpMs)
  return rows === 0
    ? `no warm-up: the data has no row between ${since} and the begin of the run`
    : `strategies were told ${rows} row(s) from ${since} on before the run began, and traded on none`
}

function unlearnedNotes({ learned = [] }: AccountResult): string[] {
  return learned
    .filter(({ fits }) => fits.length === 0)
    .map(({ name, skipped, pending = 0 }) =>
      skipped + pending === 0
        ? `${name} was never learned: no fit was due in this run`
        : pending > 0
          ? `${name} foretold nothing: the run ended before a fit of it was to be used`
          : `${name} was never learned: none of ${skipped} fit(s) that were due had enough rows`,
    )
}

function periodText(from: number | undefined, to: number | undefined): string {
  const begin = from === undefined ? '' : `from ${formatInstant(from)}`
  return to === undefined ? begin : `${begin} until before ${formatInstant(to)}`.trim()
}

const USER_ID = '00000000-0000-4000-8000-0000000000b1'

/** The id a run gives its n-th market. */
export function marketId(index: number): string {
  return `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}

/** The id a run gives its n-th account. */
function accountId(index: number): string {
  return `00000000-0000-4000-8000-${(0xa1 + index).toString(16).padStart(12, '0')}`
}

function marketConfiguration(market: BacktestMarket, index: number): MarketConfiguration {
  return {
    ticker: `${market.asset}/USD`,
    category: 'crypto',
    maxPriceAgeMs: maxPriceAgeOf(market),
    ...(market.funding === undefined ? {} : { fundingRate: 0n, fundingIntervalMs: fundingInterval(market) }),
    ...market.parameters,
    id: marketId(index),
    baseAsset: market.asset,
  }
}

/**
 * The venue's own, unless the data is bars that tell prices less often: then the longest time between two prices of a
 * bar, so that it is gaps that make a price stale and not the form of the data.
 */
function maxPriceAgeOf({ feed }: BacktestMarket): number {
  const { maxPriceAgeMs } = MARKET_DEFAULTS
  return feed.kind === 'bars' ? Math.max(maxPriceAgeMs, longestStep(feed.intervalMs ?? 0) + 1) : maxPriceAgeMs
}

function fundingInterval(market: BacktestMarket): number {
  const configured = market.parameters?.fundingIntervalMs
  const found = market.funding && fundingIntervalOf(market.funding)
  return configured ?? found ?? MARKET_DEFAULTS.fundingIntervalMs
}
