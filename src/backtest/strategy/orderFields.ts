/** What a strategy asks for, as the fields of `POST /orders`: the same for the engine and for a live host. */
import type { Placement } from '../../events/placeOrder.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import { decimal } from '../numbers/decimals.ts'
import { entrySize } from './positionSizing.ts'
import type { EntryOrder, ExitOrder } from './strategy.ts'

/** Without the account. */
export type ExitFields = Omit<Placement, 'type' | 'accountId'>
/** Without account and market. */
export type EntryFields = Omit<ExitFields, 'marketId'>

export function entryFields(order: EntryOrder, market: MarketRecord, equity: Quote): EntryFields {
  return {
    orderType: order.type ?? 'market',
    direction: order.direction,
    ...entrySize(order, market, equity),
    leverage: decimal(order.leverage),
    triggerPrice: order.triggerPrice ?? null,
    stopLimitPrice: order.stopLimitPrice ?? null,
    stopTriggerPrice: order.stopLoss ?? null,
    takeTriggerPrice: order.takeProfit ?? null,
  }
}

export function exitFields(order: ExitOrder): ExitFields {
  const { position, type = 'take' } = order
  return {
    marketId: position.marketId,
    orderType: type,
    direction: position.direction,
    positionId: position.id,
    amount: order.size ?? position.size,
    triggerPrice: type === 'trailing_stop' ? null : (order.triggerPrice ?? 0n),
    trailingStopActivationPrice: order.activationPrice ?? null,
    trailingStopOffset: order.offset ?? null,
    trailingStopOffsetPercent: order.offsetPercent === undefined ? null : decimal(order.offsetPercent),
  }
}
