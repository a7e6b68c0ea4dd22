/** Orders that are wrong in exactly one way, and the code each must be answered with (I2). */

import type { EditOrder } from '../../events/command.ts'
import type { Placement } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Direction } from '../../terms/direction.ts'
import type { ErrorCode } from '../../terms/errors.ts'

type Body = Pick<Placement, 'orderType'> & Partial<Placement>

interface Malformed {
  readonly code: ErrorCode
  /** Applies to one direction; absent = to both. */
  readonly direction?: Direction
  /** Replaces the fields of an otherwise acceptable order. */
  readonly body: Body
}

const P = 100n * ONE
const limit = { orderType: 'limit', triggerPrice: P } as const
const stopLimit = { orderType: 'stop_limit', triggerPrice: P, stopLimitPrice: P } as const
const trailing = { orderType: 'trailing_stop', trailingStopOffset: 1n } as const
const NONE = '00000000-0000-4000-8000-0000000000ff'

/** Placements that are wrong in one way each, with the code that says so (I2). */
export const MALFORMED: readonly Malformed[] = [
  { code: 'validation_failed', body: { orderType: 'market', triggerPrice: 0n } },
  { code: 'validation_failed', body: { ...trailing, triggerPrice: 1n } },
  { code: 'validation_failed', body: { ...limit, expectedAmount: -1n } },
  { code: 'amount_not_positive', body: { ...limit, amount: 0n } },
  { code: 'amount_not_positive', body: { ...trailing, amount: -1n } },
  { code: 'base_size_required', body: { ...limit, sizeMode: 'base' } },
  { code: 'base_size_required', body: { ...limit, sizeMode: 'base', baseSize: 0n } },
  { code: 'base_size_negative', body: { ...limit, sizeMode: 'base', baseSize: -1n } },
  { code: 'base_size_not_allowed', body: { ...limit, baseSize: 1n } },
  { code: 'base_size_not_allowed', body: { ...trailing, sizeMode: 'base' } },
  { code: 'leverage_required', body: { ...limit, leverage: null } },
  { code: 'leverage_negative', body: { ...limit, leverage: -1n } },
  { code: 'invalid_leverage', body: { orderType: 'market', leverage: 0n } },
  { code: 'trigger_price_required', body: { orderType: 'limit' } },
  { code: 'trigger_price_required', body: { orderType: 'stop' } },
  { code: 'trigger_price_required', body: { orderType: 'stop_market', triggerPrice: 0n } },
  { code: 'trigger_price_negative', body: { orderType: 'limit', triggerPrice: -1n } },
  { code: 'trigger_price_negative', body: { orderType: 'take', triggerPrice: -1n } },
  { code: 'stop_trigger_price_negative', body: { ...limit, stopTriggerPrice: -1n } },
  { code: 'take_trigger_price_negative', body: { ...limit, takeTriggerPrice: -1n } },
  { code: 'stop_trigger_price_gt_trigger_price', direction: 'long', body: { ...limit, stopTriggerPrice: P } },
  {
    code: 'stop_trigger_price_lt_trigger_price',
    direction: 'short',
    body: { ...limit, stopTriggerPrice: P },
  },
  {
    code: 'stop_trigger_price_gt_trigger_price',
    direction: 'long',
    body: { ...stopLimit, stopLimitPrice: P - 1n, stopTriggerPrice: P - 1n },
  },
  {
    code: 'take_trigger_price_gt_trigger_price',
    direction: 'short',
    body: { ...limit, takeTriggerPrice: P },
  },
  { code: 'take_trigger_price_lt_trigger_price', direction: 'long', body: { ...limit, takeTriggerPrice: P } },
  { code: 'stop_limit_price_required', body: { ...stopLimit, stopLimitPrice: 0n } },
  { code: 'stop_limit_price_negative', body: { ...stopLimit, stopLimitPrice: -1n } },
  {
    code: 'stop_limit_price_gt_trigger_price',
    direction: 'long',
    body: { ...stopLimit, stopLimitPrice: P + 1n },
  },
  {
    code: 'stop_limit_price_lt_trigger_price',
    direction: 'short',
    body: { ...stopLimit, stopLimitPrice: P - 1n },
  },
  {
    code: 'trailing_stop_activation_price_negative',
    body: { ...trailing, trailingStopActivationPrice: -1n },
  },
  { code: 'trailing_stop_offset_required', body: { ...trailing, trailingStopOffset: 0n } },
  { code: 'trailing_stop_offset_conflict', body: { ...trailing, trailingStopOffsetPercent: 1n } },
  { code: 'trailing_stop_offset_negative', body: { ...trailing, trailingStopOffset: -1n } },
  {
    code: 'trailing_stop_offset_percent_negative',
    body: { ...trailing, trailingStopOffset: 0n, trailingStopOffsetPercent: -1n },
  },
  {
    code: 'trailing_stop_offset_percent_gte_one',
    body: { ...trailing, trailingStopOffset: null, trailingStopOffsetPercent: ONE },
  },
  { code: 'position_id_required', body: { orderType: 'stop', triggerPrice: P, positionId: null } },
]

/**
 * An order that is malformed as a table entry says, on an account and a market.
 *
 * ```ts
 * const target = { accountId: ALICE, marketId: BTC, direction: 'long' } as const
 * MALFORMED.every((one) => !engine.dispatch(malformedOrder(one, target)).ok) // → true
 * ```
 */
export function malformedOrder(
  { body, direction }: Malformed,
  target: Pick<Placement, 'accountId' | 'marketId' | 'direction'>,
): Placement {
  const closes = ['stop', 'take', 'trailing_stop'].includes(body.orderType)
  const sound = closes ? { positionId: NONE } : { leverage: 2n * ONE }
  const plain = { type: 'placeOrder', amount: ONE, ...sound, ...target } as const
  return { ...plain, direction: direction ?? target.direction, ...body }
}

/**
 * Edits that are wrong for any order they could name, or for most.
 *
 * ```ts
 * const edits = malformedEdits(position.id)
 * edits.every((edit) => !engine.dispatch(edit).ok) // → true
 * ```
 */
export function malformedEdits(orderId: string): EditOrder[] {
  return [
    { type: 'editOrder', orderId, triggerPrice: 0n },
    { type: 'editOrder', orderId, triggerPrice: -1n },
    { type: 'editOrder', orderId, amount: 0n },
    { type: 'editOrder', orderId, baseSize: 1n },
    { type: 'editOrder', orderId, baseSize: 0n, amount: 1n },
    { type: 'editOrder', orderId, baseSize: -1n, amount: 1n },
    { type: 'editOrder', orderId, expectedAmount: -1n },
  ]
}
