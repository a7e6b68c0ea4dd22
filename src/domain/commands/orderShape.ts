/** The shape of an order for its type (POST 1): one code per combination of fields, in the documented order (I2). */

import type { Placement } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { invalid, type Rejection, rejection } from '../../terms/errors.ts'
import {
  isCloseType,
  isTrailing,
  mayDoWithoutTrigger,
  type OrderType,
  spawnsLimit,
  takesTriggerPrice,
} from '../../terms/orderTypes.ts'

/** Fields that are refused as malformed rather than by a code of their own (F6). */
export function placementSchemaRejection(command: Placement): Rejection | null {
  if (command.triggerPrice == null) return null
  if (takesTriggerPrice(command.orderType)) return null
  return isTrailing(command.orderType) && command.triggerPrice === 0n ? null : invalid('triggerPrice')
}

/** Size, leverage, trigger, attached, stop-limit, trailing, position: the first fault wins. */
export function placementShapeRejection(command: Placement): Rejection | null {
  const closing = isCloseType(command.orderType)
  return (
    sizeRejection(command, closing) ??
    (closing ? null : leverageRejection(command)) ??
    triggerRejection(command) ??
    (closing ? null : attachedSignRejection(command)) ??
    (closing ? null : attachedRejection(attachedTermsOf(command))) ??
    (spawnsLimit(command.orderType) ? stopLimitRejection(command) : null) ??
    (isTrailing(command.orderType) ? trailingRejection(command) : null) ??
    (closing && command.positionId == null ? rejection('position_id_required') : null)
  )
}

function sizeRejection(command: Placement, closing: boolean): Rejection | null {
  const { amount, baseSize } = command
  const baseSized = command.sizeMode === 'base'
  if (amount <= 0n) return rejection('amount_not_positive')
  if (closing) return baseSized || baseSize != null ? rejection('base_size_not_allowed') : null
  if (baseSized && (baseSize == null || baseSize === 0n)) return rejection('base_size_required')
  if (baseSize == null) return null
  if (baseSize < 0n) return rejection('base_size_negative')
  return baseSized ? null : rejection('base_size_not_allowed')
}

function leverageRejection({ leverage }: Placement): Rejection | null {
  if (leverage == null) return rejection('leverage_required')
  return leverage < 0n ? rejection('leverage_negative') : null
}

function triggerRejection({ orderType, triggerPrice }: Placement): Rejection | null {
  if (!takesTriggerPrice(orderType)) return null
  if (triggerPrice == null || (triggerPrice === 0n && !mayDoWithoutTrigger(orderType)))
    return rejection('trigger_price_required')
  return triggerPrice < 0n ? rejection('trigger_price_negative') : null
}

function attachedSignRejection({ stopTriggerPrice, takeTriggerPrice }: Placement): Rejection | null {
  if (stopTriggerPrice != null && stopTriggerPrice < 0n) return rejection('stop_trigger_price_negative')
  return takeTriggerPrice != null && takeTriggerPrice < 0n ? rejection('take_trigger_price_negative') : null
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
export function attachedRejection(terms: AttachedTerms): Rejection | null {
  const { direction, type, triggerPrice, stopLimitPrice, stopTriggerPrice, takeTriggerPrice } = terms
  if (!takesTriggerPrice(type)) return null
  const long = direction === 'long'
  if (stopTriggerPrice > 0n) {
    const beyond = (entry: Price) => (long ? stopTriggerPrice < entry : stopTriggerPrice > entry)
    const beyondLimit = !spawnsLimit(type) || stopLimitPrice <= 0n || beyond(stopLimitPrice)
    if (!beyond(triggerPrice) || !beyondLimit)
      return rejection(long ? 'stop_trigger_price_gt_trigger_price' : 'stop_trigger_price_lt_trigger_price')
  }
  if (takeTriggerPrice > 0n) {
    if (long && takeTriggerPrice <= triggerPrice) return rejection('take_trigger_price_lt_trigger_price')
    if (!long && takeTriggerPrice >= triggerPrice) return rejection('take_trigger_price_gt_trigger_price')
  }
  return null
}

function stopLimitRejection(command: Placement): Rejection | null {
  const { stopLimitPrice } = command
  if (stopLimitPrice == null || stopLimitPrice === 0n) return rejection('stop_limit_price_required')
  if (stopLimitPrice < 0n) return rejection('stop_limit_price_negative')
  return stopLimitSideRejection(command.direction, command.triggerPrice as Price, stopLimitPrice)
}

/** The stop-limit price at or below the trigger price for a long, at or above it for a short. */
export function stopLimitSideRejection(
  direction: Direction,
  triggerPrice: Price,
  stopLimitPrice: Price,
): Rejection | null {
  if (direction === 'long')
    return stopLimitPrice > triggerPrice ? rejection('stop_limit_price_gt_trigger_price') : null
  return stopLimitPrice < triggerPrice ? rejection('stop_limit_price_lt_trigger_price') : null
}

/** An offset of 0 counts as absent (F8). */
function trailingRejection(command: Placement): Rejection | null {
  const activation = command.trailingStopActivationPrice ?? 0n
  const offset = command.trailingStopOffset ?? 0n
  const percent = command.trailingStopOffsetPercent ?? 0n
  if (activation < 0n) return rejection('trailing_stop_activation_price_negative')
  if (offset === 0n && percent === 0n) return rejection('trailing_stop_offset_required')
  if (offset !== 0n && percent !== 0n) return rejection('trailing_stop_offset_conflict')
  if (offset < 0n) return rejection('trailing_stop_offset_negative')
  if (percent < 0n) return rejection('trailing_stop_offset_percent_negative')
  return percent >= ONE ? rejection('trailing_stop_offset_percent_gte_one') : null
}
