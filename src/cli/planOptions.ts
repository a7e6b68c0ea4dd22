/** The options that say what to run: a configuration file, or the same in options; both give a plan. */
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { DecimalFields, MarketPlan, PartPlan, RunPlan } from '../backtest/plan/plan.ts'
import { type Share, shareFault } from '../backtest/plan/share.ts'
import { isBootstrapped } from '../backtest/simulated/modelText.ts'
import type { ParameterValue } from '../backtest/strategies/parameterValue.ts'
import { whyNotOpened } from '../files/whyNotOpened.ts'
import { fp9 } from '../quantity/decimal.ts'
import { UsageError } from './failure.ts'

export interface PlanOptions {
  readonly config?: string
  readonly data: readonly string[]
  readonly asset?: string
  readonly funding: readonly string[]
  readonly fundingRate?: string
  readonly strategy?: string
  readonly part: readonly string[]
  readonly param: readonly string[]
  readonly leverage?: string
  readonly margin?: string
  readonly fast?: number
  readonly slow?: number
  readonly balance?: string
  readonly feeRate?: string
  readonly spread?: string
  readonly dailyLoss?: string
  readonly totalLoss?: string
  readonly drawdown?: 'static' | 'trailing_eod'
  readonly target?: string
  readonly profitableDays?: number
  readonly from?: string
  readonly to?: string
  readonly warmUp?: number
  readonly path?: 'adverse' | 'optimistic' | 'both'
  readonly afterVerdict?: 'stop' | 'go-on'
  readonly atDataEnd?: 'close' | 'hold'
  readonly tickBars?: number
  readonly onBadRow?: 'fail' | 'skip'
  readonly seed?: string
  readonly days?: number
  readonly simulate?: string
  readonly correlation?: string
  /** Of `backtest` alone, as `models` is. */
  readonly periods?: string
  readonly models?: string
}

/** What of the options a command takes. */
interface TakenOptions {
  /** The paths it can run on. */
  readonly paths?: readonly string[]
  /** Whether it says itself how long prices are that are simulated. */
  readonly hasDays?: boolean
}

/** Adds the options to a command. */
export function withPlanOptions(
  command: Command,
  { paths = ['adverse', 'optimistic'], hasDays = true }: TakenOptions = {},
): Command {
  const days = new Option(
    '--days <count>',
    'days to simulate when there is no data (default: 30), or to draw with --simulate bootstrapped (default: as many as the data has)',
  )
  return command
    .option('--config <file>', 'the run as JSON; options come before what it says')
    .option(
      '--data <file>',
      'candles or ticks, a file or a folder; with several markets ASSET=FILE, repeated',
      collect,
      [],
    )
    .option('--asset <ticker>', 'base asset of the data (default: BTC); several to simulate: BTC,ETH')
    .option('--funding <file>', 'funding rates by time; with several markets ASSET=FILE', collect, [])
    .option(
      '--funding-rate <rate>',
      'constant funding rate per interval, without a file ("0.01%")',
      shareText('fundingRate'),
    )
    .option(
      '--strategy <name>',
      'ema-cross, breakout, mean-reversion, funding-carry, learned-direction, or a .ts or .js file (default: ema-cross); with --help, its parameters',
    )
    .option(
      '--part <name=strategy>',
      'a strategy of a portfolio on the one account, repeated: trend=ema-cross, or dips=mean-reversion@ETH,SOL for some of the markets; its parameters are --param trend.fast=20',
      collect,
      [],
    )
    .option('--param <name=value>', 'a parameter of the strategy, repeated', collect, [])
    .option('--leverage <times>', 'short for --param leverage=…', decimalText)
    .option('--margin <amount>', 'short for --param margin=…', decimalText)
    .option('--fast <bars>', 'short for --param fast=…', count)
    .option('--slow <bars>', 'short for --param slow=…', count)
    .option('--balance <amount>', 'balance to start with (default: 10000)', decimalText)
    .option('--fee-rate <rate>', 'trading fee per fill ("0.08%")', shareText('feeRate'))
    .option('--spread <rate>', 'spread per side ("0.03%")', shareText('spread'))
    .option('--daily-loss <rate>', 'daily loss limit; 100% = off', shareText('maxDailyLoss'))
    .option('--total-loss <rate>', 'total loss limit; 100% = off', shareText('maxTotalLoss'))
    .addOption(
      new Option('--drawdown <mode>', 'what the total loss is measured from').choices([
        'static',
        'trailing_eod',
      ]),
    )
    .option('--target <rate>', 'profit target of the evaluation', shareText('profitTarget'))
    .option('--profitable-days <count>', 'profitable days the evaluation asks for', count)
    .option(
      '--from <time>',
      'use the data from here on: a day, or 2025-05-04T12:00, in UTC where no zone is said',
    )
    .option(
      '--warm-up <span>',
      'tell the strategies so much of the data before --from (of `backtest --live`: before now), and let them trade on none of it ("30d", "12h")',
      spanMs,
    )
    .option('--to <time>', 'use the data up to here, exclusive')
    .addOption(
      new Option('--path <kind>', 'order of the prices inside a bar (default: adverse)').choices(paths),
    )
    .addOption(
      new Option(
        '--after-verdict <what>',
        'what the run does once the evaluation is passed or failed (default: stop)',
      ).choices(['stop', 'go-on']),
    )
    .addOption(
      new Option(
        '--at-data-end <what>',
        'what becomes of a market whose data ends before that of others (default: close)',
      ).choices(['close', 'hold']),
    )
    .option('--tick-bars <seconds>', 'length of the bars that ticks are told in (default: 60)', positiveCount)
    .addOption(
      new Option('--on-bad-row <what>', 'what a bad row of the data does (default: fail)').choices([
        'fail',
        'skip',
      ]),
    )
    .option('--seed <text>', 'seed of simulated data and of the ids (default: demo)')
    .option(
      '--simulate <model>',
      'model of the prices when there is no data: jumps, brownian, mean-reverting, regimes, with numbers as in jumps:volatility=0.9 (default: jumps); with --data it is bootstrapped: blocks drawn from its bars, bootstrapped:block=120,regimes=3 for their mean length (default: found from the data) and for blocks that follow within a regime',
    )
    .option(
      '--correlation <number>',
      'of simulated markets, given as --asset BTC,ETH (default: 0); bootstrapped ones move together as their data did',
      decimalText,
    )
    .addOption((hasDays ? days : days.hideHelp()).argParser(positiveCount))
}

