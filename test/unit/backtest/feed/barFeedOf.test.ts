// Bars in memory as a feed.
import { expect, test } from 'vitest'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'

test('its summary counts what was read last, and finds nothing wrong with it', async () => {
  const column = (length: number) => BigInt64Array.from({ length }, () => 1n)
  const chunk = (length: number) => ({
    length,
    openTime: Float64Array.from({ length }, (_, at) => at * 60_000),
    volume: new Float64Array(length),
    ...{ open: column(length), high: column(length), low: column(length), close: column(length) },
  })
  const feed = barFeedOf('two chunks', 60_000, () => [chunk(3), chunk(4)])
  const read = { skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null }
  expect(feed.summary()).toEqual({ rows: 0, ...read })
  for (let time = 0; time < 2; time++) {
    const lengths: number[] = []
    for await (const { length } of feed) lengths.push(length)
    expect(lengths).toEqual([3, 4])
    expect(feed.summary()).toEqual({ rows: 7, ...read })
  }
})
