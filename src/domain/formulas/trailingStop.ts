/** Trailing stops (F8, J20, J21): the trigger follows the best price since activation at a fixed distance. */
import { priceFractionDown } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Order } from '../state/order.ts'

type TrailingTerms = Pick<
  Order,
  'direction' | 'trailingStopActivationPrice' | 'trailingStopOffset' | 'trailingStopOffsetPercent'
>

/** Whether an index price starts the trailing: at or beyond the activation price; always without one. */
function activates(order: TrailingTerms, indexPrice: Price): boolean {
  const activation = order.trailingStopActivationPrice
  if (activation === 0n) return true
  return order.direction === 'long' ? indexPrice >= activation : indexPrice <= activation
}

/** The running best price after a tick: null while waiting, then it never moves back. */
export function ratchet(order: TrailingTerms, peak: Price | null, indexPrice: Price): Price | null {
  if (peak === null) return activates(order, indexPrice) ? indexPrice : null
  return isBetter(order.direction, indexPrice, peak) ? indexPrice : peak
}

function isBetter(direction: Direction, price: Price, than: Price): boolean {
  return direction === 'long' ? price > than : price < than
}

/** The trigger price of a trailing stop: peak ∓ distance; 0 while waiting and where it would not be positive. */
export function trailingTriggerPrice(order: TrailingTerms, peak: Price | null): Price {
  if (peak === null) return 0n
  const distance =
    order.trailingStopOffset > 0n
      ? order.trailingStopOffset
      : priceFractionDown(peak, order.trailingStopOffsetPercent)
  if (order.direction === 'short') return peak + distance
  return peak > distance ? peak - distance : 0n
}