/**
 * The plan the options give, on top of that of `--config`.
 *
 * @throws UsageError, PlanError for what does not fit together.
 */
export async function planOf(options: PlanOptions): Promise<RunPlan> {
  const base = await configured(options.config)
  const { from, to, afterVerdict, atDataEnd, onBadRow, seed, tickBars, warmUp, periods, models } = options
  const tickBarMs = tickBars === undefined ? undefined : tickBars * 1_000
  const path = options.path === 'both' ? 'adverse' : options.path
  const portfolio = portfolioOf(options) ?? (options.strategy === undefined ? base.portfolio : undefined)
  const { portfolio: _listed, ...rest } = base
  return {
    ...rest,
    ...(portfolio === undefined ? {} : { portfolio }),
    ...given({ correlation: options.correlation === undefined ? undefined : Number(options.correlation) }),
    ...given({
      from,
      to,
      warmUpMs: warmUp,
      path,
      afterVerdict,
      atDataEnd,
      tickBarMs,
      onBadRow,
      seed,
      periods,
      models,
    }),
    markets: marketsOf(options, base.markets ?? []),
    strategy: portfolio === undefined ? (options.strategy ?? base.strategy ?? 'ema-cross') : 'portfolio',
    parameters: { ...base.parameters, ...parametersOf(options) },
    account: { ...base.account, ...accountOf(options) },
  }
}

