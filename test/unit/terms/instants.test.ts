import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, LAST_INSTANT, LONGEST_ADVANCE_MS, nextMidnight } from '../../../src/terms/instants.ts'

test('the next midnight is the first one after a moment, never the moment itself', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40_000 }), fc.constantFrom(0, 1, DAY_MS - 1), (day, ms) => {
      const midnight = nextMidnight(day * DAY_MS + ms)
      expect(new Date(midnight).toISOString()).toMatch(/T00:00:00\.000Z$/)
      expect(midnight).toBe((day + 1) * DAY_MS)
    }),
  )
})

test('K12: the last instant is the last of the year 9999, the longest advance ten years of any decade', () => {
  expect(new Date(LAST_INSTANT).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  for (let year = 1970; year < 2100; year++)
    expect(Date.UTC(year + 10) - Date.UTC(year)).toBeLessThanOrEqual(LONGEST_ADVANCE_MS)
})
