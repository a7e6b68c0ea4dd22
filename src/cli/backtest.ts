/** `margin-core backtest`: a strategy over market data, and what came of it. */
import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import type { Feed } from '../backtest/feed/feed.ts'
import type { Provenance } from '../backtest/plan/provenance.ts'
import type { BacktestOptions } from '../backtest/run/run.ts'
import { reportFailure, UsageError } from './failure.ts'
import type { LiveRunOptions } from './live.ts'
import type { ModelKeeper } from './modelKeeper.ts'
import { CHARTS, mustBeInstalled, mustBeWritable, mustTakeFolder, SUMMARY, TABLES } from './outputs.ts'
import { planFor } from './partners.ts'
import { positiveCount, spanMs, withPlanOptions } from './planOptions.ts'
import { Progress } from './progress.ts'
import { type RecordedResult, recordedRun } from './recordedRun.ts'

interface Options extends LiveRunOptions {
  readonly json?: boolean
  readonly report?: string
  readonly out?: string
  readonly live?: string
}

const EXAMPLES = `
Examples:
  $ margin-core backtest                                     thirty simulated days
  $ margin-core backtest --data BTCUSDT-1m-2025-05.csv.gz --funding BTCUSDT-funding.csv \\
      --strategy ema-cross --param fast=50 --param slow=200 --leverage 10
  $ margin-core backtest --data BTC=btc.csv.gz --data ETH=eth.csv.gz --strategy ./pairs.ts
  $ margin-core backtest --asset BTC,ETH --part trend=ema-cross --part dips=mean-reversion@ETH
  $ margin-core backtest --config run.json --json | jq .verdict
  $ margin-core backtest --strategy breakout --live http://127.0.0.1:8080 --key-file venue.key --journal live.jsonl
  $ margin-core backtest --strategy breakout --data BTCUSDT-1m --warm-up 2d --live http://127.0.0.1:8080 --key-file venue.key
  $ margin-core backtest --path both --out runs/today        report.html, tables and events in a folder`

export function backtestCommand(): Command {
  return withPlanOptions(new Command('backtest'), { paths: ['adverse', 'optimistic', 'both'] })
    .option('--json', 'print the result as JSON')
    .option('--report <file>', 'write a report with charts, one HTML file')
    .option('--out <folder>', 'write the report, tables, events and everything as JSON to a folder')
    .option(
      '--periods <file>',
      'tell how the run fared in periods of your own, a JSON list of { "name", "from", "to" }',
    )
    .option(
      '--keep-models <folder>',
      'keep every fit of the models that the strategy learns, and what they go on from',
    )
    .option('--models <folder>', 'start the models that the strategy learns from those that were kept')
    .option('--live <url>', 'run the strategy on a live host instead, until it is interrupted')
    .option('--key <key>', 'with --live: the API key (or MARGIN_CORE_KEY)')
    .option(
      '--key-file <file>',
      'with --live: the file that holds the API key, which no list of processes shows',
    )
    .option('--interval <seconds>', 'with --live: length of a bar', positiveCount, 60)
    .option(
      '--warm-up-gap <span>',
      'with --live and --warm-up: how long what is missing between the end of --data and now may be ("90m"; default: 60 bars)',
      spanMs,
    )
    .option(
      '--journal <file>',
      'with --live: add everything told, asked for and missed to a file, which `report` draws',
    )
    .option(
      '--journal-size <mebibytes>',
      'with --journal: how large a file grows before the next one begins (default: 64)',
      positiveCount,
    )
    .option(
      '--journal-files <count>',
      'with --journal: how many of them are kept, the newest (default: all)',
      positiveCount,
    )
    .option(
      '--order-within <seconds>',
      'with --live: how long a market order is sent again where no answer comes; then it is asked what became of it (default: 10)',
      positiveCount,
    )
    .addOption(
      new Option(
        '--on-exit <what>',
        'with --live: what becomes of open orders and positions (default: keep)',
      ).choices(['keep', 'flatten']),
    )
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) =>
      reportFailure(async () => {
        if (options.live === undefined) return backtest(options, command)
        const { live } = await import('./live.ts')
        return live(options, options.live)
      }),
    )
}

