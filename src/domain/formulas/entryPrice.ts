/** The entry price (C6). */

import { priceDown, priceUp } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import type { Position } from '../state/position.ts'

/**
 * The price the open size was entered at, against the trader: derived, never stored (C6). `size > 0`.
 *
 * ```ts
 * formatDecimal(entryPrice(position), 2) // → 50015.00
 * ```
 */
export function entryPrice(position: Pick<Position, 'direction' | 'notional' | 'size'>): Price {
  return position.direction === 'long'
    ? priceUp(position.notional, position.size)
    : priceDown(position.notional, position.size)
}
