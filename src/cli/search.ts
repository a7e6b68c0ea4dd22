/** `margin-core search`: good parameters in a space too large to sweep. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { plural } from '../backtest/output/presentation.ts'
import { SEARCH_METHODS, type SearchMethod } from '../backtest/search/searchMethod.ts'
import { needsPaths, type Ranking } from '../backtest/sweep/ranking.ts'
import { reportFailure, UsageError } from './failure.ts'
import { toldWhenInterrupted } from './interrupted.ts'
import { judgedBy, judgedPlan, type ObjectiveOptions, withObjective } from './objective.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { collect, type PlanOptions, positiveCount, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { rankings, rowLines, UNTOLD, writeTable } from './setTable.ts'
import { searchedSpace } from './variedValues.ts'
import { type WorkPlaces, withWorkOptions, workPlaces } from './workOptions.ts'
import { writeSetReport, writeSetStudy } from './writeSetReport.ts'
import { mustTakeStudy } from './writeStudy.ts'

interface Options extends PlanOptions, ObjectiveOptions, WorkPlaces {
  readonly space: readonly string[]
  readonly method: SearchMethod
  readonly sets: number
  readonly rankBy: readonly [Ranking, ...Ranking[]]
  readonly where: readonly string[]
  readonly study?: string
  readonly top: number
  readonly report?: string
  readonly csv?: string
  readonly out?: string
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core search --data BTCUSDT-1m.csv.gz --space fast=5:60 --space slow=50:600:log --where 'fast<slow'
  $ margin-core search --strategy breakout --space lookback=60:2880:log --space width=2.0:20 --space risk=0.2%:2% \\
      --method tpe --sets 300 --study studies/breakout
  $ margin-core search --config run.json --space fast=5:60 --space slow=50:600:log --where 'fast<slow' \\
      --method nsga-ii --rank-by totalReturn,maxDrawdown --sets 320
  $ margin-core search --config run.json --space lookback=60:1440 --method halving --sets 270 --rank-by sharpeRatio`

/** The methods that go by all figures at once. */
const BY_ALL: readonly SearchMethod[] = ['nsga-ii', 'nsga-iii']

export function searchCommand(): Command {
  return withWorkOptions(withObjective(withPlanOptions(new Command('search'))))
    .option(
      '--space <name=range>',
      'a parameter and its range: 5:60 (whole numbers), 0.5:3, 0.1%:2%, 5:500:log, or a choice 10,20,50, or its name alone for what the strategy suggests; repeated (default: all that it suggests)',
      collect,
      [],
    )
    .addOption(
      new Option(
        '--method <name>',
        'sobol, latin-hypercube and random spread the sets evenly; tpe, gp (a Gaussian process), cma-es (numbers only), nsga-ii (several figures) and nsga-iii (three and more) learn from those that ran; halving drops two thirds after a ninth and after a third of the data',
      )
        .choices(SEARCH_METHODS)
        .argParser(searchMethod)
        .default('sobol'),
    )
    .option('--sets <count>', 'how many sets', positiveCount, 128)
    .addOption(
      new Option(
        '--rank-by <figures>',
        'what is best, as for a sweep; nsga-ii and nsga-iii go by all figures, tpe, gp, cma-es and halving by the first',
      )
        .argParser(rankings)
        .default(['evaluation'], 'evaluation'),
    )
    .option('--where <condition>', 'only sets that keep it: fast<slow, trades>=30; repeated', collect, [])
    .option('--study <folder>', 'keep every run in a folder, and go on where it ends')
    .option('--top <count>', 'rows to print', positiveCount, 20)
    .option('--report <file>', 'an HTML page with a heat map, the spread of the sets and the best of them')
    .option('--csv <file>', 'write every set that is kept as a line of a table')
    .option('--out <folder>', 'write the page, every table of it and everything as JSON to a folder')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => search(options, command)))
}

/** @throws InvalidArgumentError for what is no method of a search. */
function searchMethod(text: string): SearchMethod {
  const method = SEARCH_METHODS.find((known) => known === text)
  if (method !== undefined) return method
  const hint = text === 'grid' ? ' Every set of a grid is run by margin-core sweep, with --vary.' : ''
  throw new InvalidArgumentError(`Allowed choices are ${SEARCH_METHODS.join(', ')}.${hint}`)
}

async function search(options: Options, command: Command): Promise<void> {
  const [{ runSearch }, { parseConstraint }, { dividedConstraints }, { orderedRows }] = await Promise.all([
    import('../backtest/search/search.ts'),
    import('../backtest/strategies/constraint.ts'),
    import('../backtest/sweep/constraint.ts'),
    import('../backtest/sweep/order.ts'),
  ])
  const { evidenceLines, evidenceOf } = await import('../backtest/sweep/evidence.ts')
  const { method, sets, study } = options
  const ofPaths = needsPaths(options.rankBy)
  if (ofPaths !== undefined)
    throw new UsageError(`a search plays no paths; --rank-by ${ofPaths} is for a sweep`)
  await mustBeWritable({ '--report': options.report }, { '--csv': options.csv })
  if (options.out !== undefined) await mustTakeStudy(options.out)
  const plan = judgedPlan(await planFor(options, command), options)
  const space = await searchedSpace(plan, options.space, options)
  const names = space.map(({ name }) => name)
  const constraints = dividedConstraints(options.where.map(parseConstraint), names)
  const { rankBy, own } = await judgedBy(command, plan, options.rankBy, constraints.ofFigures)
  const progress = new CountedProgress('search', 'runs', options.json === true)
  try {
    const { rows, runs, reused } = await toldWhenInterrupted(
      { option: '--study FOLDER', place: study, progress },
      () =>
        runSearch({
          plan,
          space,
          method,
          sets,
          by: BY_ALL.includes(method) ? rankBy : rankBy[0],
          constraints: constraints.ofParameters,
          seed: plan.seed ?? 'search',
          ...(study === undefined ? {} : { study }),
          ...workPlaces(options),
          onProgress: (state) => progress.update(state),
        }),
    )
    progress.end()
    const best = orderedRows(rows, { by: rankBy, constraints: constraints.ofFigures })
    const evidence = evidenceOf(rows, best[0])
    const report = {
      ...{ kind: 'Search report', strategy: plan.strategy, rows, best, rankedBy: rankBy[0], plan },
      ...(own === null ? {} : { objective: own.name }),
    }
    if (options.report !== undefined) await writeSetReport(options.report, evidence, report)
    if (options.csv !== undefined) await writeTable(options.csv, best)
    const { datedPlan } = await import('../backtest/plan/dataPeriod.ts')
    const found = {
      plan: await datedPlan(plan),
      method,
      rankedBy: rankBy,
      runs,
      reused,
      evidence,
      rows: best,
    }
    if (options.out !== undefined) await writeSetStudy(options.out, evidence, report, found)
    if (options.json) {
      process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
      return
    }
    const kept = reused === 0 ? '' : `, ${reused} of them from the study`
    const broken = rows.length === best.length ? '' : `; ${rows.length - best.length} break a condition`
    const summary = `\n${rows.length} ${plural(rows.length, 'set')} in ${runs} ${plural(runs, 'run')}${kept}${broken}`
    const said = evidence === null ? [UNTOLD] : evidenceLines(evidence)
    process.stdout.write(
      `${[...rowLines(best, options.top, rankBy[0], false, own), summary, ...said].join('\n')}\n`,
    )
  } finally {
    progress.end()
  }
}
