/**
 * The engine's triggers: everything that waits for a price lies in order of its level, so that a tick looks at nothing
 * but what it reaches. A quiet tick costs two comparisons, with ten resting orders as with a million.
 */
import type { Price } from '../../quantity/units.ts'
import { canFire } from '../../terms/orderTypes.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { Firing, QuietMove, QuietRange, Triggers } from '../state/triggers.ts'
import type { World } from '../state/world.ts'
import { DrawdownWatch } from './drawdownWatch.ts'
import { MarketLevels } from './marketLevels.ts'

const NOTHING: readonly never[] = []

export class LevelTriggers implements Triggers {
  readonly #world: World
  readonly #markets = new Map<string, MarketLevels>()
  readonly #drawdown: DrawdownWatch
  /** Whether levels are put into the books later, when much has moved. */
  #gathers = false
  /** The market asked for last: mostly the one asked for next. */
  #last: MarketLevels | null = null

  constructor(world: World) {
    this.#world = world
    this.#drawdown = new DrawdownWatch(world, (marketId) => this.#levelsOf(marketId).watches)
  }

  addOrder(order: Order): void {
    if (!canFire(order)) return
    const levels = this.#levelsOf(order.marketId)
    levels.addOrder(order)
    if (!this.#gathers) levels.arrange()
  }

  removeOrder(order: Order): void {
    if (canFire(order)) this.#levelsOf(order.marketId).removeOrder(order)
  }

  setPosition(row: number, account: Account, marketId: string): void {
    const levels = this.#levelsOf(marketId)
    levels.setPosition(row)
    if (!this.#gathers) levels.arrange()
    this.#drawdown.accountChanged(account)
  }

  removePosition(position: Position, row: number): void {
    this.#levelsOf(position.marketId).removePosition(row)
    this.#drawdown.removePosition(position)
    this.#drawdown.accountChanged(this.#world.accounts.known(position.accountId))
  }

  accountChanged(account: Account): void {
    this.#drawdown.accountChanged(account)
  }

  peaksMoved(market: Market): void {
    this.#levelsOf(market.id).peaksMoved()
  }

  peaksMerged(market: Market, peak: RunningPeak, other: RunningPeak): void {
    this.#levelsOf(market.id).peaksMerged(peak, other)
  }

  marketConfigured(market: Market): void {
    this.#levelsOf(market.id).reconfigure()
  }

  priceMoved(market: Market): void {
    this.#drawdown.priceMoved(market)
  }

  mayFire(market: Market): boolean {
    return this.#levelsOf(market.id).mayFire()
  }

  quietMove(market: Market, indexPrice: Price): QuietMove | null {
    return market.status === 'paused' ? null : this.#levelsOf(market.id).quietMove(indexPrice)
  }

  firing(market: Market, from: Price): readonly Firing[] {
    return this.#levelsOf(market.id).firing(from)
  }

  accountsAtRisk(market: Market, at: number): Iterable<Account> {
    return this.#levelsOf(market.id).watches.due.size === 0
      ? NOTHING
      : this.#drawdown.accountsAtRisk(market, at)
  }

  quietRange(market: Market): QuietRange | null {
    const levels = this.#levelsOf(market.id)
    return market.status === 'paused' || levels.watches.due.size > 0 ? null : levels.range()
  }

  gather(): void {
    this.#gathers = true
  }

  arrange(): void {
    this.#gathers = false
    for (const levels of this.#markets.values()) levels.arrange()
  }

  #levelsOf(marketId: string): MarketLevels {
    if (this.#last !== null && this.#last.marketId === marketId) return this.#last
    let levels = this.#markets.get(marketId)
    if (levels === undefined) {
      const market = this.#world.markets.known(marketId)
      levels = new MarketLevels(market, this.#world.orders, this.#world.positions.rows)
      this.#markets.set(marketId, levels)
    }
    this.#last = levels
    return levels
  }
}
