/** A reducer of one's own: how much is long and short on each market, folded from events and nothing else. */
import type { Event } from 'margin-core'

/** By market and direction, what all accounts together hold: base, fp9. */
export type Exposure = ReadonlyMap<string, bigint>

export function exposureAfter(before: Exposure, event: Event): Exposure {
  switch (event.type) {
    case 'increasePosition':
      return moved(before, `${event.marketId} ${event.direction}`, event.size)
    case 'closePosition':
    case 'liquidate':
    case 'forceClose':
      return moved(before, `${event.marketId} ${event.direction}`, -event.size)
    default:
      return before
  }
}

function moved(before: Exposure, key: string, size: bigint): Exposure {
  return new Map(before).set(key, (before.get(key) ?? 0n) + size)
}
