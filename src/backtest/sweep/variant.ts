/** One run of a sweep, and the figures that are kept of it. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Costs } from '../accounting/costs.ts'
import { inMemory } from '../plan/memory.ts'
import { optionsOf, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { type BacktestResult, runBacktest } from '../run/run.ts'
import type { StrategyParameters } from '../strategies/catalogue.ts'

/** The figures of a run as plain data; amounts are decimals, ratios numbers, `null` without meaning. */
export interface VariantFigures {
  readonly totalReturn: number | null
  readonly netProfit: string
  /** Depth as a fraction of the peak; 0 without one. */
  readonly maxDrawdown: number
  readonly sharpeRatio: number | null
  readonly sortinoRatio: number | null
  readonly calmarRatio: number | null
  readonly profitFactor: number | null
  readonly winRate: number | null
  readonly trades: number
  readonly liquidations: number
  readonly closestToLiquidation: number | null
  readonly outcome: 'passed' | 'failed' | 'undecided'
  /** When it was decided, epoch ms. */
  readonly decidedAt: number | null
  /** Days from the first price to the verdict. */
  readonly daysToVerdict: number | null
  readonly failedBy: 'total_loss' | 'daily_loss' | null
  readonly costs: Readonly<Record<keyof Costs, string>>
  readonly stateHash: string
}

const DAY_MS = 86_400_000

/** Prepares the data of a plan once, for any number of runs with other strategy parameters. */
export async function variantRunner(
  plan: RunPlan,
): Promise<(parameters: StrategyParameters) => Promise<VariantFigures>> {
  const prepared = await inMemory(await preparePlan(plan))
  return async (parameters) => {
    const variant = { ...plan, parameters: { ...plan.parameters, ...parameters } }
    return figuresOf(await runBacktest(optionsOf(variant, prepared)))
  }
}

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
    stateHash: result.stateHash,
  }
}

/** Every cost line as a decimal. */
export function costLines(costs: Costs): Record<keyof Costs, string> {
  return Object.fromEntries(
    Object.entries(costs).map(([line, amount]) => [line, formatDecimal(amount as bigint)]),
  ) as Record<keyof Costs, string>
}
