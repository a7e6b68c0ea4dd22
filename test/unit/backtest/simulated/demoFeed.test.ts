// Markets that are simulated together: any correlation that so many of them can have, and no other.

import { expect, test } from 'vitest'
import { demoFeeds } from '../../../../src/backtest/simulated/demoFeed.ts'
import { priceModelOf } from '../../../../src/backtest/simulated/marketModel.ts'

const feeds = (markets: number, correlation: number) =>
  demoFeeds(
    'apart',
    Array.from({ length: markets }, () => priceModelOf()),
    { days: 1, correlation },
  )

test.each([
  [2, 0.999],
  [2, -0.999],
  [3, -0.499],
  [5, -0.249],
  [1, 7],
])('%i markets with %f', (markets, correlation) => {
  const all = feeds(markets, correlation)
  expect(all).toHaveLength(markets)
})

test.each([
  [2, 1, 'above −1 and'],
  [2, -1, 'above −1 and'],
  [3, -0.5, 'above −0.5 and'],
  [4, -0.34, 'above −0.333 and'],
  [2, Number.NaN, 'above −1 and'],
])('%i markets cannot have %f', (markets, correlation, bound) => {
  expect(() => feeds(markets, correlation)).toThrow(RangeError)
  expect(() => feeds(markets, correlation)).toThrow(`of ${markets} markets must be ${bound}`)
})
