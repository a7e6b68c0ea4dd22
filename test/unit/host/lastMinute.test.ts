// How many there were in the last sixty seconds, against a list of all of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LastMinute } from '../../../src/host/feed/lastMinute.ts'

test('what counts came in this second or one of the fifty-nine before it', () => {
  let [none, some] = [0, 0]
  const pause = fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 58_000, max: 62_000 }))
  fc.assert(
    fc.property(fc.array(fc.record({ pause, adds: fc.boolean() }), { maxLength: 30 }), (steps) => {
      let now = 0
      const minute = new LastMinute(() => now)
      const all: number[] = []
      for (const { pause, adds } of steps) {
        now += pause
        const second = Math.floor(now / 1_000)
        if (adds) {
          minute.add()
          all.push(second)
        }
        const counted = all.filter((one) => second - one < 60).length
        expect(minute.count).toBe(counted)
        if (counted === 0 && all.length > 0) none += 1
        if (counted > 0 && counted < all.length) some += 1
      }
    }),
  )
  for (const reached of [none, some]) expect(reached).toBeGreaterThan(20)
})
