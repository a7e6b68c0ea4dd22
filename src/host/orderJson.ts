/**
 * Orders as JSON text, written field by field: the answer to every order goes through here, and a generic serializer
 * costs as much as deciding the order. A test holds it equal to `JSON.stringify(wireOrder(order))`.
 */
import type { OrderRecord } from '../domain/state/order.ts'
import { formatInstant } from '../projections/wire.ts'
import { quantityJson, textJson } from './jsonField.ts'

export function orderJson(order: OrderRecord): string {
  if (order !== latest.order) latest = { order, text: textOf(order) }
  return latest.text
}

/** An order that filled is told by itself, and once more with the event of its position. */
let latest: { readonly order: OrderRecord | null; readonly text: string } = { order: null, text: '' }

function textOf(order: OrderRecord): string {
  return `{"id":${textJson(order.id)},"trader":${textJson(order.accountId)},"market":${textJson(order.marketId)},"status":"${
    order.status
  }","type":"${order.orderType}","direction":"${order.direction}","triggerPrice":"${
    order.triggerPrice
  }","requestedTriggerPrice":${quantityJson(order.requestedTriggerPrice)},"stopPrice":"${
    order.stopPrice
  }","limitPrice":"${order.limitPrice}","stopTriggerPrice":"${order.stopTriggerPrice}","takeTriggerPrice":"${
    order.takeTriggerPrice
  }","trailingStopActivationPrice":"${order.trailingStopActivationPrice}","trailingStopOffset":"${
    order.trailingStopOffset
  }","trailingStopOffsetPercent":"${order.trailingStopOffsetPercent}","leverage":${quantityJson(
    order.leverage,
  )},"positionId":${textJson(order.positionId)},"parentOrderId":${textJson(order.parentOrderId)},"amount":"${
    order.amount
  }","indexPrice":${quantityJson(order.indexPrice)},"createdAt":"${formatInstant(
    order.createdAt,
  )}","realizedPnl":${quantityJson(order.realizedPnl)},"rawRealizedPnl":${quantityJson(
    order.rawRealizedPnl,
  )},"profitAdjustmentApplied":${order.profitAdjustmentApplied},"sizeMode":"${
    order.sizeMode
  }","baseSize":${quantityJson(order.baseSize)},"reservedAmount":${quantityJson(order.reservedAmount)},"errorCode":${textJson(
    order.errorCode,
  )},"reason":${textJson(order.reason)}}`
}
