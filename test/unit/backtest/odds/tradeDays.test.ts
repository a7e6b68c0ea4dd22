// Days of trades: each in its day, none overlapping another, and what a day brought.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayGains, tradeDays, USUAL_MS } from '../../../../src/backtest/odds/tradeDays.ts'

const DAY = 86_400_000

test('every day from the first close to the last is there, and every trade in the day it closed on', () => {
  const own = fc.record({
    closedAt: fc.integer({ min: 10 * DAY, max: 20 * DAY }),
    held: fc.option(fc.integer({ min: 0, max: 2 * DAY }), { nil: null }),
    pnl: fc.integer({ min: -1_000, max: 1_000 }),
    worst: fc.option(fc.integer({ min: -2_000, max: 0 }), { nil: null }),
  })
  fc.assert(
    fc.property(fc.array(own, { minLength: 1, maxLength: 30 }), (drawn) => {
      const trades = drawn
        .map(({ held, ...trade }) => ({ ...trade, openedAt: held === null ? null : trade.closedAt - held }))
        .sort((a, b) => a.closedAt - b.closedAt)
      const days = tradeDays(trades, 500)
      const dayOf = (at: number) => Math.floor(at / DAY)
      const first = dayOf(trades[0]?.closedAt as number)
      expect(days.length).toBe(dayOf(trades.at(-1)?.closedAt as number) - first + 1)
      for (const [index, day] of days.entries()) {
        const its = trades.filter(({ closedAt }) => dayOf(closedAt) === first + index)
        expect(day.map(({ gain, worst }) => [gain, worst])).toEqual(
          its.map(({ pnl, worst }) => [pnl / 500, Math.min(0, pnl, worst ?? 0) / 500]),
        )
        let free = 0
        for (const [at, { opens, closes }] of day.entries()) {
          const { openedAt, closedAt } = its[at] as (typeof its)[number]
          const midnight = (first + index) * DAY
          expect(opens).toBe(Math.max(free, Math.max(0, (openedAt ?? closedAt - USUAL_MS) - midnight)))
          expect(closes).toBe(Math.max(opens + 2, closedAt - midnight))
          free = closes + 1
        }
      }
      const gains = dayGains(days)
      expect(gains.length).toBe(days.length)
      const sum = trades.reduce((all, { pnl }) => all + pnl / 500, 0)
      expect(gains.reduce((all, gain) => all + gain, 0)).toBeCloseTo(sum, 9)
    }),
    { numRuns: 100 },
  )
})

test('what a trade had gained before its day is not of the day', () => {
  const held = { from: 0.25 } as NonNullable<Parameters<typeof dayGains>[0][number][number]['held']>
  expect(dayGains([[{ opens: 0, closes: 2, gain: 1, worst: 0, held }], []])).toEqual([0.75, 0])
})
