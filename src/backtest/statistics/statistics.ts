/** The figures of a run, all at once. */
import {
  averageDrawdown,
  averageDrawdownDuration,
  calmarRatio,
  type Drawdown,
  drawdownsOf,
  longestDrawdownDuration,
  maxDrawdown,
} from './drawdown.ts'
import { type EquityCurve, periodicReturns } from './equityCurve.ts'
import { annualGrowth, netProfit, totalReturn } from './growth.ts'
import { exposure, turnover } from './marketTime.ts'
import { annualVolatility, type RiskAdjustment, sharpeRatio, sortinoRatio } from './riskAdjusted.ts'
import { type ClosedTrade, type TradeStatistics, tradeStatistics } from './tradeStatistics.ts'
import { type TailRisk, tailRisk } from './valueAtRisk.ts'

export interface StatisticsOptions extends RiskAdjustment {
  /** Probability of the tail of `tailRisk`. Default 0.05. */
  readonly tail?: number
}

/**
 * Below this many periodic returns a run has no figure that is annualised or that speaks of their tail: the standard
 * deviation of twenty is itself uncertain by a sixth (1/√(2(n − 1))), that of two by seven tenths, and of fewer than
 * twenty not one belongs to a tail of 5%.
 */
export const LEAST_RETURNS = 20

/** Every figure is defined at the function that computes it; `null` where the run gives it no meaning. */
export interface RunStatistics {
  /** Last equity minus first, fp9, open positions included. */
  readonly netProfit: bigint
  readonly totalReturn: number | null
  /** How many periodic returns there are; 0 where a period began without equity. See {@link LEAST_RETURNS}. */
  readonly returns: number
  readonly annualGrowth: number | null
  readonly annualVolatility: number | null
  readonly sharpeRatio: number | null
  readonly sortinoRatio: number | null
  readonly calmarRatio: number | null
  readonly maxDrawdown: Drawdown | null
  readonly averageDrawdown: number | null
  readonly averageDrawdownDurationMs: number | null
  readonly longestDrawdownDurationMs: number
  readonly tailRisk: TailRisk | null
  readonly exposure: number | null
  readonly turnover: number | null
  readonly trades: TradeStatistics
}

/**
 * The statistics of a run, from its equity curve and its closed trades in the order of their closing. Returns are
 * sampled once a day unless `options` say otherwise.
 */
export function runStatistics(
  curve: EquityCurve,
  trades: readonly ClosedTrade[],
  options: StatisticsOptions = {},
): RunStatistics {
  const returns = periodicReturns(curve, options) ?? []
  const drawdowns = drawdownsOf(curve)
  const deepest = maxDrawdown(drawdowns)
  const enough = returns.length >= LEAST_RETURNS
  const growth = enough ? annualGrowth(curve) : null
  return {
    netProfit: netProfit(curve),
    totalReturn: totalReturn(curve),
    returns: returns.length,
    annualGrowth: growth,
    annualVolatility: enough ? annualVolatility(returns, options) : null,
    sharpeRatio: enough ? sharpeRatio(returns, options) : null,
    sortinoRatio: enough ? sortinoRatio(returns, options) : null,
    calmarRatio: calmarRatio(growth, deepest),
    maxDrawdown: deepest,
    averageDrawdown: averageDrawdown(drawdowns),
    averageDrawdownDurationMs: averageDrawdownDuration(drawdowns),
    longestDrawdownDurationMs: longestDrawdownDuration(drawdowns),
    tailRisk: enough ? tailRisk(returns, options.tail) : null,
    exposure: exposure(curve, trades),
    turnover: turnover(curve, trades),
    trades: tradeStatistics(trades),
  }
}
