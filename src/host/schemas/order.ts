/** The Order resource, and the bodies that place and edit orders. */
import { Type } from 'typebox'
import type { EditOrder } from '../../events/command.ts'
import { COMMAND_FIELDS } from '../../events/commandTable.ts'
import type { Placement } from '../../events/placeOrder.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { EXECUTION_ERRORS } from '../../terms/errors.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../terms/orderStatus.ts'
import { ORDER_TYPES, type OrderType, type PlaceableOrderType } from '../../terms/orderTypes.ts'
import { commandBody, type Said } from './commandBody.ts'
import { closed, Fp9, Instant, nullable, Uuid } from './fields.ts'

/** `reason` of an order and `closeReason` of a position (H2, G3). */
export const CLOSE_REASONS = [
  'force_close',
  'stop_accounts_fail',
  'stop_accounts_freeze',
  'stop_accounts_promote',
  'stop_accounts_manual',
  'weekly_session_risk_close',
] as const

export const OrderResource = closed(
  {
    id: Uuid,
    trader: Uuid,
    market: Uuid,
    status: Type.Enum(Object.keys(ORDER_STATUSES) as OrderStatus[]),
    type: Type.Enum(Object.keys(ORDER_TYPES) as OrderType[]),
    direction: Type.Enum([...CLOSED_SETS.direction]),
    triggerPrice: Fp9,
    requestedTriggerPrice: nullable(Fp9),
    stopPrice: Fp9,
    limitPrice: Fp9,
    stopTriggerPrice: Fp9,
    takeTriggerPrice: Fp9,
    trailingStopActivationPrice: Fp9,
    trailingStopOffset: Fp9,
    trailingStopOffsetPercent: Fp9,
    leverage: nullable(Fp9),
    positionId: nullable(Uuid),
    parentOrderId: nullable(Uuid),
    amount: Fp9,
    indexPrice: nullable(Fp9),
    createdAt: Instant,
    realizedPnl: nullable(Fp9),
    rawRealizedPnl: nullable(Fp9),
    profitAdjustmentApplied: Type.Boolean(),
    sizeMode: Type.Enum([...CLOSED_SETS.sizeMode]),
    baseSize: nullable(Fp9),
    reservedAmount: nullable(Fp9),
    errorCode: nullable(Type.Enum(Object.keys(EXECUTION_ERRORS))),
    reason: nullable(Type.Enum([...CLOSE_REASONS])),
  },
  { description: 'Order: 29 fields' },
)

const { idempotencyKey: _header, ...placementFields } = COMMAND_FIELDS.placeOrder
const { orderId: _path, ...editFields } = COMMAND_FIELDS.editOrder

type PlacementFields = Omit<Placement, 'type' | 'idempotencyKey'>
type EditFields = Omit<EditOrder, 'type' | 'orderId'>

/** The body of a placement; its `type` is the `orderType` of the command. The idempotency key is a header. */
export type PlaceOrderBody = Said<Omit<PlacementFields, 'orderType'>> & { readonly type: PlaceableOrderType }
/** The body of an edit; the order is in the path. */
export type EditOrderBody = Said<EditFields>

export const placeOrderBody = commandBody<PlacementFields, PlaceOrderBody>(placementFields, {
  orderType: 'type',
})
export const editOrderBody = commandBody<EditFields>(editFields)
