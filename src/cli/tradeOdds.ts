/** `margin-core evaluate --trades`: the odds of a trader's own trades, by rules and by risk. */
import { readTradeList } from '../backtest/odds/tradeList.ts'
import { type TradeOdds, tradeOdds } from '../backtest/odds/tradeOdds.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { UsageError } from './failure.ts'
import { comparedLines, oddsLines, ruleSetsOf, textOf } from './oddsText.ts'
import { CountedProgress } from './progress.ts'
import { workPlaces } from './workOptions.ts'
import { writeOddsReport } from './writeOddsReport.ts'

/** The balance of an account that says none. */
const BALANCE = 10_000

export async function evaluateTrades(
  options: EvaluateOptions & { readonly trades: string },
  plan: RunPlan,
): Promise<void> {
  const { trades: file, risk, rules, paths, horizon, block, fee, attempts, payout } = options
  if (options.vary.length > 0 || options.blocks !== undefined || block === 'auto')
    throw new UsageError(
      '--vary and --blocks are for a strategy; days of trades are drawn in blocks found from them, and --risk makes trades larger',
    )
  const trades = readTradeList(await textOf(file), file)
  const own = plan.account ?? {}
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  let found: TradeOdds
  try {
    found = await tradeOdds({
      trades,
      tradedBalance: Number(options.tradedBalance ?? own.balance ?? BALANCE),
      rules: (await ruleSetsOf(rules, own)).map((set) => (fee === undefined ? set : { ...set, fee })),
      scales: risk,
      paths,
      days: horizon,
      seed: plan.seed ?? 'evaluate',
      ...(block === undefined ? {} : { meanBlock: block }),
      terms: { attempts, ...(payout === undefined ? {} : { payout }) },
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  if (options.report !== undefined)
    await writeOddsReport(options.report, {
      title: `the trades of ${file}`,
      facts: [
        ['Trades', `${found.trades} of ${found.tradedDays} days`],
        ['Paths', `${found.paths} of ${found.days} days`],
        ['Seed', found.seed],
      ],
      variedName: 'risk',
      cases: found.odds.map((own) => ({ ...own, varied: `${own.scale}×` })),
      notes: [],
    })
  const text = options.json ? JSON.stringify(found, null, 2) : foundLines(found, attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

function foundLines(found: TradeOdds, attempts: number): string[] {
  const { trades, tradedDays, paths, days, meanBlock, odds } = found
  const head = `${trades} trades of ${tradedDays} days; ${paths} paths of ${days} days in blocks of ${meanBlock.toFixed(1)} days on average`
  const [only] = odds
  if (only !== undefined && odds.length === 1) return [head, '', ...oddsLines(only, only.attempts, attempts)]
  const rows = odds.map((own) => ({ ...own, varied: `${own.scale}×` }))
  return [head, '', ...comparedLines(rows, 'risk', attempts)]
}
