import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClosedTrade, tradeStatistics } from '../../../../src/backtest/statistics/tradeStatistics.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { DAY, exact, expectClose, sum, trade } from './samples.ts'

describe('trades', () => {
  test('sums, ratios and streaks', () => {
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 40 }), (trades) => {
        const wins = trades.filter(({ pnl }) => pnl > 0n)
        const losses = trades.filter(({ pnl }) => pnl < 0n)
        const profit = sum(wins.map(({ pnl }) => exact(pnl)))
        const loss = sum(losses.map(({ pnl }) => exact(-pnl)))
        const found = tradeStatistics(trades)
        expect(found).toMatchObject({ trades: trades.length, wins: wins.length, losses: losses.length })
        expect(found.grossProfit.toString()).toBe(profit.toFixed())
        expect(found.grossLoss.toString()).toBe(loss.toFixed())
        expect(found.netProfit.toString()).toBe(profit.minus(loss).toFixed())
        expect(found.expectancy?.toString()).toBe(profit.minus(loss).div(trades.length).floor().toFixed())
        expectClose(found.winRate, exact(wins.length).div(trades.length))
        if (losses.length === 0) expect(found.profitFactor).toBeNull()
        else expectClose(found.profitFactor, profit.div(loss))
        if (losses.length === 0 || wins.length === 0) expect(found.payoffRatio).toBeNull()
        else expectClose(found.payoffRatio, profit.div(wins.length).div(loss.div(losses.length)))
        const outcomes = trades.map(({ pnl }) => (pnl > 0n ? 'w' : pnl < 0n ? 'l' : '-')).join('')
        const longest = (pattern: RegExp) =>
          Math.max(0, ...(outcomes.match(pattern) ?? []).map((run) => run.length))
        expect(found.longestWinStreak).toBe(longest(/w+/g))
        expect(found.longestLossStreak).toBe(longest(/l+/g))
      }),
    )
  })

  const of = (pnl: bigint, count: number) =>
    new Array<ClosedTrade>(count).fill({ side: 'long', openedAt: 0, closedAt: DAY, pnl, traded: 0n })

  test('a published record: 60 of 68 trades won 1,598 each, the rest lost 534: 2.99 per dollar, 1,347 per trade', () => {
    const found = tradeStatistics([...of(fp9('1598'), 60), ...of(fp9('-534'), 8)])
    expect(found.winRate).toBeCloseTo(0.8824, 4)
    expect(found.payoffRatio).toBeCloseTo(2.99, 2)
    expect(Number((found.expectancy as bigint) / 1_000_000_000n)).toBe(1347)
  })

  test('a published profit factor: 6,000 won, 3,000 lost', () => {
    expect(tradeStatistics([...of(fp9('1500'), 4), ...of(fp9('-1000'), 3)]).profitFactor).toBe(2)
  })
})
