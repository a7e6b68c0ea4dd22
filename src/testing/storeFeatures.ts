/**
 * The store contract as tests: one list, run against every store. Each feature is a name and a function that throws
 * where the store breaks the contract, so that any test runner can take it.
 */
import type { Commit, Snapshot, SnapshotInPieces, SnapshotShelf, Store } from '../index.ts'
import { same } from './same.ts'

/** Where stores come from. Every `create` gives an empty one of its own. */
export interface StoreMaker {
  create(): Promise<{
    readonly store: Store
    /** Closes the store and opens what it left; null for stores that end with their process. */
    readonly reopen: (() => Promise<Store>) | null
    /** Removes what the store left. */
    dispose(): Promise<void>
  }>
}

/** One thing that every store must do. */
export interface StoreFeature {
  readonly name: string
  run(): Promise<void>
}

const MARKET = '6f1d5d6e-3c1f-4b52-9d0e-1f0a6c1b2d3e'

/**
 * A commit with a given sequence; `mark` makes it recognizable. From one to the next the price rises and falls by turns.
 *
 * ```ts
 * sampleCommit(5).seq // → 5
 * ```
 */
export function sampleCommit(seq: number, mark = 1n): Commit {
  const indexPrice = BigInt(seq % 2 === 0 ? seq + 1 : seq - 1) * 1_000_000_000n + mark
  return {
    seq,
    at: 1_767_571_200_000 + seq,
    command: { type: 'updatePrice', marketId: MARKET, indexPrice },
    events: [{ type: 'priceUpdated', marketId: MARKET, indexPrice }],
  }
}

/**
 * Commits `from` to `to`, both included.
 *
 * ```ts
 * sampleCommits(1, 3).map(({ seq }) => seq).join() // → 1,2,3
 * ```
 */
export function sampleCommits(from: number, to: number): Commit[] {
  return Array.from({ length: to - from + 1 }, (_, index) => sampleCommit(from + index))
}

/**
 * Everything from a sequence on.
 *
 * ```ts
 * const commits = await commitsOf(store)
 * commits.map(({ seq }) => seq).join() // → 1,2,3,4
 * ```
 *
 * @throws what {@link Store.read} throws.
 */
export async function commitsOf(store: Store, from = 1): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const run of store.read(from)) commits.push(...run)
  return commits
}

/**
 * The features every store has.
 *
 * ```ts
 * const maker = {
 *   create: async () => ({ store: new MemoryStore(), reopen: null, dispose: async () => {} }),
 * }
 * for (const { run } of storeFeatures(maker)) await run() // throws where a feature is missing
 * ```
 *
 * @throws from `run` alone: Error with what was expected and found, and what {@link Store.open}, {@link Store.append} and
 * {@link Store.read} throw.
 */
