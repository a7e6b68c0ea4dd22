/** `margin-core evaluate --trades`: the odds of a trader's own trades, by rules and by risk. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readTradeList } from '../backtest/odds/tradeList.ts'
import { type RuledOdds, type RuleSet, type TradeOdds, tradeOdds } from '../backtest/odds/tradeOdds.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { readPlan } from '../backtest/plan/readPlan.ts'
import { UsageError } from './failure.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'
import { type WorkPlaces, workPlaces } from './workOptions.ts'

interface TradeOptions extends WorkPlaces {
  readonly trades: string
  readonly tradedBalance?: string
  readonly risk: readonly number[]
  readonly rules: readonly string[]
  readonly paths: number
  readonly horizon: number
  readonly block?: number
  readonly fee?: number
  readonly attempts: number
  readonly payout: number
  readonly json?: boolean
}

/** The balance of an account that says none. */
const BALANCE = 10_000

export async function evaluateTrades(options: TradeOptions, plan: RunPlan): Promise<void> {
  const { trades: file, risk, rules, paths, horizon, block, fee, attempts, payout } = options
  const trades = readTradeList(await textOf(file), file)
  const own = plan.account ?? {}
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  let found: TradeOdds
  try {
    found = await tradeOdds({
      trades,
      tradedBalance: Number(options.tradedBalance ?? own.balance ?? BALANCE),
      rules: rules.length === 0 ? [{ name: 'rules', account: own }] : await ruleSets(rules, own),
      scales: risk,
      paths,
      days: horizon,
      seed: plan.seed ?? 'evaluate',
      ...(block === undefined ? {} : { meanBlock: block }),
      ...(fee === undefined ? {} : { terms: { fee, attempts, payout } }),
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  const text = options.json ? JSON.stringify(found, null, 2) : oddsLines(found, attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

/** What a file says comes before the options. */
async function ruleSets(files: readonly string[], own: RuleSet['account']): Promise<RuleSet[]> {
  return Promise.all(
    files.map(async (file) => {
      const { account } = readPlan(`{"account": ${await textOf(file)}}`, file)
      return { name: path.basename(file, '.json'), account: { ...own, ...account } }
    }),
  )
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: the file cannot be opened (${(error as Error).message})`)
  }
}

function oddsLines(
  { trades, tradedDays, paths, days, meanBlock, odds }: TradeOdds,
  attempts: number,
): string[] {
  const hasTerms = odds[0]?.attempts !== null
  const head = ['rules', 'risk', 'passed', '', 'daily loss', 'total loss', 'undecided', 'median days']
  const terms = hasTerms ? [`in ${attempts} attempts`, 'fees', 'result'] : []
  return [
    `${trades} trades of ${tradedDays} days; ${paths} paths of ${days} days in blocks of ${meanBlock.toFixed(1)} days on average`,
    '',
    ...tableLines([[...head, ...terms], ...odds.map(oddsCells)]),
    '',
    ...bestLines(odds),
  ]
}

function oddsCells({ rules, scale, passed, failedBy, undecided, daysToPass, attempts }: RuledOdds): string[] {
  const median = daysToPass.find(({ probability }) => probability === 0.5)
  return [
    rules,
    `${scale}×`,
    percent(passed.share, 1),
    `${percent(passed.low, 1)} to ${percent(passed.high, 1)}`,
    percent(failedBy.dailyLoss.share, 1),
    percent(failedBy.totalLoss.share, 1),
    percent(undecided.share, 1),
    median === undefined ? '–' : median.value.toFixed(1),
    ...(attempts === null
      ? []
      : [percent(attempts.funded, 1), attempts.fees.toFixed(0), attempts.result.toFixed(0)]),
  ]
}

/** Which risk is best for what, and what it costs in ruin; one line for each set of rules with several risks. */
function bestLines(odds: readonly RuledOdds[]): string[] {
  const names = [...new Set(odds.map(({ rules }) => rules))]
  return names.flatMap((name) => {
    const own = odds.filter(({ rules }) => rules === name)
    if (own.length < 2) return []
    const most = (scoreOf: (odds: RuledOdds) => number) =>
      own.reduce((best, other) => (scoreOf(other) > scoreOf(best) ? other : best))
    const passing = most(({ passed }) => passed.share)
    const lines = [
      `${name}: ${passing.scale}× passes most often (${percent(passing.passed.share, 1)}) and fails with ${percent(passing.failed.share, 1)}`,
    ]
    if (passing.attempts === null) return lines
    const paying = most(({ attempts }) => attempts?.result ?? 0)
    const result = paying.attempts?.result.toFixed(0)
    return [...lines, `${name}: ${paying.scale}× has the best expected result (${result})`]
  })
}