async function configured(file: string | undefined): Promise<Partial<RunPlan>> {
  if (file === undefined) return {}
  const { readPlan } = await import('../backtest/plan/readPlan.ts')
  let json: string
  try {
    json = await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: the file cannot be opened (${whyNotOpened(file, error as Error)})`)
  }
  return readPlan(json, file)
}

function marketsOf(options: PlanOptions, base: readonly MarketPlan[]): MarketPlan[] {
  const { days, fundingRate, feeRate, spread } = options
  const parameters = given({ fundingRate, feeRate, spread })
  const simulated = given({ simulate: options.simulate })
  const data = byAsset(options.data, options.asset, '--data')
  const funding = byAsset(options.funding, options.asset ?? [...data.keys()][0], '--funding')
  if (data.size > 0 && base.length > 0)
    throw new UsageError('--data and the markets of the configuration exclude each other')
  const listed: readonly MarketPlan[] =
    base.length > 0
      ? base
      : data.size > 0
        ? [...data].map(([asset, file]) => ({ asset, data: file }))
        : (options.asset ?? 'BTC').split(',').map((asset) => ({ asset }))
  for (const asset of funding.keys())
    if (!listed.some((market) => market.asset === asset))
      throw new UsageError(`--funding: the run has no market ${asset}`)
  return listed.map((market) => {
    const file = funding.get(market.asset)
    return {
      ...market,
      ...given({
        days: market.data === undefined || isBootstrapped({ ...market, ...simulated }) ? days : undefined,
        ...simulated,
        funding: file,
      }),
      parameters: { ...market.parameters, ...parameters },
    }
  })
}

/** `ASSET=FILE`, or one file for the one market. */
function byAsset(items: readonly string[], asset: string | undefined, option: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const item of items) {
    const [, named, file] = /^([A-Za-z0-9]{1,20})=(.+)$/.exec(item) ?? []
    const key = named ?? asset ?? 'BTC'
    if (key.includes(','))
      throw new UsageError(
        `${option}: ${item} is one file for ${key}; several markets are given as ASSET=FILE`,
      )
    if (files.has(key))
      throw new UsageError(`${option}: two files for ${key}; several markets are given as ASSET=FILE`)
    files.set(key, file ?? item)
  }
  return files
}

/** What is typed of the strategy's parameters. @throws UsageError for one that is given twice. */
export function parametersOf(options: PlanOptions): Record<string, ParameterValue> {
  const { leverage, margin, fast, slow } = options
  const parameters: Record<string, ParameterValue> = given({ leverage, margin, fast, slow })
  for (const item of options.param) {
    const [name, value] = namedValue(item, '--param')
    if (Object.hasOwn(parameters, name)) throw new UsageError(`--param: ${name} is given twice`)
    parameters[name] = value
  }
  return parameters
}

/** @throws UsageError for anything but `name=value`. */
export function namedValue(item: string, option: string): [name: string, value: string] {
  const at = item.indexOf('=')
  if (at < 1 || at === item.length - 1) throw new UsageError(`${option}: ${item} is not name=value`)
  return [item.slice(0, at), item.slice(at + 1)]
}

function accountOf(options: PlanOptions): DecimalFields {
  return given({
    balance: options.balance,
    maxDailyLoss: options.dailyLoss,
    maxTotalLoss: options.totalLoss,
    drawdownMode: options.drawdown,
    profitTarget: options.target,
    minProfitableDays: options.profitableDays,
  })
}

/** `NAME=STRATEGY`, and the markets after an `@`. @throws UsageError for what is neither. */
function portfolioOf({ part, strategy }: PlanOptions): PartPlan[] | undefined {
  if (part.length === 0) return undefined
  if (strategy !== undefined) throw new UsageError('--strategy and --part exclude each other')
  return part.map((item) => {
    const [name, said] = namedValue(item, '--part')
    const [, named = said, assets] = /^(.+)@([A-Za-z0-9]{1,20}(?:,[A-Za-z0-9]{1,20})*)$/.exec(said) ?? []
    return { name, strategy: named, ...(assets === undefined ? {} : { markets: assets.split(',') }) }
  })
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** The fields that are there. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

export function collect(item: string, items: readonly string[]): string[] {
  return [...items, item]
}

/** Reads a share, in the plan's name for it. */
function shareText(name: Share): (text: string) => string {
  return (text) => {
    const fault = shareFault(name, decimalText(text))
    if (fault !== null) throw new InvalidArgumentError(`${fault}.`)
    return text
  }
}

function decimalText(text: string): string {
  try {
    fp9(text)
  } catch {
    throw new InvalidArgumentError('It is no decimal number.')
  }
  return text
}

const SPAN_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export function spanMs(text: string): number {
  const [, number, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text) ?? []
  if (number === undefined || unit === undefined)
    throw new InvalidArgumentError('It is no number of minutes, hours or days such as 90m, 12h or 30d.')
  return Number(number) * (SPAN_MS[unit] as number)
}

export function positiveCount(text: string): number {
  const value = count(text)
  if (value === 0) throw new InvalidArgumentError('It has to be above zero.')
  return value
}

export function count(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It is no whole number.')
  return Number(text)
}