async function backtest(options: Options, command: Command): Promise<void> {
  await mustTakeResults(options)
  const keeper = await keeperOf(options)
  const { preparePlan, optionsOf } = await import('../backtest/plan/options.ts')
  const plan = await planFor(options, command)
  const prepared = await preparePlan(plan)
  const progress = new Progress('backtest', options.json === true)
  const onProgress: BacktestOptions['onProgress'] = ({ rows, time }) =>
    progress.update(rows, new Date(time).toISOString().slice(0, 10))
  let run: RecordedResult
  try {
    run = await recordedRun(
      () => ({ ...optionsOf(plan, prepared), ...keeper?.of(prepared.models), onProgress }),
      options.path === 'both',
      prepared.periods,
    )
  } finally {
    progress.end()
  }
  const { result, beside, against } = run
  const [{ commandText }, { provenanceOf }] = await Promise.all([
    import('../backtest/plan/commandText.ts'),
    import('../backtest/plan/provenance.ts'),
  ])
  const madeBy = await provenanceOf(plan, {
    command: commandText('margin-core', process.argv.slice(2)),
    bothPaths: options.path === 'both',
  })
  if (options.json) {
    const { resultJson } = await import('../backtest/output/json.ts')
    process.stdout.write(`${JSON.stringify(resultJson(result, madeBy, beside, against), null, 2)}\n`)
  } else {
    const feeds = prepared.markets.flatMap(({ asset, feed }, index) =>
      feedLines(asset, feed, result.feeds[index], plan.markets[index]),
    )
    process.stdout.write(`${[...feeds, '', ...(await terminalSummary(run))].join('\n')}\n`)
  }
  await writeFiles(options, run, madeBy)
  await keeper?.save()
}

/** Who keeps the models of the run; null where they are not kept. @throws UsageError for a folder that cannot be taken, and for two runs. */
async function keeperOf({ keepModels, path }: Options): Promise<ModelKeeper | null> {
  if (keepModels === undefined) return null
  if (path === 'both')
    throw new UsageError('--keep-models keeps what one run has learned, and --path both makes several')
  const { ModelKeeper } = await import('./modelKeeper.ts')
  return ModelKeeper.in(keepModels)
}

/** What could not be printed or saved after the run is told before it. */
async function mustTakeResults({ json, report, out }: Options): Promise<void> {
  await mustBeWritable({ '--report': report })
  mustBeInstalled(
    ...(json === true ? [] : SUMMARY),
    ...((report ?? out) === undefined ? [] : CHARTS),
    ...(out === undefined ? [] : [TABLES]),
  )
  if (out === undefined) return
  const { RESULT_FILE } = await import('../backtest/export/saveRun.ts')
  await mustTakeFolder('--out', out, RESULT_FILE)
}

async function terminalSummary({ result, comparison, beside, against }: RecordedResult): Promise<string[]> {
  const { summary } = await import('../backtest/output/summary.ts')
  const { equityChart } = await import('../backtest/output/equityChart.ts')
  const { default: colours } = await import('picocolors')
  return summary(result, {
    comparison,
    beside,
    against,
    chart: equityChart(result.curve),
    colours: colours.createColors(process.stdout.isTTY === true && colours.isColorSupported),
  })
}

/** The report and the folder that were asked for; where they are is said on stderr. */
async function writeFiles(
  options: Options,
  { result, recording, comparison, beside, against }: RecordedResult,
  madeBy: Provenance,
): Promise<void> {
  if (options.report !== undefined) {
    const [{ reportData }, { renderReport }] = await Promise.all([
      import('../backtest/report/reportData.ts'),
      import('../backtest/report/render.ts'),
    ])
    await writeFile(
      options.report,
      renderReport(reportData(result, recording, comparison, madeBy, beside, against)),
    )
    process.stderr.write(`report: ${options.report}\n`)
  }
  if (options.out === undefined) return
  const { saveRun } = await import('../backtest/export/saveRun.ts')
  await saveRun(options.out, result, recording, comparison, madeBy, beside, against)
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
