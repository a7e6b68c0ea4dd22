// What is timed, each in a process of its own.

import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readConfiguration } from '../../src/host/configuration.ts'
import { openVenue } from '../../src/host/venue.ts'
import { type Engine, ONE } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import type { Store } from '../../src/store/store.ts'
import { accountId, benchVenue, marketId, must, PRICE } from '../venue.ts'
import { held } from './held.ts'
import { inDirectory, list, named, open, openedIn, rest, size } from './venue.ts'

const DAY_MS = 86_400_000

/** `again` runs another part in a process of its own, on a directory. */
type Part = (again: (part: string, directory: string) => void, directory: string) => Promise<void>

export const PARTS: Record<string, Part> = {
  async midnight() {
    const accounts = size(1_000_000)
    const engine = benchVenue({ accounts }, { log: false })
    must(engine, { type: 'advanceTime', ms: DAY_MS })
    await held(`midnight of ${named(accounts)} idle accounts`, () => {
      must(engine, { type: 'advanceTime', ms: DAY_MS })
    })
    for (const open of [1_000, 10_000, 100_000].map(size)) {
      for (let n = 0; n < open; n++) enter(engine, n)
      must(engine, { type: 'advanceTime', ms: DAY_MS - 1 - (engine.now % DAY_MS) })
      await held(`midnight of as many, ${named(open)} with a position: its funding and its day`, () => {
        must(engine, { type: 'advanceTime', ms: 1 })
      })
    }
  },

  async start() {
    const accounts = size(100_000)
    const ids = Array.from({ length: accounts }, (_, n) => ({ id: accountId(n), userId: accountId(n) }))
    const bytes = Buffer.from(
      JSON.stringify({
        seed: 'bench',
        markets: [{ id: marketId(0), baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' }],
        users: ids.map(({ id }, n) => ({ id, sessionToken: `session ${n}`, apiKeys: [{ key: `key ${n}` }] })),
        accounts: ids.map((account) => ({ ...account, balance: '1000000000000' })),
      }),
    )
    let configuration: ReturnType<typeof readConfiguration> | undefined
    await held(`checking a configuration of ${named(accounts)} accounts, users and keys`, () => {
      configuration = readConfiguration(bytes)
    })
    const given = configuration as ReturnType<typeof readConfiguration>
    await held('opening a venue in memory with it', async () => {
      await openVenue(given)
    })
    await inDirectory(async (directory) => {
      let { engine } = {} as { engine: Engine }
      await held('opening a venue on an empty directory with it', async () => {
        engine = (await openVenue(given, { store: await openLmdbStore(directory) })).engine
      })
      await engine.close()
      await held('opening it there again', async () => {
        engine = (await openVenue(given, { store: await openLmdbStore(directory) })).engine
      })
      await engine.close()
    })
  },

  async restart(again) {
    await inDirectory(async (directory) => {
      again('fill', directory)
      again('fromSnapshot', directory)
      const snapshots = path.join(directory, 'snapshots')
      for (const name of readdirSync(snapshots)) rmSync(path.join(snapshots, name))
      again('fromLog', directory)
    })
  },

  async snapshot() {
    await snapshotOf(size(100_000), 1_000)
  },

  async snapshotOfMillion() {
    await snapshotOf(size(1_000_000), size(1_000_000))
  },

  async close() {
    const orders = size(1_000_000)
    const engine = benchVenue({ accounts: 10_000 }, { log: false })
    list(engine, 1)
    for (let n = 0; n < 100; n++) rest(engine, n, 1, n)
    for (let n = 0; n < orders; n++) rest(engine, n % 10_000, 0, n)
    await held(`weekly close of 100 orders, older than ${named(orders)} of another market`, async () => {
      must(engine, { type: 'weeklySessionRiskClose', marketId: marketId(1) })
    })
  },

  async keys() {
    const keys = size(1_000_000)
    const engine = benchVenue({ accounts: 1_000 }, { log: false })
    const place = (n: number) => {
      const { value } = rest(engine, n % 1_000, 0, n, `key ${n}`)
      must(engine, { type: 'cancelOrder', orderId: value.id })
    }
    for (let n = 0; n < keys; n++) place(n)
    must(engine, { type: 'advanceTime', ms: 3_600_001 })
    await held(
      `1,000 orders after an hour with ${named(keys)} idempotency keys, a turn for each`,
      async () => {
        for (let n = 0; n < 1_000; n++) {
          place(keys + n)
          await setImmediate()
        }
      },
    )
  },

  async stop() {
    const orders = size(1_000_000)
    const engine = benchVenue({ accounts: 10_003 }, { log: false })
    const stopped = [10_000, 10_001, 10_002]
    for (const account of stopped) for (let n = 0; n < 500; n++) rest(engine, account, 0, n)
    for (let n = 0; n < orders; n++) rest(engine, n % 10_000, 0, n)
    for (const account of stopped)
      await held(`stopAccount with 500 orders, older than ${named(orders)} of others`, async () => {
        must(engine, { type: 'stopAccount', accountId: accountId(account), reason: 'manual' })
      })
  },
}

/** A position on market 0, unless there is one. */
function enter(engine: Engine, account: number): void {
  if (engine.read.activePositions(accountId(account)).length > 0) return
  const terms = { accountId: accountId(account), marketId: marketId(0), direction: 'long' } as const
  must(engine, { type: 'placeOrder', ...terms, orderType: 'market', amount: 100n * ONE, leverage: 2n * ONE })
}

/** Parts of a part. */
export const INNER: Record<string, Part> = {
  async fill(_, directory) {
    const accounts = size(1_000_000)
    const engine = await openedIn(directory)
    list(engine, 0)
    await held(`opening ${named(accounts)} accounts`, async () => {
      for (let n = 0; n < accounts; n++) {
        open(engine, n)
        if (n % 2_000 === 1_999) await engine.whenDurable()
      }
      await engine.whenDurable()
    })
    await held('closing, with a snapshot', () => engine.close())
  },

  fromSnapshot: (_, directory) => reopened('a restart from the snapshot', directory),
  fromLog: (_, directory) => reopened('a restart from the log alone', directory),
}

async function reopened(what: string, directory: string): Promise<void> {
  let engine: Engine | undefined
  await held(what, async () => {
    engine = await openedIn(directory)
  })
  const { recovery, head } = engine as Engine
  console.log(
    `  snapshot of commit ${recovery?.snapshotSeq}, ${named(recovery?.replayed ?? 0)} of ${named(head)} folded`,
  )
}

async function snapshotOf(orders: number, accounts: number): Promise<void> {
  await inDirectory(async (directory) => {
    const pieces = { longest: 0, count: 0 }
    const engine = await openedIn(directory, (store) => timePieces(store, pieces))
    list(engine, 0)
    for (let n = 0; n < accounts; n++) {
      open(engine, n)
      if (n % 2_000 === 1_999) await engine.whenDurable()
    }
    for (let n = 0; n < orders; n++) {
      rest(engine, n % accounts, 0, n)
      if (n % 2_000 === 1_999) await engine.whenDurable()
    }
    await engine.whenDurable()
    let saved = false
    let commands = 0
    const tick = async () => {
      must(engine, { type: 'updatePrice', marketId: marketId(0), indexPrice: PRICE + BigInt(commands % 9) })
      await setImmediate()
    }
    await held('5,000 commands without a snapshot', async () => {
      for (let n = 0; n < 5_000; n++) await tick()
    })
    const what = `${named(orders)} resting orders of ${named(accounts)} accounts`
    await held(`snapshot of ${what} while commands go on`, async () => {
      const saving = engine.saveSnapshot().then(() => {
        saved = true
      })
      for (; !saved; commands += 1) await tick()
      await saving
    })
    const longest = `${pieces.longest.toFixed(1)} ms of the processor`
    console.log(
      `  ${named(pieces.count)} pieces, the longest ${longest}; ${named(commands)} commands meanwhile`,
    )
    await engine.close()
  })
}

/** What a piece takes of the processor: of the clock others may take as much again. */
function timePieces(store: Store, pieces: { longest: number; count: number }): void {
  const save = store.saveSnapshot.bind(store)
  store.saveSnapshot = (snapshot) => {
    function* timed(): Generator<Uint8Array> {
      const iterator = snapshot.pieces[Symbol.iterator]()
      for (;;) {
        const from = process.cpuUsage()
        const { done, value } = iterator.next()
        const { user, system } = process.cpuUsage(from)
        if (done === true) return
        pieces.longest = Math.max(pieces.longest, (user + system) / 1_000)
        pieces.count += 1
        yield value
      }
    }
    return save({ ...snapshot, pieces: timed() })
  }
}
