/** A run as tables: people's decimals, exact to the last digit, and times as ISO 8601. */
import { formatInstant } from '../../projections/wire.ts'
import { formatDecimal } from '../../quantity/decimal.ts'
import type { AccountCurve } from '../accounting/curve.ts'
import type { Trade } from '../accounting/tradeLog.ts'
import { tradeNumbers } from '../accounting/tradeNumbers.ts'
import type { LearnedResult } from '../learned/learnedResult.ts'
import type { PortfolioResult } from '../portfolio/partLedger.ts'
import type { Fill } from '../recording/fills.ts'
import type { Floors } from '../recording/floors.ts'
import type { RecordedMarket } from '../recording/recorder.ts'
import { type DayReturn, deepestDrawdowns, type MonthReturn, monthsOf } from '../report/monthlyReturns.ts'
import type { DailyReturns } from '../statistics/dailyReturns.ts'
import { rollingFigures } from '../statistics/rolling.ts'

/** One line of a table; the keys are the header. */
export type Row = Readonly<Record<string, string | number | boolean>>

export function* tradeRows(
  trades: readonly Trade[],
  fills: readonly Fill[],
  markets: readonly RecordedMarket[],
): Generator<Row> {
  const asset = assets(markets)
  const ends = new Map(fills.map(({ positionId, reason }) => [positionId, reason]))
  const numbers = tradeNumbers(trades)
  for (const trade of trades)
    yield {
      number: numbers.get(trade.positionId) ?? 0,
      positionId: trade.positionId,
      asset: asset(trade.marketId),
      side: trade.side,
      openedAt: formatInstant(trade.openedAt),
      closedAt: formatInstant(trade.closedAt),
      size: formatDecimal(trade.size),
      entryPrice: formatDecimal(trade.entryPrice),
      exitPrice: formatDecimal(trade.exitPrice),
      realizedPnl: formatDecimal(trade.realizedPnl),
      rawPnl: formatDecimal(trade.rawPnl),
      fees: formatDecimal(trade.fees),
      funding: formatDecimal(trade.funding),
      pnl: formatDecimal(trade.pnl),
      end: trade.end,
      endedBy: ends.get(trade.positionId) ?? trade.end,
    }
}

/** Of a portfolio each says which strategy placed its order; nothing where the platform closed. */
export function* fillRows(
  fills: readonly Fill[],
  markets: readonly RecordedMarket[],
  isPortfolio: boolean,
): Generator<Row> {
  const asset = assets(markets)
  for (const fill of fills)
    yield {
      seq: fill.seq,
      at: formatInstant(fill.at),
      asset: asset(fill.marketId),
      positionId: fill.positionId,
      orderId: fill.orderId ?? '',
      action: fill.action,
      side: fill.side,
      orderType: fill.orderType ?? '',
      reason: fill.reason,
      triggerPrice: formatDecimal(fill.triggerPrice),
      indexPrice: formatDecimal(fill.indexPrice),
      price: formatDecimal(fill.price),
      size: formatDecimal(fill.size),
      quote: formatDecimal(fill.quote),
      fee: formatDecimal(fill.fee),
      pnl: fill.pnl === null ? '' : formatDecimal(fill.pnl),
      ...(isPortfolio ? { part: fill.part ?? '' } : {}),
    }
}

/** The floors are those that held at the time; empty where a rule is off (H5, H6). */
export function* curveRows(curve: AccountCurve, floors: readonly Floors[]): Generator<Row> {
  let next = 0
  for (let point = 0; point < curve.length; point++) {
    const at = curve.time[point] as number
    while ((floors[next]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1
    const { daily = null, total = null } = floors[next - 1] ?? {}
    yield {
      at: formatInstant(at),
      equity: formatDecimal(curve.equity[point] as bigint),
      balance: formatDecimal(curve.balance[point] as bigint),
      exposure: formatDecimal(curve.exposure[point] as bigint),
      dailyFloor: daily === null ? '' : formatDecimal(daily),
      totalFloor: total === null ? '' : formatDecimal(total),
    }
  }
}

export function monthRows(daily: DailyReturns): MonthReturn[] {
  return monthsOf(dayReturns(daily))
}

/** Losses from a peak of the ends of days, the deepest first; empty where a peak is the beginning, and where equity has not come back. */
export function* drawdownRows(daily: DailyReturns | readonly DayReturn[]): Generator<Row> {
  const days = 'days' in daily ? dayReturns(daily) : daily
  const date = (day: number | null) => (day === null ? '' : new Date(day).toISOString().slice(0, 10))
  for (const { depth, peak, trough, recovered } of deepestDrawdowns(days, Number.POSITIVE_INFINITY))
    yield { depth, peak: date(peak), trough: date(trough), recovered: date(recovered) }
}

function dayReturns({ days, returns }: DailyReturns): DayReturn[] {
  return days.map((second, index) => ({ day: second * 1_000, return: returns[index] ?? 0 }))
}

/** Figures over the last days, as fractions; empty where there is none. */
export function* rollingRows(daily: DailyReturns): Generator<Row> {
  for (const { day, totalReturn, annualVolatility, sharpeRatio, maxDrawdown } of rollingFigures(daily))
    yield {
      day: new Date(day * 1_000).toISOString().slice(0, 10),
      totalReturn,
      annualVolatility: annualVolatility ?? '',
      sharpeRatio: sharpeRatio ?? '',
      maxDrawdown,
    }
}

/** What each strategy of a portfolio had earned, without what was open, after each event that changed it. */
export function* partRows({ parts }: PortfolioResult): Generator<Row> {
  for (const { name, earned } of parts)
    for (const [at, amount] of earned)
      yield { strategy: name, at: formatInstant(at), earned: formatDecimal(amount) }
}

/**
 * Every fit of every model: a column for each of its scores, empty where there is none; from when on it was used, where a model of the run is used
 * later than it is made, and how long it was waited for, where one was.
 */
export function* learnedRows(learned: readonly LearnedResult[]): Generator<Row> {
  const scores = [...new Set(learned.flatMap((model) => Object.keys(model.scores)))]
  const columns = (kind: string, values: Readonly<Record<string, number | null>>) =>
    Object.fromEntries(scores.map((score) => [`${score} ${kind}`, values[score] ?? '']))
  const isLater = learned.some(({ takesEffectAfter }) => takesEffectAfter !== undefined)
  const isWaitedFor = learned.some(({ fits }) => fits.some(({ waitedMs }) => waitedMs !== undefined))
  for (const { name, asset, fits } of learned)
    for (const { at, usedFrom = at, rows, from, to, knownTo, waitedMs = 0, ...foretold } of fits) {
      const { predictions, inSample, outOfSample } = foretold
      yield {
        ...{ model: name, asset, at: formatInstant(at) },
        ...(isLater ? { usedFrom: formatInstant(usedFrom) } : {}),
        ...{ rows, from: formatInstant(from), to: formatInstant(to) },
        ...{ knownTo: formatInstant(knownTo), predictions },
        ...(isWaitedFor ? { waitedMs } : {}),
        ...columns('in sample', inSample),
        ...columns('out of sample', outOfSample),
      }
    }
}

function assets(markets: readonly RecordedMarket[]): (marketId: string) => string {
  const known = new Map(markets.map(({ id, asset }) => [id, asset]))
  return (marketId) => known.get(marketId) ?? ''
}
