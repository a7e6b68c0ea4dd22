// What an account shows of its drawdown rules.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fp9 } from '../../../src/index.ts'
import { MINUTE, Venue } from '../venue.ts'

test('H8: what may still be lost is the way from the equity down to the floor, and nothing below it', () => {
  let [above, below] = [0, 0]
  fc.assert(
    fc.property(
      fc.bigInt({ min: fp9('80.5'), max: fp9('120') }),
      fc.constantFrom('5%', '10%', '100%'),
      fc.constantFrom('5%', '12%', '100%'),
      (price, maxDailyLoss, maxTotalLoss) => {
        const venue = new Venue({
          account: { maxDailyLoss: fp9(maxDailyLoss), maxTotalLoss: fp9(maxTotalLoss) },
        })
        venue.open({ amount: fp9('2000'), leverage: fp9('5') })
        venue.wait(MINUTE)
        venue.tick(price)
        const { riskStatus } = venue.account()
        const { dailyLossFloor, dailyLossRemaining, totalLossFloor, totalLossRemaining } = riskStatus
        for (const [floor, remaining] of [
          [dailyLossFloor, dailyLossRemaining],
          [totalLossFloor, totalLossRemaining],
        ] as const) {
          if (floor === null) expect(remaining).toBeNull()
          else expect(remaining).toBe(venue.equity > floor ? venue.equity - floor : 0n)
          if (floor !== null && venue.equity > floor) above += 1
          if (floor !== null && venue.equity < floor) below += 1
        }
        expect([dailyLossFloor === null, totalLossFloor === null]).toEqual([
          maxDailyLoss === '100%',
          maxTotalLoss === '100%',
        ])
      },
    ),
  )
  expect(above).toBeGreaterThan(20)
  expect(below).toBeGreaterThan(20)
})
