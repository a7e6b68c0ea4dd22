import { expect, test } from 'vitest'
import type { ApiOrder } from '../../../src/client/client.ts'
import { orderEnd } from '../../../src/host/console/page/trader/orderEnd.ts'
import { EXECUTED_ORDER } from '../../../src/resources/examples.ts'
import { CLOSE_REASONS } from '../../../src/terms/closeReason.ts'
import { EXECUTION_ERRORS } from '../../../src/terms/errors.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../src/terms/orderStatus.ts'

const told = (changes: Partial<ApiOrder>) => orderEnd({ ...(EXECUTED_ORDER as ApiOrder), ...changes })

test('every end of an order is told, and its cause', () => {
  const statuses = Object.keys(ORDER_STATUSES) as OrderStatus[]
  const ends = statuses.map((status) => told({ status, reason: null, errorCode: null }))
  expect(new Set(ends).size).toBe(statuses.length)
  expect(ends[statuses.indexOf('active')]).toBe(null)
  expect(told({ status: 'canceled', reason: null })).toBe('canceled: by you')
  for (const [reason, words] of Object.entries(CLOSE_REASONS))
    expect(told({ status: 'canceled', reason: reason as ApiOrder['reason'] })).toBe(`canceled: ${words}`)
  for (const errorCode of Object.keys(EXECUTION_ERRORS))
    expect(told({ status: 'canceled_by_error', errorCode })).toMatch(/^failed: (the|after) .*[^.]$/)
})

test('an execution says what it waited for', () => {
  const executed = { status: 'executed', indexPrice: '48000000000000', positionId: null } as const
  const at = (changes: Partial<ApiOrder>) => told({ ...executed, profitAdjustmentApplied: false, ...changes })
  expect(at({ type: 'market', triggerPrice: '0' })).toBe('filled at once at index 48,000.00')
  expect(at({ type: 'limit', triggerPrice: '48100000000000' })).toBe(
    'filled at index 48,000.00: it waited for 48,100.00',
  )
  const stop = { type: 'stop', triggerPrice: '48100000000000', parentOrderId: EXECUTED_ORDER.id } as const
  expect(at(stop)).toBe('filled at index 48,000.00: it waited for 48,100.00, attached to its entry')
  expect(at({ type: 'stop_limit', triggerPrice: '48100000000000' })).toBe(
    'triggered at index 48,000.00: it became a limit order',
  )
  expect(at({ type: 'liquidation', triggerPrice: '0' })).toBe(
    'liquidated at index 48,000.00: the margin no longer carried the position',
  )
  expect(at({ type: 'take', triggerPrice: '0', profitAdjustmentApplied: true })).toMatch(
    /; profit of the first minute capped$/,
  )
})
