/** Odds in words and tables: of a strategy and of a trader's own trades alike. */

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Odds } from '../backtest/evaluate/odds.ts'
import type { Mean, Proportion, Quantile } from '../backtest/evaluate/proportion.ts'
import { type RuleSet, readRuleSet } from '../backtest/evaluate/rules.ts'
import type { AttemptOdds } from '../backtest/odds/attempts.ts'
import { plural, rounded } from '../backtest/output/presentation.ts'
import type { DecimalFields } from '../backtest/plan/plan.ts'
import { whyNotOpened } from '../files/whyNotOpened.ts'
import { UsageError } from './failure.ts'
import { percent, tableLines } from './table.ts'

/** One row of a comparison: under which rules, and what is varied. */
export interface OddsRow extends Odds {
  readonly rules: string
  readonly varied: string
  readonly attempts: AttemptOdds | null
}

/** Named by their files. */
export async function rulesIn(files: readonly string[]): Promise<RuleSet[]> {
  return Promise.all(files.map(async (file) => readRuleSet(await textOf(file), path.basename(file, '.json'))))
}

/** What a file says comes before the options. Without files the account of the options. */
export function ruleSetsOf(said: readonly RuleSet[], own: DecimalFields): RuleSet[] {
  if (said.length === 0) return [{ name: 'rules', account: own }]
  return said.map((rules) => ({ ...rules, account: { ...own, ...rules.account } }))
}

