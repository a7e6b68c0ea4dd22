// Of a period the rows and gaps within it are told, and nothing of what a chunk of the file held beside it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BarColumns, emptyBars } from '../../../../src/backtest/feed/columns.ts'
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { feedWithin } from '../../../../src/backtest/run/period.ts'

const MINUTE = 60_000

function barsAt(minutes: readonly number[]): BarColumns {
  const bars = emptyBars(minutes.length)
  for (const [row, minute] of minutes.entries()) bars.openTime[row] = minute * MINUTE
  return bars
}

const moments = fc
  .uniqueArray(fc.nat(40), { minLength: 1, maxLength: 30 })
  .map((all) => all.sort((a, b) => a - b))

test('its summary is that of a feed of its rows alone, however they are cut into chunks', () =>
  fc.assert(
    fc.asyncProperty(moments, fc.nat(30), fc.nat(40), fc.nat(40), async (minutes, cut, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const chunks = [minutes.slice(0, cut), minutes.slice(cut)].filter((part) => part.length > 0)
      const feed = feedWithin(
        barFeedOf('minutes', MINUTE, () => chunks.map(barsAt)),
        from * MINUTE,
        to * MINUTE,
      ) as BarFeed
      const within = minutes.filter((minute) => minute >= from && minute < to)
      const missing = within.slice(1).map((minute, index) => minute - (within[index] as number) - 1)
      const largest = Math.max(0, ...missing)
      // A feed is walked as often as wanted, and tells of its latest walk.
      for (let walk = 0; walk < 2; walk++) {
        const seen: number[] = []
        for await (const { openTime } of feed) seen.push(...openTime)
        expect(seen).toEqual(within.map((minute) => minute * MINUTE))
        const { rows, gaps, missingBars, largestGap } = feed.summary()
        expect([rows, gaps, missingBars]).toEqual([
          within.length,
          missing.filter((bars) => bars > 0).length,
          missing.reduce((sum, bars) => sum + bars, 0),
        ])
        expect(largestGap === null ? 0 : largestGap.to - largestGap.from).toBe(
          largest === 0 ? 0 : (largest + 1) * MINUTE,
        )
      }
    }),
  ))
