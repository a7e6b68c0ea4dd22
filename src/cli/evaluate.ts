/** `margin-core evaluate`: would a strategy pass the evaluation, and how sure is that? */
import { Command, InvalidArgumentError } from 'commander'
import type { Evaluation } from '../backtest/evaluate/evaluate.ts'
import type { Proportion, Quantile } from '../backtest/evaluate/proportion.ts'
import { reportFailure, UsageError } from './failure.ts'
import { collect, count, type PlanOptions, planOf, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'
import { type WorkPlaces, withWorkOptions, workPlaces } from './workOptions.ts'

interface Options extends PlanOptions, WorkPlaces {
  readonly paths: number
  readonly horizon: number
  readonly block?: number
  readonly trades?: string
  readonly tradedBalance?: string
  readonly risk: readonly number[]
  readonly rules: readonly string[]
  readonly fee?: number
  readonly attempts: number
  readonly payout: number
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core evaluate --data BTCUSDT-1m.csv.gz --strategy breakout --paths 2000
  $ margin-core evaluate --strategy ema-cross --param slow=200 --daily-loss 5% --total-loss 10% --target 8%
  $ margin-core evaluate --trades mine.csv --risk 0.5,1,2,4 --rules two-step.json --rules one-step.json --fee 500 --payout 4000
  $ margin-core evaluate --config run.json --horizon 60 --json | jq .passed`

export function evaluateCommand(): Command {
  return withWorkOptions(withPlanOptions(new Command('evaluate')))
    .option('--paths <count>', 'how many paths', count, 2_000)
    .option('--horizon <days>', 'length of a path', count, 30)
    .option(
      '--block <bars>',
      'mean length of a resampled block (default: 240); with --trades in days (default: found from the data)',
      count,
    )
    .option(
      '--trades <file>',
      'a table of your own closed trades, as platforms export it, instead of a strategy',
    )
    .option('--traded-balance <amount>', 'with --trades: what the account had (default: the balance)')
    .option(
      '--risk <multiples>',
      'with --trades: every trade so many times as large (default: 1)',
      multiples,
      [1],
    )
    .option(
      '--rules <file>',
      'with --trades: account parameters as JSON, named by the file; repeated, compared side by side',
      collect,
      [],
    )
    .option('--fee <amount>', 'with --trades: what an attempt costs', count)
    .option('--attempts <count>', 'with --fee: at most so many attempts', count, 3)
    .option('--payout <amount>', 'with --fee: what is expected of an account that passed', count, 0)
    .option('--json', 'print the evaluation as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => reportFailure(() => evaluateStrategy(options)))
}

function multiples(text: string): number[] {
  const scales = text.split(',').map(Number)
  if (!scales.every((scale) => scale > 0))
    throw new InvalidArgumentError('Multiples are numbers above zero: 0.5,1,2.')
  return scales
}

async function evaluateStrategy(options: Options): Promise<void> {
  if (options.days !== undefined)
    throw new UsageError('a path is as long as --horizon says; --days means nothing here')
  if (options.trades !== undefined) {
    const { evaluateTrades } = await import('./tradeOdds.ts')
    return evaluateTrades({ ...options, trades: options.trades }, await planOf(options))
  }
  if (
    options.rules.length > 0 ||
    options.fee !== undefined ||
    options.risk.length !== 1 ||
    options.risk[0] !== 1
  )
    throw new UsageError('--rules, --fee and --risk are for --trades')
  const { evaluate } = await import('../backtest/evaluate/evaluate.ts')
  const plan = await planOf(options)
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  const { paths, horizon, block = 240 } = options
  let evaluation: Evaluation
  try {
    evaluation = await evaluate({
      plan,
      paths,
      days: horizon,
      meanBlock: block,
      seed: plan.seed ?? 'evaluate',
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  const text = options.json ? JSON.stringify(evaluation, null, 2) : evaluationLines(evaluation).join('\n')
  process.stdout.write(`${text}\n`)
}

function evaluationLines(evaluation: Evaluation): string[] {
  const { paths, days, passed, failed, failedBy, undecided } = evaluation
  const shares = tableLines([
    ['passed', ...shareCells(passed)],
    ['failed', ...shareCells(failed)],
    ['  by total loss', ...shareCells(failedBy.totalLoss)],
    ['  by daily loss', ...shareCells(failedBy.dailyLoss)],
    ['undecided', ...shareCells(undecided)],
  ])
  const quantiles = tableLines([
    ['', ...evaluation.totalReturn.map(({ probability }) => percent(probability, 0))],
    ['days to pass', ...evaluation.daysToPass.map(dayCell)],
    ['days to fail', ...evaluation.daysToFail.map(dayCell)],
    ['return', ...evaluation.totalReturn.map(({ value }) => percent(value))],
  ])
  const notes = evaluation.notes.map((note) => `note: ${note}`)
  return [
    `${paths} paths of ${days} days, seed ${evaluation.seed}`,
    '',
    ...shares,
    '',
    ...quantiles,
    '',
    ...notes,
  ]
}

function shareCells({ count: paths, share, low, high }: Proportion): string[] {
  return [String(paths), percent(share), `${percent(low)} to ${percent(high)}`]
}

function dayCell({ value, low, high }: Quantile): string {
  return `${value.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`
}
