/** `margin-core what-if`: the same run under other rules, line by line. */
import { Command } from 'commander'
import { money, change as signed } from '../backtest/output/presentation.ts'
import type { ChangedRun, FirstDifference, WhatIf } from '../backtest/whatIf/whatIf.ts'
import { formatInstant } from '../projections/wire.ts'
import { fp9 } from '../quantity/decimal.ts'
import { reportFailure, UsageError } from './failure.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { withPathOptions } from './pathOptions.ts'
import { collect, withPlanOptions } from './planOptions.ts'
import type { PopulationOptions } from './population.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'
import { withWorkOptions } from './workOptions.ts'
import { writeCases } from './writeCases.ts'
import { writePrinted } from './writePrinted.ts'
import { mustTakeStudy } from './writeStudy.ts'

interface Options extends PopulationOptions {
  readonly population?: string
  readonly stress?: boolean
  readonly out?: string
}

const EXAMPLES = `
Changes: profit-cap=off, spread=0.05% (or x2, +0.01%), fee-rate=0, slippage=0.02% (or 2ticks, steps of the
  market's prices), delay=1 (bars), scalping=off, funding=off or a rate,
  maintenance-margin=1%, leverage=5, drawdown=trailing_eod, daily-loss=4%, daily-breach=freeze, total-loss=8%, target=10%, path=optimistic

With --population: fee=450, payout-share=90%, payout-days=7, payout-least=100, fee-back=on as well, and every change holds in every phase.

Examples:
  $ margin-core what-if --config run.json --stress
  $ margin-core what-if --data BTCUSDT-1m.csv.gz --strategy breakout --change profit-cap=off
  $ margin-core what-if --config run.json --change spread=0,fee-rate=0 --change leverage=3
  $ margin-core what-if --config run.json --change drawdown=trailing_eod --json
  $ margin-core what-if --data BTCUSDT-1m --population traders.json --rules ours.json --rules theirs.json --change target=10%,fee=450 --horizon 90`

const SOLD = 'with --population: '

export function whatIfCommand(): Command {
  return withWorkOptions(withPathOptions(withPlanOptions(new Command('what-if')), 500, SOLD), SOLD)
    .option(
      '--change <name=value>',
      'a rule to change, several joined by commas; repeated: a run each',
      collect,
      [],
    )
    .option('--stress', 'twice the spread, twice the fees, slippage of 0.02%, a delay of one bar: a run each')
    .option(
      '--population <file>',
      'kinds of traders as JSON, [{"name", "strategy", "parameters", "share"}]: what an account sold to them brings the venue',
    )
    .option(
      '--rules <file>',
      'with --population: what accounts are sold under, with fee and payout; repeated, the first is what others are compared with',
      collect,
      [],
    )
    .option(
      '--csv <file>',
      'write each run, or with --population what accounts are sold under, as a line of a table',
    )
    .option(
      '--out <folder>',
      'write a page of it, the table and everything as JSON to a folder; not with --population',
    )
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => compareRules(options, command)))
}

async function compareRules(options: Options, command: Command): Promise<void> {
  const { population, csv, out } = options
  if (population !== undefined) {
    const { comparePopulation } = await import('./population.ts')
    return comparePopulation({ ...options, population }, command)
  }
  if (options.change.length === 0 && options.stress !== true)
    throw new UsageError('nothing to change; give --change name=value, or --stress')
  await mustBeWritable({}, { '--csv': csv })
  if (out !== undefined) await mustTakeStudy(out)
  const [{ whatIf }, { STRESS }, { toJson }] = await Promise.all([
    import('../backtest/whatIf/whatIf.ts'),
    import('../backtest/whatIf/changes.ts'),
    import('../quantity/json.ts'),
  ])
  const plan = await planFor(options, command)
  const progress = new CountedProgress('what-if', 'runs', options.json === true)
  let answer: WhatIf
  try {
    answer = await whatIf({
      plan,
      changes: [...(options.stress === true ? STRESS : []), ...options.change],
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  if (csv !== undefined) await writeCases(csv, answerCases(answer))
  if (out !== undefined)
    await writePrinted(out, {
      ...{ kind: 'What if', plan, lines: answerLines(answer), found: toJson(answer) },
      tables: { runs: answerCases(answer) },
      caution:
        'What is changed is changed for the same prices; a market under other rules would have others.',
    })
  const text = options.json ? JSON.stringify(toJson(answer), null, 2) : answerLines(answer).join('\n')
  process.stdout.write(`${text}\n`)
}

/** The run as planned first; days are not for a line, and a trade is told by its number. */
function answerCases({ base, changed }: WhatIf): object[] {
  const figuresIn = ({ dailyReturns: _days, ...figures }: WhatIf['base']) => figures
  return [
    { change: 'as planned', ...figuresIn(base) },
    ...changed.map(({ change, figures, netProfitDifference, costDifferences, firstDifference }) => ({
      ...{ change, ...figuresIn(figures), netProfitDifference, costDifferences },
      firstDifferentTrade: firstDifference === null ? null : firstDifference.index + 1,
    })),
  ]
}

const LINES = {
  pricePnl: 'earned by the price alone',
  spread: 'spread',
  scalping: 'scalping surcharge',
  fees: 'fees',
  funding: 'funding',
  liquidationPenalties: 'liquidation penalties',
  profitCap: 'given up to the 60-second rule',
  lossesAbsorbed: 'losses borne by the house',
} as const

function answerLines({ base, changed }: WhatIf): string[] {
  const rows = [
    ['', 'as planned', ...changed.flatMap(({ change }) => [change, '±'])],
    [
      'net profit',
      money(fp9(base.netProfit)),
      ...changed.flatMap((run) => cells(run.figures.netProfit, run.netProfitDifference)),
    ],
    ...Object.entries(LINES).map(([line, name]) => costRow(line as keyof typeof LINES, name, base, changed)),
    [
      'return',
      percent(base.totalReturn),
      ...changed.flatMap(({ figures }) => [percent(figures.totalReturn), '']),
    ],
    [
      'max drawdown',
      percent(base.maxDrawdown),
      ...changed.flatMap(({ figures }) => [percent(figures.maxDrawdown), '']),
    ],
    ['trades', String(base.trades), ...changed.flatMap(({ figures }) => [String(figures.trades), ''])],
    ['evaluation', base.outcome, ...changed.flatMap(({ figures }) => [figures.outcome, ''])],
  ]
  const parting = changed.map(({ change, firstDifference }) => `${change}: ${partingText(firstDifference)}`)
  return [...tableLines(rows), '', ...parting]
}

function costRow(
  line: keyof typeof LINES,
  name: string,
  base: WhatIf['base'],
  changed: readonly ChangedRun[],
): string[] {
  return [
    name,
    money(fp9(base.costs[line])),
    ...changed.flatMap(({ figures, costDifferences }) => cells(figures.costs[line], costDifferences[line])),
  ]
}

function cells(amount: string, difference: string): string[] {
  return [money(fp9(amount)), signed(fp9(difference))]
}

function partingText(difference: FirstDifference | null): string {
  if (difference === null) return 'every closed trade is the same'
  const { index, was, would } = difference
  const trade = would ?? was
  if (trade === null) return 'every closed trade is the same'
  const missing = was === null ? ', which was not there' : would === null ? ', which is gone' : ''
  return `trade ${index + 1} is the first to differ${missing}: ${trade.side}, opened ${formatInstant(trade.openedAt)}`
}
