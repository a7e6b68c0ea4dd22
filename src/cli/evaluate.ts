/** `margin-core evaluate`: would a strategy pass the evaluation, and how sure is that? */
import { Command } from 'commander'
import type { Evaluation } from '../backtest/evaluate/evaluate.ts'
import type { Proportion, Quantile } from '../backtest/evaluate/proportion.ts'
import { reportFailure, UsageError } from './failure.ts'
import { count, type PlanOptions, planOf, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'

interface Options extends PlanOptions {
  readonly paths: number
  readonly horizon: number
  readonly block: number
  readonly workers?: number
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core evaluate --data BTCUSDT-1m.csv.gz --strategy breakout --paths 2000
  $ margin-core evaluate --strategy ema-cross --param slow=200 --daily-loss 5% --total-loss 10% --target 8%
  $ margin-core evaluate --config run.json --horizon 60 --json | jq .passed`

export function evaluateCommand(): Command {
  return withPlanOptions(
    new Command('evaluate').description(
      'the probability of passing the evaluation, over paths resampled from the data or simulated',
    ),
  )
    .option('--paths <count>', 'how many paths', count, 2_000)
    .option('--horizon <days>', 'length of a path', count, 30)
    .option('--block <bars>', 'mean length of a resampled block', count, 240)
    .option('--workers <count>', 'threads (default: one per core); the result is the same', count)
    .option('--json', 'print the evaluation as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => reportFailure(() => evaluateStrategy(options)))
}

async function evaluateStrategy(options: Options): Promise<void> {
  if (options.days !== undefined)
    throw new UsageError('a path is as long as --horizon says; --days means nothing here')
  const { evaluate } = await import('../backtest/evaluate/evaluate.ts')
  const plan = await planOf(options)
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  const { paths, horizon, block, workers } = options
  let evaluation: Evaluation
  try {
    evaluation = await evaluate({
      plan,
      paths,
      days: horizon,
      meanBlock: block,
      seed: plan.seed ?? 'evaluate',
      ...(workers === undefined ? {} : { workers }),
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
