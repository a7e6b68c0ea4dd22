// A span of trades that looks as if a date of them were wrong is told, and one of which nearly all days are idle; others are not.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanNotes } from '../../../../src/backtest/odds/tradeSpan.ts'

const DAY = 86_400_000
const closedOn = (days: readonly number[]) =>
  days.map((day) => ({ openedAt: null, closedAt: day * DAY + 5, pnl: 1, worst: null }))
const dayOf = (date: string) => Date.parse(date) / DAY

test('a date a century before the others is told', () => {
  const trades = closedOn([
    dayOf('1925-01-02'),
    dayOf('2024-12-30'),
    dayOf('2024-12-31'),
    dayOf('2025-01-02'),
  ])
  expect(spanNotes(trades)).toEqual([
    '36522 of the 36526 days have no trade and are drawn so; none was closed between 1925-01-02 and 2024-12-30: is a date wrong?',
  ])
})

test('what is told follows from the longest rest and the share of idle days, at their edges as well', () => {
  const edges = [1, 2, 9, 10, 11, 19, 20, 21, 365, 366, 367, 368]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, ...edges), { minLength: 0, maxLength: 12 }), (steps) => {
      const days = [20_000]
      for (const step of steps) days.push((days.at(-1) as number) + step)
      const [all, traded] = [(days.at(-1) as number) - 20_000 + 1, new Set(days).size]
      const isLong = steps.some((step) => step > 366)
      const isIdle = (all - traded) / all > 0.9
      const notes = spanNotes(closedOn(days))
      expect(notes).toHaveLength(isLong || isIdle ? 1 : 0)
      expect(notes.some((note) => note.endsWith('is a date wrong?'))).toBe(isLong)
      if (notes[0] !== undefined) expect(notes[0]).toMatch(new RegExp(`^${all - traded} of the ${all} days`))
    }),
  )
})

test('trades of one day have nothing to be told of', () => {
  expect([spanNotes(closedOn([3])), spanNotes(closedOn([3, 3]))]).toEqual([[], []])
})
