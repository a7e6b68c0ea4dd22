/** `margin-core walk-forward`: parameters chosen on one part of the time, tried on the next, again and again. */
import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { LoadedObjective } from '../backtest/objective/loadObjective.ts'
import { ownFigure, plural } from '../backtest/output/presentation.ts'
import { RANKINGS_OF_RUNS, type Ranking } from '../backtest/sweep/ranking.ts'
import type { VariantFigures } from '../backtest/sweep/variantFigures.ts'
import type { ParameterStability } from '../backtest/walkForward/stability.ts'
import type { OutOfSample, StitchedDay, WalkedFold } from '../backtest/walkForward/stitched.ts'
import type { WalkForward } from '../backtest/walkForward/walkForward.ts'
import { reportFailure } from './failure.ts'
import { toldWhenInterrupted } from './interrupted.ts'
import { judgedBy, judgedPlan, type ObjectiveOptions, withObjective } from './objective.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { collect, count, type PlanOptions, positiveCount, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { parameterText } from './setTable.ts'
import { figure, percent, tableLines } from './table.ts'
import { variedValues } from './variedValues.ts'
import { type WorkPlaces, withWorkOptions, workPlaces } from './workOptions.ts'
import { writeCases } from './writeCases.ts'
import { mustTakeStudy, writeStudy } from './writeStudy.ts'

interface Options extends PlanOptions, ObjectiveOptions, WorkPlaces {
  readonly vary: readonly string[]
  readonly sample?: number
  readonly folds: number
  readonly train: number
  readonly testDays?: readonly number[]
  readonly trainDays?: number
  readonly leastBars?: number
  readonly leastTrades?: number
  readonly anchored?: boolean
  readonly embargo: number
  readonly rankBy: Ranking
  readonly plateau?: boolean
  readonly where: readonly string[]
  readonly study?: string
  readonly report?: string
  readonly csv?: string
  readonly monthly?: string
  readonly foldTable?: string
  readonly out?: string
  readonly json?: boolean
}

type OwnObjective = Pick<LoadedObjective, 'name' | 'figure'>

const EXAMPLES = `
Examples:
  $ margin-core walk-forward --data BTCUSDT-1m.csv.gz --vary fast=10:60:10 --vary slow=100:400:50 --folds 12
  $ margin-core walk-forward --config run.json --vary lookback=60:1440:60 --vary width=4:20:2 --sample 200 \\
      --rank-by sharpeRatio --plateau --where 'trades>=20' --anchored --embargo 1 --study studies/walk`

export function walkForwardCommand(): Command {
  return withWorkOptions(withObjective(withPlanOptions(new Command('walk-forward'))))
    .option(
      '--vary <name=values>',
      'values of a parameter: 10,20,50 or from:to:step, or its name alone for what the strategy suggests; repeated (default: all that it suggests)',
      collect,
      [],
    )
    .option('--sample <count>', 'so many sets by chance instead of all', positiveCount)
    .option('--folds <count>', 'how many tests, one after the other', positiveCount, 6)
    .option('--train <tests>', 'a training is as long as so many tests', positiveCount, 3)
    .option(
      '--test-days <list>',
      'tests of unequal length, in days: 30,30,10,10 (one for each fold)',
      dayList,
    )
    .option('--train-days <days>', 'a training is so many days long, instead of so many tests', positiveCount)
    .option(
      '--least-bars <count>',
      'trade no fold whose training or test has fewer bars, of any market',
      count,
    )
    .option(
      '--least-trades <count>',
      'choose no set with fewer trades in a training, and count tests with fewer',
      count,
    )
    .option('--anchored', 'every training begins with the data and grows')
    .option('--embargo <days>', 'days left out between a training and its test', count, 0)
    .addOption(
      new Option('--rank-by <figure>', 'what is best in a training')
        .choices(RANKINGS_OF_RUNS)
        .default('evaluation'),
    )
    .option('--plateau', 'choose by the mean over a set and its neighbours, not by peaks')
    .option(
      '--where <condition>',
      'only sets that keep it in a training: fast<slow, trades>=20; repeated',
      collect,
      [],
    )
    .option('--study <folder>', 'keep every run in a folder, and go on where it ends')
    .option(
      '--report <file>',
      'an HTML page: equity, months and drawdowns outside of the trainings, and every fold',
    )
    .option('--csv <file>', 'write the days outside of the trainings as a table')
    .option('--monthly <file>', 'write the months outside of the trainings as a table')
    .option(
      '--fold-table <file>',
      'write each fold, what was chosen in it and its figures, as a line of a table',
    )
    .option('--out <folder>', 'write the page, every table of it and everything as JSON to a folder')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => walk(options, command)))
}

