/**
 * The form in which a stop or take rests. Most of what rests are these, two for each guarded position, and most fields of an order mean
 * nothing for one that closes until it ends: what all of them have alike lies in their prototype, once, and half of the room
 * is left. Rules read and assign as of every order. Who copies an order names its fields ({@link orderState}): a spread passes over what is alike.
 */
import type { Order } from './order.ts'

/** What a resting stop or take has alike with all others. */
const ALIKE = {
  stopPrice: 0n,
  stopTriggerPrice: 0n,
  takeTriggerPrice: 0n,
  trailingStopActivationPrice: 0n,
  trailingStopOffset: 0n,
  trailingStopOffsetPercent: 0n,
  leverage: null,
  indexPrice: null,
  realizedPnl: null,
  rawRealizedPnl: null,
  profitAdjustmentApplied: false,
  sizeMode: 'quote',
  baseSize: null,
  reservedAmount: null,
  errorCode: null,
  reason: null,
  reserve: 0n,
  expectedAmount: 0n,
  peak: null,
} as const satisfies Partial<Order>

type Own = Omit<Order, keyof typeof ALIKE>

class RestingClose implements Own {
  readonly id: string
  readonly accountId: string
  readonly marketId: string
  status: Order['status']
  readonly orderType: Order['orderType']
  readonly direction: Order['direction']
  triggerPrice: Order['triggerPrice']
  readonly requestedTriggerPrice: Order['requestedTriggerPrice']
  limitPrice: Order['limitPrice']
  readonly positionId: Order['positionId']
  readonly parentOrderId: Order['parentOrderId']
  amount: Order['amount']
  readonly createdAt: number
  readonly sequence: number
  readonly phaseOrdinal: number

  constructor(order: Own) {
    this.id = order.id
    this.accountId = order.accountId
    this.marketId = order.marketId
    this.status = order.status
    this.orderType = order.orderType
    this.direction = order.direction
    this.triggerPrice = order.triggerPrice
    this.requestedTriggerPrice = order.requestedTriggerPrice
    this.limitPrice = order.limitPrice
    this.positionId = order.positionId
    this.parentOrderId = order.parentOrderId
    this.amount = order.amount
    this.createdAt = order.createdAt
    this.sequence = order.sequence
    this.phaseOrdinal = order.phaseOrdinal
  }
}

Object.assign(RestingClose.prototype, ALIKE)

/** The order as it rests: another object for a stop or take, else itself. */
export function restingForm(order: Order): Order {
  // What is not its own, the prototype has; the compiler knows nothing of that.
  return order.positionId !== null && isAlike(order) ? (new RestingClose(order) as Own as Order) : order
}

/** Written out, because orders come by the million. */
function isAlike(order: Order): boolean {
  return (
    order.stopPrice === 0n &&
    order.stopTriggerPrice === 0n &&
    order.takeTriggerPrice === 0n &&
    order.trailingStopActivationPrice === 0n &&
    order.trailingStopOffset === 0n &&
    order.trailingStopOffsetPercent === 0n &&
    order.leverage === null &&
    order.indexPrice === null &&
    order.realizedPnl === null &&
    order.rawRealizedPnl === null &&
    !order.profitAdjustmentApplied &&
    order.sizeMode === 'quote' &&
    order.baseSize === null &&
    order.reservedAmount === null &&
    order.errorCode === null &&
    order.reason === null &&
    order.reserve === 0n &&
    order.expectedAmount === 0n &&
    order.peak === null
  )
}
