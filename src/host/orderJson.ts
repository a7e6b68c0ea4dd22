/**
 * Orders as JSON text, written field by field: the answer to every order goes through here, and a generic serializer
 * costs as much as deciding the order. A test holds it equal to `JSON.stringify(wireOrder(order))`.
 */
import type { OrderRecord } from '../domain/state/order.ts'
import { formatInstant } from '../projections/wire.ts'

export function orderJson(order: OrderRecord): string {
  return `{"id":${text(order.id)},"trader":${text(order.accountId)},"market":${text(order.marketId)},"status":"${
    order.status
  }","type":"${order.orderType}","direction":"${order.direction}","triggerPrice":"${
    order.triggerPrice
  }","requestedTriggerPrice":${quantity(order.requestedTriggerPrice)},"stopPrice":"${
    order.stopPrice
  }","limitPrice":"${order.limitPrice}","stopTriggerPrice":"${order.stopTriggerPrice}","takeTriggerPrice":"${
    order.takeTriggerPrice
  }","trailingStopActivationPrice":"${order.trailingStopActivationPrice}","trailingStopOffset":"${
    order.trailingStopOffset
  }","trailingStopOffsetPercent":"${order.trailingStopOffsetPercent}","leverage":${quantity(
    order.leverage,
  )},"positionId":${text(order.positionId)},"parentOrderId":${text(order.parentOrderId)},"amount":"${
    order.amount
  }","indexPrice":${quantity(order.indexPrice)},"createdAt":"${formatInstant(
    order.createdAt,
  )}","realizedPnl":${quantity(order.realizedPnl)},"rawRealizedPnl":${quantity(
    order.rawRealizedPnl,
  )},"profitAdjustmentApplied":${order.profitAdjustmentApplied},"sizeMode":"${
    order.sizeMode
  }","baseSize":${quantity(order.baseSize)},"reservedAmount":${quantity(order.reservedAmount)},"errorCode":${text(
    order.errorCode,
  )},"reason":${text(order.reason)}}`
}

function quantity(value: bigint | null): string {
  return value === null ? 'null' : `"${value}"`
}

/** Text that stands in JSON as it is: every id that the engine makes, and every code. */
const PLAIN = /^[\w-]*$/

/** Ids may be any text where a program of its own made the engine. */
function text(value: string | null): string {
  if (value === null) return 'null'
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
}
