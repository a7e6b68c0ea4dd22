// A trade is its position from opening to closing: the sums of its fills, and what the position's record ends with.

import { expect, test } from 'vitest'
import type { Trade } from '../../../../src/backtest/accounting/tradeLog.ts'
import { type Fill, FillRecorder } from '../../../../src/backtest/recording/fills.ts'
import type { RecordedRun } from '../../../../src/backtest/recording/recorder.ts'
import { type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { type Event, fp9, ONE, type PositionRecord } from '../../../../src/index.ts'
import { restlessTrader } from './restlessTrader.ts'
import { wildMarket } from './venue.ts'

/** Leaves nothing open, so that every fill belongs to a trade. */
const tidied = (strategy: Strategy): Strategy => ({
  ...strategy,
  async onEnd(context) {
    await context.closeAll()
  },
})

interface Watched {
  readonly result: BacktestResult
  readonly fills: readonly Fill[]
  readonly events: readonly Event[]
  /** Every position, as the venue lists it at the end. */
  readonly positions: readonly PositionRecord[]
}

async function watchedRun(seed: string): Promise<Watched> {
  const recorder = new FillRecorder()
  const events: Event[] = []
  const runs: RecordedRun[] = []
  const result = await runBacktest({
    markets: [wildMarket('BTC', `${seed}/btc`, 250), wildMarket('ETH', `${seed}/eth`, 250)],
    strategy: tidied(restlessTrader(seed, ['BTC', 'ETH'])),
    account: {
      maxLeverage: fp9('60'),
      maxDailyLoss: fp9('100%'),
      maxTotalLoss: fp9('100%'),
      autoPromote: false,
    },
    recorder: {
      start: (run) => runs.push(run),
      bar() {},
      tick() {},
      commit(commit) {
        events.push(...commit.events)
        for (const event of commit.events) recorder.add(event, commit)
      },
    },
  })
  const [{ read, accountId }] = runs as [RecordedRun]
  const { data } = read.portfolio(accountId, { limit: 10_000, offset: 0 })
  return { result, fills: recorder.fills, events, positions: data }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const isOpening = ({ action }: Fill) => action === 'open' || action === 'increase'

/** Runs of every seed tried, so that the laws below look at the same ones. */
const watchedRuns = (async () => {
  const runs: Watched[] = []
  for (const seed of ['t1', 't2', 't3', 't4', 't5', 't6']) runs.push(await watchedRun(seed))
  return runs
})()

test('a trade is the sum of the fills of its position', async () => {
  let several = 0
  for (const { result, fills } of await watchedRuns) {
    expect(result.openPositions).toBe(0)
    expect(new Set(result.trades.map(({ positionId }) => positionId)).size).toBe(result.trades.length)
    expect(result.fills).toBe(fills.length)
    for (const trade of result.trades) {
      const own = fills.filter(({ positionId }) => positionId === trade.positionId)
      const [entries, exits] = [own.filter(isOpening), own.filter((fill) => !isOpening(fill))]
      const [bought, sold] = [sum(entries.map(({ quote }) => quote)), sum(exits.map(({ quote }) => quote))]
      const size = sum(entries.map((fill) => fill.size))
      expect(trade).toMatchObject({
        marketId: own[0]?.marketId,
        side: own[0]?.side,
        openedAt: own[0]?.at,
        closedAt: own.at(-1)?.at,
        size,
        entryPrice: (bought * ONE) / size,
        exitPrice: (sold * ONE) / size,
        fees: sum(own.map(({ fee }) => fee)),
        realizedPnl: sum(own.map(({ pnl }) => pnl ?? 0n)),
        traded: bought + sold,
      })
      expect(sum(exits.map((fill) => fill.size))).toBe(size)
      expect(trade.pnl).toBe(trade.realizedPnl - trade.fees + trade.funding)
      several += entries.length > 1 && exits.length > 1 ? 1 : 0
    }
  }
  expect(several).toBeGreaterThan(0)
})

test('a trade is what the record of its position ends with', async () => {
  const reached: Record<string, number> = { closed: 0, liquidated: 0, funding: 0, capped: 0 }
  for (const { result, events, positions } of await watchedRuns) {
    expect(positions.length).toBe(result.trades.length)
    for (const trade of result.trades) {
      const record = positions.find(({ id }) => id === trade.positionId)
      expect(record).toMatchObject({
        marketId: trade.marketId,
        direction: trade.side,
        openedAt: trade.openedAt,
        closedAt: trade.closedAt,
        fee: trade.fees,
        pnl: trade.realizedPnl,
        funding: trade.funding,
        status: trade.end === 'liquidated' ? 'liquidated' : 'closed',
      })
      const raw = events.flatMap((event) =>
        'rawPnl' in event && event.positionId === trade.positionId ? [event.rawPnl] : [],
      )
      expect(trade.rawPnl).toBe(sum(raw))
      reached[trade.end] = (reached[trade.end] ?? 0) + 1
      reached.funding = (reached.funding ?? 0) + (trade.funding === 0n ? 0 : 1)
      reached.capped = (reached.capped ?? 0) + (trade.rawPnl > trade.realizedPnl ? 1 : 0)
    }
    expect(result.liquidations).toBe(result.trades.filter(({ end }) => end === 'liquidated').length)
  }
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(0)
})

test('with nothing left open the trades are the change of equity, and the costs those of the trades', async () => {
  for (const { result } of await watchedRuns) {
    const { trades, costs, account, initialBalance, statistics } = result
    const of = (pick: (trade: Trade) => bigint) => sum(trades.map(pick))
    expect(of(({ pnl }) => pnl)).toBe(account.riskStatus.currentEquity - initialBalance)
    expect(statistics.netProfit).toBe(account.riskStatus.currentEquity - initialBalance)
    expect(of(({ fees }) => fees)).toBe(costs.fees + costs.liquidationPenalties)
    expect(of(({ funding }) => funding)).toBe(-costs.funding)
    expect(of(({ rawPnl, realizedPnl }) => rawPnl - realizedPnl)).toBe(costs.profitCap)
    expect(of(({ rawPnl }) => rawPnl)).toBe(
      costs.pricePnl - costs.spread - costs.scalping + costs.lossesAbsorbed,
    )
  }
})
