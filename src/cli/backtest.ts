/** `margin-core backtest`: a strategy over a file of market data, and what came of it. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Feed } from '../backtest/feed/feed.ts'
import type { FundingRates } from '../backtest/feed/funding.ts'
import type { BacktestMarket, BacktestResult } from '../backtest/run.ts'
import type { Strategy } from '../backtest/strategy.ts'
import { fp9 } from '../quantity/decimal.ts'
import { reportFailure, UsageError } from './failure.ts'
import { Progress } from './progress.ts'

interface Options {
  readonly data?: string
  readonly asset: string
  readonly funding?: string
  readonly fundingRate?: bigint
  readonly strategy: string
  readonly fast: number
  readonly slow: number
  readonly leverage: string
  readonly margin: string
  readonly balance: string
  readonly feeRate?: bigint
  readonly spread?: bigint
  readonly dailyLoss?: bigint
  readonly totalLoss?: bigint
  readonly target?: bigint
  readonly profitableDays?: number
  readonly path: 'adverse' | 'optimistic'
  readonly onBadRow: 'fail' | 'skip'
  readonly seed: string
  readonly days: number
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core backtest                                     thirty simulated days
  $ margin-core backtest --data BTCUSDT-1m-2025-05.csv.gz --funding BTCUSDT-funding.csv \\
      --strategy ema-cross --fast 50 --slow 200 --leverage 10
  $ margin-core backtest --data prices.csv --json | jq .verdict`

export function backtestCommand(): Command {
  return new Command('backtest')
    .description('run a strategy over market data, under the rules of the venue')
    .option(
      '--data <file>',
      'candles or ticks: Binance klines or trades CSV, or CSV with a header; .gz and .zip too',
    )
    .option('--asset <ticker>', 'base asset of the data', 'BTC')
    .option('--funding <file>', 'funding rates by time')
    .option('--funding-rate <rate>', 'constant funding rate per 8 hours, without a file ("0.01%")', decimal)
    .option('--strategy <name>', 'the strategy: ema-cross', 'ema-cross')
    .option('--fast <bars>', 'bars of the fast average', count, 20)
    .option('--slow <bars>', 'bars of the slow average', count, 50)
    .option('--leverage <times>', 'leverage of every entry', decimalText, '5')
    .option(
      '--margin <amount>',
      'margin of every entry: an amount or a percentage of equity',
      decimalText,
      '10%',
    )
    .option('--balance <amount>', 'balance to start with', decimalText, '10000')
    .option('--fee-rate <rate>', 'trading fee per fill ("0.08%")', decimal)
    .option('--spread <rate>', 'spread per side ("0.03%")', decimal)
    .option('--daily-loss <rate>', 'daily loss limit; 100% = off', decimal)
    .option('--total-loss <rate>', 'total loss limit; 100% = off', decimal)
    .option('--target <rate>', 'profit target of the evaluation', decimal)
    .option('--profitable-days <count>', 'profitable days the evaluation asks for', count)
    .addOption(
      new Option('--path <kind>', 'order of the prices inside a bar')
        .choices(['adverse', 'optimistic'])
        .default('adverse'),
    )
    .addOption(
      new Option('--on-bad-row <what>', 'what a bad row of the data does')
        .choices(['fail', 'skip'])
        .default('fail'),
    )
    .option('--seed <text>', 'seed of the simulated market and of the ids', 'demo')
    .option('--days <count>', 'days to simulate when there is no data', count, 30)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => reportFailure(() => backtest(options)))
}

async function backtest(options: Options): Promise<void> {
  const [{ runBacktest }, { summaryLines }, { resultJson }] = await Promise.all([
    import('../backtest/run.ts'),
    import('../backtest/summary.ts'),
    import('../backtest/json.ts'),
  ])
  const feed = await openData(options)
  const market = await marketOf(options, feed)
  const strategy = await strategyOf(options)
  const progress = new Progress('backtest', options.json === true)
  let result: BacktestResult
  try {
    result = await runBacktest({
      markets: [market],
      strategy,
      path: options.path,
      seed: options.seed,
      account: accountOf(options),
      onProgress: ({ rows, time }) => progress.update(rows, new Date(time).toISOString().slice(0, 10)),
    })
  } finally {
    progress.end()
  }
  if (options.json) process.stdout.write(`${JSON.stringify(resultJson(result), null, 2)}\n`)
  else process.stdout.write(`${[...feedLines(feed, options), ...summaryLines(result)].join('\n')}\n`)
}

async function openData(options: Options): Promise<Feed> {
  if (options.data === undefined) {
    const { demoFeed } = await import('../backtest/simulatedDemo.ts')
    return demoFeed(options.seed, options.days)
  }
  const { openFeed } = await import('../backtest/feed/openFeed.ts')
  return openFeed({ path: options.data, onBadRow: options.onBadRow })
}

async function marketOf(options: Options, feed: Feed): Promise<BacktestMarket> {
  const { leverage } = options
  const parameters = {
    ...(options.feeRate === undefined ? {} : { feeRate: options.feeRate }),
    ...(options.spread === undefined ? {} : { spread: options.spread }),
    ...(options.fundingRate === undefined ? {} : { fundingRate: options.fundingRate }),
  }
  if (fp9(leverage) <= 0n) throw new UsageError('--leverage must be above zero')
  const market = { asset: options.asset, feed, parameters }
  if (options.funding === undefined) return market
  const { readFunding } = await import('../backtest/feed/funding.ts')
  const funding: FundingRates = await readFunding({ path: options.funding })
  return { ...market, funding }
}

async function strategyOf(options: Options): Promise<Strategy> {
  if (options.strategy !== 'ema-cross')
    throw new UsageError(`there is no strategy ${options.strategy}; there is: ema-cross`)
  const { emaCross } = await import('../backtest/strategies/emaCross.ts')
  const { asset, fast, slow, leverage, margin } = options
  return emaCross({ asset, fast, slow, leverage, margin })
}

function accountOf(options: Options) {
  const leverage = fp9(options.leverage)
  return {
    balance: fp9(options.balance),
    // The plan of the evaluation allows what the run asks for; the market's own bound still applies.
    maxLeverage: leverage > fp9('10') ? leverage : fp9('10'),
    ...(options.dailyLoss === undefined ? {} : { maxDailyLoss: options.dailyLoss }),
    ...(options.totalLoss === undefined ? {} : { maxTotalLoss: options.totalLoss }),
    ...(options.target === undefined ? {} : { profitTarget: options.target }),
    ...(options.profitableDays === undefined ? {} : { minProfitableDays: options.profitableDays }),
  }
}

/** What was read, and what the data lacked. */
function feedLines(feed: Feed, options: Options): string[] {
  const { gaps, missingBars, skipped, firstSkipped } = feed.summary()
  const lines = [`data: ${feed.sources.join(', ')}${options.data === undefined ? ' (no --data given)' : ''}`]
  if (gaps > 0) lines.push(`data: ${missingBars} bar(s) missing in ${gaps} gap(s)`)
  if (skipped > 0)
    lines.push(
      `data: ${skipped} row(s) skipped, first: ${firstSkipped.map(({ file, line, reason }) => `${file}:${line}: ${reason}`)[0]}`,
    )
  return [...lines, '']
}

function decimal(text: string): bigint {
  try {
    return fp9(text)
  } catch {
    throw new InvalidArgumentError('It is no decimal number.')
  }
}

function decimalText(text: string): string {
  decimal(text)
  return text
}

function count(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It is no whole number.')
  return Number(text)
}
