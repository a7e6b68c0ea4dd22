// What two commits are measured on, in portions of some ten milliseconds. The library comes from either; what drives it is of
// this commit, so that both do the same.

import type { Engine } from '../../src/index.ts'
import { placeAndCancel } from '../resting.ts'
import { openAndClose } from '../trades.ts'
import { benchVenue, marketId, must, open, PRICE, restOn } from '../venue.ts'

type Library = Pick<typeof import('../../src/index.ts'), 'createEngine'>

/** One portion of a work: what goes ahead of it is not timed. */
export interface Portion {
  ahead?(): void
  timed(): unknown
}

const ACCOUNTS = 1_000
const RESTING = 20_000
const PAIRS = 500
const POSITIONS = 1_000
const CRASHES = 30
const FUNDED = 2_000
const FOLDED = 2_000
const FUNDING_INTERVAL_MS = 28_800_000

export const WORKS: Readonly<Record<string, (library: Library) => Portion>> = {
  trades: (library) => {
    const engine = venue(library, ACCOUNTS)
    return { timed: () => openAndClose(engine, PAIRS) }
  },
  resting: (library) => {
    const engine = venue(library, RESTING / 8 + 1)
    restOn(engine, RESTING)
    return { timed: () => placeAndCancel(engine, PAIRS, ACCOUNTS) }
  },
  crash: (library) => {
    let engine = venue(library, POSITIONS)
    let crashes = 0
    return {
      ahead: () => {
        // Accounts have only so much to lose.
        if (++crashes % CRASHES === 0) engine = venue(library, POSITIONS)
        tick(engine, PRICE)
        for (let n = 0; n < POSITIONS; n++) open(engine, n, 0, 'long', n % 2 === 0)
      },
      timed: () => tick(engine, (PRICE * 3n) / 4n),
    }
  },
  funding: (library) => {
    const engine = venue(library, FUNDED)
    for (let n = 0; n < FUNDED; n++) open(engine, n, 0, n % 2 === 0 ? 'long' : 'short', false)
    must(engine, { type: 'setFundingRate', marketId: marketId(0), fundingRate: 100_000n })
    return { timed: () => must(engine, { type: 'advanceTime', ms: FUNDING_INTERVAL_MS }) }
  },
  replay: (library) => {
    const engine = venue(library, FOLDED)
    restOn(engine, FOLDED)
    return { timed: () => engine.asOf(engine.head) }
  },
}

function venue({ createEngine }: Library, accounts: number): Engine {
  return benchVenue({ accounts }, {}, createEngine)
}

function tick(engine: Engine, indexPrice: bigint): void {
  must(engine, { type: 'updatePrice', marketId: marketId(0), indexPrice })
}
