/** The figures that are kept of a run of a sweep. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Costs } from '../accounting/costs.ts'
import type { BacktestResult } from '../run/run.ts'
import { dailyReturns } from '../statistics/dailyReturns.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'

/** The figures of a run as plain data; amounts are decimals, ratios numbers, `null` without meaning. */
export interface VariantFigures {
  /** As a fraction of the balance it began with. */
  readonly totalReturn: number | null
  readonly netProfit: string
  /** Depth as a fraction of the peak; 0 without one. */
  readonly maxDrawdown: number
  /** Annualised, of daily returns. */
  readonly sharpeRatio: number | null
  /** Annualised, of daily returns. */
  readonly sortinoRatio: number | null
  /** Growth a year over the deepest drawdown. */
  readonly calmarRatio: number | null
  /** Sum of the gains over sum of the losses. */
  readonly profitFactor: number | null
  /** Share of the trades with a gain, 0 to 1. */
  readonly winRate: number | null
  /** Positions that were closed. */
  readonly trades: number
  /** Positions that were liquidated. */
  readonly liquidations: number
  /** As a fraction of the price then; null without positions. */
  readonly closestToLiquidation: number | null
  readonly outcome: 'passed' | 'failed' | 'undecided'
  /** When it was decided, epoch ms. */
  readonly decidedAt: number | null
  /** Days from the first price to the verdict. */
  readonly daysToVerdict: number | null
  readonly failedBy: 'total_loss' | 'daily_loss' | null
  readonly costs: Readonly<Record<keyof Costs, string>>
  /** Share of resampled paths on which it passes; null where none were asked for. */
  readonly probabilityOfPassing: number | null
  /** Mean days from the start to passing, over the paths on which it passes; null without one. */
  readonly expectedDaysToPass: number | null
  /** Returns of the UTC days from the first price to the end or the verdict, to nine decimals. */
  readonly dailyReturns: readonly number[]
  readonly stateHash: string
  /** What the plan's objective came to, any number, where there is one of which more is better. */
  readonly objective?: number | null
  /** The same, any number, where less is. */
  readonly loss?: number | null
}

/** One combination of parameters, and its figures. */
export interface SweepRow {
  readonly parameters: StrategyParameters
  readonly figures: VariantFigures
}

/** The figures of a run; no paths are played for them. */
export function figuresOf(result: BacktestResult): VariantFigures {
  const { statistics, verdict, costs } = result
  return {
    totalReturn: statistics.totalReturn,
    netProfit: formatDecimal(statistics.netProfit),
    maxDrawdown: statistics.maxDrawdown?.depth ?? 0,
    sharpeRatio: statistics.sharpeRatio,
    sortinoRatio: statistics.sortinoRatio,
    calmarRatio: statistics.calmarRatio,
    profitFactor: statistics.trades.profitFactor,
    winRate: statistics.trades.winRate,
    trades: statistics.trades.trades,
    liquidations: result.liquidations,
    closestToLiquidation: result.closestToLiquidation,
    outcome: verdict.outcome,
    decidedAt: verdict.outcome === 'undecided' ? null : verdict.at,
    daysToVerdict: verdict.outcome === 'undecided' ? null : (verdict.at - result.from) / DAY_MS,
    failedBy: verdict.outcome === 'failed' ? verdict.breach.rule : null,
    costs: costLines(costs),
    probabilityOfPassing: null,
    expectedDaysToPass: null,
    dailyReturns: dailyReturns(result.curve).returns.map((value) => Math.round(value * 1e9) / 1e9),
    stateHash: result.stateHash,
  }
}

/** Every cost line as a decimal. */
export function costLines(costs: Costs): Record<keyof Costs, string> {
  return Object.fromEntries(
    Object.entries(costs).map(([line, amount]) => [line, formatDecimal(amount as bigint)]),
  ) as Record<keyof Costs, string>
}
