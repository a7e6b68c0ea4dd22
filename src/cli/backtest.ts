/** `margin-core backtest`: a strategy over market data, and what came of it. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import type { Beside } from '../backtest/beside/beside.ts'
import type { Feed } from '../backtest/feed/feed.ts'
import type { Provenance } from '../backtest/plan/provenance.ts'
import type { PathComparison } from '../backtest/run/bothPaths.ts'
import type { BacktestOptions, BacktestResult } from '../backtest/run/run.ts'
import { formatInstant } from '../projections/wire.ts'
import { formatDecimal } from '../quantity/decimal.ts'
import { reportFailure, UsageError } from './failure.ts'
import { count, type PlanOptions, planOf, withPlanOptions } from './planOptions.ts'
import { Progress } from './progress.ts'
import { type RecordedResult, recordedRun } from './recordedRun.ts'

interface Options extends PlanOptions {
  readonly json?: boolean
  readonly report?: string
  readonly out?: string
  readonly live?: string
  readonly key?: string
  readonly interval: number
  readonly onExit?: 'keep' | 'flatten'
  readonly journal?: string
}

const EXAMPLES = `
Examples:
  $ margin-core backtest                                     thirty simulated days
  $ margin-core backtest --data BTCUSDT-1m-2025-05.csv.gz --funding BTCUSDT-funding.csv \\
      --strategy ema-cross --param fast=50 --param slow=200 --leverage 10
  $ margin-core backtest --data BTC=btc.csv.gz --data ETH=eth.csv.gz --strategy ./pairs.ts
  $ margin-core backtest --asset BTC,ETH --part trend=ema-cross --part dips=mean-reversion@ETH
  $ margin-core backtest --config run.json --json | jq .verdict
  $ margin-core backtest --strategy breakout --live http://127.0.0.1:8080 --key mtk_…
  $ margin-core backtest --path both --out runs/today        report.html, tables and events in a folder`

export function backtestCommand(): Command {
  return withPlanOptions(new Command('backtest'), ['adverse', 'optimistic', 'both'])
    .option('--json', 'print the result as JSON')
    .option('--report <file>', 'write a report with charts, one HTML file')
    .option('--out <folder>', 'write the report, tables, events and everything as JSON to a folder')
    .option('--live <url>', 'run the strategy on a live host instead, until it is interrupted')
    .option('--key <key>', 'with --live: the API key (or MARGIN_CORE_KEY)')
    .option('--interval <seconds>', 'with --live: length of a bar', count, 60)
    .option('--journal <file>', 'with --live: add every price, bar and event to a file, as lines of JSON')
    .addOption(
      new Option(
        '--on-exit <what>',
        'with --live: what becomes of open orders and positions (default: keep)',
      ).choices(['keep', 'flatten']),
    )
    .addHelpText('after', EXAMPLES)
    .action((options: Options) =>
      reportFailure(() => (options.live === undefined ? backtest(options) : live(options, options.live))),
    )
}

async function backtest(options: Options): Promise<void> {
  const { preparePlan, optionsOf } = await import('../backtest/plan/options.ts')
  const plan = await planOf(options)
  const prepared = await preparePlan(plan)
  const progress = new Progress('backtest', options.json === true)
  const onProgress: BacktestOptions['onProgress'] = ({ rows, time }) =>
    progress.update(rows, new Date(time).toISOString().slice(0, 10))
  let run: RecordedResult
  try {
    run = await recordedRun(() => ({ ...optionsOf(plan, prepared), onProgress }), options.path === 'both')
  } finally {
    progress.end()
  }
  const { result, comparison, beside } = run
  const { commandText, provenanceOf } = await import('../backtest/plan/provenance.ts')
  const madeBy = await provenanceOf(plan, {
    command: commandText('margin-core', process.argv.slice(2)),
    bothPaths: options.path === 'both',
  })
  if (options.json) {
    const { resultJson } = await import('../backtest/output/json.ts')
    process.stdout.write(`${JSON.stringify(resultJson(result, madeBy, beside), null, 2)}\n`)
  } else {
    const feeds = prepared.markets.flatMap(({ asset, feed }, index) =>
      feedLines(asset, feed, result.feeds[index], plan.markets[index]),
    )
    process.stdout.write(
      `${[...feeds, '', ...(await terminalSummary(result, comparison, beside))].join('\n')}\n`,
    )
  }
  await writeFiles(options, run, madeBy)
}

/** What the strategy does is told on stdout, a line each. */
async function live(options: Options, url: string): Promise<void> {
  const [
    { MarginTradingClient },
    { LiveContext },
    { runLive },
    { withBarsTold },
    { streamOf },
    { journalLine },
    { preparePlan, optionsOf },
  ] = await Promise.all([
    import('../client/index.ts'),
    import('../backtest/live/liveContext.ts'),
    import('../backtest/live/liveRun.ts'),
    import('../backtest/live/barsTold.ts'),
    import('../backtest/live/streamOf.ts'),
    import('../backtest/live/journal.ts'),
    import('../backtest/plan/options.ts'),
  ])
  const key = options.key ?? process.env.MARGIN_CORE_KEY
  if (key === undefined) throw new UsageError('--live needs --key, or MARGIN_CORE_KEY in the environment')
  const plan = await planOf(options)
  const { strategy } = optionsOf(plan, await preparePlan(plan))
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const say = (text: string) => process.stderr.write(`${formatInstant(Date.now())} ${text}\n`)
  const onWait = (ms: number, why: string) => say(`${why}: waiting ${ms / 1000} s`)
  const client = new MarginTradingClient({ baseUrl: url, token: key, retry: { onWait } })
  const context = await LiveContext.open(client, Date.now)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  process.stdout.write(`live on ${url}, account ${context.accountId}: ${strategy.name}\n`)
  const stream = await streamOf(client, context.accountId, stop.signal)
  if (stream === null && plan.portfolio !== undefined)
    throw new UsageError('a portfolio needs a venue with a stream: only that tells whose share has filled')
  if (stream === null)
    say('note: this venue has no stream: prices are polled every 2 s, and onEvent is not called')
  const journal = options.journal === undefined ? null : createWriteStream(options.journal, { flags: 'a' })
  await runLive({
    context,
    ...(stream === null ? {} : { stream }),
    onEntry: (entry) => journal?.write(journalLine(entry)),
    onRefused: say,
    strategy: withBarsTold(strategy, (bar) => {
      const equity = formatDecimal(context.equity(), 2)
      process.stdout.write(
        `${formatInstant(bar.closeTime)} ${bar.asset} ${formatDecimal(bar.close)}, ${context.positions().length} open, equity ${equity}\n`,
      )
    }),
    assets: plan.markets.map(({ asset }) => asset),
    intervalMs: 1_000 * options.interval,
    sleep,
    signal: stop.signal,
    onExit: options.onExit ?? 'keep',
    onMissingBars: (asset, bars) => say(`${asset}: ${bars} bar(s) without a price`),
  })
  await new Promise<void>((closed) => (journal === null ? closed() : journal.end(closed)))
  const [orders, positions] = [context.orders().length, context.positions().length]
  process.stdout.write(
    orders + positions === 0
      ? 'stopped; nothing is open\n'
      : `stopped; ${positions} position(s) and ${orders} order(s) stay open on the venue (--on-exit flatten ends them)\n`,
  )
}

