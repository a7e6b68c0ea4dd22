/** The shape of an order for its type (POST 1): one code per combination of fields, in the documented order (I2). */

import type { Placement } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { invalid, type Refusal, refusal } from '../../terms/errors.ts'
import {
  isCloseType,
  isTrailing,
  mayDoWithoutTrigger,
  type OrderType,
  spawnsLimit,
  takesTriggerPrice,
} from '../../terms/orderTypes.ts'

/** Fields that are refused as malformed rather than by a code of their own (F6). */
export function placementSchemaFault(command: Placement): Refusal | null {
  if (command.triggerPrice == null) return null
  if (takesTriggerPrice(command.orderType)) return null
  return isTrailing(command.orderType) && command.triggerPrice === 0n ? null : invalid('triggerPrice')
}

/** Size, leverage, trigger, attached, stop-limit, trailing, position: the first fault wins. */
export function placementShapeFault(command: Placement): Refusal | null {
  const closing = isCloseType(command.orderType)
  return (
    sizeFault(command, closing) ??
    (closing ? null : leverageFault(command)) ??
    triggerFault(command) ??
    (closing ? null : attachedSignFault(command)) ??
    (closing ? null : attachedFault(attachedTermsOf(command))) ??
    (spawnsLimit(command.orderType) ? stopLimitFault(command) : null) ??
    (isTrailing(command.orderType) ? trailingFault(command) : null) ??
    (closing && command.positionId == null ? refusal('position_id_required') : null)
  )
}

function sizeFault(command: Placement, closing: boolean): Refusal | null {
  const { amount, baseSize } = command
  const baseSized = command.sizeMode === 'base'
  if (amount <= 0n) return refusal('amount_not_positive')
  if (closing) return baseSized || baseSize != null ? refusal('base_size_not_allowed') : null
  if (baseSized && (baseSize == null || baseSize === 0n)) return refusal('base_size_required')
  if (baseSize == null) return null
  if (baseSize < 0n) return refusal('base_size_negative')
  return baseSized ? null : refusal('base_size_not_allowed')
}

function leverageFault({ leverage }: Placement): Refusal | null {
  if (leverage == null) return refusal('leverage_required')
  return leverage < 0n ? refusal('leverage_negative') : null
}

function triggerFault({ orderType, triggerPrice }: Placement): Refusal | null {
  if (!takesTriggerPrice(orderType)) return null
  if (triggerPrice == null || (triggerPrice === 0n && !mayDoWithoutTrigger(orderType)))
    return refusal('trigger_price_required')
  return triggerPrice < 0n ? refusal('trigger_price_negative') : null
}

function attachedSignFault({ stopTriggerPrice, takeTriggerPrice }: Placement): Refusal | null {
  if (stopTriggerPrice != null && stopTriggerPrice < 0n) return refusal('stop_trigger_price_negative')
  return takeTriggerPrice != null && takeTriggerPrice < 0n ? refusal('take_trigger_price_negative') : null
}

/** What the attached prices are compared with. */
export interface AttachedTerms {
  readonly direction: Direction
  readonly type: OrderType
  readonly triggerPrice: Price
  readonly stopLimitPrice: Price
  readonly stopTriggerPrice: Price
  readonly takeTriggerPrice: Price
}

function attachedTermsOf(command: Placement): AttachedTerms {
  return {
    direction: command.direction,
    type: command.orderType,
    triggerPrice: command.triggerPrice ?? 0n,
    stopLimitPrice: command.stopLimitPrice ?? 0n,
    stopTriggerPrice: command.stopTriggerPrice ?? 0n,
    takeTriggerPrice: command.takeTriggerPrice ?? 0n,
  }
}

/**
 * Stop-loss and take-profit on their side of the entry trigger, strictly (F11). The stop-loss of a stop_limit must
 * also be beyond the limit price it will enter at, where that is positive (J19).
 */
export function attachedFault(terms: AttachedTerms): Refusal | null {
  const { direction, type, triggerPrice, stopLimitPrice, stopTriggerPrice, takeTriggerPrice } = terms
  if (!takesTriggerPrice(type)) return null
  const long = direction === 'long'
  if (stopTriggerPrice > 0n) {
    const beyond = (entry: Price) => (long ? stopTriggerPrice < entry : stopTriggerPrice > entry)
    const beyondLimit = !spawnsLimit(type) || stopLimitPrice <= 0n || beyond(stopLimitPrice)
    if (!beyond(triggerPrice) || !beyondLimit)
      return refusal(long ? 'stop_trigger_price_gt_trigger_price' : 'stop_trigger_price_lt_trigger_price')
  }
  if (takeTriggerPrice > 0n) {
    if (long && takeTriggerPrice <= triggerPrice) return refusal('take_trigger_price_lt_trigger_price')
    if (!long && takeTriggerPrice >= triggerPrice) return refusal('take_trigger_price_gt_trigger_price')
  }
  return null
}

function stopLimitFault(command: Placement): Refusal | null {
  const { stopLimitPrice } = command
  if (stopLimitPrice == null || stopLimitPrice === 0n) return refusal('stop_limit_price_required')
  if (stopLimitPrice < 0n) return refusal('stop_limit_price_negative')
  return stopLimitSideFault(command.direction, command.triggerPrice as Price, stopLimitPrice)
}

/** The stop-limit price at or below the trigger price for a long, at or above it for a short. */
export function stopLimitSideFault(
  direction: Direction,
  triggerPrice: Price,
  stopLimitPrice: Price,
): Refusal | null {
  if (direction === 'long')
    return stopLimitPrice > triggerPrice ? refusal('stop_limit_price_gt_trigger_price') : null
  return stopLimitPrice < triggerPrice ? refusal('stop_limit_price_lt_trigger_price') : null
}

/** An offset of 0 counts as absent (F8). */
function trailingFault(command: Placement): Refusal | null {
  const activation = command.trailingStopActivationPrice ?? 0n
  const offset = command.trailingStopOffset ?? 0n
  const percent = command.trailingStopOffsetPercent ?? 0n
  if (activation < 0n) return refusal('trailing_stop_activation_price_negative')
  if (offset === 0n && percent === 0n) return refusal('trailing_stop_offset_required')
  if (offset !== 0n && percent !== 0n) return refusal('trailing_stop_offset_conflict')
  if (offset < 0n) return refusal('trailing_stop_offset_negative')
  if (percent < 0n) return refusal('trailing_stop_offset_percent_negative')
  return percent >= ONE ? refusal('trailing_stop_offset_percent_gte_one') : null
}
