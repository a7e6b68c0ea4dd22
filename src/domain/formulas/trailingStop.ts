/** Trailing stops (F8, J20, J21): the trigger follows the best price since activation at a fixed distance. */
import { priceFractionDown } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import { isTrailing } from '../../terms/orderTypes.ts'
import type { Order } from '../state/order.ts'

type TrailingTerms = Pick<
  Order,
  'direction' | 'trailingStopActivationPrice' | 'trailingStopOffset' | 'trailingStopOffsetPercent'
>

/** Whether an index price starts the trailing: at or beyond the activation price; always without one. */
export function activates(order: TrailingTerms, indexPrice: Price): boolean {
  const activation = order.trailingStopActivationPrice
  if (activation === 0n) return true
  return order.direction === 'long' ? indexPrice >= activation : indexPrice <= activation
}

/** How far from its peak a stop fires. A small fraction of a small price is 0. */
export function trailingDistance(order: TrailingTerms, peak: Price): Price {
  return order.trailingStopOffset > 0n
    ? order.trailingStopOffset
    : priceFractionDown(peak, order.trailingStopOffsetPercent)
}

/** The trigger price of a trailing stop: peak ∓ distance; 0 while waiting and where it would not be positive. */
export function trailingTriggerPrice(order: TrailingTerms, peak: Price | null): Price {
  if (peak === null) return 0n
  const distance = trailingDistance(order, peak)
  if (order.direction === 'short') return peak + distance
  return peak > distance ? peak - distance : 0n
}

/** The trigger price that an active order shows now: of a trailing stop the one that follows its peak (F8). */
export function currentTriggerPrice(order: Order): Price {
  return isTrailing(order.orderType)
    ? trailingTriggerPrice(order, order.peak?.price ?? null)
    : order.triggerPrice
}
