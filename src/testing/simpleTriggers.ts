/**
 * The obviously right triggers: on every tick look at everything there is. The model that faster ones are compared
 * with.
 */

import type { Account } from '../domain/state/account.ts'
import type { Market } from '../domain/state/market.ts'
import type { Order } from '../domain/state/order.ts'
import type { Firing, QuietRange, Triggers } from '../domain/state/triggers.ts'
import type { World } from '../domain/state/world.ts'
import { liquidationSide, orderLevel, positionLevel, reached } from '../domain/triggers/level.ts'
import type { Price } from '../quantity/units.ts'
import { canFire, type FiringSide, firingSide, isCloseType } from '../terms/orderTypes.ts'

interface Candidate {
  readonly firing: Firing
  readonly distance: Price
  /** Ties: liquidation, then close orders, then increase orders. */
  readonly rank: 0 | 1 | 2
  readonly sequence: number
}

/**
 * Triggers that look at everything at every price: slow, and easy to believe. Every implementation must agree with it.
 *
 * ```ts
 * const simple = createEngine({ ...venue(), triggers: (world) => new SimpleTriggers(world) })
 * simple.read.markets().length // → 5
 * ```
 */
export class SimpleTriggers implements Triggers {
  readonly #world: World
  /** By market and creation sequence. */
  readonly #orders = new Map<string, Map<number, Order>>()

  constructor(world: World) {
    this.#world = world
  }

  addOrder(order: Order): void {
    if (!canFire(order)) return
    const resting = this.#orders.get(order.marketId)
    if (resting === undefined) this.#orders.set(order.marketId, new Map([[order.sequence, order]]))
    else resting.set(order.sequence, order)
  }

  removeOrder(order: Order): void {
    this.#orders.get(order.marketId)?.delete(order.sequence)
  }

  setPosition(): void {}

  removePosition(): void {}

  accountChanged(): void {}

  marketConfigured(): void {}

  peaksMoved(): void {}

  peaksMerged(): void {}

  priceMoved(): void {}

  gather(): void {}

  arrange(): void {}

  quietMove(): null {
    return null
  }

  mayFire(): true {
    return true
  }

  firing(market: Market, from: Price): Firing[] {
    const candidates: Candidate[] = []
    for (const position of market.positions) {
      const level = positionLevel(position, market)
      const distance = distanceOf(liquidationSide(position.direction), level, market.indexPrice, from)
      const firing: Firing = { kind: 'liquidation', positionId: position.id }
      if (distance !== null) candidates.push({ firing, distance, rank: 0, sequence: position.sequence })
    }
    for (const order of this.#orders.get(market.id)?.values() ?? []) {
      const level = orderLevel(order, market)
      const distance = distanceOf(firingSide(order), level, market.indexPrice, from)
      const firing: Firing = { kind: 'order', row: order.row, sequence: order.sequence }
      const rank = isCloseType(order.orderType) ? 1 : 2
      if (distance !== null) candidates.push({ firing, distance, rank, sequence: order.sequence })
    }
    return candidates.sort(alongThePath).map((candidate) => candidate.firing)
  }

  accountsAtRisk(market: Market): Set<Account> {
    const accounts = new Set<Account>()
    for (const position of market.positions) accounts.add(this.#world.accounts.known(position.accountId))
    return accounts
  }

  quietRange(): QuietRange | null {
    return null
  }
}

/** How far along the path a level lies; null when it is not reached. */
function distanceOf(side: FiringSide, level: Price | null, to: Price, from: Price): Price | null {
  if (level === null || !reached(side, level, to)) return null
  if (reached(side, level, from)) return 0n
  return level > from ? level - from : from - level
}

function alongThePath(a: Candidate, b: Candidate): number {
  if (a.distance !== b.distance) return a.distance < b.distance ? -1 : 1
  return a.rank - b.rank || a.sequence - b.sequence
}
