// Of days and trades that are all alike every draw is the same, so that each interval is the figure itself.

import { expect, test } from 'vitest'
import { runConfidence } from '../../../../src/backtest/statistics/confidence.ts'

const DAYS = 40
const alike = (value: number) => Array<number>(DAYS).fill(value)
const exactly = (value: number) => ({ low: expect.closeTo(value, 9), high: expect.closeTo(value, 9) })

test.each([0.01, -0.02])('a return of %d every day', (daily) => {
  const end = (1 + daily) ** DAYS
  expect(runConfidence(alike(daily), [])).toMatchObject({
    totalReturn: exactly(end - 1),
    maxDrawdown: exactly(daily > 0 ? 0 : 1 - end),
    shareWithProfit: daily > 0 ? 1 : 0,
    ...{ winRate: null, profitFactor: null, netProfit: null },
  })
})

test('a gain of every trade, and a loss', () => {
  const of = (value: number) => runConfidence([], alike(value))
  expect(of(5)).toMatchObject({ winRate: exactly(1), profitFactor: null, netProfit: exactly(5 * DAYS) })
  expect(of(-5)).toMatchObject({
    winRate: exactly(0),
    profitFactor: exactly(0),
    netProfit: exactly(-5 * DAYS),
  })
  expect(of(0)).toMatchObject({ winRate: exactly(0), netProfit: exactly(0) })
  expect(of(5)).toMatchObject({ totalReturn: null, maxDrawdown: null, shareWithProfit: null })
})

test('of gains and losses by turns the interval holds what came of them', () => {
  const days = Array.from({ length: DAYS }, (_, at) => (at % 2 === 0 ? 0.03 : -0.02))
  const { totalReturn, maxDrawdown, netProfit, winRate, shareWithProfit } = runConfidence(days, days)
  const holds = (interval: { readonly low: number; readonly high: number } | null, value: number) => {
    expect(interval?.low).toBeLessThanOrEqual(value)
    expect(interval?.high).toBeGreaterThanOrEqual(value)
    expect(interval?.low).not.toBe(interval?.high)
  }
  holds(totalReturn, (1.03 * 0.98) ** (DAYS / 2) - 1)
  holds(winRate, 0.5)
  holds(netProfit, (DAYS / 2) * 0.01)
  expect(maxDrawdown?.low).toBeGreaterThanOrEqual(0.02 - 1e-12)
  expect(maxDrawdown?.high).toBeLessThan(0.56)
  expect(shareWithProfit).toBeGreaterThan(0.5)
})