export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: the file cannot be opened (${whyNotOpened(file, error as Error)})`)
  }
}

/** Everything of one set of odds. */
export function oddsLines(odds: Odds, attempts: AttemptOdds | null, most: number): string[] {
  const { passed, failed, failedBy, undecided, phases, funded } = odds
  const shares = [
    ['passed', ...shareCells(passed)],
    ...(phases.length < 2
      ? []
      : phases.map((phase, index) => [
          `  phase ${index + 1}, of those that began it`,
          ...shareCells(phase.passed),
        ])),
    ['failed', ...shareCells(failed)],
    ['  by total loss', ...shareCells(failedBy.totalLoss)],
    ['  by daily loss', ...shareCells(failedBy.dailyLoss)],
    ['undecided', ...shareCells(undecided)],
    ...(funded === null
      ? []
      : [
          ['first payout', ...shareCells(funded.paid)],
          ['funded, failed before it', ...shareCells(funded.failedUnpaid)],
          ['  of the funded, by total loss', ...shareCells(funded.failedBy.totalLoss)],
          ['  of the funded, by daily loss', ...shareCells(funded.failedBy.dailyLoss)],
        ]),
  ]
  const quantiles = [
    ['', ...odds.totalReturn.map(({ probability }) => percent(probability, 0))],
    ['days to pass', ...odds.daysToPass.map(dayCell)],
    ['days to fail', ...odds.daysToFail.map(dayCell)],
    ...(funded === null ? [] : [['days to first payout', ...funded.daysToFirstPayout.map(dayCell)]]),
    ['return', ...odds.totalReturn.map(({ value }) => percent(value))],
  ]
  return [...tableLines(shares), '', ...tableLines(quantiles), ...moneyLines(odds, attempts, most)]
}

function moneyLines({ funded, result }: Odds, attempts: AttemptOdds | null, most: number): string[] {
  const rows = [
    ...(funded === null
      ? []
      : [
          ['first payout, where there is one', ...meanCells(funded.firstPayout)],
          ['first payout, of every account', ...meanCells(funded.expectedFirstPayout)],
          ['all payouts, of every account', ...meanCells(funded.expectedPayouts)],
        ]),
    ...(result === null ? [] : [['result of an account, after its fee', ...meanCells(result)]]),
    ...(attempts === null
      ? []
      : [
          [`passes in ${most} ${plural(most, 'attempt')}`, percent(attempts.funded, 1), ''],
          ['  fees', rounded(attempts.fees), ''],
          ['  result', rounded(attempts.result), ''],
        ]),
  ]
  return rows.length === 0 ? [] : ['', ...tableLines(rows)]
}

/** Several sets of odds side by side, and which is best for what. */
export function comparedLines(rows: readonly OddsRow[], varied: string, attempts: number): string[] {
  const [first] = rows
  const isPaid = rows.some(({ funded }) => funded !== null)
  const hasResult = rows.some(({ result }) => result !== null)
  const hasAttempts = first?.attempts !== null
  const head = [
    ...['rules', varied, 'passed', '', 'daily loss', 'total loss', 'undecided', 'median days'],
    ...(isPaid ? ['first payout', 'amount', 'expected'] : []),
    ...(hasResult ? ['result', ''] : []),
    ...(hasAttempts ? [`in ${attempts} ${plural(attempts, 'attempt')}`, 'fees', 'result'] : []),
  ]
  const cells = rows.map((row) => [
    ...[row.rules, row.varied, percent(row.passed.share, 1), intervalCell(row.passed)],
    ...[percent(row.failedBy.dailyLoss.share, 1), percent(row.failedBy.totalLoss.share, 1)],
    ...[percent(row.undecided.share, 1), medianCell(row.daysToPass)],
    ...(isPaid ? paidCells(row) : []),
    ...(hasResult ? resultCells(row.result) : []),
    ...(hasAttempts ? attemptCells(row.attempts) : []),
  ])
  return [...tableLines([head, ...cells]), '', ...bestLines(rows)]
}

function paidCells({ funded }: OddsRow): string[] {
  if (funded === null) return ['–', '–', '–']
  const amount = rounded(funded.firstPayout?.value ?? null)
  return [percent(funded.paid.share, 1), amount, rounded(funded.expectedFirstPayout.value)]
}

function resultCells(result: Mean | null): string[] {
  return result === null
    ? ['–', '']
    : [rounded(result.value), `${rounded(result.low)} to ${rounded(result.high)}`]
}

function attemptCells(attempts: AttemptOdds | null): string[] {
  return attempts === null
    ? ['–', '–', '–']
    : [percent(attempts.funded, 1), rounded(attempts.fees), rounded(attempts.result)]
}

/** Which is best for what, and what it costs in ruin; for each set of rules under which something is varied. */
function bestLines(rows: readonly OddsRow[]): string[] {
  const names = [...new Set(rows.map(({ rules }) => rules))]
  return names.flatMap((name) => {
    const own = rows.filter(({ rules }) => rules === name)
    return own.length < 2 ? [] : bestOf(own).map((line) => `${name}: ${line}`)
  })
}

function bestOf(own: readonly OddsRow[]): string[] {
  const passed = (row: OddsRow) => row.passed.share
  const payout = ({ funded }: OddsRow) => funded?.expectedFirstPayout.value ?? 0
  const result = ({ attempts }: OddsRow) => attempts?.result ?? 0
  const [first] = own as [OddsRow]
  return [
    bestLine(own, passed, {
      best: (row) =>
        `passes most often (${percent(row.passed.share, 1)}) and fails with ${percent(row.failed.share, 1)}`,
      alike: () => (passed(first) === 0 ? 'none passes' : `all pass as often (${percent(passed(first), 1)})`),
    }),
    ...(first.funded === null ? [] : [bestLine(own, payout, figureWords('expected first payout'))]),
    ...(first.attempts === null ? [] : [bestLine(own, result, figureWords('expected result'))]),
  ]
}

interface BestWords {
  readonly best: (row: OddsRow, score: number) => string
  readonly alike: (score: number) => string
}

function figureWords(figure: string): BestWords {
  return {
    best: (row, score) => `has the best ${figure} (${rounded(score)}) and ${ruinText(row)}`,
    alike: (score) => `all have the same ${figure} (${rounded(score)})`,
  }
}

/** What the best for money costs: the accounts that end before they have brought any, in the evaluation or funded. */
function ruinText({ failed, funded }: OddsRow): string {
  return funded === null
    ? `fails with ${percent(failed.share, 1)}`
    : `fails before a payout with ${percent(failed.share + funded.failedUnpaid.share, 1)}`
}

/** The first of the highest is named; where all are as high, none is better. */
function bestLine(own: readonly OddsRow[], scoreOf: (row: OddsRow) => number, words: BestWords): string {
  const best = own.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one))
  const score = scoreOf(best)
  if (own.every((row) => scoreOf(row) === score)) return words.alike(score)
  return `${best.varied} ${words.best(best, score)}`
}

function intervalCell({ low, high }: Proportion): string {
  return `${percent(low, 1)} to ${percent(high, 1)}`
}

function shareCells({ count: paths, share, low, high }: Proportion): string[] {
  return [String(paths), percent(share), `${percent(low)} to ${percent(high)}`]
}

function meanCells(mean: Mean | null): string[] {
  return mean === null ? ['–', ''] : [rounded(mean.value), `${rounded(mean.low)} to ${rounded(mean.high)}`]
}

function medianCell(days: readonly Quantile[]): string {
  return days.find(({ probability }) => probability === 0.5)?.value.toFixed(1) ?? '–'
}

function dayCell({ value, low, high }: Quantile): string {
  return `${value.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`
}
