/** What did the rules cost? The same strategy on the same data under other rules, and where the runs part. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Costs } from '../accounting/costs.ts'
import type { Trade } from '../accounting/tradeLog.ts'
import { type PriceSteps, priceStepsOf } from '../feed/priceSteps.ts'
import { inMemory } from '../plan/memory.ts'
import { optionsOf, type PreparedPlan, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { type BacktestResult, runBacktest } from '../run/run.ts'
import { costLines, figuresOf, type VariantFigures } from '../sweep/variantFigures.ts'
import { asksForSteps, changedPlan, type MarketSteps } from './changes.ts'

/** What {@link whatIf} runs. */
export interface WhatIfOptions {
  readonly plan: RunPlan
  /** One run each: `spread=0.05%`, or several rules at once: `profit-cap=off,fee-rate=0`. */
  readonly changes: readonly string[]
  /** Told as runs end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Where two runs part: the first trade, in the order of closing, that is not the same in both. */
export interface FirstDifference {
  /** From 0; `null` on the side that has no such trade. */
  readonly index: number
  readonly was: Trade | null
  readonly would: Trade | null
}

/** A run under other rules, and what they changed. */
export interface ChangedRun {
  readonly change: string
  readonly figures: VariantFigures
  /** What is otherwise than under the rules of the plan, changed run less plan; decimals. */
  readonly netProfitDifference: string
  readonly costDifferences: Readonly<Record<keyof Costs, string>>
  readonly firstDifference: FirstDifference | null
}

/** A run under the rules of its plan and under others. */
export interface WhatIf {
  readonly base: VariantFigures
  readonly changed: readonly ChangedRun[]
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { base, changed } = await whatIf({ plan, changes: ['spread=0.05%'] })
 * changed.length // → 1
 * ```
 *
 * @throws PlanError for a change that cannot be made; what {@link preparePlan} and {@link runBacktest} throw.
 */
export async function whatIf({ plan, changes, onProgress }: WhatIfOptions): Promise<WhatIf> {
  for (const change of changes) if (!asksForSteps(change)) changedPlan(plan, change)
  const prepared = await inMemory(await preparePlan(plan))
  const steps = changes.some(asksForSteps) ? await stepsOf(prepared) : new Map()
  const plans = changes.map((change) => changedPlan(plan, change, steps))
  const total = plans.length + 1
  const base = await runBacktest(optionsOf(plan, prepared))
  onProgress?.({ done: 1, total })
  const changed: ChangedRun[] = []
  for (const [index, other] of plans.entries()) {
    const result = await runBacktest(optionsOf(other, preparedFor(other, prepared)))
    changed.push(comparison(changes[index] as string, base, result))
    onProgress?.({ done: index + 2, total })
  }
  return { base: figuresOf(base), changed }
}

async function stepsOf({ markets }: PreparedPlan): Promise<MarketSteps> {
  const steps = new Map<string, PriceSteps>()
  for (const { asset, feed } of markets) {
    const own = await priceStepsOf(feed)
    if (own !== null) steps.set(asset, own)
  }
  return steps
}

/** The data is read once; only whether a market has a funding file can differ. */
function preparedFor(plan: RunPlan, prepared: PreparedPlan): PreparedPlan {
  const markets = prepared.markets.map((market, index) =>
    plan.markets[index]?.funding === undefined ? { ...market, funding: null } : market,
  )
  return { ...prepared, markets }
}

function comparison(change: string, was: BacktestResult, would: BacktestResult): ChangedRun {
  const differences: { -readonly [Line in keyof Costs]: Costs[Line] } = { ...would.costs }
  for (const line of Object.keys(differences) as (keyof Costs)[]) differences[line] -= was.costs[line]
  return {
    change,
    figures: figuresOf(would),
    netProfitDifference: formatDecimal(would.statistics.netProfit - was.statistics.netProfit),
    costDifferences: costLines(differences),
    firstDifference: firstDifference(was.trades, would.trades),
  }
}

/** Positions are compared by what they did, not by their ids. */
function firstDifference(was: readonly Trade[], would: readonly Trade[]): FirstDifference | null {
  for (let index = 0; index < Math.max(was.length, would.length); index++) {
    const [one, other] = [was[index] ?? null, would[index] ?? null]
    if (one === null || other === null || !isSameTrade(one, other)) return { index, was: one, would: other }
  }
  return null
}

function isSameTrade({ positionId: _one, ...was }: Trade, { positionId: _other, ...would }: Trade): boolean {
  return (Object.keys(was) as (keyof typeof was)[]).every((field) => was[field] === would[field])
}
