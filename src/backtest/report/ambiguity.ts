/** What the order of prices inside bars decided: the figures on both paths, and the bars responsible. */

import { change, count, fineChange, moment, money, price, share } from '../output/presentation.ts'
import type { AmbiguousBar } from '../recording/ambiguousBars.ts'
import type { Recorded } from '../recording/recording.ts'
import type { Divergence, PathComparison } from '../run/bothPaths.ts'
import {
  type ExploredRun,
  NOT_COVERED,
  NOT_COVERED_OF_MARKETS,
  NOT_COVERED_OF_TICKS,
  type OrderBounds,
} from '../run/orderBounds.ts'
import type { BacktestResult } from '../run/run.ts'

export interface AmbiguitySection {
  /**
   * Bars in which a stop and a take-profit of one position both lay within the range; with a comparison only those whose
   * order changed the result.
   */
  readonly total: number
  readonly bars: readonly AmbiguityRow[]
  /** Null where the run was made on one path only. */
  readonly comparison: ComparisonSection | null
}

export interface AmbiguityRow {
  readonly time: string
  readonly asset: string
  readonly stop: string
  readonly take: string
  readonly outcome: string
}

export interface ComparisonSection {
  readonly rows: readonly (readonly [name: string, adverse: string, optimistic: string])[]
  readonly divergences: readonly DivergenceRow[]
  readonly total: number
  /** A sentence that says what the two runs have in common. */
  readonly sentence: string
  /** Absent from reports that earlier versions saved. */
  readonly bounds?: BoundsSection
}

/** What mixed orders came to. */
export interface BoundsSection {
  readonly rows: readonly (readonly [name: string, netProfit: string, outcome: string, orders: string])[]
  readonly sentence: string
  readonly deciding: readonly (readonly [time: string, asset: string, difference: string])[]
  readonly total: number
}

interface DivergenceRow {
  readonly time: string
  readonly asset: string
  readonly side: string
  readonly adverse: string
  readonly optimistic: string
  readonly difference: string
}

/** Rows shown of each list; the totals are told. */
const MOST_ROWS = 100

export function ambiguitySection(recording: Recorded, comparison: PathComparison | null): AmbiguitySection {
  const asset = assetOf(recording)
  const bars = comparison === null ? recording.ambiguousBars : decided(recording, comparison.bounds)
  return {
    total: bars.length,
    bars: bars.slice(0, MOST_ROWS).map((bar) => ambiguityRow(bar, asset(bar.marketId))),
    comparison: comparison === null ? null : comparisonSection(comparison, asset),
  }
}

/** The ambiguous bars whose order changed the result when they alone were turned. */
function decided({ ambiguousBars }: Recorded, { deciding }: OrderBounds): AmbiguousBar[] {
  const turned = new Set(deciding.map(({ marketId, openTime }) => `${marketId} ${openTime}`))
  return ambiguousBars.filter(({ marketId, openTime }) => turned.has(`${marketId} ${openTime}`))
}

function ambiguityRow(
  { openTime, stopPrice, takePrice, outcome }: AmbiguousBar,
  asset: string,
): AmbiguityRow {
  return {
    time: moment(openTime),
    asset,
    stop: price(stopPrice),
    take: price(takePrice),
    outcome: outcome ?? 'stayed open',
  }
}

