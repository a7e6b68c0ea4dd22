/** A run for programs: plain JSON, quantities as fp9 strings, times as ISO 8601. */
import { formatInstant } from '../../projections/wire.ts'
import { toJson } from '../../quantity/json.ts'
import type { AgainstMarkets } from '../beside/againstMarkets.ts'
import type { Beside } from '../beside/beside.ts'
import type { LearnedResult } from '../learned/learnedResult.ts'
import { toPrice } from '../numbers/toNumber.ts'
import type { Provenance } from '../plan/provenance.ts'
import type { PortfolioResult } from '../portfolio/partLedger.ts'
import type { AccountResult } from '../run/participant.ts'
import type { BacktestResult } from '../run/run.ts'

/**
 * Everything but the curve and the single trades, which have exports of their own; with how the run was made, where told.
 *
 * ```ts
 * const result = await runBacktest({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }],
 *   strategy: emaCross({ asset: 'BTC' }),
 * })
 * JSON.stringify(resultJson(result)).length > 100 // → true
 * ```
 */
export function resultJson(
  result: BacktestResult,
  madeBy: Provenance | null = null,
  beside: Beside | null = null,
  against: AgainstMarkets | null = null,
): Record<string, unknown> {
  const { from, to, others, ...rest } = result
  return toJson({
    ...(madeBy === null ? {} : { madeBy }),
    ...accountJson(rest),
    ...(beside === null ? {} : { beside: besideJson(beside) }),
    ...(against === null ? {} : { markets: marketsJson(against) }),
    from: formatInstant(from),
    to: formatInstant(to),
    others: others.map(accountJson),
  })
}

function accountJson<R extends AccountResult>({ curve: _curve, trades, portfolio, learned, ...rest }: R) {
  return {
    ...rest,
    trades: trades.length,
    ...(portfolio === undefined ? {} : { portfolio: portfolioJson(portfolio) }),
    ...(learned === undefined ? {} : { learned: learned.map(learnedJson) }),
  }
}

/** Where redraws of an amount lie is in amounts too: under one name there is one unit. */
function besideJson({ benchmarks, confidence }: Beside) {
  const { netProfit, ...others } = confidence
  const amounts = netProfit && { low: toPrice(netProfit.low), high: toPrice(netProfit.high) }
  return { benchmarks, confidence: { ...others, netProfit: amounts } }
}

function marketsJson({ links, periods }: AgainstMarkets) {
  return {
    links: links.map(({ rolling, ...link }) => ({
      ...link,
      rolling: rolling.map(({ day, ...figures }) => ({
        day: formatInstant(1_000 * day).slice(0, 10),
        ...figures,
      })),
    })),
    periods: periods.map(({ kind, name, market, from, to, ...figures }) => ({
      ...{ kind, name, market, from: formatInstant(from), to: formatInstant(to) },
      ...figures,
    })),
  }
}

function learnedJson({ fits, ...model }: LearnedResult) {
  return {
    ...model,
    fits: fits.map(({ at, usedFrom, from, to, knownTo, ...fit }) => ({
      at: formatInstant(at),
      ...(usedFrom === undefined ? {} : { usedFrom: formatInstant(usedFrom) }),
      from: formatInstant(from),
      to: formatInstant(to),
      knownTo: formatInstant(knownTo),
      ...fit,
    })),
  }
}

function portfolioJson({ parts, unattributed }: PortfolioResult) {
  return { parts: parts.map(({ earned: _earned, ...part }) => part), unattributed }
}
