/** `margin-core what-if --population`: what an account brings its venue, under its rules and under others. */
import type { Command } from 'commander'
import type { Mean } from '../backtest/evaluate/proportion.ts'
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import { plural, rounded } from '../backtest/output/presentation.ts'
import { type SoldAccounts, type SoldPopulation, soldAccounts } from '../backtest/whatIf/population.ts'
import { readPopulation } from '../backtest/whatIf/readPopulation.ts'
import { UsageError } from './failure.ts'
import { ruleSetsOf, rulesIn, textOf } from './oddsText.ts'
import { mustBeWritable } from './outputs.ts'
import { mustApply } from './partners.ts'
import type { PathOptions } from './pathOptions.ts'
import { type PlanOptions, planOf } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'
import { type WorkPlaces, workPlaces } from './workOptions.ts'
import { writeCases } from './writeCases.ts'

export interface PopulationOptions extends PlanOptions, WorkPlaces, PathOptions {
  readonly change: readonly string[]
  readonly rules: readonly string[]
  readonly csv?: string
  readonly json?: boolean
}

export async function comparePopulation(
  options: PopulationOptions & { readonly population: string },
  command: Command,
): Promise<void> {
  const { population, rules: files, change, paths, horizon, block, blocks } = options
  if (files.length === 0)
    throw new UsageError('accounts are sold under rules with a fee and payouts; give --rules FILE')
  await mustBeWritable({}, { '--csv': options.csv })
  const traders = readPopulation(await textOf(population), population)
  const plan = await planOf(options)
  const said = await rulesIn(files)
  await mustApply(command, plan, said)
  const rules = ruleSetsOf(said, plan.account ?? {}) as [RuleSet, ...RuleSet[]]
  const progress = new CountedProgress('what-if', 'paths', options.json === true)
  let found: SoldPopulation
  try {
    found = await soldAccounts({
      plan,
      traders,
      rules,
      changes: change,
      paths,
      days: horizon,
      ...(block === undefined ? {} : { meanBlock: block }),
      ...(blocks === undefined ? {} : { blocks }),
      seed: plan.seed ?? 'evaluate',
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  if (options.csv !== undefined) await writeCases(options.csv, found.sold.map(soldCase))
  const text = options.json ? JSON.stringify(found, null, 2) : foundLines(found).join('\n')
  process.stdout.write(`${text}\n`)
}

/** Each kind of traders by its name. */
function soldCase({ traders, ...sold }: SoldAccounts): object {
  return { ...sold, traders: Object.fromEntries(traders.map(({ name, ...own }) => [name, own])) }
}

function foundLines({ paths, days, seed, sold, notes }: SoldPopulation): string[] {
  const head = [
    'an account under',
    'fee',
    'passes',
    'is paid',
    'payouts',
    'venue’s result',
    '',
    'difference',
    '',
  ]
  const [base] = sold
  return [
    `${paths} ${plural(paths, 'path')} of ${days} ${plural(days, 'day')} for each of ${base?.traders.length} ${plural(base?.traders.length ?? 0, 'kind')} of traders, seed ${seed}`,
    '',
    ...tableLines([head, ...sold.map(soldCells)]),
    '',
    ...tableLines([
      [`of these, under ${base?.under}`, 'share', 'passes', 'is paid', 'venue’s result', ''],
      ...(base?.traders ?? []).map(({ name, share, passed, paid, result }) => [
        name,
        percent(share, 0),
        percent(passed.value, 1),
        percent(paid.value, 1),
        ...meanCells(result),
      ]),
    ]),
    '',
    'note: intervals are 95%, over the paths; differences are taken path by path',
    'note: as many accounts are sold under every set of rules; who buys them does not change',
    ...notes.slice(1).map((note) => `note: ${note}`),
  ]
}

function soldCells({ under, fee, passed, paid, payouts, result, difference }: SoldAccounts): string[] {
  return [
    under,
    rounded(fee),
    percent(passed.value, 1),
    percent(paid.value, 1),
    rounded(payouts.value),
    ...meanCells(result),
    ...(difference === null ? ['', ''] : meanCells(difference)),
  ]
}

function meanCells({ value, low, high }: Mean): string[] {
  return [rounded(value), `${rounded(low)} to ${rounded(high)}`]
}
