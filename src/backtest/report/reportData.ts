/**
 * What a report shows, as plain JSON: figures already worded, series already thinned out. A report is drawn from this
 * alone, so a saved run can be drawn again without its market data.
 */
import { VERSION } from '../../version.ts'
import { type AgainstMarkets, againstMarkets } from '../beside/againstMarkets.ts'
import type { Beside } from '../beside/beside.ts'
import { dayStretches } from '../feed/emptyDays.ts'
import { change, count, moment, money, NO_VALUE, plural, share, span } from '../output/presentation.ts'
import type { InputFile } from '../plan/inputFiles.ts'
import type { Provenance } from '../plan/provenance.ts'
import type { Recorded } from '../recording/recording.ts'
import type { PathComparison } from '../run/bothPaths.ts'
import type { AccountResult } from '../run/participant.ts'
import type { BacktestResult } from '../run/run.ts'
import { type DailyReturns, dailyReturns } from '../statistics/dailyReturns.ts'
import { type AmbiguitySection, ambiguitySection } from './ambiguity.ts'
import { type BesideSection, besideSection, headlineIntervals } from './besideSection.ts'
import { type CandleSeries, candleSeries } from './candleSeries.ts'
import { type CostFigure, costFigures, totalsSentence } from './costFigures.ts'
import { type CurveSeries, curveSeries } from './curveSeries.ts'
import { type EvaluationSection, evaluationSection } from './evaluation.ts'
import { type Figure, type FigureGroup, headline, statisticGroups } from './figures.ts'
import { type Histogram, histogram } from './histogram.ts'
import { type IndicatorSeries, indicatorSeries } from './indicatorSeries.ts'
import { type LearnedSection, learnedSection } from './learnedSection.ts'
import type { LiveSection } from './liveSection.ts'
import { type MarketsSection, marketsSection } from './marketsSection.ts'
import { type PortfolioSection, portfolioSection } from './portfolioSection.ts'
import { type TradeSeries, tradeSeries } from './tradeSeries.ts'

/** Changes whenever a saved report can no longer be drawn by older code. */
export const REPORT_FORMAT = 1

/** Everything a report shows, as plain data. */
export interface ReportData {
  readonly format: typeof REPORT_FORMAT
  readonly software: string
  readonly strategy: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly headline: readonly Figure[]
  /** Null where it was not asked for; reports of earlier versions have none. */
  readonly beside?: BesideSection | null
  /** Reports of earlier versions have none. */
  readonly markets?: MarketsSection | null
  readonly statistics: readonly FigureGroup[]
  readonly costs: readonly CostFigure[]
  /** Why the totals on the page differ, in a sentence. */
  readonly totals: string
  readonly evaluation: EvaluationSection
  readonly ambiguity: AmbiguitySection
  /** Null where the account is one strategy's; reports of earlier versions have none. */
  readonly portfolio?: PortfolioSection | null
  /** Null where nothing was learned; reports of earlier versions have none. */
  readonly learned?: LearnedSection | null
  /** The further accounts of the run. */
  readonly others: readonly AccountRow[]
  readonly sources: readonly SourceFacts[]
  readonly notes: readonly string[]
  /** Rejected actions by code, and how many of each. */
  readonly rejections: readonly (readonly [code: string, count: number])[]
  readonly stateHash: string
  /** Null where a program did not tell. */
  readonly madeBy: RunOrigin | null
  /** Of a live run; null for a backtest, and reports of earlier versions have none. */
  readonly live?: LiveSection | null
  readonly charts: ReportCharts
}

export interface AccountRow {
  readonly name: string
  readonly strategy: string
  readonly outcome: string
  readonly netProfit: string
  readonly maxDrawdown: string
  readonly trades: string
}

/** What was read of a feed, and what it lacked. */
export interface SourceFacts {
  readonly asset: string
  readonly rows: string
  readonly skipped: string
  readonly missing: string
  readonly largestGap: string
}

/** How the run was made, in words. */
export interface RunOrigin {
  readonly command: string | null
  /** Name and value of everything that was set, in the words of a plan. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  readonly files: readonly InputFile[]
}

export interface ReportCharts {
  readonly assets: readonly string[]
  readonly candles: readonly CandleSeries[]
  /** What the strategy computed; reports of earlier versions have none. */
  readonly indicators?: readonly IndicatorSeries[]
  readonly curve: CurveSeries
  /** Rows of [second, daily floor, total floor], in quote currency; null where a rule is off. */
  readonly floors: readonly (readonly [number, number | null, number | null])[]
  /** When the verdict fell, in seconds; null while undecided. */
  readonly verdictAt: number | null
  readonly trades: TradeSeries
  readonly daily: DailyReturns
  readonly tradePnl: Histogram | null
  readonly dailyReturn: Histogram | null
}

/**
 * `comparison` is the same run on the other path, where it was made; `madeBy` how it was.
 *
 * ```ts
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * const recording = new Recording()
 * const result = await runBacktest({ ...options, recorder: recording })
 * reportData(result, recording).strategy // → EMA cross 20/50 on BTC, 5x, margin 10%
 * ```
 */
