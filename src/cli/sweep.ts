/** `margin-core sweep`: one plan over many parameters of the strategy. */
import { Command, Option } from 'commander'
import { plural } from '../backtest/output/presentation.ts'
import { RANKINGS, type Ranking } from '../backtest/sweep/ranking.ts'
import type { SweepResult } from '../backtest/sweep/sweep.ts'
import type { SweepRow } from '../backtest/sweep/variantFigures.ts'
import { reportFailure, UsageError } from './failure.ts'
import { toldWhenInterrupted } from './interrupted.ts'
import { judgedBy, judgedPlan, type ObjectiveOptions, withObjective } from './objective.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { collect, type PlanOptions, positiveCount, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { rankings, rowLines, UNTOLD, writeTable } from './setTable.ts'
import { variedValues } from './variedValues.ts'
import { type WorkPlaces, withWorkOptions, workPlaces } from './workOptions.ts'
import { writeSetReport, writeSetStudy } from './writeSetReport.ts'
import { mustTakeStudy } from './writeStudy.ts'

interface Options extends PlanOptions, ObjectiveOptions, WorkPlaces {
  readonly vary: readonly string[]
  readonly sample?: number
  readonly results?: string
  readonly rankBy: readonly [Ranking, ...Ranking[]]
  readonly plateau?: boolean
  readonly where: readonly string[]
  readonly paths?: number
  readonly horizon: number
  readonly top: number
  readonly heatMap?: string
  readonly report?: string
  readonly csv?: string
  readonly out?: string
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core sweep --data BTCUSDT-1m.csv.gz --vary fast=10:60:10 --vary slow=100,200,400
  $ margin-core sweep --config run.json --vary lookback=60:1440:60 --vary width=4:20:2 \\
      --sample 200 --results sweep.jsonl --rank-by sharpeRatio
  $ margin-core sweep --vary fast=5:50:5 --vary slow=20:300:20 --where 'fast<slow' --where 'trades>=30' --plateau
  $ margin-core sweep --vary fast=5:50:5 --vary slow=60:300:20 --rank-by sharpeRatio,maxDrawdown --report sweep.html`

export function sweepCommand(): Command {
  return withWorkOptions(withObjective(withPlanOptions(new Command('sweep'))))
    .option(
      '--vary <name=values>',
      'values of a parameter: 10,20,50 or from:to:step, or its name alone for what the strategy suggests; repeated (default: all that it suggests)',
      collect,
      [],
    )
    .option('--sample <count>', 'so many sets by chance instead of all', positiveCount)
    .option('--results <file>', 'keep results as JSON lines, and go on where they end')
    .addOption(
      new Option(
        '--rank-by <figures>',
        `what is best: evaluation (passing, the sooner the better) or a figure; of several the Pareto fronts: ${RANKINGS.join(', ')}`,
      )
        .argParser(rankings)
        .default(['evaluation'], 'evaluation'),
    )
    .option('--plateau', 'rank by the mean over a set and its neighbours, not by peaks')
    .option(
      '--where <condition>',
      'only sets that keep it: fast<slow, trades>=30, maxDrawdown<5%; repeated',
      collect,
      [],
    )
    .option(
      '--paths <count>',
      'play each set on so many resampled paths too, for probabilityOfPassing and expectedDaysToPass',
      positiveCount,
    )
    .option('--horizon <days>', 'with --paths: length of a path', positiveCount, 30)
    .option('--top <count>', 'rows to print', positiveCount, 20)
    .option('--report <file>', 'an HTML page with a heat map and the best sets')
    .option('--heat-map <x,y>', 'the two parameters of the heat map (with --report or --json)')
    .option('--csv <file>', 'write every set that is kept as a line of a table')
    .option('--out <folder>', 'write the page, every table of it and everything as JSON to a folder')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => sweep(options, command)))
}

async function sweep(options: Options, command: Command): Promise<void> {
  const [{ runSweep }, { heatMap }, { orderedRows }] = await Promise.all([
    import('../backtest/sweep/sweep.ts'),
    import('../backtest/sweep/heatMap.ts'),
    import('../backtest/sweep/order.ts'),
  ])
  const { evidenceLines, evidenceOf } = await import('../backtest/sweep/evidence.ts')
  const { dividedConstraints } = await import('../backtest/sweep/constraint.ts')
  const { parseConstraint } = await import('../backtest/strategies/constraint.ts')
  const { results, sample, paths } = options
  const axes = options.heatMap?.split(',')
  await mustBeWritable({ '--results': results, '--report': options.report }, { '--csv': options.csv })
  if (options.out !== undefined) await mustTakeStudy(options.out)
  const plan = judgedPlan(await planFor(options, command), options)
  const vary = await variedValues(plan, options.vary, options)
  const constraints = dividedConstraints(options.where.map(parseConstraint), Object.keys(vary))
  const { rankBy, own } = await judgedBy(command, plan, options.rankBy, constraints.ofFigures)
  if (axes !== undefined && (axes.length !== 2 || axes.some((name) => !(name in vary))))
    throw new UsageError('--heat-map takes two of the parameters that vary: x,y')
  const progress = new CountedProgress('sweep', 'runs', options.json === true)
  const seed = plan.seed ?? 'sweep'
  try {
    const { rows, reused, outdated } = await toldWhenInterrupted(
      { option: '--results FILE', place: results, progress },
      () =>
        runSweep({
          plan,
          vary,
          constraints: constraints.ofParameters,
          ...(sample === undefined ? {} : { sample: { count: sample, seed } }),
          ...(paths === undefined
            ? {}
            : { paths: { count: paths, days: options.horizon, meanBlock: MEAN_BLOCK, seed } }),
          ...workPlaces(options),
          ...(results === undefined ? {} : { resultFile: results }),
          onProgress: (state) => progress.update(state),
        }),
    )
    progress.end()
    if (rows.length === 0) throw new UsageError('no set of parameters keeps every condition')
    const { plateau = false } = options
    const best = orderedRows(rows, { by: rankBy, plateau, constraints: constraints.ofFigures })
    const evidence = evidenceOf(rows, best[0])
    const [x, y] = axes ?? []
    const report = {
      ...{ strategy: plan.strategy, rows, best, rankedBy: rankBy[0], plan },
      ...(x === undefined || y === undefined ? {} : { axes: [x, y] as const }),
      ...(own === null ? {} : { objective: own.name }),
    }
    if (options.report !== undefined) await writeSetReport(options.report, evidence, report)
    if (options.csv !== undefined) await writeTable(options.csv, best)
    const { datedPlan } = await import('../backtest/plan/dataPeriod.ts')
    const map = x === undefined || y === undefined ? {} : { heatMap: heatMap(rows, x, y, rankBy[0]) }
    const found = {
      plan: await datedPlan(plan),
      rankedBy: rankBy,
      plateau,
      reused,
      outdated,
      evidence,
      rows: best,
    }
    const said = { ...found, ...map }
    if (options.out !== undefined) await writeSetStudy(options.out, evidence, report, said)
    if (options.json) process.stdout.write(`${JSON.stringify(said, null, 2)}\n`)
    else {
      const lines = [
        ...rowLines(best, options.top, rankBy[0], true, own),
        summary(rows, best, { reused, outdated }),
      ]
      process.stdout.write(
        `${[...lines, ...(evidence === null ? [UNTOLD] : evidenceLines(evidence))].join('\n')}\n`,
      )
    }
  } finally {
    progress.end()
  }
}

/** Mean length of a block of resampled bars. */
const MEAN_BLOCK = 240

function summary(
  rows: readonly SweepRow[],
  best: readonly SweepRow[],
  { reused, outdated }: Pick<SweepResult, 'reused' | 'outdated'>,
): string {
  const passed = rows.filter(({ figures }) => figures.outcome === 'passed').length
  const kept = reused === 0 ? '' : `, ${reused} of them from the result file`
  const anew =
    outdated > 0
      ? `, ${outdated} of them anew: the result file has them with other data, rules, paths, strategy files or version`
      : ''
  const broken = rows.length - best.length
  const left = broken === 0 ? '' : `; ${broken} break a condition`
  return `\n${rows.length} ${plural(rows.length, 'run')}${kept}${anew}; ${passed} passed the evaluation${left}`
}
