// What becomes of an order of each type, with a trigger price and without (F1, F5 to F8).

import { expect, test } from 'vitest'
import {
  canFire,
  fillsAtOnce,
  hasNoTrigger,
  mayDoWithoutTrigger,
  mayRest,
  ORDER_TYPES,
  type OrderType,
  stopsLoss,
  takesTriggerPrice,
} from '../../../src/terms/orderTypes.ts'

const AT_ONCE = { fills: true, fires: false }
const WAITS = { fills: false, fires: true }
const NEVER = { fills: false, fires: false }

const EXPECTED: Record<OrderType, { without: object; with: object }> = {
  market: { without: AT_ONCE, with: AT_ONCE },
  limit: { without: NEVER, with: WAITS },
  stop_limit: { without: NEVER, with: WAITS },
  stop_market: { without: NEVER, with: WAITS },
  stop: { without: NEVER, with: WAITS },
  take: { without: AT_ONCE, with: WAITS },
  trailing_stop: { without: WAITS, with: WAITS },
  liquidation: { without: AT_ONCE, with: AT_ONCE },
}

test.each(Object.entries(EXPECTED))('%s', (type, expected) => {
  const orderType = type as OrderType
  const outcome = (triggerPrice: bigint) => ({
    fills: fillsAtOnce({ orderType, triggerPrice }),
    fires: canFire({ orderType, triggerPrice }),
  })
  expect({ without: outcome(0n), with: outcome(1n) }).toEqual(expected)
})

const having = (holds: (type: OrderType) => boolean) =>
  (Object.keys(ORDER_TYPES) as OrderType[]).filter(holds).sort()

test('a trigger price is told to all but those that fill at once and those that trail; two may do without, and two end a loss', () => {
  expect(having(takesTriggerPrice)).toEqual(['limit', 'stop', 'stop_limit', 'stop_market', 'take'])
  expect(having(mayDoWithoutTrigger)).toEqual(['stop', 'take'])
  expect(having(stopsLoss)).toEqual(['stop', 'trailing_stop'])
  expect(having(mayRest)).toEqual(['limit', 'stop', 'stop_limit', 'stop_market', 'take', 'trailing_stop'])
})

test('one that was pushed to 0 had a trigger price, and so has one that is at the smallest price there is (F9)', () => {
  const stop = { orderType: 'stop', triggerPrice: 0n, requestedTriggerPrice: null } as const
  expect(hasNoTrigger(stop)).toBe(true)
  expect(hasNoTrigger({ ...stop, requestedTriggerPrice: 1n })).toBe(false)
  expect(hasNoTrigger({ ...stop, triggerPrice: 1n })).toBe(false)
  expect(hasNoTrigger({ ...stop, orderType: 'limit' })).toBe(false)
})