export function reportData(
  result: BacktestResult,
  recording: Recorded,
  comparison: PathComparison | null = null,
  madeBy: Provenance | null = null,
  beside: Beside | null = null,
  against: AgainstMarkets = againstMarkets(result, recording),
): ReportData {
  const { curve, verdict } = result
  const daily = dailyReturns(curve)
  const from = Math.round(result.from / 1000)
  return {
    format: REPORT_FORMAT,
    software: `margin-core ${VERSION}`,
    strategy: result.strategy,
    facts: facts(result, recording),
    headline: headlineOf(result, beside),
    beside: beside === null ? null : besideSection(result, beside),
    markets: marketsSection(against),
    statistics: statisticGroups(result),
    costs: costFigures(result),
    totals: totalsSentence(result),
    evaluation: evaluationSection(result),
    ambiguity: ambiguitySection(recording, comparison),
    portfolio: portfolioSection(result),
    learned: learnedSection(result),
    others: result.others.map(accountRow),
    sources: sources(result, recording),
    notes: result.notes,
    rejections: Object.entries(result.rejections),
    stateHash: result.stateHash,
    madeBy: madeBy === null ? null : origin(madeBy),
    charts: {
      assets: recording.markets.map(({ asset }) => asset),
      candles: recording.candles.map(candleSeries),
      indicators: indicatorSeries(recording),
      curve: curveSeries(curve),
      floors: recording.floors.map(({ at, daily, total }) => [
        Math.max(Math.round(at / 1000), from),
        quote(daily),
        quote(total),
      ]),
      verdictAt: verdict.outcome === 'undecided' ? null : Math.round(verdict.at / 1000),
      trades: tradeSeries(result, recording),
      daily,
      tradePnl: histogram(result.trades.map(({ pnl }) => Number(pnl) / 1e9)),
      dailyReturn: histogram(daily.returns),
    },
  }
}

function facts(result: BacktestResult, recording: Recorded): [string, string][] {
  const { from, to, rows, initialBalance, path } = result
  const intervals = recording.markets.map(({ asset, intervalMs }) =>
    intervalMs === null ? `${asset} ticks` : `${asset} ${interval(intervalMs)} bars`,
  )
  return [
    ['Period', `${moment(from).slice(0, 16)} – ${moment(to + 1).slice(0, 16)} UTC`],
    ['Length', span(to - from)],
    ['Data', `${count(rows)} ${plural(rows, 'row')}, ${intervals.join(', ')}`],
    ['Balance', money(initialBalance)],
    ['Path inside bars', path],
  ]
}

function origin({ command, plan, files }: Provenance): RunOrigin {
  return { command, settings: settingsOf(plan), files }
}

/** The figures with where each may well have lain. */
function headlineOf(result: BacktestResult, beside: Beside | null): Figure[] {
  if (beside === null) return headline(result)
  const intervals = headlineIntervals(beside.confidence)
  return headline(result).map((figure) => {
    const interval = intervals[figure.name]
    return interval === undefined || figure.value === NO_VALUE ? figure : { ...figure, interval }
  })
}

/** What is nested, under dotted names. */
function settingsOf(fields: object, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    const shown = `${prefix}${name}`
    return typeof value === 'object' && value !== null
      ? settingsOf(value, `${shown}.`)
      : [[shown, String(value)]]
  })
}

function accountRow({ name, strategy, verdict, statistics, trades }: AccountResult): AccountRow {
  const { netProfit, maxDrawdown } = statistics
  return {
    name,
    strategy,
    outcome: verdict.outcome,
    netProfit: change(netProfit),
    maxDrawdown: share(maxDrawdown?.depth ?? null),
    trades: count(trades.length),
  }
}

function interval(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'm'],
    [1000, 's'],
  ]
  const [unit, name] = units.find(([size]) => ms % size === 0) ?? [1, 'ms']
  return `${ms / unit}${name}`
}

function sources(result: BacktestResult, recording: Recorded): SourceFacts[] {
  return result.feeds.map((feed, index) => {
    const { rows, skipped, firstSkipped, gaps, missingBars, largestGap, emptyDays } = feed
    const first = firstSkipped[0]
    return {
      asset: recording.markets[index]?.asset ?? '',
      rows: count(rows),
      skipped:
        first === undefined
          ? 'none'
          : `${count(skipped)}; first: ${first.file}:${first.line}: ${first.reason}`,
      missing:
        emptyDays.length > 0
          ? `${count(emptyDays.length)} day(s): ${dayStretches(emptyDays).join(', ')}`
          : gaps === 0
            ? 'none'
            : `${count(missingBars)} in ${count(gaps)} gap(s), ${share(missingBars / (rows + missingBars), 3)} of all`,
      largestGap:
        largestGap === null
          ? 'none'
          : `${span(largestGap.to - largestGap.from)} from ${moment(largestGap.from)}`,
    }
  })
}

function quote(value: bigint | null): number | null {
  return value === null ? null : Number(value) / 1e9
}
