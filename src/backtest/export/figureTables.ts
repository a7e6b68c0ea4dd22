/** The figures of a run's page as tables: statistics, costs, what stands beside it, what its data lacked and what orders inside bars decided. */
import { formatInstant } from '../../projections/wire.ts'
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Beside } from '../beside/beside.ts'
import type { Recorded } from '../recording/recording.ts'
import type { PathComparison } from '../run/bothPaths.ts'
import type { ExploredRun } from '../run/orderBounds.ts'
import type { BacktestResult } from '../run/run.ts'
import type { Interval } from '../statistics/confidence.ts'
import type { Row } from './tables.ts'

export type Tables = Readonly<Record<string, readonly Row[]>>

/** Of every run, by the names of their files without the end `.csv`. */
export function figureTables(result: BacktestResult, recording: Recorded, beside: Beside | null): Tables {
  return {
    statistics: statisticRows(result, beside),
    costs: costRows(result),
    data: dataRows(result, recording),
    rejections: Object.entries(result.rejections).map(([code, count]) => ({ code, count })),
  }
}

/** Empty where nothing stands beside the run. */
export function besideRows(result: BacktestResult, beside: Beside | null): Row[] {
  if (beside === null) return []
  const { statistics, verdict } = result
  const own = {
    name: 'this run',
    netProfit: statistics.netProfit,
    totalReturn: statistics.totalReturn,
    maxDrawdown: statistics.maxDrawdown?.depth ?? 0,
    sharpeRatio: statistics.sharpeRatio,
    outcome: verdict.outcome,
  }
  return [own, ...beside.benchmarks].map(
    ({ name, netProfit, totalReturn, maxDrawdown, sharpeRatio, outcome }) => ({
      ...{ account: name, netProfit: formatDecimal(netProfit), totalReturn: totalReturn ?? '', maxDrawdown },
      ...{ sharpeRatio: sharpeRatio ?? '', outcome },
    }),
  )
}

/** Bars that held a stop and a take-profit of one position; with a comparison what each is worth when it alone is turned, where it was. */
export function ambiguousRows(recording: Recorded, comparison: PathComparison | null): Row[] {
  const asset = assetOf(recording)
  const worth = new Map(
    comparison?.bounds.deciding.map(({ marketId, openTime, difference }) => [
      `${marketId} ${openTime}`,
      formatDecimal(difference),
    ]),
  )
  return recording.ambiguousBars.map(({ marketId, openTime, positionId, stopPrice, takePrice, outcome }) => ({
    ...{ asset: asset(marketId), openTime: formatInstant(openTime), positionId },
    ...{ stopPrice: formatDecimal(stopPrice), takePrice: formatDecimal(takePrice) },
    outcome: outcome ?? 'stayed open',
    ...(comparison === null ? {} : { difference: worth.get(`${marketId} ${openTime}`) ?? '' }),
  }))
}

/** Of a run on both paths: the outcomes that orders came to, the bars that decide alone, and the trades that ended otherwise. */
export function orderTables(
  recording: Recorded,
  { bounds, adverse, optimistic, divergences }: PathComparison,
) {
  const asset = assetOf(recording)
  const plain = ({ path, statistics, verdict }: BacktestResult): ExploredRun => ({
    ...{ path, turned: 0, netProfit: statistics.netProfit, outcome: verdict.outcome },
  })
  const { complete, worst, best } = bounds
  const orders = { adverse: plain(adverse), optimistic: plain(optimistic), worst, best }
  return {
    orders: Object.entries(orders).map(([order, { path, turned, netProfit, outcome }]) => ({
      ...{ order, netProfit: formatDecimal(netProfit), outcome, path, turned },
      ...{ isBound: complete && (order === 'worst' || order === 'best') },
    })),
    decidingBars: bounds.deciding.map(({ marketId, openTime, difference }) => ({
      ...{ asset: asset(marketId), openTime: formatInstant(openTime), difference: formatDecimal(difference) },
    })),
    divergences: divergences.map(({ marketId, openTime, difference, ...ends }) => ({
      ...{ asset: asset(marketId), openTime: formatInstant(openTime), side: ends.side },
      ...{ adverse: ends.adverse, optimistic: ends.optimistic, difference: formatDecimal(difference) },
    })),
  } satisfies Tables
}

