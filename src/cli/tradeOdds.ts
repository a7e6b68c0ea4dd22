/** `margin-core evaluate --trades`: the odds of a trader's own trades, by rules and by risk. */
import { readFile } from 'node:fs/promises'
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import { type ReadTrades, readTrades } from '../backtest/odds/tradeList.ts'
import { type TradeOdds, tradeOdds } from '../backtest/odds/tradeOdds.ts'
import type { PricedAsset } from '../backtest/odds/tradePath.ts'
import { plural } from '../backtest/output/presentation.ts'
import { openData } from '../backtest/plan/dataCache.ts'
import { periodOf } from '../backtest/plan/options.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { feedWithin } from '../backtest/run/period.ts'
import { whyNotOpened } from '../files/whyNotOpened.ts'
import { formatInstant } from '../projections/wire.ts'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { UsageError } from './failure.ts'
import { comparedLines, oddsLines } from './oddsText.ts'
import { CountedProgress } from './progress.ts'
import { workPlaces } from './workOptions.ts'
import { writeOdds } from './writeOdds.ts'

/** The balance of an account that says none. */
const BALANCE = 10_000

export async function evaluateTrades(
  options: EvaluateOptions & { readonly trades: string },
  plan: RunPlan,
  rules: readonly RuleSet[],
): Promise<void> {
  const { trades: file, risk, paths, horizon, block, attempts, payout } = options
  const { trades, leftOut } = tradesOf(await tableText(file), file, options.tradesZone)
  const prices = await pricesOf(plan)
  const { leverage } = plan.parameters ?? {}
  const own = plan.account ?? {}
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  let found: TradeOdds
  try {
    found = await tradeOdds({
      trades,
      tradedBalance: Number(options.tradedBalance ?? own.balance ?? BALANCE),
      rules,
      scales: risk,
      paths,
      days: horizon,
      seed: plan.seed ?? 'evaluate',
      ...(block === undefined || block === 'auto' ? {} : { meanBlock: block }),
      ...(prices.length === 0 ? {} : { prices }),
      ...(leverage === undefined ? {} : { leverage: Number(leverage) }),
      terms: { attempts, ...(payout === undefined ? {} : { payout }) },
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  await writeOdds(options, {
    page: () => ({
      title: `the trades of ${file}`,
      facts: [
        ['Trades', `${found.trades} of ${found.tradedDays} ${plural(found.tradedDays, 'day')}`],
        ['Paths', `${found.paths} of ${found.days} ${plural(found.days, 'day')}`],
        ['Seed', found.seed],
      ],
      variedName: 'risk',
      cases: found.odds.map((own) => ({ ...own, varied: `${own.scale}×` })),
      notes: tableLines(found, file, leftOut),
    }),
    cases: found.odds,
    json: () => ({ table: file, ...found }),
  })
  const text = options.json
    ? JSON.stringify(found, null, 2)
    : foundLines(found, tableLines(found, file, leftOut), attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

/** Platforms of Windows write UTF-16. */
async function tableText(file: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new UsageError(`${file}: the file cannot be opened (${whyNotOpened(file, error as Error)})`)
  }
  return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8')
}

function tradesOf(text: string, file: string, zone: string | undefined): ReadTrades {
  try {
    return readTrades(text, file, zone)
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

function foundLines(found: TradeOdds, notes: readonly string[], attempts: number): string[] {
  const { trades, tradedDays, paths, days, meanBlock, odds } = found
  const head = [
    `${trades} ${plural(trades, 'trade')} of ${tradedDays} ${plural(tradedDays, 'day')}; ${paths} ${plural(paths, 'path')} of ${days} ${plural(days, 'day')} in blocks of ${meanBlock.toFixed(1)} days on average`,
    ...notes,
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

/** How many rows are no trades, and how many trades were played with their path; those without are counted, with a reason. */
function tableLines({ trades, priced, notes }: TradeOdds, file: string, leftOut: number): string[] {
  const outside =
    leftOut === 0
      ? []
      : [
          leftOut === 1
            ? `1 row of ${file} is no closed trade and is left out`
            : `${leftOut} rows of ${file} are no closed trades and are left out`,
        ]
  const lines = [...outside, ...notes]
  if (priced === undefined) return lines
  const reasons = Object.keys(WITHOUT) as (keyof typeof WITHOUT)[]
  return [
    ...lines,
    `${priced.withPath} of ${trades} ${plural(trades, 'trade')} ${plural(priced.withPath, 'is', 'are')} played with ${plural(priced.withPath, 'its', 'their')} path`,
    ...reasons
      .filter((reason) => priced[reason] > 0)
      .map(
        (reason) =>
          `${priced[reason]} of ${file} by their result alone: ${WITHOUT[reason]} (first: closed at ${formatInstant(priced.first[reason] as number)})`,
      ),
  ]
}
