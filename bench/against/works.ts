// What two commits are measured on, in portions of some ten milliseconds. The library comes from either; what drives it is of
// this commit, so that both do the same.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Command, type Engine, ONE, type Outcome, type ValueOf } from '../../src/index.ts'
import { placeAndCancel } from '../resting.ts'
import { openAndClose } from '../trades.ts'
import { accountId, away, benchVenue, marketId, must, open, PRICE, restOn, START } from '../venue.ts'
import { told } from './told.ts'

export type Library = Pick<typeof import('../../src/index.ts'), 'createEngine' | 'openEngine'> &
  Pick<typeof import('../../src/store/lmdb/index.ts'), 'openLmdbStore'>

/** One portion of a work: what goes ahead of it is not timed. */
export interface Portion {
  ahead?(): unknown
  timed(): unknown
  close?(): Promise<void>
}

const ACCOUNTS = 1_000
const RESTING = 20_000
const PAIRS = 500
const POSITIONS = 1_000
const CRASHES = 30
const FUNDED = 2_000
const FOLDED = 2_000
const SENDERS = 256
const RECOVERED = 10_000
const LISTED = 8
const FUNDING_INTERVAL_MS = 28_800_000

type Preparation = (library: Library, sources: string) => Portion | Promise<Portion>

export const WORKS: Readonly<Record<string, Preparation>> = {
  trades: (library) => {
    const engine = venue(library, ACCOUNTS)
    return { timed: () => openAndClose(engine, PAIRS) }
  },
  // As above, in a venue whose operators have looked at its accounts.
  watched: async (library, sources) => {
    const internals: Pick<typeof import('../../src/engine/internals.ts'), 'columnsOf'> = await import(
      path.join(sources, 'engine', 'internals.ts')
    )
    const engine = venue(library, ACCOUNTS)
    for (const _ of internals.columnsOf(engine, 0)?.broughtUp(ACCOUNTS) ?? []);
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
  // A group of orders that are placed, and one that cancels them, each on the disk before it is answered.
  append: async (library) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-append-'))
    const engine = await durableVenue(library, directory)
    return {
      timed: async () => {
        const placed = await Promise.all(Array.from({ length: SENDERS }, (_, n) => engine.send(limit(n))))
        const cancels = placed.map((outcome) =>
          engine.send({ type: 'cancelOrder', orderId: accepted(outcome).id }),
        )
        await Promise.all(cancels)
      },
      close: () => closed(engine, directory),
    }
  },
  // Groups of positions that are opened, and groups that close them, until what ended is in the lists on disk as well, which
  // closing waits for.
  listed: async (library) => {
    let directory = ''
    let engine: Engine
    const drop = async () => rmSync(directory, { recursive: true, force: true })
    return {
      ahead: async () => {
        await drop()
        directory = mkdtempSync(path.join(tmpdir(), 'margin-core-listed-'))
        engine = await durableVenue(library, directory)
      },
      timed: async () => {
        const all = (commands: readonly Command[]) =>
          Promise.all(commands.map(async (command) => accepted(await engine.send(command))))
        const senders = Array.from({ length: SENDERS }, (_, n) => accountId(n))
        for (let group = 0; group < LISTED; group++) {
          await all(senders.map(market))
          await all(senders.map((sender) => ({ type: 'closeAll', accountId: sender })))
        }
        await engine.close()
      },
      close: drop,
    }
  },
  // A directory is opened and closed: its log is folded, and its lists are compared with it.
  recovery: async (library) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-recovery-'))
    let engine = await durableVenue(library, directory)
    for (let n = 0; n < RECOVERED; n++) engine.dispatch(limit(n))
    await engine.close()
    return {
      timed: async () => {
        engine = await reopened(library, directory)
        await engine.close()
      },
      close: async () => rmSync(directory, { recursive: true }),
    }
  },
  told,
}

async function durableVenue(library: Library, directory: string): Promise<Engine> {
  const engine = await reopened(library, directory)
  benchVenue({ accounts: ACCOUNTS, unlimited: false }, {}, () => engine)
  // Durable behind all before it; 0.1.0 has another name for waiting alone.
  await engine.send({ type: 'advanceTime', ms: 1 })
  return engine
}

async function reopened({ openEngine, openLmdbStore }: Library, directory: string): Promise<Engine> {
  const store = await openLmdbStore(directory)
  return openEngine({ seed: 'bench', at: START, markets: [], accounts: [], store, snapshotEvery: null })
}

async function closed(engine: Engine, directory: string): Promise<void> {
  await engine.close()
  rmSync(directory, { recursive: true })
}

function limit(n: number): Command & { readonly type: 'placeOrder' } {
  return {
    type: 'placeOrder',
    accountId: accountId(n % ACCOUNTS),
    marketId: marketId(0),
    orderType: 'limit',
    direction: 'long',
    amount: 100n * ONE,
    leverage: 5n * ONE,
    triggerPrice: away(-100 - (n % 500)),
  }
}

function accepted<C extends Command>(outcome: Outcome<C>): ValueOf<C> {
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.value
}

function market(account: string): Command & { readonly type: 'placeOrder' } {
  return {
    type: 'placeOrder',
    accountId: account,
    marketId: marketId(0),
    orderType: 'market',
    direction: 'long',
    amount: 100n * ONE,
    leverage: 5n * ONE,
  }
}

function venue({ createEngine }: Library, accounts: number): Engine {
  return benchVenue({ accounts }, {}, createEngine)
}

function tick(engine: Engine, indexPrice: bigint): void {
  must(engine, { type: 'updatePrice', marketId: marketId(0), indexPrice })
}