async function walk(options: Options, command: Command): Promise<void> {
  const [{ walkForward }, { parseConstraint }, { dividedConstraints }] = await Promise.all([
    import('../backtest/walkForward/walkForward.ts'),
    import('../backtest/strategies/constraint.ts'),
    import('../backtest/sweep/constraint.ts'),
  ])
  const { testDays, trainDays, leastBars, leastTrades, train, embargo, sample, study } = options
  const folds = testDays?.length ?? options.folds
  const { report, csv, monthly, foldTable, out } = options
  const tables = { '--csv': csv, '--monthly': monthly, '--fold-table': foldTable }
  await mustBeWritable({ '--report': report }, tables)
  if (out !== undefined) await mustTakeStudy(out)
  const plan = judgedPlan(await planFor(options, command), options)
  const vary = await variedValues(plan, options.vary, options)
  const constraints = options.where.map(parseConstraint)
  const { ofFigures } = dividedConstraints(constraints, Object.keys(vary))
  const { rankBy, own } = await judgedBy(command, plan, [options.rankBy], ofFigures)
  const progress = new CountedProgress('walk-forward', 'runs', options.json === true)
  let walked: WalkForward
  try {
    walked = await toldWhenInterrupted({ option: '--study FOLDER', place: study, progress }, () =>
      walkForward({
        plan,
        vary,
        folds,
        trainTests: train,
        ...(testDays === undefined ? {} : { testDays }),
        ...(trainDays === undefined ? {} : { trainDays }),
        ...(leastBars === undefined ? {} : { leastBars }),
        ...(leastTrades === undefined ? {} : { leastTrades }),
        isAnchored: options.anchored === true,
        embargoDays: embargo,
        by: rankBy[0],
        plateau: options.plateau === true,
        constraints,
        ...(sample === undefined ? {} : { sample: { count: sample, seed: plan.seed ?? 'walk-forward' } }),
        ...(study === undefined ? {} : { study }),
        ...workPlaces(options),
        onProgress: (state) => progress.update(state),
      }),
    )
  } finally {
    progress.end()
  }
  const [{ monthsOf }, { datedPlan }] = await Promise.all([
    import('../backtest/report/monthlyReturns.ts'),
    import('../backtest/plan/dataPeriod.ts'),
  ])
  const months = monthsOf(walked.days)
  if (csv !== undefined) await writeCases(csv, walked.days.map(dayRow))
  if (monthly !== undefined) await writeCases(monthly, months)
  if (foldTable !== undefined) await writeCases(foldTable, walked.folds.map(foldCase))
  const dated = await datedPlan(plan)
  const chosenBy = own === null ? {} : { objective: { name: own.name, figure: own.figure } }
  const json = { plan: dated, ...chosenBy, ...walked, months }
  const page = async () =>
    (await import('../backtest/report/walkForwardReport.ts')).renderWalkForward(dated, walked, own)
  if (report !== undefined) {
    await writeFile(report, await page())
    process.stderr.write(`report: ${report}\n`)
  }
  if (out !== undefined) {
    const { drawdownRows } = await import('../backtest/export/tables.ts')
    await writeStudy(out, await page(), json, {
      ...{ days: walked.days.map(dayRow), monthly: months, folds: walked.folds.map(foldCase) },
      ...{ stability: walked.stability.map(stabilityCase), drawdowns: [...drawdownRows(walked.days)] },
    })
  }
  const text = options.json ? JSON.stringify(json, null, 2) : walkLines(walked, own, leastTrades).join('\n')
  process.stdout.write(`${text}\n`)
}

