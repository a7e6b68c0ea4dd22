// Prices gathered into bars of the clock's own intervals: a price that comes late is in no bar that has been told.

import { expect, test } from 'vitest'
import { GatheredBars } from '../../../../src/backtest/live/gatheredBars.ts'

test('a price of an interval that was told belongs to the next one; each market has its own', () => {
  const bars = new GatheredBars(1_000)
  bars.add('BTC', 1_100, 50n)
  bars.add('ETH', 1_200, 7n)
  expect(bars.endedBy('BTC', 2_000)).toMatchObject({ bar: { openTime: 1_000, close: 50n }, missing: 0 })
  // On its way when the interval was told.
  bars.add('BTC', 1_999, 60n)
  bars.add('BTC', 2_500, 55n)
  expect(bars.endedBy('BTC', 3_000)).toMatchObject({
    bar: { openTime: 2_000, open: 60n, high: 60n, low: 55n, close: 55n },
    missing: 0,
  })
  expect(bars.endedBy('ETH', 4_100)).toMatchObject({ bar: { openTime: 1_000, close: 7n }, missing: 2 })
  expect(bars.endedBy('ETH', 9_000)).toBeNull()
})
