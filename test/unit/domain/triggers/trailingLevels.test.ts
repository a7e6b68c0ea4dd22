// The trigger prices of trailing stops (F8), against each stop by itself, down to prices of a few 10⁻⁹.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trailingDistance, trailingTriggerPrice } from '../../../../src/domain/formulas/trailingStop.ts'
import type { Order } from '../../../../src/domain/state/order.ts'
import { TrailingPeaks } from '../../../../src/domain/state/trailingPeaks.ts'
import { Path } from '../../../../src/domain/triggers/firingSequence.ts'
import { TrailingLevels } from '../../../../src/domain/triggers/trailingLevels.ts'
import { fp9 } from '../../../../src/index.ts'

const price = fc.bigInt(1n, 12n)
const stops = fc.array(
  fc.record({
    price,
    waits: fc.boolean(),
    distance: fc.constantFrom(['units', 1n], ['units', 2n], ['units', 4n], ['part', '5%'], ['part', '40%']),
  }),
  { minLength: 1, maxLength: 8 },
)

test.each(['long', 'short'] as const)(
  'of a %s: each stop fires where its own peak and distance say',
  (direction) => {
    const reach = { fires: 0, atOneUnit: 0, touches: 0, leaves: 0 }
    fc.assert(
      fc.property(stops, price, fc.nat(), (drawn, index, pick) => {
        const peaks = new TrailingPeaks(direction)
        const levels = new TrailingLevels(peaks)
        let orders = drawn.map(({ price: at, waits, distance: [kind, size] }, sequence) => {
          const order = {
            ...{
              sequence,
              direction,
              orderType: 'trailing_stop',
              trailingStopActivationPrice: waits ? at : 0n,
            },
            trailingStopOffset: kind === 'units' ? size : 0n,
            trailingStopOffsetPercent: kind === 'part' ? fp9(size as string) : 0n,
            peak: waits ? null : peaks.join(at),
          } as Order
          if (waits) peaks.wait(order)
          levels.add(order)
          return order
        })
        if (pick % 3 === 0) {
          const gone = orders[pick % orders.length] as Order
          levels.remove(gone)
          if (gone.peak === null) peaks.waitNoMore(gone)
          else peaks.leave(gone.peak)
          orders = orders.filter((order) => order !== gone)
        }
        const triggers = orders
          .map((order) => ({ order, at: trailingTriggerPrice(order, order.peak?.price ?? null) }))
          .filter(({ at }) => at > 0n)
        const all = triggers.map(({ at }) => at).sort((a, b) => Number(direction === 'long' ? b - a : a - b))
        expect(levels.nearestTriggerPrice()).toBe(all[0] ?? null)

        const path = new Path(direction === 'long' ? 100n : 0n)
        levels.meet(path, index)
        const met = path.inOrder().map((firing) => (firing.kind === 'order' ? firing.sequence : -1))
        const expected = triggers.filter(({ at }) => (direction === 'long' ? index <= at : index >= at))
        expect(met.sort()).toEqual(expected.map(({ order }) => order.sequence).sort())

        const touching = orders.filter(({ peak, trailingStopActivationPrice }) => {
          const from = peak?.price ?? trailingStopActivationPrice
          return direction === 'long' ? index >= from : index <= from
        })
        const anyPassed = orders.some(({ peak }) => peak?.isPassedBy(index) === true)
        const turning = touching.filter(({ peak }) => peak === null || anyPassed)
        const touches = turning.some((order) => trailingDistance(order, index) === 0n)
        expect(levels.firesWhereItTurns(index)).toBe(touches)

        if (met.length > 0) reach.fires += 1
        if (expected.some(({ at }) => at === 1n)) reach.atOneUnit += 1
        if (touches) reach.touches += 1
        else if (turning.length > 0) reach.leaves += 1
      }),
      { numRuns: 300 },
    )
    if (direction === 'short') reach.atOneUnit = 1
    for (const [what, times] of Object.entries(reach)) expect(times, what).toBeGreaterThan(0)
  },
)
