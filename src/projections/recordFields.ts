/** How the records of orders and positions are stored, in memory and in a store. Derived data: it can be built again. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionRecord } from '../domain/state/position.ts'
import { count, type Field, type Fields, flag, id, integer, nullable, oneOf } from '../events/codec/fields.ts'
import { STORED_SETS } from '../events/codec/storedKinds.ts'
import type { OrderStatus } from '../terms/orderStatus.ts'
import type { PositionEventName, PositionStatus } from '../terms/positionStatus.ts'

const { closeReason, direction, executionError, orderType, sizeMode } = STORED_SETS

const orderStatus: Field<OrderStatus> = oneOf(
  'active',
  'canceled',
  'canceled_by_update',
  'canceled_by_error',
  'canceled_by_position',
  'executed',
)
const positionStatus: Field<PositionStatus> = oneOf('opened', 'closed', 'liquidated')
const eventName: Field<PositionEventName> = oneOf(
  'addMargin',
  'removeMargin',
  'closePosition',
  'increasePosition',
  'liquidate',
  'forceClose',
  'payFunding',
)

export const orderFields: Fields<OrderRecord> = {
  id,
  accountId: id,
  marketId: id,
  status: orderStatus,
  orderType: orderType,
  direction,
  triggerPrice: integer,
  requestedTriggerPrice: nullable(integer),
  stopPrice: integer,
  limitPrice: integer,
  stopTriggerPrice: integer,
  takeTriggerPrice: integer,
  trailingStopActivationPrice: integer,
  trailingStopOffset: integer,
  trailingStopOffsetPercent: integer,
  leverage: nullable(integer),
  positionId: nullable(id),
  parentOrderId: nullable(id),
  amount: integer,
  indexPrice: nullable(integer),
  createdAt: count,
  realizedPnl: nullable(integer),
  rawRealizedPnl: nullable(integer),
  profitAdjustmentApplied: flag,
  sizeMode,
  baseSize: nullable(integer),
  reservedAmount: nullable(integer),
  errorCode: nullable(executionError),
  reason: nullable(closeReason),
}

export const positionFields: Fields<PositionRecord> = {
  id: id,
  version: count,
  openedAt: count,
  lastUpdatedAt: count,
  closedAt: nullable(count),
  status: positionStatus,
  marketId: id,
  accountId: id,
  size: integer,
  notional: integer,
  margin: integer,
  pnl: integer,
  funding: integer,
  fee: integer,
  feeRate: integer,
  exchangedQuote: integer,
  exchangedBase: integer,
  direction,
  eventName,
  pnlInEvent: integer,
  rawPnlInEvent: integer,
  profitAdjustmentApplied: flag,
  holdingTimeMs: nullable(count),
  feeInEvent: integer,
  fundingInEvent: integer,
  roe: integer,
  scalpingCoefficient: integer,
  closeReason: nullable(closeReason),
}
