/**
 * The obviously right triggers: on every tick look at everything there is. The model that faster ones are compared
 * with.
 */
import type { Price } from '../../quantity/units.ts'
import type { Account } from '../account/account.ts'
import type { Market } from '../market/market.ts'
import { isCloseType, type Order } from '../order/order.ts'
import { ratchet } from '../order/trailingStop.ts'
import type { Position } from '../position/position.ts'
import type { World } from '../world.ts'
import {
  canFire,
  type FiringSide,
  firingSide,
  liquidationSide,
  orderLevel,
  positionLevel,
  reached,
} from './level.ts'
import type { Firing, Triggers } from './triggers.ts'

interface Candidate {
  readonly firing: Firing
  readonly distance: Price
  /** Ties: liquidation, then close orders, then increase orders. */
  readonly rank: 0 | 1 | 2
  readonly sequence: number
}

export class SimpleTriggers implements Triggers {
  readonly #world: World
  readonly #orders = new Map<string, Set<Order>>()

  constructor(world: World) {
    this.#world = world
  }

  addOrder(order: Order): void {
    if (!canFire(order)) return
    const resting = this.#orders.get(order.market)
    if (resting === undefined) this.#orders.set(order.market, new Set([order]))
    else resting.add(order)
  }

  removeOrder(order: Order): void {
    this.#orders.get(order.market)?.delete(order)
  }

  setPosition(): void {}

  removePosition(): void {}

  marketConfigured(): void {}

  priceMoved(market: Market): void {
    for (const order of this.#orders.get(market.id) ?? [])
      if (order.type === 'trailing_stop') order.watermark = ratchet(order, order.watermark, market.indexPrice)
  }

  watermarkOf(order: Order): Price | null {
    return order.watermark
  }

  firing(market: Market, from: Price): Firing[] {
    const candidates: Candidate[] = []
    for (const position of market.positions) {
      const level = positionLevel(position, market)
      const distance = distanceOf(liquidationSide(position), level, market.indexPrice, from)
      if (distance !== null)
        candidates.push({ firing: liquidation(position), distance, rank: 0, sequence: position.sequence })
    }
    for (const order of this.#orders.get(market.id) ?? []) {
      const level = orderLevel(order, market, order.watermark)
      const distance = distanceOf(firingSide(order), level, market.indexPrice, from)
      const rank = isCloseType(order.type) ? 1 : 2
      if (distance !== null)
        candidates.push({ firing: { kind: 'order', order }, distance, rank, sequence: order.sequence })
    }
    return candidates.sort(alongThePath).map((candidate) => candidate.firing)
  }

  accountsAtRisk(market: Market): Account[] {
    const accounts = new Set<Account>()
    for (const position of market.positions)
      accounts.add(this.#world.accounts.get(position.trader) as Account)
    return [...accounts].sort((a, b) => a.sequence - b.sequence)
  }
}

function liquidation(position: Position): Firing {
  return { kind: 'liquidation', position }
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
