// What peaks cost, and what they leave behind (F8).
import { expect, test } from 'vitest'
import { RunningPeak } from '../../../../src/domain/state/runningPeak.ts'
import { TrailingPeaks } from '../../../../src/domain/state/trailingPeaks.ts'

const stepsFrom = (peak: RunningPeak): number => (peak.into === null ? 0 : 1 + stepsFrom(peak.into))

/** The price falls, a stop comes, the price rises past both peaks, and the younger stop goes: over and over. */
test('a stop that outlives a thousand others is a step away from its peak', () => {
  const peaks = new TrailingPeaks('long')
  const old = peaks.join(100n)
  for (let round = 1n; round <= 1_000n; round++) {
    const young = peaks.join(100n + round - 1n - 1n)
    const met = peaks.takePassed(100n + round)
    expect(met).toBe(old.current)
    peaks.goOnWith(young.mergedWith(old.current), 100n + round)
    peaks.leave(young)
    expect(old.price).toBe(100n + round)
  }
  expect(stepsFrom(old)).toBeLessThan(3)
})

test('as many as become one lie a few steps away from it', () => {
  let all = Array.from({ length: 1_024 }, (_, n) => new RunningPeak('short', BigInt(n + 1)))
  const first = [...all]
  while (all.length > 1)
    all = all.flatMap((peak, n) => (n % 2 === 0 ? [peak.mergedWith(all[n + 1] as RunningPeak)] : []))
  expect(new Set(first.map(({ current }) => current))).toEqual(new Set(all))
  expect(Math.max(...first.map(stepsFrom))).toBeLessThan(11)
})

test('a peak without stops is none', () => {
  const peaks = new TrailingPeaks('short')
  const held = [5n, 9n, 5n, 7n].map((price) => peaks.join(price))
  expect([peaks.next?.price, peaks.nearestTurn()]).toEqual([9n, 8n])
  for (const peak of held.slice(0, 3)) peaks.leave(peak)
  expect([peaks.next?.price, peaks.takePassed(1n)]).toEqual([7n, null])
  peaks.leave(held[3] as RunningPeak)
  expect([peaks.next, peaks.nearestTurn()]).toEqual([null, null])
})
