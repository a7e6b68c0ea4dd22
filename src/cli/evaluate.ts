/** `margin-core evaluate`: would a strategy pass the evaluation, and how sure is that? */
import { Command, InvalidArgumentError } from 'commander'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { reportFailure } from './failure.ts'
import { ruleSetsOf, rulesIn } from './oddsText.ts'
import { mustBeWritable } from './outputs.ts'
import { mustApply } from './partners.ts'
import { withPathOptions } from './pathOptions.ts'
import { collect, count, planOf, positiveCount, withPlanOptions } from './planOptions.ts'
import { withWorkOptions } from './workOptions.ts'
import { mustTakeStudy } from './writeStudy.ts'

const EXAMPLES = `
Examples:
  $ margin-core evaluate --data BTCUSDT-1m.csv.gz --strategy breakout --paths 2000
  $ margin-core evaluate --strategy ema-cross --param slow=200 --daily-loss 5% --total-loss 10% --target 8%
  $ margin-core evaluate --data BTC=btc.csv.gz --data ETH=eth.csv.gz --strategy ./pair.ts --block auto --blocks regimes
  $ margin-core evaluate --config run.json --vary risk=0.25%,0.5%,1%,2% --rules two-step.json --rules one-step.json --horizon 90
  $ margin-core evaluate --trades mine.csv --risk 0.5,1,2,4 --rules two-step.json --rules one-step.json --fee 500 --payout 4000
  $ margin-core evaluate --trades mine.csv --data BTC=BTCUSDT-1m --data ETH=ETHUSDT-1m --leverage 20
  $ margin-core evaluate --config run.json --vary risk=0.25%,0.5%,1%,2% --report odds.html
  $ margin-core evaluate --config run.json --horizon 60 --json | jq .passed

A file of rules holds parameters of an account and, where there are several phases and payouts:
  { "fee": 500, "maxDailyLoss": "5%", "maxTotalLoss": "10%",
    "phases": [{ "profitTarget": "8%" }, { "profitTarget": "5%" }],
    "payout": { "days": 14, "share": "80%", "least": 100, "profitableDays": 3, "feeBack": true } }`

export function evaluateCommand(): Command {
  return withWorkOptions(withPathOptions(withPlanOptions(new Command('evaluate'), { hasDays: false }), 2_000))
    .option(
      '--vary <name=values>',
      'a parameter of the strategy and its values (0.5%,1%,2% or 1:10:1), repeated: compared side by side',
      collect,
      [],
    )
    .option(
      '--trades <file>',
      'a table of your own closed trades, as platforms export it, instead of a strategy; with --data each is played with its path',
    )
    .option(
      '--trades-zone <zone>',
      'with --trades: the zone of its times, where they do not say one: +02:00, America/New_York (default: UTC)',
    )
    .option(
      '--traded-balance <amount>',
      'with --trades: what the account had (default: the balance)',
      amountAboveZero,
    )
    .option(
      '--risk <multiples>',
      'with --trades: every trade so many times as large (default: 1)',
      multiples,
      [1],
    )
    .option(
      '--rules <file>',
      'rules as JSON, named by the file: account parameters, phases, payout, fee; repeated, compared side by side',
      collect,
      [],
    )
    .option('--fee <amount>', 'what an attempt costs (default: what the rules say)', count)
    .option('--attempts <count>', 'with a fee: at most so many attempts', positiveCount, 3)
    .option(
      '--payout <amount>',
      'with a fee: what is expected of an account that passed (default: what its payouts come to)',
      count,
    )
    .option(
      '--report <file>',
      'an HTML page: the odds of each case, times, payouts, and the curve over what varies',
    )
    .option('--csv <file>', 'write the odds of each case, with everything of the page, as a line of a table')
    .option('--out <folder>', 'write the page, its table and everything as JSON to a folder')
    .option('--json', 'print the evaluation as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: EvaluateOptions, command: Command) =>
      reportFailure(() => evaluateOdds(options, command)),
    )
}

function amountAboveZero(text: string): string {
  if (!(Number(text) > 0 && Number.isFinite(Number(text))))
    throw new InvalidArgumentError('It is an amount above zero, without separators: 25000.')
  return text
}

function multiples(text: string): number[] {
  const scales = text.split(',').map(Number)
  if (!scales.every((scale) => scale > 0))
    throw new InvalidArgumentError('Multiples are numbers above zero: 0.5,1,2.')
  if (new Set(scales).size < scales.length)
    throw new InvalidArgumentError('A multiple stands there more than once.')
  return scales
}

async function evaluateOdds(options: EvaluateOptions, command: Command): Promise<void> {
  await mustBeWritable({ '--report': options.report }, { '--csv': options.csv })
  if (options.out !== undefined) await mustTakeStudy(options.out)
  const plan = await planOf(options)
  const { trades, fee } = options
  const said = await rulesIn(options.rules)
  await mustApply(command, plan, said)
  const rules = ruleSetsOf(said, plan.account ?? {}).map((set) => (fee === undefined ? set : { ...set, fee }))
  if (trades === undefined) return (await import('./strategyOdds.ts')).evaluateStrategy(options, plan, rules)
  return (await import('./tradeOdds.ts')).evaluateTrades({ ...options, trades }, plan, rules)
}