export function storeFeatures(maker: StoreMaker): readonly StoreFeature[] {
  const feature = (
    name: string,
    test: (store: Store, reopen: (() => Promise<Store>) | null) => Promise<void>,
  ): StoreFeature => ({
    name,
    async run() {
      const { store, reopen, dispose } = await maker.create()
      try {
        await test(store, reopen)
      } finally {
        await dispose()
      }
    },
  })

  return [
    feature('an empty store has head 0 and nothing to read', async (store) => {
      same((await store.open()).head, 0, 'head')
      same(await commitsOf(store), [], 'commits')
    }),
    feature('what is appended is read back, whole and in order', async (store) => {
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 3), 0, epoch)
      await store.append(sampleCommits(4, 4), 3, epoch)
      same(await commitsOf(store), sampleCommits(1, 4), 'commits')
    }),
    feature('reading begins at any sequence and stays empty beyond the head', async (store) => {
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 2), 0, epoch)
      await store.append(sampleCommits(3, 3), 2, epoch)
      await store.append(sampleCommits(4, 5), 3, epoch)
      for (let from = 0; from <= 7; from++)
        same(await commitsOf(store, from), sampleCommits(Math.max(from, 1), 5), `from ${from}`)
    }),
    feature('a reader sees the log as it was when it began', async (store) => {
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 2), 0, epoch)
      const reading = store.read(1)[Symbol.asyncIterator]()
      const first = await reading.next()
      await store.append(sampleCommits(3, 3), 2, epoch)
      const seen = first.done === true ? [] : [...first.value]
      for (let run = await reading.next(); run.done !== true; run = await reading.next())
        seen.push(...run.value)
      same(seen, sampleCommits(1, 2), 'commits')
    }),
    feature('no run is empty', async (store) => {
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 3), 0, epoch)
      for await (const run of store.read(1)) same(run.length > 0, true, 'run')
      for await (const run of store.read(4)) same(run.length, 'no run at all', 'run')
    }),
    feature('an append at another head than expected is refused, and changes nothing', async (store) => {
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 2), 0, epoch)
      await conflict(store.append([sampleCommit(1, 7n)], 0, epoch))
      await conflict(store.append([sampleCommit(4, 7n)], 3, epoch))
      same(await commitsOf(store), sampleCommits(1, 2), 'commits')
    }),
    feature('a batch with a gap is refused whole', async (store) => {
      const { epoch } = await store.open()
      await conflict(store.append([sampleCommit(1), sampleCommit(3)], 0, epoch))
      same(await commitsOf(store), [], 'commits')
    }),
    feature('opening again fences off the writer before', async (store) => {
      const first = await store.open()
      await store.append(sampleCommits(1, 1), 0, first.epoch)
      const second = await store.open()
      same(second.epoch > first.epoch, true, 'a newer epoch')
      same(second.head, 1, 'head')
      await conflict(store.append([sampleCommit(2, 7n)], 1, first.epoch))
      await store.append(sampleCommits(2, 2), 1, second.epoch)
      same(await commitsOf(store), sampleCommits(1, 2), 'commits')
    }),
    feature('of several writers at one head exactly one wins', async (store) => {
      const { epoch } = await store.open()
      const marks = [1n, 2n, 3n]
      const outcomes = await Promise.allSettled(
        marks.map((mark) => store.append([sampleCommit(1, mark)], 0, epoch)),
      )
      const won = marks.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      same(won.length, 1, 'winners')
      same(await commitsOf(store), [sampleCommit(1, won[0])], 'commits')
    }),
    feature(
      'appends under way at once are carried out in their order, and none behind one that is not',
      async (store) => {
        const { appendsAtOnce = 1 } = store
        const { epoch } = await store.open()
        const heads = Array.from({ length: appendsAtOnce }, (_, index) => 2 * index)
        await Promise.all(heads.map((head) => store.append(sampleCommits(head + 1, head + 2), head, epoch)))
        const head = 2 * appendsAtOnce
        same(await commitsOf(store), sampleCommits(1, head), 'commits')
        const refused = heads.map((ahead) =>
          store.append([sampleCommit(head + ahead + 2)], head + ahead + 1, epoch),
        )
        for (const append of refused) await conflict(append)
        await store.append(sampleCommits(head + 1, head + 2), head, epoch)
        same(await commitsOf(store), sampleCommits(1, head + 2), 'commits after those that were refused')
      },
    ),
    feature('integers of any size, any text and absent fields survive', async (store) => {
      const { epoch } = await store.open()
      const wide = wideCommit()
      await store.append([wide], 0, epoch)
      same(await commitsOf(store), [wide], 'commits')
    }),
    feature('snapshots come back newest first, and the newest is kept', async (store) => {
      await store.open()
      const snapshots = [3, 9, 6].map(sampleSnapshot)
      for (const snapshot of snapshots) await store.saveSnapshot(inPieces(snapshot))
      const kept: Snapshot[] = []
      for await (const snapshot of store.snapshots()) kept.push(snapshot)
      same(kept[0], sampleSnapshot(9), 'newest')
      same(
        kept.map(({ seq }) => seq),
        kept.map(({ seq }) => seq).sort((a, b) => b - a),
        'order',
      )
    }),
    feature('a store that was closed has everything when it is opened again', async (store, reopen) => {
      if (reopen === null) return
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 3), 0, epoch)
      await store.saveSnapshot(inPieces(sampleSnapshot(2)))
      const again = await reopen()
      const session = await again.open()
      same(session.head, 3, 'head')
      same(session.repaired, null, 'repaired')
      same(await commitsOf(again), sampleCommits(1, 3), 'commits')
      for await (const snapshot of again.snapshots()) same(snapshot, sampleSnapshot(2), 'snapshot')
      await again.append(sampleCommits(4, 4), 3, session.epoch)
      same(await commitsOf(again), sampleCommits(1, 4), 'commits')
    }),
    feature('a shelf keeps what is its own, and nothing that is ahead of the log', async (store, reopen) => {
      if (store.shelf === undefined) return
      const { epoch } = await store.open()
      await store.append(sampleCommits(1, 3), 0, epoch)
      await store.saveSnapshot(inPieces(sampleSnapshot(1)))
      for (const [name, seq] of [
        ['one', 2],
        ['another', 3],
        ['ahead', 4],
      ] as const)
        await (await store.shelf(name)).saveSnapshot(inPieces(sampleSnapshot(seq)))
      const again = (await reopen?.()) ?? store
      const kept = (name: string) => snapshotsOf((again.shelf as NonNullable<Store['shelf']>)(name))
      same(await kept('one'), [sampleSnapshot(2)], 'one')
      same(await kept('another'), [sampleSnapshot(3)], 'another')
      same(await kept('ahead'), reopen === null ? [sampleSnapshot(4)] : [], 'what was ahead')
      same(await kept('none'), [], 'an empty one')
      same(await snapshotsOf(again), [sampleSnapshot(1)], 'the snapshots of the store')
    }),
    feature('closing twice is no error', async (store) => {
      await store.open()
      await store.close()
      await store.close()
    }),
  ]
}

async function snapshotsOf(shelf: SnapshotShelf | Promise<SnapshotShelf>): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = []
  for await (const snapshot of (await shelf).snapshots()) snapshots.push(snapshot)
  return snapshots
}

/** Two pieces, the first of one byte. */
function inPieces({ seq, schema, bytes }: Snapshot): SnapshotInPieces {
  return { seq, schema, pieces: [bytes.subarray(0, 1), bytes.subarray(1)] }
}

function sampleSnapshot(seq: number): Snapshot {
  return { seq, schema: 'sample', bytes: Uint8Array.of(seq, 0, 255, seq) }
}

function wideCommit(): Commit {
  const accountId = 'not a uuid, with "quotes" and ünïcödé \u{1f4c8}'
  return {
    seq: 1,
    at: 0,
    command: { type: 'configureMarket', market: { id: MARKET, maxOrderNotional: null, spread: 0n } },
    events: [2n ** 31n, 2n ** 47n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 39n]
      .flatMap((power) => [power - 1n, power, -power, -power - 1n])
      .map((amount) => ({ type: 'balanceAdjusted', accountId, amount })),
  }
}

async function conflict(append: Promise<void>): Promise<void> {
  const error = await append.then(
    () => null,
    (error: unknown) => error,
  )
  same(error instanceof Error ? error.name : error, 'StoreConflict', 'the append')
}

/** @throws Error naming what differs. */
