/** From a plan to the options of a run: data opened, decimals read, strategies made. */

import { ACCOUNT_FIELDS, MARKET_FIELDS } from '../../events/commandTable.ts'
import { fp9 } from '../../quantity/decimal.ts'
import { type FieldKinds, isNested, isQuantity, partsOf } from '../../terms/fieldKinds.ts'
import { ACCOUNT_DEFAULTS } from '../../terms/parameterFields.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import type { Feed } from '../feed/feed.ts'
import { type FundingRates, readFunding } from '../feed/funding.ts'
import type { KeptModel } from '../learned/keptModel.ts'
import { readModels } from '../learned/modelFolder.ts'
import { ModelShelf } from '../learned/modelShelf.ts'
import { plannedKind } from '../portfolio/plannedKind.ts'
import type { BacktestAccount, BacktestMarket, BacktestOptions } from '../run/run.ts'
import { demoFeeds } from '../simulated/demoFeed.ts'
import { priceModelOf } from '../simulated/marketModel.ts'
import { isBootstrapped } from '../simulated/modelText.ts'
import { createStrategy, type StrategyKind } from '../strategies/catalogue.ts'
import { loadStrategy } from '../strategies/load.ts'
import type { DeclaredParameters } from '../strategies/parameters.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { delayed } from '../strategy/delayed.ts'
import { bootstrappedMarkets } from './bootstrapped.ts'
import { openData } from './dataCache.ts'
import { type NamedPeriod, readPeriods } from './periods.ts'
import type { DecimalFields, MarketPlan, RunPlan, StrategyPlan } from './plan.ts'
import { PlanError } from './readPlan.ts'
import { isShare, shareFault } from './share.ts'

/** A market of a plan with its data at hand. */
export interface PlannedMarket {
  readonly asset: string
  readonly feed: Feed
  readonly funding: FundingRates | null
}

/** Everything of a plan that is read once and used by many runs. */
export interface PreparedPlan {
  readonly markets: readonly PlannedMarket[]
  /** Kinds by the name or file a plan gives. */
  readonly kinds: ReadonlyMap<string, StrategyKind>
  /** Those that are to be told of. */
  readonly periods: readonly NamedPeriod[]
  /** Those that the models of the strategy start from; null for none. */
  readonly models: readonly KeptModel[] | null
}

/**
 * Opens the data and loads the strategies of a plan.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { markets } = await preparePlan(plan)
 * markets.map(({ asset }) => asset).join() // → BTC
 * ```
 *
 * @throws FeedError, StrategyError, PlanError or RangeError for what cannot be used; NoRegularFile for a pipe, a socket or a device in the place of
 * a file of periods or a model; KeptModelError for models that are not as they were kept.
 */
export async function preparePlan(plan: RunPlan): Promise<PreparedPlan> {
  if (plan.markets.length === 0) throw new PlanError('the plan has no market')
  const simulated = simulatedFeeds(plan)
  const opened = await Promise.all(
    plan.markets.map((market) => openMarket(market, plan, simulated.get(market.asset))),
  )
  const markets = plan.markets.some(isBootstrapped) ? await bootstrappedMarkets(plan, opened) : opened
  for (const { name, markets: assets = [] } of plan.portfolio ?? [])
    for (const asset of assets)
      if (!plan.markets.some((market) => market.asset === asset))
        throw new PlanError(`portfolio: ${name} trades ${asset}, which is no market of the run`)
  const kinds = new Map([[plan.strategy, await plannedKind(plan)]])
  for (const { strategy } of plan.others ?? [])
    if (!kinds.has(strategy)) kinds.set(strategy, await loadStrategy(strategy))
  const periods = plan.periods === undefined ? [] : await readPeriods(plan.periods)
  const models = plan.models === undefined ? null : await readModels(plan.models)
  if (models !== null && plan.delayBars !== undefined)
    throw new PlanError(
      'models: kept models are those of a strategy that hears in time, and this one is told late',
    )
  return { markets, kinds, periods, models }
}

/** The markets of a plan that have no data, simulated together; by asset. None beside markets that are drawn from data. */
function simulatedFeeds({ markets, seed = 'demo', correlation }: RunPlan): Map<string, Feed> {
  const without = markets.filter(({ data }) => data === undefined)
  for (const market of markets)
    if (market.data !== undefined && market.simulate !== undefined && !isBootstrapped(market))
      throw new PlanError(
        `market ${market.asset}: data and a model of prices exclude each other, but for bootstrapped, which draws from data`,
      )
  if (markets.some(isBootstrapped)) return new Map()
  const days = without.find((market) => market.days !== undefined)?.days
  const models = without.map(({ simulate }) => priceModelOf(simulate))
  if (correlation !== undefined && models.length < 2)
    throw new PlanError('a correlation is that of simulated markets; give two or more: --asset BTC,ETH')
  if (models.length === 0) return new Map()
  return new Map(
    demoFeeds(seed, models, { days, correlation }).map((feed, index) => [
      (without[index] as MarketPlan).asset,
      feed,
    ]),
  )
}

async function openMarket(
  market: MarketPlan,
  plan: RunPlan,
  simulated: Feed | undefined,
): Promise<PlannedMarket> {
  const { asset, data, funding } = market
  const feed =
    data === undefined
      ? (simulated as Feed)
      : await openData({ path: data, onBadRow: plan.onBadRow ?? 'fail' })
  return { asset, feed, funding: funding === undefined ? null : await readFunding({ path: funding }) }
}

