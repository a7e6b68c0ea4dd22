// A trailing stop that has ended leaves no peak and no activation behind (F8, J21).

import { expect, test } from 'vitest'
import { letGo, takeUp } from '../../../../src/domain/evolve/trailing.ts'
import type { Market } from '../../../../src/domain/state/market.ts'
import type { Order } from '../../../../src/domain/state/order.ts'
import { TrailingPeaks } from '../../../../src/domain/state/trailingPeaks.ts'

const trailing = (sequence: number, direction: 'long' | 'short') =>
  ({ sequence, direction, trailingStopActivationPrice: 7n, peak: null }) as Order

test.each(['long', 'short'] as const)(
  'of a %s: taken up and let go of, one that trails and one that waits',
  (direction) => {
    const peaks = { long: new TrailingPeaks('long'), short: new TrailingPeaks('short') }
    const market = { trailing: peaks } as unknown as Market
    const [trails, too, waits] = [1, 2, 3].map((sequence) => trailing(sequence, direction)) as [
      Order,
      Order,
      Order,
    ]
    takeUp(market, trails, 5n)
    takeUp(market, too, 5n)
    takeUp(market, waits, null)
    expect([trails.peak?.price, trails.peak?.stops, waits.peak]).toEqual([5n, 2, null])
    letGo(market, trails)
    expect([trails.peak, peaks[direction].next?.stops]).toEqual([null, 1])
    letGo(market, waits)
    expect(peaks[direction].takeBegun(direction === 'long' ? 100n : 1n)).toBeNull()
    letGo(market, too)
    expect([peaks.long.nearestTurn(), peaks.short.nearestTurn()]).toEqual([null, null])
  },
)
