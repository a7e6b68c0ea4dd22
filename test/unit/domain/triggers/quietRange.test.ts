import { describe, expect, test } from 'vitest'
import { quietRangeOf } from '../../../../src/engine/internals.ts'
import { fp9, type MemoryEngineOptions } from '../../../../src/index.ts'
import { MARKET, Venue } from '../../venue.ts'

/** A long at 100 with nothing of its own to fire near the stops below it. */
function holding(engine: MemoryEngineOptions): { venue: Venue; positionId: string } {
  const venue = new Venue({ engine })
  return { venue, positionId: venue.open({ leverage: fp9('1') }).id }
}

describe('a quiet range', () => {
  test('lies between the levels that are left: what has fired bounds it no longer', () => {
    const { venue, positionId } = holding({})
    venue.place({ orderType: 'stop', positionId, amount: fp9('0.1'), triggerPrice: fp9('95') })
    venue.place({ orderType: 'stop', positionId, amount: fp9('0.1'), triggerPrice: fp9('80') })
    venue.tick('100')
    expect(quietRangeOf(venue.engine, MARKET)?.above).toBe(fp9('95'))
    venue.tick('90')
    venue.tick('90')
    expect(quietRangeOf(venue.engine, MARKET)?.above).toBe(fp9('80'))
  })

  test('is bounded by what was reached and did not fire', () => {
    const { venue, positionId } = holding({ log: false, rules: { stopsFire: false } })
    venue.place({ orderType: 'stop', positionId, amount: fp9('0.1'), triggerPrice: fp9('95') })
    venue.tick('90')
    expect(venue.orders()).toHaveLength(1)
    expect(quietRangeOf(venue.engine, MARKET)?.above).toBe(fp9('95'))
  })
})