function dayList(text: string): number[] {
  return text.split(',').map((item) => {
    const days = count(item)
    if (days === 0) throw new InvalidArgumentError('A test lasts a day or more.')
    return days
  })
}

/** Times as dates; the days of a test are in the table of days. */
function foldCase({ train, test, chosen, inSample, outOfSample }: WalkedFold): object {
  const dated = ({ from, to }: WalkedFold['test']) => ({ from: dateOf(from), to: dateOf(to) })
  const figures = (of: VariantFigures | null) =>
    of === null ? {} : Object.fromEntries(Object.entries(of).filter(([, value]) => typeof value !== 'object'))
  return {
    ...{ train: dated(train), test: dated(test), chosen: chosen ?? {} },
    ...{ inTraining: figures(inSample), inTest: figures(outOfSample) },
  }
}

/** What was chosen in each fold is listed in one cell. */
function stabilityCase({ chosen, ...parameter }: ParameterStability): object {
  return { ...parameter, chosen: chosen.join(' ') }
}

function dayRow({ day, ...others }: StitchedDay): object {
  return { day: dateOf(day), ...others }
}

function walkLines(walked: WalkForward, own: OwnObjective | null, leastTrades = 0): string[] {
  const { folds, sets, outOfSample, stability, untraded, thin, reused } = walked
  const judged = own === null ? [] : [`${own.name} in training`, 'in test']
  const returns = own === null ? ['in training', 'in test'] : ['return in training', 'in test']
  const head = ['test', 'chosen', ...judged, ...returns, 'trades', 'evaluation']
  const kept = reused === 0 ? '' : `, ${reused} of them from the study`
  return [
    ...tableLines([head, ...folds.map((fold) => foldCells(fold, own))]),
    '',
    `${folds.length} ${plural(folds.length, 'fold')} of ${sets} ${plural(sets, 'set')}${kept}`,
    ...(untraded === 0
      ? []
      : [
          `${untraded} of the folds ${plural(untraded, 'was', 'were')} not traded: too few bars, or no set that kept every condition.`,
        ]),
    ...(thin === 0
      ? []
      : [
          `${thin} of the tests had fewer than ${leastTrades} ${plural(leastTrades, 'trade')}: ${plural(thin, 'it tells', 'they tell')} little.`,
        ]),
    ...outsideLines(outOfSample, folds.length),
    ...stability.map(stabilityLine),
  ]
}

function foldCells({ test, chosen, inSample, outOfSample }: WalkedFold, own: OwnObjective | null): string[] {
  return [
    `${dateOf(test.from)} to ${dateOf(test.to)}`,
    chosen === null ? 'none' : parameterText(chosen),
    ...(own === null ? [] : [inSample, outOfSample].map((of) => ownFigure(of?.[own.figure] ?? null))),
    returnText(inSample),
    returnText(outOfSample),
    outOfSample === null ? '–' : String(outOfSample.trades),
    outOfSample?.outcome ?? '–',
  ]
}

function outsideLines(outside: OutOfSample, folds: number): string[] {
  const { days, totalReturn, sharpeRatio, maxDrawdown, profitableFolds, efficiency } = outside
  return [
    `Outside of the trainings: ${percent(totalReturn)} in ${days} ${plural(days, 'day')}, drawdown ${percent(maxDrawdown)}, Sharpe ratio ${figure(sharpeRatio)}, ${profitableFolds} of ${folds} ${plural(folds, 'fold')} with a profit.`,
    efficiency === null
      ? 'The trainings gained nothing on average, so there is nothing to keep.'
      : `Of what a day gained in the trainings, ${percent(efficiency, 0)} was left in the tests.`,
  ]
}

function stabilityLine({ name, chosen, step, stepByChance }: ParameterStability): string {
  return `${name} moved by ${percent(step, 0)} of its range from fold to fold (random choices: ${percent(stepByChance, 0)}): ${chosen.join(', ')}`
}

function returnText(figures: VariantFigures | null): string {
  return percent(figures?.totalReturn ?? null)
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