async function terminalSummary(
  result: BacktestResult,
  comparison: PathComparison | null,
  beside: Beside,
): Promise<string[]> {
  const { summary } = await import('../backtest/output/summary.ts')
  const { equityChart } = await import('../backtest/output/equityChart.ts')
  const { default: colours } = await import('picocolors')
  return summary(result, {
    comparison,
    beside,
    chart: equityChart(result.curve),
    colours: colours.createColors(process.stdout.isTTY === true && colours.isColorSupported),
  })
}

/** The report and the folder that were asked for; where they are is said on stderr. */
async function writeFiles(
  options: Options,
  { result, recording, comparison, beside }: RecordedResult,
  madeBy: Provenance,
): Promise<void> {
  if (options.report !== undefined) {
    const [{ reportData }, { renderReport }] = await Promise.all([
      import('../backtest/report/reportData.ts'),
      import('../backtest/report/render.ts'),
    ])
    await writeFile(options.report, renderReport(reportData(result, recording, comparison, madeBy, beside)))
    process.stderr.write(`report: ${options.report}\n`)
  }
  if (options.out === undefined) return
  const { saveRun } = await import('../backtest/export/saveRun.ts')
  await saveRun(options.out, result, recording, comparison, madeBy, beside)
  process.stderr.write(`saved: ${options.out}\n`)
}

/** What was read, and what the data lacked. */
function feedLines(
  asset: string,
  feed: Feed,
  summary = feed.summary(),
  plan?: { readonly data?: unknown },
): string[] {
  const { gaps, missingBars, skipped, firstSkipped } = summary
  const lines = [
    `${asset}: ${feed.sources.join(', ')}${plan?.data === undefined ? ' (no --data given)' : ''}`,
  ]
  if (gaps > 0) lines.push(`${asset}: ${missingBars} bar(s) missing in ${gaps} gap(s)`)
  const [first] = firstSkipped
  if (first !== undefined)
    lines.push(`${asset}: ${skipped} row(s) skipped, first: ${first.file}:${first.line}: ${first.reason}`)
  return lines
}
