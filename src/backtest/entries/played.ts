/** Entries played by the engine: each of the same value, at the closes of its first bar and of its last, in an account of its own. */
import { formatDecimal } from '../../quantity/decimal.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Quote } from '../../quantity/units.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import { inMemory } from '../plan/memory.ts'
import { optionsOf, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import {
  type BacktestAccount,
  type BacktestMarket,
  type BacktestOptions,
  runBacktest,
  TICK_BAR_MS,
} from '../run/run.ts'
import type { ActionResult, EntryOrder, Strategy, StrategyContext } from '../strategy/strategy.ts'
import type { LanedEntry } from './pattern.ts'

/** Quote currency, unless a market takes no entry as small. */
const NOTIONAL = 1_000n * ONE

/** An entry with its times, epoch ms. */
export interface TimedEntry extends Omit<LanedEntry, 'bar'> {
  readonly opensAt: number
  readonly closesAt: number
}

/** Several patterns of entries to be played beside each other. */
export interface EntryTask {
  readonly patterns: readonly (readonly TimedEntry[])[]
  /** Accounts of each pattern. */
  readonly lanes: number
}

/** No entry is kept from being made by what was lost before, and none ends an evaluation. */
const ACCOUNT: BacktestAccount = {
  balance: 5_000_000n * ONE,
  maxDailyLoss: ONE,
  maxTotalLoss: ONE,
}
/** The curve is not looked at. */
const SAMPLING_MS = 86_400_000

/** Prepares the data of a plan once, for any number of tasks; each gives what its patterns came to, decimals of quote currency. */
export async function entryRunner(plan: RunPlan): Promise<(task: EntryTask) => Promise<string[]>> {
  const prepared = await inMemory(await preparePlan(plan))
  const { warmUpMs: _told, ...options } = optionsOf({ ...plan, others: [], afterVerdict: 'go-on' }, prepared)
  const markets = options.markets.map((market) => withoutBounds(market, options.tickBarMs))
  return (task) => played({ ...options, markets }, task)
}

async function played(options: BacktestOptions, { patterns, lanes }: EntryTask): Promise<string[]> {
  const names = patterns.flatMap((_, pattern) =>
    Array.from({ length: lanes }, (_, lane) => `${pattern} ${lane}`),
  )
  const result = await runBacktest({
    ...options,
    strategy: scripted(options.markets, patterns),
    account: ACCOUNT,
    others: names.map((name) => ({ name, strategy: { name }, account: ACCOUNT })),
    samplingMs: SAMPLING_MS,
  })
  const gains = result.others.map(({ statistics }) => statistics.netProfit)
  return patterns.map((_, pattern) =>
    formatDecimal(gains.slice(pattern * lanes, (pattern + 1) * lanes).reduce((sum, gain) => sum + gain, 0n)),
  )
}

/**
 * Sizes are not those of the strategy, so bounds of the market on sizes mean nothing. Chance has to be able to enter at every close, and a bar of
 * ticks may have had its last one long before: its price counts to the end of the bar.
 */
function withoutBounds(market: BacktestMarket, tickBarMs = TICK_BAR_MS): BacktestMarket {
  const { maxPriceAgeMs = MARKET_DEFAULTS.maxPriceAgeMs } = market.parameters ?? {}
  const parameters = {
    ...market.parameters,
    ...(market.feed.kind === 'ticks' ? { maxPriceAgeMs: Math.max(maxPriceAgeMs, tickBarMs) } : {}),
    maxOrderNotional: null,
    maxOpenNotionalLong: null,
    maxOpenNotionalShort: null,
    weekendMaxLeverage: null,
  }
  return { ...market, parameters }
}

/** What is done at the close of a bar, in the order in which it is listed. */
interface Act {
  readonly account: string
  /** Null to close. */
  readonly side: TimedEntry['side'] | null
}

function scripted(
  markets: readonly BacktestMarket[],
  patterns: readonly (readonly TimedEntry[])[],
): Strategy {
  const notional = formatDecimal(entryNotional(markets))
  const scripts = new Map(
    markets.map((market, index) => {
      // Without leverage, where the market has it so: what is reserved is then all that an entry can lose.
      const leverage = formatDecimal(market.parameters?.minLeverage ?? MARKET_DEFAULTS.minLeverage)
      const order = { asset: market.asset, sizeBy: { notional }, leverage }
      return [market.asset, { order, acts: actsIn(index, patterns) }]
    }),
  )
  return {
    name: 'entries',
    onBar({ asset, closeTime }, context) {
      const script = scripts.get(asset)
      const due = script?.acts.get(closeTime)
      return script === undefined || due === undefined ? undefined : act(context, due, script.order)
    },
  }
}

type Markets = readonly Pick<BacktestMarket, 'parameters'>[]

/** What every entry is worth when it is made, the same in all markets, quote currency. */
export function entryNotional(markets: Markets): Quote {
  const least = markets.map(({ parameters }) => parameters?.minNotional ?? MARKET_DEFAULTS.minNotional)
  return least.reduce((most, one) => (one > most ? one : most), NOTIONAL)
}

/** What ends comes before what begins. */
function actsIn(index: number, patterns: readonly (readonly TimedEntry[])[]): Map<number, Act[]> {
  const acts = new Map<number, Act[]>()
  const at = (time: number) => {
    const known = acts.get(time) ?? []
    acts.set(time, known)
    return known
  }
  const own = patterns.flatMap((entries, pattern) =>
    entries
      .filter(({ market }) => market === index)
      .map((entry) => ({ ...entry, account: `${pattern} ${entry.lane}` })),
  )
  for (const { account, closesAt } of own) at(closesAt).push({ account, side: null })
  for (const { account, opensAt, side } of own) at(opensAt).push({ account, side })
  return acts
}

async function act(
  context: StrategyContext,
  due: readonly Act[],
  order: Omit<EntryOrder, 'direction'>,
): Promise<void> {
  for (const { account, side } of due) {
    const own = context.of(account)
    if (side !== null) mustBeTaken(await own.open({ ...order, direction: side }))
    else for (const position of own.positions(order.asset)) mustBeTaken(await own.close({ position }))
  }
}

/** @throws RangeError: an order that is not made would be counted as one that brought nothing. */
function mustBeTaken(taken: ActionResult<unknown>): void {
  if (!taken.ok)
    throw new RangeError(`an entry cannot be tried at this time: the venue answers ${taken.error.code}`)
}
