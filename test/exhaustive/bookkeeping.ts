// What the world keeps twice, so that it need not be looked for: the two must say the same.

import type { World } from '../../src/domain/state/world.ts'

/** What is wrong; null = nothing. */
export function bookkeepingFault(world: World): string | null {
  for (const market of world.markets.values()) {
    const open = { long: 0n, short: 0n }
    for (const { marketId: of, direction, notional } of world.positions.values())
      if (of === market.id) open[direction] += notional
    if (open.long !== market.openNotionalLong || open.short !== market.openNotionalShort)
      return `open notional ${market.openNotionalLong} and ${market.openNotionalShort}, not ${open.long} and ${open.short}`
  }
  for (const account of world.accounts.values()) {
    const orders = [...world.orders.values()].filter(({ accountId }) => accountId === account.id)
    const positions = [...world.positions.values()].filter(({ accountId }) => accountId === account.id)
    if (!same(orders, [...account.orders])) return `the resting orders of ${account.id}`
    if (!same(positions, [...account.positions])) return `the open positions of ${account.id}`
  }
  for (const { id } of world.positions.values()) {
    const attached = [...world.orders.values()].filter(({ positionId }) => positionId === id)
    if (!same(attached, world.orders.closing(id))) return `the close orders of ${id}`
  }
  return null
}

function same(found: readonly Identified[], kept: readonly Identified[]): boolean {
  return found.length === kept.length && found.every(({ id }, place) => id === kept[place]?.id)
}

interface Identified {
  readonly id: string
}
