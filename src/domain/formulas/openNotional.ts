/** Open interest against what a market allows (C5). */

import type { Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Market } from '../state/market.ts'

/** Whether `notional` more fits under what may be open in a direction here; equality fits (C5). */
export function fitsOpenNotional(market: Market, direction: Direction, notional: Quote): boolean {
  const maximum = maxOpenNotional(market, direction)
  if (maximum === null) return true
  const open = direction === 'long' ? market.openNotionalLong : market.openNotionalShort
  return open + notional <= maximum
}

/** The notional that may be open in a direction: what the market allows, of which a shard of a cluster has its quota; null = unlimited. */
export function maxOpenNotional({ parameters, quota }: Market, direction: Direction): Quote | null {
  const maximum = direction === 'long' ? parameters.maxOpenNotionalLong : parameters.maxOpenNotionalShort
  if (maximum === null || quota === null) return maximum
  return quota[direction] < maximum ? quota[direction] : maximum
}
