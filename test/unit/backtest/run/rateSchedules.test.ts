// The rate changes of all markets against a plain list of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateSchedules } from '../../../../src/backtest/run/rateSchedules.ts'

const changes = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 8 })
  .map((times) => times.sort((one, other) => one - other).map((at) => ({ at, rate: BigInt(at) })))

test('every change is told once, in order of time, at the first price after it', () => {
  let together = 0
  fc.assert(
    fc.property(
      fc.array(changes, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
      (markets, steps) => {
        const schedules = new RateSchedules(markets)
        let waiting = markets.flatMap((own, market) => own.map((change) => ({ ...change, market })))
        let time = 0
        for (const step of steps) {
          time += step
          const due = waiting.filter(({ at }) => at < time)
          waiting = waiting.filter(({ at }) => at >= time)
          const passed = schedules.passedBy(time)
          expect(passed).toEqual(due.sort((one, other) => one.at - other.at || one.market - other.market))
          expect(schedules.nextAt).toBe(Math.min(...waiting.map(({ at }) => at)))
          if (new Set(passed.map(({ market }) => market)).size > 1) together += 1
        }
      },
    ),
  )
  expect(together).toBeGreaterThan(0)
})
