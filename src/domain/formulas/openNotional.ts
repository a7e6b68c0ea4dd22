/** Open interest against what a market allows (C5). */

import type { Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Market } from '../state/market.ts'

/** Whether `notional` more fits under what the market allows open in a direction; equality fits (C5). */
export function fitsOpenNotional(market: Market, direction: Direction, notional: Quote): boolean {
  const maximum = maxOpenNotional(market, direction)
  if (maximum === null) return true
  const open = direction === 'long' ? market.openNotionalLong : market.openNotionalShort
  return open + notional <= maximum
}

/** The notional a market allows open in a direction; null = unlimited. */
export function maxOpenNotional({ parameters }: Market, direction: Direction): Quote | null {
  return direction === 'long' ? parameters.maxOpenNotionalLong : parameters.maxOpenNotionalShort
}
