// Whatever an order says, the form in which it rests says the same, field by field, and what is assigned to one is its own.

import { expect, test } from 'vitest'
import { type Order, orderState } from '../../../../src/domain/state/order.ts'
import { restingForm } from '../../../../src/domain/state/restingClose.ts'

const STOP: Order = {
  id: 'order',
  accountId: 'account',
  marketId: 'market',
  status: 'active',
  orderType: 'stop',
  direction: 'long',
  triggerPrice: 90n,
  requestedTriggerPrice: 91n,
  stopPrice: 0n,
  limitPrice: 90n,
  stopTriggerPrice: 0n,
  takeTriggerPrice: 0n,
  trailingStopActivationPrice: 0n,
  trailingStopOffset: 0n,
  trailingStopOffsetPercent: 0n,
  leverage: null,
  positionId: 'position',
  parentOrderId: 'parent',
  amount: 5n,
  indexPrice: null,
  createdAt: 1_767_571_800_000,
  realizedPnl: null,
  rawRealizedPnl: null,
  profitAdjustmentApplied: false,
  sizeMode: 'quote',
  baseSize: null,
  reservedAmount: null,
  errorCode: null,
  reason: null,
  sequence: 7,
  phaseOrdinal: 2,
  reserve: 0n,
  expectedAmount: 0n,
  peak: null,
}

const FIELDS = Object.keys(STOP) as (keyof Order)[]

/** Something else than a stop says, of no matter what kind. */
function other(field: keyof Order): unknown {
  const value = STOP[field]
  if (field === 'peak') return { price: 3n, into: null }
  return typeof value === 'bigint' || value === null ? 3n : typeof value === 'boolean' ? !value : 'other'
}

test('a stop rests in another form, of half as many fields of its own', () => {
  const resting = restingForm(STOP)
  expect(resting).not.toBe(STOP)
  expect(Object.keys(resting).length).toBeLessThan(FIELDS.length / 2)
})

test.each(FIELDS)('an order with another %s rests as it is', (field) => {
  const order = { ...STOP, [field]: other(field) } as Order
  const resting = restingForm(order)
  for (const each of FIELDS) expect(resting[each], each).toBe(order[each])
  expect(orderState(resting)).toStrictEqual(orderState(order))
})

test.each(FIELDS)('what is assigned to the %s of one changes no other', (field) => {
  const [one, another] = [restingForm(STOP), restingForm(STOP)]
  const value = other(field)
  Object.assign(one, { [field]: value })
  expect(one[field]).toBe(value)
  expect(orderState(another)).toStrictEqual(orderState(STOP))
})
