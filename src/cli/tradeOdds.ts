/** `margin-core evaluate --trades`: the odds of a trader's own trades, by rules and by risk. */
import { type OwnTrade, readTradeList } from '../backtest/odds/tradeList.ts'
import { type TradeOdds, tradeOdds } from '../backtest/odds/tradeOdds.ts'
import type { PricedAsset } from '../backtest/odds/tradePath.ts'
import { openData } from '../backtest/plan/dataCache.ts'
import { periodOf } from '../backtest/plan/options.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { feedWithin } from '../backtest/run/period.ts'
import { formatInstant } from '../projections/wire.ts'
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
  const trades = tradesOf(await textOf(file), file, options.tradesZone)
  const prices = await pricesOf(plan)
  const { leverage } = plan.parameters ?? {}
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
      ...(prices.length === 0 ? {} : { prices }),
      ...(leverage === undefined ? {} : { leverage: Number(leverage) }),
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
      notes: pricedLines(found, file),
    })
  const text = options.json ? JSON.stringify(found, null, 2) : foundLines(found, file, attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

function tradesOf(text: string, file: string, zone: string | undefined): OwnTrade[] {
  try {
    return readTradeList(text, file, zone)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--trades-zone: ${error.message}`)
    throw error
  }
}

async function pricesOf(plan: RunPlan): Promise<PricedAsset[]> {
  const { from, to } = periodOf(plan)
  const given = plan.markets.flatMap(({ asset, data }) => (data === undefined ? [] : [{ asset, data }]))
  return Promise.all(
    given.map(async ({ asset, data }) => ({
      asset,
      feed: feedWithin(await openData({ path: data, onBadRow: plan.onBadRow ?? 'fail' }), from, to),
    })),
  )
}

function foundLines(found: TradeOdds, file: string, attempts: number): string[] {
  const { trades, tradedDays, paths, days, meanBlock, odds } = found
  const head = [
    `${trades} trades of ${tradedDays} days; ${paths} paths of ${days} days in blocks of ${meanBlock.toFixed(1)} days on average`,
    ...pricedLines(found, file),
    '',
  ]
  const [only] = odds
  if (only !== undefined && odds.length === 1) return [...head, ...oddsLines(only, only.attempts, attempts)]
  const rows = odds.map((own) => ({ ...own, varied: `${own.scale}×` }))
  return [...head, ...comparedLines(rows, 'risk', attempts)]
}

const WITHOUT = {
  unsaid: 'the table lacks their opening, side, prices or size',
  otherSymbol: 'no prices are given of their symbols',
  outside: 'they begin or end where there are no prices',
  elsewhere: 'there was no such price then; are their times those of another zone (--trades-zone)?',
} as const

/** How many trades were played with their path; those without are counted, with a reason. */
function pricedLines({ trades, priced }: TradeOdds, file: string): string[] {
  if (priced === undefined) return []
  const reasons = Object.keys(WITHOUT) as (keyof typeof WITHOUT)[]
  return [
    `${priced.withPath} of ${trades} trades are played with their path`,
    ...reasons
      .filter((reason) => priced[reason] > 0)
      .map(
        (reason) =>
          `${priced[reason]} of ${file} by their result alone: ${WITHOUT[reason]} (first: closed at ${formatInstant(priced.first[reason] as number)})`,
      ),
  ]
}
