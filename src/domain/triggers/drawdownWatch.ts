/**
 * Which accounts a tick may push below a drawdown floor (H5, H6), without looking at them on every tick.
 *
 * An account that was checked has headroom: its equity above its higher floor. Each of its positions gets a share of
 * it, and a watch at the price at which that share is used up. While no watch is crossed, no position has lost more than
 * its share, so equity is at or above the floor; what is between crossings need not be known. A crossing, or any change
 * to the account, makes the account due: the next tick of a market where it holds a position computes its equity,
 * exactly, and either finds it at risk or shares out what headroom is left.
 *
 * The 60-second cap (D7) takes no further care. Equity counts min(raw pnl, reference) inside the window; where a share
 * starts from the reference, raw pnl is above it and has further to fall, and the end of the window only raises equity.
 */

import { SequenceMap } from '../../collections/sequenceMap.ts'
import { priceDown, priceUp, shareDown } from '../../quantity/products.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import { breachOf } from '../formulas/drawdown.ts'
import { equityOf } from '../formulas/equity.ts'
import { unrealizedPnl } from '../formulas/profitWindow.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { PositionWorth } from '../state/openPositions/positionRows.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { liquidationSide } from './level.ts'
import type { MarketWatches, Watch } from './marketWatches.ts'

export class DrawdownWatch {
  readonly #world: World
  readonly #watchesOn: (marketId: string) => MarketWatches
  readonly #watches = new SequenceMap<Watch>()

  constructor(world: World, watchesOn: (marketId: string) => MarketWatches) {
    this.#world = world
    this.#watchesOn = watchesOn
  }

  /** Anything about the account changed but the prices: it is due wherever it holds a position. */
  accountChanged(account: Account): void {
    const { positions } = account
    const { rows } = this.#world.positions
    for (let row = positions.oldest; row >= 0; row = positions.after(row)) {
      if (rows.isDue(row)) continue
      this.#dueOn(row).add(account)
      rows.setDue(row, true)
    }
  }

  removePosition(position: Position): void {
    this.#unwatch(position)
  }

  /** Makes the accounts due whose watches the index has crossed, while the market is paused too (J6). */
  priceMoved({ id, indexPrice }: Market): void {
    const watches = this.#watchesOn(id)
    if (!watches.anyReached(indexPrice)) return
    for (const { sequence, account } of watches.takeReached(indexPrice)) {
      this.#watches.take(sequence)
      this.accountChanged(account)
    }
  }

  /** The due accounts of a market that are below a floor; the others are watched anew. */
  accountsAtRisk(market: Market, at: number): Account[] {
    const { due } = this.#watchesOn(market.id)
    const found: Account[] = []
    for (const account of due) {
      if (!this.#holdsPositionOn(account, market)) due.delete(account)
      else if (account.status !== 'active' || account.phase === null) this.#clearDue(account)
      else {
        const positions = account.positions.worths()
        const equity = equityOf(this.#world, account, at, positions)
        if (breachOf(account, equity) !== null) found.push(account)
        else this.#watch(account, positions, equity, at)
      }
    }
    return found
  }

  /** Not due until something happens to the account. */
  #clearDue(account: Account): void {
    const { positions } = account
    for (let row = positions.oldest; row >= 0; row = positions.after(row)) {
      this.#dueOn(row).delete(account)
      this.#world.positions.rows.setDue(row, false)
    }
  }

  /** The due accounts of the market that the position of a row is on. */
  #dueOn(row: number): Set<Account> {
    return this.#watchesOn(this.#world.positions.rows.marketIdOf(row)).due
  }

  #holdsPositionOn(account: Account, market: Market): boolean {
    const { positions } = account
    for (let row = positions.oldest; row >= 0; row = positions.after(row))
      if (this.#world.positions.rows.marketIdOf(row) === market.id) return true
    return false
  }

  /** Shares the headroom out by notional: the same relative move uses up every share. */
  #watch(account: Account, positions: readonly PositionWorth[], equity: Quote, at: number): void {
    this.#clearDue(account)
    const headroom = headroomOf(account, equity)
    let total = 0n
    for (const { notional } of positions) total += notional
    for (const position of positions) {
      const share = headroom === null || total === 0n ? 0n : shareDown(headroom, position.notional, total)
      this.#setWatch(account, position, headroom === null ? null : this.#levelOf(position, share, at))
    }
  }

  /** The nearest index price at which the position is worth more than its share less than now; null = none. */
  #levelOf(position: PositionWorth, share: Quote, at: number): Price | null {
    const { indexPrice } = this.#world.markets.known(position.marketId)
    const least = unrealizedPnl(position, indexPrice, at, this.#world.rules.profitWindowMs) - share
    if (position.direction === 'short') return priceDown(position.notional - least, position.size) + 1n
    const level = priceUp(position.notional + least, position.size) - 1n
    return level > 0n ? level : null
  }

  #setWatch(account: Account, position: PositionWorth, level: Price | null): void {
    const held = this.#watches.get(position.sequence)
    if (held?.level === level) return
    if (held !== undefined) this.#unwatch(position)
    if (level === null) return
    const side = liquidationSide(position.direction)
    const { sequence } = position
    const watch: Watch = { level, rank: 0, sequence, account, side, leaf: null, slot: 0 }
    this.#watches.set(watch)
    this.#watchesOn(position.marketId).add(watch)
  }

  #unwatch(position: Pick<Position, 'sequence' | 'marketId'>): void {
    const watch = this.#watches.take(position.sequence)
    if (watch !== undefined) this.#watchesOn(position.marketId).remove(watch)
  }
}

/** Equity above the higher of the floors; null where both rules are off (J9). */
function headroomOf({ lossFloor }: Account, equity: Quote): Quote | null {
  return lossFloor === null ? null : equity - lossFloor
}
