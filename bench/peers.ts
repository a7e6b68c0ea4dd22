// Libraries that do part of the same work, on that part, in the same run. They are not dependencies of this project:
//
//   mkdir peers && cd peers && npm init -y
//   npm install nodejs-order-book @castore/core @castore/event-storage-adapter-in-memory
//   BENCH_PEERS=peers npm run bench -- --only peers

import { createRequire } from 'node:module'
import path from 'node:path'
import { LevelBook } from '../src/collections/levelBook.ts'
import type { LevelEntry } from '../src/collections/levelLeaf.ts'
import { ONE } from '../src/index.ts'
import { collect, compare, type Figure, type Line, once, rate, type Timing, timing } from './figure.ts'
import { closeAtMarket, openAtMarket } from './trades.ts'
import { away, benchVenue, PRICE, scatter } from './venue.ts'

export const peers: Figure = {
  name: 'peers',
  about: 'the same work in other libraries (BENCH_PEERS names the folder they are installed in)',
  async run({ quick }) {
    const folder = process.env.BENCH_PEERS
    if (folder === undefined) return []
    const load = createRequire(path.resolve(folder, 'package.json'))
    return [...besideOrderBook(load, quick), ...(await besideCastore(load, quick))]
  },
}

/** The best round of each counts. */
const ROUNDS = 4

interface OrderBook {
  limit(order: { side: 'buy'; id: string; size: number; price: number }): { err: Error | null }
  cancel(id: string): unknown
}

/** Resting orders in price-time order: place one and cancel it, among many. */
function besideOrderBook(load: NodeJS.Require, quick: boolean): Line[] {
  const { OrderBook } = load('nodejs-order-book') as { OrderBook: new () => OrderBook }
  const size = quick ? 20_000 : 100_000
  const pairs = 20_000
  const theirs = new OrderBook()
  const ours = new LevelBook<LevelEntry>('below')
  const levelOf = (n: number) => away(-200 - scatter(n, 2_000)) + BigInt(n)
  for (let n = 0; n < size; n++) {
    ours.insert({ level: levelOf(n), rank: 2, sequence: n, leaf: null, slot: 0 })
    theirs.limit({ side: 'buy', id: `${n}`, size: 1, price: Number(levelOf(n)) })
  }
  const timed = compare({
    theirs: () => {
      for (let n = 0; n < pairs; n++) {
        const id = `x${n}`
        const { err } = theirs.limit({ side: 'buy', id, size: 1, price: Number(levelOf(n)) + 0.5 })
        if (err !== null) throw err
        theirs.cancel(id)
      }
      return pairs
    },
    ours: () => {
      for (let n = 0; n < pairs; n++) {
        const entry = { level: levelOf(n), rank: 1, sequence: size + n, leaf: null, slot: 0 }
        ours.insert(entry)
        ours.remove(entry)
      }
      return pairs
    },
  })
  const among = `among ${size.toLocaleString('en')}`
  return [
    rate(
      `level book, insert and remove ${among}`,
      timed.ours,
      'nodejs-order-book, limit and cancel',
      timed.theirs,
    ),
  ]
}

interface Castore {
  EventType: new (options: { type: string }) => unknown
  EventStore: new (options: object) => CastoreStore
}

interface CastoreStore {
  pushEvent(event: object): Promise<unknown>
  getAggregate(id: string): Promise<{ aggregate?: { version: number } }>
}

/** A position as an aggregate of events: opened by one command and closed by the next, each on its folded state. */
async function besideCastore(load: NodeJS.Require, quick: boolean): Promise<Line[]> {
  const { EventStore, EventType } = load('@castore/core') as Castore
  const { InMemoryEventStorageAdapter } = load('@castore/event-storage-adapter-in-memory') as {
    InMemoryEventStorageAdapter: new (options: { initialEvents: object[] }) => object
  }
  const store = new EventStore({
    eventStoreId: 'POSITIONS',
    eventTypes: [new EventType({ type: 'increasePosition' }), new EventType({ type: 'closePosition' })],
    reducer: (
      position: object,
      { aggregateId, version, payload }: { aggregateId: string; version: number; payload: object },
    ) => ({
      ...position,
      ...payload,
      aggregateId,
      version,
    }),
    eventStorageAdapter: new InMemoryEventStorageAdapter({ initialEvents: [] }),
  })
  const pairs = quick ? 5_000 : 20_000
  const engine = benchVenue({ accounts: 1_000 })
  let [theirs, ours] = [timing(Number.POSITIVE_INFINITY), timing(Number.POSITIVE_INFINITY)]
  for (let round = 0; round < ROUNDS; round++) {
    theirs = faster(theirs, await openAndCloseInCastore(store, round * pairs, pairs))
    ours = faster(
      ours,
      once(() => {
        for (let n = 0; n < pairs; n++) closeAtMarket(engine, n, openAtMarket(engine, n))
        return 2 * pairs
      }),
    )
  }
  return [rate('open and close, commands', ours, 'Castore in memory, without the rules', theirs)]
}

/** Each command on the folded state of its aggregate, like the engine's. */
async function openAndCloseInCastore(store: CastoreStore, first: number, pairs: number): Promise<Timing> {
  collect()
  const started = process.hrtime.bigint()
  for (let n = first; n < first + pairs; n++) {
    const aggregateId = `position ${n}`
    for (const [type, size] of [
      ['increasePosition', ONE],
      ['closePosition', 0n],
    ] as const) {
      const { aggregate } = await store.getAggregate(aggregateId)
      const version = (aggregate?.version ?? 0) + 1
      const payload = { size, notional: PRICE, margin: PRICE / 5n }
      await store.pushEvent({ aggregateId, version, type, payload })
    }
  }
  return timing(Number(process.hrtime.bigint() - started) / (2 * pairs))
}

function faster(a: Timing, b: Timing): Timing {
  return a.nsPerOperation < b.nsPerOperation ? a : b
}
