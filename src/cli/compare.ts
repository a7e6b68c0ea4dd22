/** `margin-core compare`: saved runs side by side, or a live run beside its backtest. */
import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { RunComparison } from '../backtest/compare/compareRuns.ts'
import { allOf, reportFailure, UsageError } from './failure.ts'
import { mustBeWritable } from './outputs.ts'
import { count } from './planOptions.ts'
import { tableLines } from './table.ts'
import { mustTakeStudy, writeStudy } from './writeStudy.ts'

interface Options {
  readonly json?: boolean
  readonly report?: string
  readonly trades: number
  readonly withBacktest?: boolean
  readonly csv?: string
  readonly out?: string
}

const EXAMPLES = `
Examples:
  $ margin-core compare runs/monday runs/today               plan, figures, equity and trades that differ
  $ margin-core compare runs/* --report compare.html         the same as a page, with the curves
  $ margin-core compare live.jsonl --with-backtest           a live run, fill by fill, beside the backtest of its prices`

export function compareCommand(): Command {
  return new Command('compare')
    .argument(
      '<saved...>',
      'folders of runs saved by `backtest --out`, two or more; or the journal of a live run',
    )
    .option(
      '--with-backtest',
      'run the strategy of a journal again on the prices that the live run was told, and compare',
    )
    .option('--json', 'print everything as JSON')
    .option('--report <file>', 'write a page with the curves, one HTML file')
    .option('--trades <count>', 'how many of the trades or fills that differ are listed', count, 20)
    .option('--csv <file>', 'with --with-backtest: write every fill of both as a line of a table')
    .option('--out <folder>', 'write the page, every table of it and everything as JSON to a folder')
    .addHelpText('after', EXAMPLES)
    .action((saved: string[], options: Options) =>
      reportFailure(async () => {
        await mustBeWritable({ '--report': options.report }, { '--csv': options.csv })
        if (options.out !== undefined) await mustTakeStudy(options.out)
        if (options.withBacktest !== true) return compare(saved, options)
        const [journal = '', another] = saved
        if (another !== undefined) throw new UsageError('--with-backtest takes the journal of one live run')
        const { compareLiveRun } = await import('./compareLive.ts')
        return compareLiveRun(journal, options)
      }),
    )
}

async function compare(saved: readonly string[], options: Options): Promise<void> {
  const [{ readSavedRun }, { compareRuns }] = await Promise.all([
    import('../backtest/compare/savedRun.ts'),
    import('../backtest/compare/compareRuns.ts'),
  ])
  const read = await Promise.allSettled(saved.map(readSavedRun))
  const faults = read.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
  if (faults.length > 0) throw allOf(...faults)
  const comparison = compareRuns(read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  const { toJson } = await import('../quantity/json.ts')
  const json = toJson(comparison)
  if (options.json) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`)
  else process.stdout.write(`${(await comparisonLines(comparison, options.trades)).join('\n')}\n`)
  const { report, out } = options
  if (report === undefined && out === undefined) return
  const { renderComparison } = await import('../backtest/report/compareReport.ts')
  const page = renderComparison(comparison)
  if (report !== undefined) {
    await writeFile(report, page)
    process.stderr.write(`report: ${report}\n`)
  }
  if (out === undefined) return
  const { comparedTables } = await import('./compareTables.ts')
  await writeStudy(out, page, json, comparedTables(comparison))
}

/** Moments at which the equity of all runs is told. */
const MOMENTS = 8

async function comparisonLines(comparison: RunComparison, listed: number): Promise<string[]> {
  const [{ differenceText, FIGURES, figureText }, { equityAt }, { tradeText }, { moment, money }] =
    await Promise.all([
      import('../backtest/compare/figures.ts'),
      import('../backtest/compare/compareRuns.ts'),
      import('../backtest/compare/tradeText.ts'),
      import('../backtest/output/presentation.ts'),
    ])
  const { runs, settings, figures, trades, sameTrades, same } = comparison
  const heads = runs.map(({ place }) => place)
  const settingLines =
    settings === null
      ? ['a run does not say how it was made']
      : settings.length === 0
        ? ['nothing was set otherwise']
        : tableLines([['set otherwise', ...heads], ...settings.map(settingRow)])
  const figureRows = figures.map(({ name, values }) => {
    const [first = null, ...rest] = values
    const others = rest.flatMap((value) => [figureText(name, value), differenceText(name, value, first)])
    return [FIGURES[name].name.toLowerCase(), figureText(name, first), ...others]
  })
  const begin = Math.min(...runs.map(({ curve }) => curve.time[0] ?? Number.POSITIVE_INFINITY))
  const end = Math.max(...runs.map(({ curve }) => curve.time.at(-1) ?? 0))
  const curveRows = Array.from({ length: MOMENTS }, (_, index) => {
    const second = Math.round(begin + ((end - begin) * index) / (MOMENTS - 1))
    const equities = runs.map(({ curve }) => equityAt(curve, second))
    return [
      moment(second * 1000).slice(0, 16),
      ...equities.map((equity) => (equity === null ? '–' : money(BigInt(Math.round(equity * 1e9))))),
    ]
  })
  const tradeRows = trades
    .slice(0, listed)
    .map(({ openedAt, asset, side, trades: each }) => [
      `${moment(openedAt)} ${asset} ${side}`,
      ...each.map(tradeText),
    ])
  const [firstHead = '', ...otherHeads] = heads
  return [
    ...settingLines,
    '',
    ...tableLines([
      ['', firstHead, ...otherHeads.flatMap((head) => [head, '±'])],
      ['evaluation', ...runs.flatMap(({ outcome }, run) => (run === 0 ? [outcome] : [outcome, '']))],
      ...figureRows,
    ]),
    '',
    ...tableLines([['equity at (UTC)', ...heads], ...curveRows]),
    '',
    same
      ? 'all ended in the same state'
      : `${sameTrades} trade(s) are the same in all, ${trades.length} differ`,
    ...(tradeRows.length === 0 ? [] : tableLines([['opened (UTC)', ...heads], ...tradeRows])),
    ...(trades.length > listed ? [`… ${trades.length - listed} more; --trades COUNT lists more`] : []),
  ]
}

function settingRow({ name, values }: NonNullable<RunComparison['settings']>[number]): string[] {
  const short = (value: string) => (/^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 12)}…` : value)
  return [name, ...values.map((value) => (value === null ? '–' : short(value)))]
}
