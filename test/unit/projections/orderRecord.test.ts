// What an order shows once it has ended is what it showed while it was resting.

import { expect, test } from 'vitest'
import { fp9, type PlaceOrder } from '../../../src/index.ts'
import { Venue } from '../venue.ts'

const P = fp9

test.each<[string, Partial<PlaceOrder>]>([
  ['limit', { orderType: 'limit', triggerPrice: P('90') }],
  ['stop_market', { orderType: 'stop_market', triggerPrice: P('110') }],
  ['stop_limit', { orderType: 'stop_limit', triggerPrice: P('110'), stopLimitPrice: P('105') }],
  ['stop', { orderType: 'stop', triggerPrice: P('95'), amount: P('1') }],
  ['take', { orderType: 'take', triggerPrice: P('120'), amount: P('1') }],
  ['trailing_stop', { orderType: 'trailing_stop', trailingStopOffset: P('3'), amount: P('1') }],
])('a %s that is cancelled keeps every field but its status', (orderType, terms) => {
  const venue = new Venue()
  const closes = ['stop', 'take', 'trailing_stop'].includes(orderType)
  const order = venue.place(closes ? { ...terms, positionId: venue.open().id } : terms)
  expect(order.status).toBe('active')
  venue.wait(5)
  if (orderType === 'trailing_stop') venue.tick('104')
  const resting = venue.order(order.id)
  if (terms.triggerPrice !== undefined) expect(resting.triggerPrice).toBe(terms.triggerPrice)
  if (terms.stopLimitPrice !== undefined) expect(resting.limitPrice).toBe(terms.stopLimitPrice)
  venue.accepted({ type: 'cancelOrder', orderId: order.id })
  expect(venue.order(order.id)).toEqual({ ...resting, status: 'canceled' })
  expect(new Set([resting.triggerPrice, resting.limitPrice]).size).toBe(orderType === 'stop_limit' ? 2 : 1)
})