/** A figure a line, under the name that it has in result.json, with where the middle 95% of redraws lie. */
function statisticRows(result: BacktestResult, beside: Beside | null): Row[] {
  const { verdict, statistics } = result
  const intervals = intervalsOf(beside)
  const account = {
    outcome: verdict.outcome,
    verdictAt: verdict.outcome === 'undecided' ? null : formatInstant(verdict.at),
    initialBalance: result.initialBalance,
    freezes: result.freezes,
    fills: result.fills,
    liquidations: result.liquidations,
    openPositions: result.openPositions,
    closestToLiquidation: result.closestToLiquidation,
    leastDailyHeadroom: result.leastDailyHeadroom,
    leastTotalHeadroom: result.leastTotalHeadroom,
  }
  return [...figuresOf(account), ...figuresOf(statistics)].map(([figure, value]) => ({
    ...{ figure, value, low: intervals[figure]?.low ?? '', high: intervals[figure]?.high ?? '' },
  }))
}

function intervalsOf(beside: Beside | null): Readonly<Record<string, Interval | null>> {
  if (beside === null) return {}
  const { totalReturn, maxDrawdown, sharpeRatio, winRate, profitFactor, netProfit } = beside.confidence
  return {
    ...{ totalReturn, 'maxDrawdown.depth': maxDrawdown, sharpeRatio },
    ...{ 'trades.winRate': winRate, 'trades.profitFactor': profitFactor, 'trades.netProfit': netProfit },
  }
}

/** Nested figures under dotted names; amounts as decimals, times as ISO 8601, empty where a figure has no meaning. */
function figuresOf(figures: object, prefix = ''): [name: string, cell: string | number][] {
  return Object.entries(figures).flatMap(([own, value]): [string, string | number][] => {
    const name = `${prefix}${own}`
    if (typeof value === 'object' && value !== null) return figuresOf(value, `${name}.`)
    if (typeof value === 'number' && own.endsWith('At')) return [[name, formatInstant(value)]]
    return [[name, typeof value === 'bigint' ? formatDecimal(value) : (value ?? '')]]
  })
}

/** From prices to profit: what costs took is negative, so that the lines add up to the change of equity. */
function costRows({ costs, initialBalance, statistics: { netProfit } }: BacktestResult): Row[] {
  const { pricePnl, lossesAbsorbed, transfers, ...paid } = costs
  const lines = [
    ['pricePnl', pricePnl] as const,
    ...Object.entries(paid).map(([name, amount]) => [name, -amount] as const),
    ...Object.entries({ lossesAbsorbed, transfers, changeOfEquity: netProfit }),
  ]
  return lines.map(([line, amount]) => ({
    ...{ line, amount: formatDecimal(amount), shareOfBalance: Number(amount) / Number(initialBalance) },
  }))
}

function dataRows({ feeds }: BacktestResult, { markets }: Recorded): Row[] {
  return feeds.map(({ rows, skipped, gaps, missingBars, largestGap, emptyDays }, index) => ({
    ...{ asset: markets[index]?.asset ?? '', rows, skipped, gaps, missingBars },
    largestGapFrom: largestGap === null ? '' : formatInstant(largestGap.from),
    largestGapTo: largestGap === null ? '' : formatInstant(largestGap.to),
    emptyDays: emptyDays.join(' '),
  }))
}

function assetOf({ markets }: Recorded): (marketId: string) => string {
  const known = new Map(markets.map(({ id, asset }) => [id, asset]))
  return (marketId) => known.get(marketId) ?? ''
}
