// A log is read from the commit of a snapshot on, once, and whatever comes of it nobody goes on holding it.

import { expect, test } from 'vitest'
import {
  type Commit,
  CommitsArchived,
  type Engine,
  type Event,
  MemoryStore,
  openEngine,
  type Snapshot,
} from '../../../src/index.ts'
import { ACCOUNT, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../venue.ts'

const open = (store: MemoryStore, at = START) =>
  openEngine({ store, seed: 's', at, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] })

const deposit = (engine: Engine) => engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount: 5n })

const UNKNOWN = { type: 'orderCanceled', orderId: 'unknown' } as Event

/** Knows from where it was read, and how many who read it have not let go. */
class HeldStore extends MemoryStore {
  from: number[] = []
  held = 0
  /** The first commit that is there. */
  first = 1
  /** The sequence of a commit that is about an order that nobody knows. */
  unfoldable = 0
  strange: Snapshot | null = null

  override async *read(from: number): AsyncGenerator<readonly Commit[]> {
    this.from.push(from)
    if (from < this.first) throw new CommitsArchived(this.first)
    this.held += 1
    try {
      for await (const run of super.read(from))
        for (const commit of run)
          yield [commit.seq === this.unfoldable ? { ...commit, events: [UNKNOWN] } : commit]
    } finally {
      this.held -= 1
    }
  }

  override async *snapshots() {
    if (this.strange !== null) yield this.strange
    yield* super.snapshots()
  }
}

/** A venue with a snapshot and two commits behind it. */
async function venue(at = START) {
  const store = new HeldStore()
  const first = await open(store, at)
  await deposit(first)
  await first.close()
  const second = await open(store, at)
  const { head } = second
  for (let n = 0; n < 2; n++) await deposit(second)
  store.from = []
  return { store, snapshot: head, hash: second.stateHash(), head: second.head }
}

test('what is behind a snapshot is folded, and the log is read once', async () => {
  const { store, snapshot, hash, head } = await venue()
  const engine = await open(store)
  expect(engine.recovery).toMatchObject({ snapshotSeq: snapshot, replayed: 2, ignored: [] })
  expect([engine.head, engine.stateHash()]).toEqual([head, hash])
  expect([store.from, store.held]).toEqual([[snapshot], 0])
})

test('where the commit of the snapshot was archived, what is behind it is folded all the same', async () => {
  const { store, snapshot, hash, head } = await venue()
  store.first = snapshot + 1
  const engine = await open(store)
  expect(engine.recovery).toMatchObject({ snapshotSeq: snapshot, replayed: 2, ignored: [] })
  expect([engine.head, engine.stateHash()]).toEqual([head, hash])
  expect([store.from, store.held]).toEqual([[snapshot, snapshot + 1], 0])
})

test('of another venue’s snapshot it is let go, and the next one is used', async () => {
  const { store, snapshot, hash } = await venue()
  for await (const strange of (await venue(START + 1)).store.snapshots()) store.strange = strange
  const engine = await open(store)
  expect(engine.recovery).toMatchObject({ snapshotSeq: snapshot, ignored: [{ seq: snapshot }] })
  expect(engine.recovery?.ignored[0]?.reason).toMatch('another log')
  expect([engine.stateHash(), store.held]).toEqual([hash, 0])
})

test('where a commit cannot be folded, it is let go', async () => {
  const { store, snapshot } = await venue()
  store.unfoldable = snapshot + 1
  await expect(open(store)).rejects.toThrow()
  expect(store.held).toBe(0)
})
