/** The drawdown watches of one market, and the accounts to look at on its next tick. */
import type { Price } from '../../quantity/units.ts'
import type { Account } from '../account/account.ts'
import type { FiringSide } from '../order/orderTypes.ts'
import type { Position } from '../position/position.ts'
import { LevelBook, type LevelEntry } from './levelBook.ts'

/** Where a position has used up its share of its account's headroom. */
export interface Watch extends LevelEntry {
  readonly position: Position
  readonly account: Account
  readonly side: FiringSide
}

export class MarketWatches {
  readonly below = new LevelBook<Watch>('below')
  readonly above = new LevelBook<Watch>('above')
  readonly due = new Set<Account>()
  /** Whether a watch came or went since this was last set to false. */
  moved = false

  add(watch: Watch): void {
    this.moved = true
    this[watch.side].insert(watch)
  }

  /** Removes the watches that the index has reached. */
  takeReached(indexPrice: Price): Watch[] {
    const taken = [...this.below.takeReached(indexPrice), ...this.above.takeReached(indexPrice)]
    if (taken.length > 0) this.moved = true
    return taken
  }

  remove(watch: Watch): void {
    this.moved = true
    this[watch.side].remove(watch)
  }
}