/**
 * The options of one run of a plan, with strategies of its own.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runBacktest(optionsOf(plan, await preparePlan(plan)))
 * rows // → 1440
 * ```
 *
 * @throws PlanError for a value that is no decimal, and for a share that is mostly a percentage without its sign; RangeError for a
 * parameter that its strategy does not take.
 */
export function optionsOf(
  plan: RunPlan,
  { markets, kinds, models = null }: Pick<PreparedPlan, 'markets' | 'kinds'> & Partial<PreparedPlan>,
): BacktestOptions {
  const asset = (plan.markets[0] as MarketPlan).asset
  const strategyOf = ({ strategy, parameters }: StrategyPlan) => {
    const made = createStrategy(kinds.get(strategy) as StrategyKind, asset, parameters ?? {})
    return plan.delayBars === undefined ? made : delayed(made, plan.delayBars)
  }
  return {
    markets: markets.map((market, index) => marketOptions(market, plan.markets[index] as MarketPlan)),
    strategy: strategyOf(plan),
    account: accountOptions(plan, kinds),
    others: (plan.others ?? []).map((other) => ({
      name: other.name,
      strategy: strategyOf(other),
      account: accountOptions(other, kinds),
    })),
    ...periodOf(plan),
    ...(plan.warmUpMs === undefined ? {} : { warmUpMs: plan.warmUpMs }),
    ...(plan.profitCap === 'off' ? { rules: { profitWindowMs: 0 } } : {}),
    path: plan.path ?? 'adverse',
    afterVerdict: plan.afterVerdict ?? 'stop',
    atDataEnd: plan.atDataEnd ?? 'close',
    ...(plan.tickBarMs === undefined ? {} : { tickBarMs: plan.tickBarMs }),
    ...(models === null ? {} : { models: new ModelShelf({ from: models }) }),
    seed: plan.seed ?? 'demo',
  }
}

/** The part of the data a plan uses, epoch ms. @throws PlanError for a text that is no time, or a period that is empty. */
export function periodOf(plan: Pick<RunPlan, 'from' | 'to'>): {
  readonly from?: number
  readonly to?: number
} {
  const from = momentOf(plan.from, 'from')
  const to = momentOf(plan.to, 'to')
  if (from !== undefined && to !== undefined && from >= to)
    throw new PlanError(`the period is empty: it is to begin at ${plan.from} and to end before ${plan.to}`)
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function marketOptions({ asset, feed, funding }: PlannedMarket, plan: MarketPlan): BacktestMarket {
  const parameters = fieldsOf(plan.parameters ?? {}, MARKET_FIELDS, `market ${asset}`)
  return { asset, feed, parameters, ...(funding === null ? {} : { funding }) }
}

/** The plan of an evaluation allows the leverage a strategy asks for, unless it is given; the market's bound applies. */
function accountOptions(plan: StrategyPlan, kinds: ReadonlyMap<string, StrategyKind>): BacktestAccount {
  const account = accountOf(plan.account ?? {})
  const asked = askedLeverages(plan.parameters ?? {}, kinds.get(plan.strategy)?.parameters ?? {})
  if (asked.length === 0 || account.maxLeverage !== undefined) return account
  const leverage = asked.reduce((most, one) => (one > most ? one : most))
  return leverage > ACCOUNT_DEFAULTS.maxLeverage ? { ...account, maxLeverage: leverage } : account
}

/** Of every strategy of a portfolio. */
function askedLeverages(given: StrategyParameters, declared: DeclaredParameters): bigint[] {
  const names = new Set([...Object.keys(declared), ...Object.keys(given)])
  return [...names]
    .filter((name) => /(^|\.)leverage$/.test(name))
    .map((name) => fp9(String(given[name] ?? declared[name]?.default)))
}

/** Parameters of an account from decimals. @throws PlanError for a parameter there is not, or a value that is none. */
export function accountOf(fields: DecimalFields): BacktestAccount {
  const account = fieldsOf(fields, ACCOUNT_FIELDS, 'account') as BacktestAccount
  if (account.balance !== undefined && account.balance <= 0n)
    throw new PlanError(`account: balance must be above zero, not ${fields.balance}`)
  return account
}

/** Decimals as fp9 wherever the engine counts in fp9. */
function fieldsOf(fields: DecimalFields, kinds: FieldKinds, shown: string): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined || name === 'id' || name === 'userId' || name === 'baseAsset')
      throw new PlanError(`${shown}: there is no parameter ${name}`)
    const isFp9 = !isNested(kind) && isQuantity(partsOf(kind).stem)
    read[name] = isFp9 && value !== null ? decimal(name, value, shown) : value
  }
  return read
}

function decimal(name: string, value: unknown, shown: string): bigint {
  let read: bigint
  try {
    read = fp9(String(value))
  } catch {
    throw new PlanError(`${shown}: ${name} must be a decimal number, not ${value}`)
  }
  const fault = isShare(name) ? shareFault(name, String(value)) : null
  if (fault !== null) throw new PlanError(`${shown}: ${name}: ${fault}`)
  return read
}

function momentOf(moment: string | number | undefined, name: string): number | undefined {
  if (moment === undefined || typeof moment === 'number') return moment
  const time = writtenInstant(moment)
  if (time === null)
    throw new PlanError(`${name}: ${moment} is no time; write 2025-05-04 or 2025-05-04T12:00:00Z`)
  return time
}
