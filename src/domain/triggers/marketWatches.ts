/** The drawdown watches of one market, and the accounts to look at on its next tick. */

import { LevelBook } from '../../collections/levelBook.ts'
import type { LevelEntry } from '../../collections/levelLeaf.ts'
import type { Price } from '../../quantity/units.ts'
import type { FiringSide } from '../../terms/orderTypes.ts'
import type { Account } from '../state/account.ts'

/** Where a position has used up its share of its account's headroom. */
export interface Watch extends LevelEntry {
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

  anyReached(indexPrice: Price): boolean {
    const [below, above] = [this.below.nearest, this.above.nearest]
    return (below !== null && indexPrice <= below.level) || (above !== null && indexPrice >= above.level)
  }

  /** Removes the watches that the index has reached. */
  takeReached(indexPrice: Price): Watch[] {
    this.moved = true
    return [...this.below.takeReached(indexPrice), ...this.above.takeReached(indexPrice)]
  }

  remove(watch: Watch): void {
    this.moved = true
    this[watch.side].remove(watch)
  }
}
