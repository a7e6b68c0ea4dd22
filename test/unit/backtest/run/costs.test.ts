// The cost lines explain the change of equity exactly, whatever was traded.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AccountResult } from '../../../../src/backtest/run/participant.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { wildRun } from './venue.ts'

function explained({ costs }: AccountResult): bigint {
  return (
    costs.pricePnl -
    costs.spread -
    costs.scalping -
    costs.fees -
    costs.liquidationPenalties -
    costs.funding -
    costs.profitCap +
    costs.lossesAbsorbed +
    costs.transfers
  )
}

describe('costs', () => {
  test('the lines add up to the change of equity, to the last unit', async () => {
    const reached = { liquidations: 0, absorbed: 0, scalping: 0, capped: 0, open: 0 }
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000 }), async (seed) => {
        const result = await runBacktest(wildRun(`costs ${seed}`, 250))
        for (const account of [result, ...result.others]) {
          const change = account.account.riskStatus.currentEquity - account.initialBalance
          expect(explained(account)).toBe(change)
          reached.liquidations += account.liquidations
          reached.absorbed += account.costs.lossesAbsorbed > 0n ? 1 : 0
          reached.scalping += account.costs.scalping > 0n ? 1 : 0
          reached.capped += account.costs.profitCap > 0n ? 1 : 0
          reached.open += account.openPositions
        }
      }),
      { numRuns: 20 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(0)
  })

  test('net profit is the same change, also of what was traded at the very first prices', async () => {
    // In the first of these a strategy trades between the first bars of two markets, which close at one time.
    for (const [index, seed] of ['x0', 'x1', 'x2'].entries()) {
      const result = await runBacktest(wildRun(seed, 100 + index))
      for (const { statistics, account, initialBalance } of [result, ...result.others])
        expect(statistics.netProfit).toBe(account.riskStatus.currentEquity - initialBalance)
    }
  })

  test('the last point of the curve is the equity of the account', async () => {
    for (const seed of ['a', 'b', 'c']) {
      const result = await runBacktest(wildRun(seed, 300))
      for (const { curve, account } of [result, ...result.others])
        expect(curve.equity[curve.length - 1]).toBe(account.riskStatus.currentEquity)
    }
  })
})