function comparisonSection(
  { adverse, optimistic, divergences, commonTrades, bounds }: PathComparison,
  asset: (marketId: string) => string,
): ComparisonSection {
  const row = (name: string, of: (result: BacktestResult) => string) =>
    [name, of(adverse), of(optimistic)] as const
  const told = divergences.filter(isWorthTelling)
  return {
    rows: [
      row('Evaluation', ({ verdict }) =>
        verdict.outcome === 'undecided'
          ? 'undecided'
          : `${verdict.outcome} ${moment(verdict.at).slice(0, 16)}`,
      ),
      row('Net profit', ({ statistics }) => change(statistics.netProfit)),
      row('Total return', ({ statistics }) => share(statistics.totalReturn)),
      row('Max drawdown', ({ statistics }) => share(statistics.maxDrawdown?.depth ?? null)),
      row('Closed trades', ({ trades }) => count(trades.length)),
      row('Win rate', ({ statistics }) => share(statistics.trades.winRate, 1)),
      row('Liquidations', ({ liquidations }) => count(liquidations)),
      row('All fees', ({ costs }) => money(costs.fees)),
    ],
    divergences: told.slice(0, MOST_ROWS).map((divergence) => ({
      time: moment(divergence.openTime),
      asset: asset(divergence.marketId),
      side: divergence.side,
      adverse: divergence.adverse,
      optimistic: divergence.optimistic,
      difference: fineChange(divergence.difference),
    })),
    total: told.length,
    sentence: sentenceOf(
      divergences.length,
      told.length,
      commonTrades,
      adverse.stateHash === optimistic.stateHash,
    ),
    bounds: boundsSection(bounds, asset),
  }
}

function boundsSection(bounds: OrderBounds, asset: (marketId: string) => string): BoundsSection {
  const { worst, best, complete, deciding } = bounds
  const row = (name: string, { netProfit, outcome, path, turned }: ExploredRun) =>
    [name, change(netProfit), outcome, turned === 0 ? path : `${path}, ${count(turned)} turned`] as const
  return {
    rows: [row(complete ? 'Worst' : 'Worst reached', worst), row(complete ? 'Best' : 'Best reached', best)],
    sentence: [
      boundsSentence(bounds),
      momentSentence(bounds),
      bounds.hearsTicks ? NOT_COVERED_OF_TICKS : '',
      bounds.extremesMeet ? NOT_COVERED_OF_MARKETS : '',
      NOT_COVERED,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    deciding: deciding
      .slice(0, MOST_ROWS)
      .map(({ openTime, marketId, difference }) => [
        moment(openTime),
        asset(marketId),
        fineChange(difference),
      ]),
    total: deciding.length,
  }
}

function boundsSentence({ runs, bars, tried, complete, outcomes }: OrderBounds): string {
  const { passed, failed, undecided } = outcomes
  const ends = `passed ${count(passed)}, failed ${count(failed)}, undecided ${count(undecided)}`
  return complete
    ? `Every order of the ${count(bars)} bar(s) that matter was played from the same state, ${count(runs)} runs: ${ends}.`
    : `${count(tried)} of the ${count(bars)} bars that matter were played in both orders from the same state, and some combinations of them; ${count(runs)} runs: ${ends}. Other combinations may reach further.`
}

function momentSentence({ momentOnly }: OrderBounds): string {
  return momentOnly === 0
    ? ''
    : `In ${count(momentOnly)} further bar(s) one level closed the only position: there the order moves the moment of the close, on which nothing depends.`
}

/** Ended in another way, or by an amount that is seen. */
function isWorthTelling({ adverse, optimistic, difference }: Divergence): boolean {
  return adverse !== optimistic || change(difference) !== change(0n)
}

function sentenceOf(differing: number, told: number, common: number, sameState: boolean): string {
  if (sameState)
    return 'Both paths end in the same state: the order of prices inside bars decides nothing here.'
  if (differing === 0)
    return `All ${count(common)} trades that both paths opened ended alike: the order of prices inside bars decides none of them.`
  const unseen = differing - told
  const rest = unseen === 0 ? '' : `, ${count(unseen)} of them by less than a cent`
  return `Trades that both paths opened in the same bar: ${count(common)}; ended differently: ${count(differing)}${rest}.`
}

function assetOf(recording: Recorded): (marketId: string) => string {
  const assets = new Map(recording.markets.map(({ id, asset }) => [id, asset]))
  return (marketId) => assets.get(marketId) ?? ''
}
