// From when on a log is far behind, and what going on from its end would run, counted.

import { expect, test } from 'vitest'
import { gapBefore } from '../../../src/host/gap.ts'
import type { Engine } from '../../../src/index.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const END = Date.UTC(2026, 0, 5, 0, 10)
/** One market every eight hours, one every hour. */
const INTERVALS = [8 * HOUR, HOUR]

const behind = (now: number, head = 1, end = END) => {
  const markets = INTERVALS.map((fundingIntervalMs, id) => ({ id: String(id), fundingIntervalMs }))
  const read = { markets: () => markets, marketParameters: (id: string) => markets[Number(id)] }
  return gapBefore({ head, now: end, read } as unknown as Engine, now)
}

test('a log is far behind after more than seven days, and one that has not begun never', () => {
  expect(behind(END + 7 * DAY)).toBeNull()
  expect(behind(END + 7 * DAY + 1)).not.toBeNull()
  expect(behind(END + 70 * DAY, 0)).toBeNull()
  expect(behind(END, 1, 0)).toBeNull()
})

test.each([
  [10 * DAY, 10, 10 * 3 + 10 * 24],
  [10 * DAY - 10 * 60_000, 10, 10 * 3 + 10 * 24],
  [10 * DAY - 10 * 60_000 - 1, 9, 10 * 3 - 1 + (10 * 24 - 1)],
])('%i ms later: every instant that would run is counted, and the one that is now', (ms, days, instants) => {
  expect(behind(END + ms)).toBe(
    `the log ends at 2026-01-05T00:10:00.000Z, ${days} days ago: going on from there runs ${instants} funding instants of its markets and ${days} day boundaries`,
  )
})
