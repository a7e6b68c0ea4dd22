/** Changed rules by name, as a plan that has them. */
import { formatDecimal, fp9 } from '../../quantity/decimal.ts'
import { ONE } from '../../quantity/fp9.ts'
import { divideUp } from '../../quantity/rounding.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import type { PriceSteps } from '../feed/priceSteps.ts'
import type { DecimalFields, RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'

/** By asset, what the prices of its market have in common. */
export type MarketSteps = ReadonlyMap<string, PriceSteps>

type Change = (plan: RunPlan, value: string, steps: MarketSteps) => RunPlan

/** Every rule that can be changed, and how a plan says it. */
const CHANGES: Readonly<Record<string, Change>> = {
  'profit-cap': (plan, value) => ({ ...plan, profitCap: onOrOff('profit-cap', value) }),
  spread: (plan, value) => rateChanged(plan, 'spread', value),
  'fee-rate': (plan, value) => rateChanged(plan, 'feeRate', value),
  slippage,
  delay: (plan, value) => ({ ...plan, delayBars: barsOf(value) }),
  scalping: (plan, value) => onMarkets(plan, { scalpingCoefficient: value === 'off' ? '1' : value }),
  'maintenance-margin': (plan, value) => onMarkets(plan, { maintenanceMarginRate: value }),
  funding: (plan, value) =>
    withoutFundingFiles(onMarkets(plan, { fundingRate: value === 'off' ? '0' : value })),
  leverage: (plan, value) => ({ ...plan, parameters: { ...plan.parameters, leverage: value } }),
  drawdown: (plan, value) => onAccounts(plan, { drawdownMode: value }),
  'daily-loss': (plan, value) => onAccounts(plan, { maxDailyLoss: value }),
  'daily-breach': (plan, value) => onAccounts(plan, { dailyBreach: value }),
  'total-loss': (plan, value) => onAccounts(plan, { maxTotalLoss: value }),
  target: (plan, value) => onAccounts(plan, { profitTarget: value }),
  path: (plan, value) => ({ ...plan, path: oneOf('path', value, ['adverse', 'optimistic']) }),
}

/** The rules that {@link changedPlan} can change, by name. */
export const CHANGE_NAMES: readonly string[] = Object.keys(CHANGES)

/**
 * A plan with one or several rules changed: `spread=0.05%`, `profit-cap=off,fee-rate=0`.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * changedPlan(plan, 'spread=0.05%').markets[0].parameters?.spread // → 0.05%
 * ```
 *
 * @param steps of every market, for `slippage=2ticks`.
 * @throws PlanError for a rule there is not, or a value it cannot have.
 */
export function changedPlan(plan: RunPlan, changes: string, steps: MarketSteps = new Map()): RunPlan {
  return changes.split(',').reduce((changed, item) => {
    const [name = '', value = ''] = item.split('=', 2)
    const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined
    if (change === undefined || value === '')
      throw new PlanError(
        `${item} is no change of a rule; there are: ${CHANGE_NAMES.join(', ')}, each as name=value`,
      )
    return change(changed, value, steps)
  }, plan)
}

/** What every strategy should survive: `margin-core what-if --stress`. */
export const STRESS: readonly string[] = ['spread=x2', 'fee-rate=x2', 'slippage=0.02%', 'delay=1']

/** A rate: itself, `x2` for twice the market's own, `+0.01%` for so much more. */
function rateChanged(plan: RunPlan, name: 'spread' | 'feeRate', value: string): RunPlan {
  const markets = plan.markets.map((market) => {
    const own = market.parameters?.[name]
    const rate = own === undefined || own === null ? MARKET_DEFAULTS[name] : fp9(String(own))
    return { ...market, parameters: { ...market.parameters, [name]: changedRate(rate, value, name) } }
  })
  return { ...plan, markets }
}

function changedRate(rate: bigint, value: string, name: string): string {
  const [, sign, amount = value] = /^([x+])(.+)$/.exec(value) ?? []
  if (sign === undefined) return value
  let read: bigint
  try {
    read = fp9(amount)
  } catch {
    throw new PlanError(`${name}: ${value} is neither a rate nor x2 nor +0.01%`)
  }
  return percentage(sign === 'x' ? (rate * read) / ONE : rate + read)
}

/**
 * So much more spread on every fill: a rate, or a number of the steps that a market's prices move in. The spread is a share of the price
 * and a step is not: the share is that of the steps in the lowest price there is, so that no fill slips by less.
 */
function slippage(plan: RunPlan, value: string, steps: MarketSteps): RunPlan {
  const [, count] = /^([1-9]\d{0,5}) ?ticks?$/.exec(value) ?? []
  if (count === undefined) return rateChanged(plan, 'spread', `+${value}`)
  const rateOf = (asset: string) => {
    const own = steps.get(asset)
    if (own === undefined) throw new PlanError(`slippage: ${value} are told of the prices of one run only`)
    return percentage(divideUp(BigInt(count) * own.step * ONE, own.lowest))
  }
  const markets = plan.markets.flatMap((market) => {
    const alone = { ...plan, markets: [market] }
    return rateChanged(alone, 'spread', `+${rateOf(market.asset)}`).markets
  })
  return { ...plan, markets }
}

/** With its sign: without one a large rate is taken for a mistake. */
function percentage(rate: bigint): string {
  return `${formatDecimal(100n * rate)}%`
}

/** Whether a change is told in the steps of the prices, so that these have to be known. */
export function asksForSteps(changes: string): boolean {
  return /\bslippage=\d+ ?tick/.test(changes)
}

function barsOf(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new PlanError(`delay must be a number of bars, not ${value}`)
  return Number(value)
}

function onMarkets(plan: RunPlan, parameters: DecimalFields): RunPlan {
  const markets = plan.markets.map((market) => ({
    ...market,
    parameters: { ...market.parameters, ...parameters },
  }))
  return { ...plan, markets }
}

function withoutFundingFiles(plan: RunPlan): RunPlan {
  return { ...plan, markets: plan.markets.map(({ funding: _funding, ...market }) => market) }
}

function onAccounts(plan: RunPlan, account: DecimalFields): RunPlan {
  const others = plan.others?.map((other) => ({ ...other, account: { ...other.account, ...account } }))
  return {
    ...plan,
    account: { ...plan.account, ...account },
    ...(others === undefined ? {} : { others }),
  }
}

function onOrOff(name: string, value: string): 'on' | 'off' {
  return oneOf(name, value, ['on', 'off'])
}

function oneOf<const T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw new PlanError(`${name} must be one of ${values.join(', ')}, not ${value}`)
  return found
}
