/** Unrealized pnl as the price alone makes it (C11). */

import { notionalDown, notionalUp } from '../../quantity/products.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import type { Position } from '../state/position.ts'

/**
 * Unrealized pnl at an index price, without spread and before the 60-second cap, rounded down (C11): long
 * ⌊q·index/ONE⌋ − N, short N − ⌈q·index/ONE⌉.
 */
export function rawUnrealizedPnl(
  position: Pick<Position, 'direction' | 'size' | 'notional'>,
  indexPrice: Price,
): Quote {
  return position.direction === 'long'
    ? notionalDown(position.size, indexPrice) - position.notional
    : position.notional - notionalUp(position.size, indexPrice)
}
