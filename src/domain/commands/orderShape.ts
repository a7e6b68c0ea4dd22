/** The shape of an order for its type (POST 1): one code per combination of fields, in the documented order (I2). */

import { namesOf, tableOf } from '../../collections/table.ts'
import { canBeTold, type Placement, type PlacementField, type PlaceOrder } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type ErrorCode, invalid, type Rejection, rejection } from '../../terms/errors.ts'
import {
  isTrailing,
  mayDoWithoutTrigger,
  type OrderType,
  PLACEABLE_ORDER_TYPES,
  spawnsLimit,
  takesTriggerPrice,
} from '../../terms/orderTypes.ts'

/** Fields that are refused as malformed rather than by a code of their own (F6). */
export function placementSchemaRejection(command: Placement): Rejection | null {
  const { orderType, triggerPrice } = command
  if (triggerPrice == null || canBeTold(orderType, 'triggerPrice')) return null
  return isTrailing(orderType) && triggerPrice === 0n ? null : invalid('triggerPrice')
}

type Check = (command: Placement) => Rejection | null

/** Of the size mode and of the limit of the size the kind says all there is to say (`commandTable.ts`). */
type CheckedField = Exclude<PlacementField, 'sizeMode' | 'expectedAmount'>

/**
 * What is asked of each field, in order of precedence: the first fault wins (I2). A field is asked about where it means
 * something to the order type.
 */
const CHECKS: { readonly [Field in CheckedField]: Check } = {
  baseSize: baseSizeRejection,
  leverage: leverageRejection,
  triggerPrice: triggerRejection,
  stopTriggerPrice: ({ stopTriggerPrice }) => negative(stopTriggerPrice, 'stop_trigger_price_negative'),
  takeTriggerPrice: (command) =>
    negative(command.takeTriggerPrice, 'take_trigger_price_negative') ??
    attachedRejection(attachedTermsOf(command)),
  stopLimitPrice: stopLimitRejection,
  trailingStopActivationPrice: ({ trailingStopActivationPrice }) =>
    negative(trailingStopActivationPrice, 'trailing_stop_activation_price_negative'),
  trailingStopOffset: trailingOffsetRejection,
  trailingStopOffsetPercent: trailingPercentRejection,
  positionId: ({ positionId }) => (positionId == null ? rejection('position_id_required') : null),
}

const CHECKS_OF = tableOf(PLACEABLE_ORDER_TYPES, (type) =>
  namesOf(CHECKS)
    .filter((field) => canBeTold(type, field))
    .map((field) => CHECKS[field]),
)

/** The amount, a size that is not for this type, then the fields in their order. */
export function placementShapeRejection(command: Placement): Rejection | null {
  if (command.amount <= 0n) return rejection('amount_not_positive')
  if (!canBeTold(command.orderType, 'baseSize') && (command.sizeMode === 'base' || command.baseSize != null))
    return rejection('base_size_not_allowed')
  for (const check of CHECKS_OF[command.orderType]) {
    const rejected = check(command)
    if (rejected !== null) return rejected
  }
  return null
}

/**
 * A placement that neither check refuses: it has what its order type needs. That this follows from the table of checks is more
 * than the compiler can see.
 */
export function shapedOrder(placement: Placement): PlaceOrder {
  return placement as PlaceOrder
}

function negative(value: bigint | null | undefined, code: ErrorCode): Rejection | null {
  return value != null && value < 0n ? rejection(code) : null
}

function baseSizeRejection({ sizeMode, baseSize }: Placement): Rejection | null {
  const baseSized = sizeMode === 'base'
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
  if (triggerPrice == null || (triggerPrice === 0n && !mayDoWithoutTrigger(orderType)))
    return rejection('trigger_price_required')
  return triggerPrice < 0n ? rejection('trigger_price_negative') : null
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
  return stopLimitSideRejection(command.direction, command.triggerPrice ?? 0n, stopLimitPrice)
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
function trailingOffsetRejection(command: Placement): Rejection | null {
  const offset = command.trailingStopOffset ?? 0n
  const percent = command.trailingStopOffsetPercent ?? 0n
  if (offset === 0n && percent === 0n) return rejection('trailing_stop_offset_required')
  if (offset !== 0n && percent !== 0n) return rejection('trailing_stop_offset_conflict')
  return negative(offset, 'trailing_stop_offset_negative')
}

function trailingPercentRejection({ trailingStopOffsetPercent }: Placement): Rejection | null {
  const percent = trailingStopOffsetPercent ?? 0n
  if (percent < 0n) return rejection('trailing_stop_offset_percent_negative')
  return percent >= ONE ? rejection('trailing_stop_offset_percent_gte_one') : null
}
