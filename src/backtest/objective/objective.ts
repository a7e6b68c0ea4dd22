/** What is best, in the words of whoever searches: a function of a run and its figures. */
import type { TradeEnd } from '../accounting/tradeLog.ts'
import { toNumber } from '../numbers/toNumber.ts'
import { type BacktestResult, marketId } from '../run/run.ts'
import { daysOf } from '../statistics/dailyReturns.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import type { VariantFigures } from '../sweep/variantFigures.ts'

/**
 * The default export of a file of one's own, by which sets of parameters are ranked. It returns a finite number at once, or null where
 * a run has none, which ranks last. More is better, unless the file says `export const direction = 'less'`; `export const name` is
 * what its column is called.
 *
 * ```ts
 * const gainPerTrade = (({ figures, trades }) =>
 *   trades.length < 30 ? null : Number(figures.netProfit) / trades.length) satisfies Objective
 * gainPerTrade.length // → 1
 * ```
 */
export type Objective = (run: JudgedRun) => number | null

/** A run as an objective sees it. Amounts are plain numbers; `result` has them to the last digit. */
export interface JudgedRun {
  /** Those of the plan and those of the set. */
  readonly parameters: StrategyParameters
  /** First time of the data it ran over, epoch ms. */
  readonly from: number
  /** The last, epoch ms. */
  readonly to: number
  /** In quote currency. */
  readonly startBalance: number
  /** UTC days, to the end or the verdict. */
  readonly days: readonly JudgedDay[]
  /** Closed positions in the order of their closing. */
  readonly trades: readonly JudgedTrade[]
  /** What a table of the sweep has of the run. */
  readonly figures: VariantFigures
  /** Everything there is of the run: its curve, statistics, costs, rejections. */
  readonly result: BacktestResult
}

/** One day of a {@link JudgedRun}. */
export interface JudgedDay {
  /** Midnight, UTC ms. */
  readonly day: number
  /** As a fraction of the equity the day began with. */
  readonly return: number
  /** At its end, in quote currency. */
  readonly equity: number
  /** By how much equity grew, in quote currency. */
  readonly profit: number
}

/** One trade of a {@link JudgedRun}. */
export interface JudgedTrade {
  readonly asset: string
  readonly side: 'long' | 'short'
  /** Epoch ms. */
  readonly openedAt: number
  /** Epoch ms. */
  readonly closedAt: number
  /** Of the base asset, any number from 0 up. */
  readonly size: number
  /** Mean over its fills, in quote currency. */
  readonly entryPrice: number
  /** Mean over its fills, in quote currency. */
  readonly exitPrice: number
  /** After fees and funding, in quote currency. */
  readonly profit: number
  /** In quote currency. */
  readonly fees: number
  /** In quote currency; paid where it is below zero. */
  readonly funding: number
  readonly end: TradeEnd
}

/** @param assets of the run's markets, in their order. */
export function judgedRun(
  result: BacktestResult,
  { parameters, figures }: Pick<JudgedRun, 'parameters' | 'figures'>,
  assets: readonly string[],
): JudgedRun {
  const assetOf = new Map(assets.map((asset, index) => [marketId(index), asset]))
  const { from, to, initialBalance } = result
  return {
    ...{ parameters, from, to, startBalance: amountOf(initialBalance) },
    days: judgedDays(result, figures),
    trades: result.trades.map(({ marketId: market, pnl, ...trade }) => ({
      ...{ asset: assetOf.get(market) ?? '', side: trade.side, end: trade.end },
      ...{ openedAt: trade.openedAt, closedAt: trade.closedAt, size: amountOf(trade.size) },
      ...{ entryPrice: toNumber(trade.entryPrice), exitPrice: toNumber(trade.exitPrice) },
      ...{ profit: amountOf(pnl), fees: amountOf(trade.fees), funding: amountOf(trade.funding) },
    })),
    ...{ figures, result },
  }
}

/** Returns to nine decimals, as the figures have them. */
function judgedDays({ curve }: BacktestResult, { dailyReturns }: VariantFigures): JudgedDay[] {
  return [...daysOf(curve)].map(({ day, start, end }, index) => ({
    ...{ day: day * DAY_MS, return: dailyReturns[index] as number },
    ...{ equity: amountOf(end), profit: amountOf(end - start) },
  }))
}

function amountOf(value: bigint): number {
  return Number(value) / 1e9
}
