/** The Order resource, and the bodies that place and edit orders. */
import { type Static, Type } from 'typebox'
import type { EditOrder } from '../../events/command.ts'
import type { Placement } from '../../events/placeOrder.ts'
import { EXECUTION_ERRORS } from '../../terms/errors.ts'
import { ORDER_TYPES, type OrderType, PLACEABLE_ORDER_TYPES } from '../../terms/orderTypes.ts'
import { closed, Fp9, Instant, nullable, optional, type SchemasOf, Uuid } from './fields.ts'

const DIRECTIONS = ['long', 'short'] as const
const SIZE_MODES = ['quote', 'base'] as const

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
    status: Type.Enum([
      'active',
      'canceled',
      'canceled_by_update',
      'canceled_by_error',
      'canceled_by_position',
      'executed',
    ]),
    type: Type.Enum(Object.keys(ORDER_TYPES) as OrderType[]),
    direction: Type.Enum([...DIRECTIONS]),
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
    sizeMode: Type.Enum([...SIZE_MODES]),
    baseSize: nullable(Fp9),
    reservedAmount: nullable(Fp9),
    errorCode: nullable(Type.Enum(Object.keys(EXECUTION_ERRORS))),
    reason: nullable(Type.Enum([...CLOSE_REASONS])),
  },
  { description: 'Order: 29 fields' },
)

/** The body of a placement; its `type` is the `orderType` of the command. */
export const PlaceOrderBody = closed({
  accountId: Uuid,
  marketId: Uuid,
  type: Type.Enum(PLACEABLE_ORDER_TYPES),
  direction: Type.Enum([...DIRECTIONS]),
  amount: Fp9,
  positionId: optional(Uuid),
  expectedAmount: optional(Fp9),
  leverage: optional(Fp9),
  triggerPrice: optional(Fp9),
  stopTriggerPrice: optional(Fp9),
  takeTriggerPrice: optional(Fp9),
  trailingStopActivationPrice: optional(Fp9),
  trailingStopOffset: optional(Fp9),
  trailingStopOffsetPercent: optional(Fp9),
  stopLimitPrice: optional(Fp9),
  sizeMode: optional(Type.Enum([...SIZE_MODES])),
  baseSize: optional(Fp9),
} satisfies SchemasOf<Omit<Placement, 'orderType' | 'idempotencyKey'>>)

export type PlaceOrderBody = Static<typeof PlaceOrderBody>

export const EditOrderBody = closed({
  triggerPrice: optional(Fp9),
  amount: optional(Fp9),
  expectedAmount: optional(Fp9),
  baseSize: optional(Fp9),
} satisfies SchemasOf<Omit<EditOrder, 'type' | 'orderId'>>)

export type EditOrderBody = Static<typeof EditOrderBody>
