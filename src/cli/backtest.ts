/** `margin-core backtest`: a strategy over market data, and what came of it. */
import { Command } from 'commander'
import type { Feed } from '../backtest/feed/feed.ts'
import type { BacktestResult } from '../backtest/run.ts'
import { reportFailure } from './failure.ts'
import { type PlanOptions, planOf, withPlanOptions } from './planOptions.ts'
import { Progress } from './progress.ts'

interface Options extends PlanOptions {
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core backtest                                     thirty simulated days
  $ margin-core backtest --data BTCUSDT-1m-2025-05.csv.gz --funding BTCUSDT-funding.csv \\
      --strategy ema-cross --param fast=50 --param slow=200 --leverage 10
  $ margin-core backtest --data BTC=btc.csv.gz --data ETH=eth.csv.gz --strategy ./pairs.ts
  $ margin-core backtest --config run.json --json | jq .verdict`

export function backtestCommand(): Command {
  return withPlanOptions(
    new Command('backtest').description('run a strategy over market data, under the rules of the venue'),
  )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => reportFailure(() => backtest(options)))
}

async function backtest(options: Options): Promise<void> {
  const [{ preparePlan, optionsOf }, { runBacktest }, { summaryLines }, { resultJson }] = await Promise.all([
    import('../backtest/plan/options.ts'),
    import('../backtest/run.ts'),
    import('../backtest/summary.ts'),
    import('../backtest/json.ts'),
  ])
  const plan = await planOf(options)
  const prepared = await preparePlan(plan)
  const progress = new Progress('backtest', options.json === true)
  let result: BacktestResult
  try {
    result = await runBacktest({
      ...optionsOf(plan, prepared),
      onProgress: ({ rows, time }) => progress.update(rows, new Date(time).toISOString().slice(0, 10)),
    })
  } finally {
    progress.end()
  }
  if (options.json) process.stdout.write(`${JSON.stringify(resultJson(result), null, 2)}\n`)
  else {
    const feeds = prepared.markets.flatMap(({ asset, feed }, index) =>
      feedLines(asset, feed, plan.markets[index]),
    )
    process.stdout.write(`${[...feeds, '', ...summaryLines(result)].join('\n')}\n`)
  }
}

/** What was read, and what the data lacked. */
function feedLines(asset: string, feed: Feed, plan: { readonly data?: unknown } | undefined): string[] {
  const { gaps, missingBars, skipped, firstSkipped } = feed.summary()
  const lines = [
    `${asset}: ${feed.sources.join(', ')}${plan?.data === undefined ? ' (no --data given)' : ''}`,
  ]
  if (gaps > 0) lines.push(`${asset}: ${missingBars} bar(s) missing in ${gaps} gap(s)`)
  const [first] = firstSkipped
  if (first !== undefined)
    lines.push(`${asset}: ${skipped} row(s) skipped, first: ${first.file}:${first.line}: ${first.reason}`)
  return lines
}
