// What the end of an order leaves in its record, end by end.

import { describe, expect, test } from 'vitest'
import { endOrder, endsOrder } from '../../../../src/domain/evolve/orderReducers.ts'
import type { EditableOrderRecord } from '../../../../src/domain/state/order.ts'
import type { OrderEnd } from '../../../../src/events/orderEvents.ts'

const active = (orderType: string) =>
  ({ orderType, status: 'active', triggerPrice: 1n, limitPrice: 2n, amount: 3n }) as EditableOrderRecord

const executed = {
  indexPrice: 5n,
  amount: 6n,
  realizedPnl: 7n,
  rawRealizedPnl: 8n,
  profitAdjustmentApplied: true,
}
const ENDS: readonly [event: object, left: object][] = [
  [
    { type: 'orderExecuted', ...executed },
    { status: 'executed', ...executed },
  ],
  [
    { type: 'orderCanceled', status: 'canceled', reason: null },
    { status: 'canceled', reason: null },
  ],
  [
    { type: 'orderCanceled', status: 'canceled_by_position', reason: null },
    { status: 'canceled_by_position', reason: null },
  ],
  [
    { type: 'orderFailed', errorCode: 'price_stale' },
    { status: 'canceled_by_error', errorCode: 'price_stale' },
  ],
  [{ type: 'orderReplaced' }, { status: 'canceled_by_update' }],
]

describe.each(ENDS)('%o', (event, left) => {
  test.each(['limit', 'stop', 'take'])(
    'a %s has the trigger price of the event and keeps its limit',
    (orderType) => {
      const order = active(orderType)
      endOrder(order, { ...event, triggerPrice: 9n } as OrderEnd)
      expect(order).toEqual({ ...active(orderType), ...left, triggerPrice: 9n })
    },
  )

  test('F8: a trailing stop has the last ratcheted price as both', () => {
    const order = active('trailing_stop')
    endOrder(order, { ...event, triggerPrice: 9n } as OrderEnd)
    expect(order).toEqual({ ...active('trailing_stop'), ...left, triggerPrice: 9n, limitPrice: 9n })
  })

  test('is an end', () => expect(endsOrder(event as OrderEnd)).toBe(true))
})

test('an order that is placed has not ended, and neither has what is named like an object’s own', () => {
  for (const type of ['orderPlaced', 'toString', 'constructor']) expect(endsOrder({ type })).toBe(false)
})
