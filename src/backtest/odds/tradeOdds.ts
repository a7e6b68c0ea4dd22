/** A trader's odds from the trades there were: under several sets of rules, and at several risks per trade. */
import type { DrawnPaths } from '../evaluate/evaluate.ts'
import type { PathOutcome } from '../evaluate/life.ts'
import { type Odds, oddsOf } from '../evaluate/odds.ts'
import type { RuleSet } from '../evaluate/rules.ts'
import { PlanError } from '../plan/readPlan.ts'
import { stationaryBlockLength } from '../statistics/blockLength.ts'
import { runTasks } from '../workers/runTasks.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import { type AttemptOdds, type AttemptTerms, attemptsUnder } from './attempts.ts'
import { decisiveDay } from './decisivePrices.ts'
import { heldDays } from './heldDays.ts'
import { MOST_LEVERAGE } from './lane.ts'
import type { OwnTrade } from './ownTrade.ts'
import { type DayTrade, dayGains, tradeDays } from './tradeDays.ts'
import { type FoundPath, type PricedAsset, tradePathsOf, type WithoutPath } from './tradePath.ts'
import type { TradePathTask } from './tradePaths.ts'
import { spanNotes } from './tradeSpan.ts'

/** What {@link tradeOdds} plays, and how often. */
export interface TradeOddsOptions extends WorkOptions {
  readonly trades: readonly OwnTrade[]
  /** What the account had when the trades were made, quote currency: trades count as shares of it. */
  readonly tradedBalance: number
  readonly rules: readonly RuleSet[]
  /** How many times as large every trade is. Default [1]. */
  readonly scales?: readonly number[]
  /** Several attempts, where the rules or these terms have a fee. */
  readonly terms?: AttemptTerms
  /** Default 2,000. */
  readonly paths?: number
  /** Length of a path. Default 30. */
  readonly days?: number
  /** Mean length of a block of days. Default: found from the daily results. */
  readonly meanBlock?: number
  /** Default `evaluate`. */
  readonly seed?: string
  /**
   * Prices of what was traded. A trade that they cover is played with its path, those that are open at once together; one of several days is
   * held over its midnights.
   */
  readonly prices?: readonly PricedAsset[]
  /** Of the trades that say none; 10 is 10x, at most 100. Default: a margin that covers what the trade ever lost. */
  readonly leverage?: number
  /** Told as paths end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** The odds under one set of rules at one risk. */
export interface RuledOdds extends Odds {
  readonly rules: string
  /** How many times as large every trade was. */
  readonly scale: number
  /** Null without a fee. */
  readonly attempts: AttemptOdds | null
}

/** What {@link tradeOdds} found. */
export interface TradeOdds extends Pick<DrawnPaths, 'paths' | 'days' | 'meanBlock' | 'seed'> {
  /** How many were drawn from. */
  readonly trades: number
  /** Days that were drawn from. */
  readonly tradedDays: number
  /** What may be wrong with them: a span that is too long to be one, or mostly idle. */
  readonly notes: readonly string[]
  /** How many trades were played with their path, and how many without, for what reason; where prices were given. */
  readonly priced?: PricedTrades
  /** By rules, then by risk. */
  readonly odds: readonly RuledOdds[]
}

/** How trades and prices fit together. */
export interface PricedTrades {
  /** Trades played with their path. */
  readonly withPath: number
  /** Trades played by their result alone, because the table has no opening, prices or size of them. */
  readonly unsaid: number
  /** Trades of symbols without prices. */
  readonly otherSymbol: number
  /** Trades that begin or end where there are no prices. */
  readonly outside: number
  /** Trades that were entered or left at a price that there was not then, as in another time zone. */
  readonly elsewhere: number
  /** The first trade of these, for each reason: when it was closed, epoch ms. */
  readonly first: Readonly<Partial<Record<WithoutPath, number>>>
}

const PATHS = 2_000
const DAYS = 30
/** Paths per message to a worker. */
const STRETCH = 8

/**
 * ```ts
 * const trades = Array.from({ length: 40 }, (_, n) => ({
 *   openedAt: null,
 *   closedAt: at + n * 86_400_000,
 *   pnl: n % 2 === 0 ? 120 : -80,
 *   worst: null,
 * }))
 * const rules = [{ name: 'the venue', account: {} }]
 * const { odds } = await tradeOdds({ trades, tradedBalance: 10_000, rules, paths: 20, days: 20, seed: 'mine', workers: 1 })
 * odds[0].rules // → the venue
 * ```
 *
 * @throws PlanError for no trades, a balance that is not above zero, and rules that are none;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan; KeptModelError for a folder without models; RangeError for a database whose URL
 * has an `sslmode` that there is none of.
 */
export async function tradeOdds(options: TradeOddsOptions): Promise<TradeOdds> {
  const { trades, tradedBalance, rules, scales = [1], terms, paths = PATHS, seed = 'evaluate' } = options
  if (trades.length === 0 || !(tradedBalance > 0))
    throw new PlanError('odds take a trade or more, and the balance they were made with')
  const { days, priced } = await daysOf(options)
  const meanBlock = options.meanBlock ?? stationaryBlockLength(dayGains(days))
  const cases = rules.flatMap((own) => scales.map((scale) => ({ rules: own, scale })))
  const stretches: number[][] = []
  for (let first = 0; first < paths; first += STRETCH)
    stretches.push(Array.from({ length: Math.min(STRETCH, paths - first) }, (_, index) => first + index))
  let done = 0
  const horizon = options.days ?? DAYS
  const outcomes = await runTasks<TradePathTask, PathOutcome[]>({
    setup: { kind: 'trades', paths: { days, horizon, meanBlock, seed } },
    tasks: cases.flatMap((own) => stretches.map((numbers) => ({ ...own, numbers }))),
    ...workOf(options),
    onResult: (stretch) => {
      done += stretch.length
      options.onProgress?.({ done, total: paths * cases.length })
    },
  })
  const odds = cases.map(({ rules: under, scale }, index) => {
    const own = outcomes.slice(index * stretches.length, (index + 1) * stretches.length).flat()
    const found = oddsOf(own, under)
    return { rules: under.name, scale, ...found, attempts: attemptsUnder(found, under, terms) }
  })
  const drawn = { trades: trades.length, tradedDays: days.length, paths, days: horizon, meanBlock, seed }
  const notes = spanNotes(trades)
  return { ...drawn, notes, ...(priced === null ? {} : { priced }), odds }
}

async function daysOf({ trades, tradedBalance, prices = [], leverage }: TradeOddsOptions): Promise<{
  readonly days: DayTrade[][]
  readonly priced: PricedTrades | null
}> {
  if (leverage !== undefined && !(leverage >= 1 && leverage <= MOST_LEVERAGE))
    throw new PlanError(`a leverage is between 1 and ${MOST_LEVERAGE}, not ${leverage}`)
  if (prices.length === 0) return { days: tradeDays(trades, tradedBalance), priced: null }
  const found = await tradePathsOf(trades, prices)
  const paths = found.map((own) => ('path' in own ? own.path : null))
  return {
    days: heldDays(trades, paths, tradedBalance, leverage ?? null).map(decisiveDay),
    priced: pricedTrades(trades, found),
  }
}

function pricedTrades(trades: readonly OwnTrade[], found: readonly FoundPath[]): PricedTrades {
  const counts = { withPath: 0, unsaid: 0, otherSymbol: 0, outside: 0, elsewhere: 0 }
  const first: Partial<Record<WithoutPath, number>> = {}
  for (const [index, own] of found.entries()) {
    if ('path' in own) counts.withPath += 1
    else {
      counts[own.without] += 1
      first[own.without] ??= trades[index]?.closedAt as number
    }
  }
  return { ...counts, first }
}
