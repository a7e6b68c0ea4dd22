/** The one position of an account on a side of a market. */

import type { Direction } from '../../terms/direction.ts'
import type { Account } from './account.ts'
import type { Market } from './market.ts'
import type { Position } from './position.ts'

/** The one open position of an account on a market and direction, if any. */
export function openPosition(account: Account, market: Market, direction: Direction): Position | undefined {
  for (const position of account.positions)
    if (position.marketId === market.id && position.direction === direction) return position
  return undefined
}
