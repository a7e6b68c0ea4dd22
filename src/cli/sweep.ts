/** `margin-core sweep`: one plan over many parameters of the strategy. */
import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { Ranking } from '../backtest/sweep/ranking.ts'
import type { SweepRow } from '../backtest/sweep/sweep.ts'
import type { VariantFigures } from '../backtest/sweep/variant.ts'
import { VERSION } from '../version.ts'
import { reportFailure, UsageError } from './failure.ts'
import { collect, count, namedValue, type PlanOptions, planOf, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { figure, percent, tableLines } from './table.ts'

interface Options extends PlanOptions {
  readonly vary: readonly string[]
  readonly sample?: number
  readonly workers?: number
  readonly results?: string
  readonly rankBy: Ranking
  readonly top: number
  readonly heatMap?: string
  readonly report?: string
  readonly json?: boolean
}

const RANKINGS = [
  'evaluation',
  'totalReturn',
  'sharpeRatio',
  'sortinoRatio',
  'calmarRatio',
  'profitFactor',
  'winRate',
  'maxDrawdown',
]

const EXAMPLES = `
Examples:
  $ margin-core sweep --data BTCUSDT-1m.csv.gz --vary fast=10:60:10 --vary slow=100,200,400
  $ margin-core sweep --config run.json --vary lookback=60:1440:60 --vary width=4:20:2 \\
      --sample 200 --results sweep.jsonl --rank-by sharpeRatio
  $ margin-core sweep --vary fast=5:50:5 --vary slow=60:300:20 --report sweep.html`

export function sweepCommand(): Command {
  return withPlanOptions(new Command('sweep').description('run a strategy once per set of parameters'))
    .option('--vary <name=values>', 'values of a parameter: 10,20,50 or from:to:step; repeated', collect, [])
    .option('--sample <count>', 'so many sets by chance instead of all', count)
    .option('--workers <count>', 'threads (default: one per core); the result is the same', count)
    .option('--results <file>', 'keep results as JSON lines, and go on where they end')
    .addOption(
      new Option('--rank-by <figure>', 'what is best: passing, the sooner the better, or a figure')
        .choices(RANKINGS)
        .default('evaluation'),
    )
    .option('--top <count>', 'rows to print', count, 20)
    .option('--report <file>', 'an HTML page with a heat map and the best sets')
    .option('--heat-map <x,y>', 'the two parameters of the heat map (with --report or --json)')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => reportFailure(() => sweep(options)))
}

async function sweep(options: Options): Promise<void> {
  const [{ runSweep }, { parseValues }, { heatMap, ranked }] = await Promise.all([
    import('../backtest/sweep/sweep.ts'),
    import('../backtest/sweep/grid.ts'),
    import('../backtest/sweep/ranking.ts'),
  ])
  if (options.vary.length === 0) throw new UsageError('nothing to vary; give --vary name=values')
  const vary = Object.fromEntries(
    options.vary.map((item) => {
      const [name, values] = namedValue(item, '--vary')
      return [name, parseValues(values)]
    }),
  )
  const axes = options.heatMap?.split(',')
  if (axes !== undefined && (axes.length !== 2 || axes.some((name) => !(name in vary))))
    throw new UsageError('--heat-map takes two of the parameters that vary: x,y')
  if (axes !== undefined && !options.json && options.report === undefined)
    throw new UsageError('--heat-map needs --report FILE or --json to be shown in')
  const plan = await planOf(options)
  const progress = new CountedProgress('sweep', 'runs', options.json === true)
  const { workers, results, sample, rankBy } = options
  try {
    const { rows, reused } = await runSweep({
      plan,
      vary,
      ...(sample === undefined ? {} : { sample: { count: sample, seed: plan.seed ?? 'sweep' } }),
      ...(workers === undefined ? {} : { workers }),
      ...(results === undefined ? {} : { resultFile: results }),
      onProgress: (state) => progress.update(state),
    })
    progress.end()
    if (options.report !== undefined) await writeReport(options.report, plan, rows, rankBy, axes)
    const best = ranked(rows, rankBy)
    if (options.json) {
      const [x, y] = axes ?? []
      const map = x === undefined || y === undefined ? {} : { heatMap: heatMap(rows, x, y, rankBy) }
      process.stdout.write(`${JSON.stringify({ rankedBy: rankBy, reused, rows: best, ...map }, null, 2)}\n`)
    } else process.stdout.write(`${[...rowLines(best, options.top), summary(rows, reused)].join('\n')}\n`)
  } finally {
    progress.end()
  }
}

async function writeReport(
  file: string,
  { strategy }: RunPlan,
  rows: readonly SweepRow[],
  rankedBy: Ranking,
  axes: readonly string[] | undefined,
): Promise<void> {
  const { renderSweepReport } = await import('../backtest/report/sweepReport.ts')
  const chosen = axes === undefined ? {} : { axes: [axes[0] ?? '', axes[1] ?? ''] as const }
  const software = `margin-core ${VERSION}`
  await writeFile(file, renderSweepReport({ strategy, rows, rankedBy, software, ...chosen }))
  process.stderr.write(`report: ${file}\n`)
}

function rowLines(rows: readonly SweepRow[], top: number): string[] {
  const head = [
    'parameters',
    'return',
    'drawdown',
    'Sharpe',
    'profit factor',
    'win rate',
    'trades',
    'evaluation',
  ]
  const cells = rows.slice(0, top).map(({ parameters, figures }) => [
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    percent(figures.totalReturn),
    percent(figures.maxDrawdown),
    figure(figures.sharpeRatio),
    figure(figures.profitFactor),
    percent(figures.winRate),
    String(figures.trades),
    outcomeText(figures),
  ])
  return tableLines([head, ...cells])
}

/** "passed after 9.2 days", "failed after 3.1 days (daily loss)", "undecided". */
function outcomeText({ outcome, daysToVerdict, failedBy }: VariantFigures): string {
  if (daysToVerdict === null) return outcome
  const why = failedBy === null ? '' : ` (${failedBy.replace('_', ' ')})`
  return `${outcome} after ${daysToVerdict.toFixed(1)} days${why}`
}

function summary(rows: readonly SweepRow[], reused: number): string {
  const passed = rows.filter(({ figures }) => figures.outcome === 'passed').length
  const kept = reused === 0 ? '' : `, ${reused} of them from the result file`
  return `\n${rows.length} runs${kept}; ${passed} passed the evaluation`
}
