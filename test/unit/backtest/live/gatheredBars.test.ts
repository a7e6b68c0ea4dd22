// Prices gathered into bars of the clock's own intervals: a price that comes late is in no bar that has been told.

import { expect, test } from 'vitest'
import { GatheredBars } from '../../../../src/backtest/live/gatheredBars.ts'

test('a price of an interval that was told belongs to the next one; each market has its own', () => {
  const bars = new GatheredBars(1_000)
  expect(bars.add('BTC', 1_100, 50n)).toBe(0)
  expect(bars.add('ETH', 1_200, 7n)).toBe(0)
  expect(bars.endedBy('BTC', 2_000)).toMatchObject({ openTime: 1_000, close: 50n })
  // On its way when the interval was told.
  expect(bars.add('BTC', 1_999, 60n)).toBe(0)
  expect(bars.add('BTC', 2_500, 55n)).toBe(0)
  expect(bars.endedBy('BTC', 3_000)).toMatchObject({
    ...{ openTime: 2_000, open: 60n, high: 60n, low: 55n, close: 55n },
  })
  expect(bars.endedBy('ETH', 4_100)).toMatchObject({ openTime: 1_000, close: 7n })
  expect(bars.endedBy('ETH', 9_000)).toBeNull()
})

test('intervals without a price are counted when the next one comes, whenever the bar before them was told', () => {
  const bars = new GatheredBars(1_000)
  bars.add('BTC', 1_100, 50n)
  bars.endedBy('BTC', 2_000)
  expect(bars.endedBy('BTC', 4_100)).toBeNull()
  expect(bars.add('BTC', 4_100, 51n)).toBe(2)
  expect(bars.add('BTC', 4_200, 52n)).toBe(0)
  expect(bars.endedBy('BTC', 8_000)).toMatchObject({ openTime: 4_000 })
  expect(bars.add('BTC', 8_000, 53n)).toBe(3)
})
