/**
 * What keeps records beside a log, as tests: one list, run against every store that does. Each feature is a name and a
 * function that throws where the contract is broken, so that any test runner can take it.
 */
import fc from 'fast-check'
import type { CommitRecords, KeyedRecord, RecordStore } from '../index.ts'
import { same } from './same.ts'

/** Where records are kept. Every `create` gives an empty place of its own. */
export interface RecordStoreMaker {
  create(): Promise<{
    readonly records: RecordStore
    /** What is there after a restart; null where nothing outlives the process. */
    readonly reopen: (() => Promise<RecordStore>) | null
    /** Removes what is there. */
    dispose(): Promise<void>
  }>
}

/** One thing that all of them must do. */
export interface RecordFeature {
  readonly name: string
  run(): Promise<void>
}

/** Keys of different lengths, none of them the first of all, which stores may keep for themselves. */
const aKey = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Uint8Array.of(1, ...bytes))
const someBytes = fc.uint8Array({ maxLength: 40 })

/** Its records are those of the commit that is asked. */
interface DrawnCommit extends CommitRecords {
  readonly fresh: readonly KeyedRecord[]
}

/** A few commits: records that are written once, others that are written again and again, and commits without any. */
const someCommits = fc
  .array(
    fc.record({
      gap: fc.nat({ max: 2 }),
      once: fc.array(fc.tuple(aKey, someBytes), { maxLength: 9 }),
      again: fc.array(fc.tuple(fc.nat({ max: 3 }), someBytes), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) => {
    const seen = new Set<string>()
    let seq = 0
    return drawn.map(({ gap, once, again }): DrawnCommit => {
      seq += 1 + gap
      const fresh: KeyedRecord[] = []
      for (const [key, bytes] of once)
        if (!seen.has(key.join()) && seen.add(key.join())) fresh.push({ key, bytes })
      return {
        seq,
        fresh,
        records() {
          return this.fresh
        },
        latest: again.map(([key, bytes]) => ({ key: Uint8Array.of(2, key), bytes })),
      }
    })
  })

/**
 * The features of all that keep records. `runs`: how many drawn histories each of them is tried with, a count; default 50.
 *
 * ```ts
 * const maker = {
 *   async create() {
 *     const kept = await openLmdbStore(directory)
 *     return { records: await kept.records(1), reopen: null, dispose: () => kept.close() }
 *   },
 * }
 * recordFeatures(maker).length // → 4
 * ```
 */
export function recordFeatures(maker: RecordStoreMaker, runs = 50): readonly RecordFeature[] {
  const feature = (
    name: string,
    test: (
      records: RecordStore,
      commits: readonly CommitRecords[],
      reopen: () => Promise<RecordStore>,
    ) => Promise<void>,
  ): RecordFeature => ({
    name,
    run: () =>
      fc.assert(
        fc.asyncProperty(someCommits, async (commits) => {
          const { records, reopen, dispose } = await maker.create()
          try {
            await test(records, commits, reopen ?? (async () => records))
          } finally {
            await dispose()
          }
        }),
        { numRuns: runs },
      ),
  })

  return [
    feature('an empty one has nothing, and is sound', async (records, commits) => {
      same([records.cursor, records.removed], [0, null], 'cursor and what was removed')
      for (const { key } of onceOf(commits)) same(records.get(key), undefined, 'a record')
      await records.checked
    }),
    feature(
      'every record is found as it was written last, now and after a restart',
      async (records, commits, reopen) => {
        const check = (kept: RecordStore) => {
          for (const { key, bytes } of onceOf(commits)) same(bytesOf(kept.get(key)), [...bytes], 'a record')
          for (const { key, bytes } of latestOf(commits))
            same(bytesOf(kept.latest(key)), [...bytes], 'the latest record')
        }
        await written(records, commits)
        check(records)
        check(await reopen())
      },
    ),
    feature(
      'ranges are read backwards, without their beginning and with their end',
      async (records, commits) => {
        await written(records, commits)
        const once = onceOf(commits).sort((a, b) => order(b.key, a.key))
        for (const { key: upTo } of once)
          for (const { key: after } of once) {
            if (order(after, upTo) >= 0) continue
            const within = once.filter(({ key }) => order(key, after) > 0 && order(key, upTo) <= 0)
            for (const limit of [1, 2, 100]) {
              const found = [...records.lastOf(after, upTo, limit)]
              const plain = (all: readonly KeyedRecord[]) =>
                all.map(({ key, bytes }) => [[...key], [...bytes]])
              same(plain(found), plain(within.slice(0, limit)), 'a range')
            }
          }
      },
    ),
    feature(
      'the cursor says how far the log is in them, beyond commits without records',
      async (records, commits, reopen) => {
        const head = await written(records, commits)
        same([records.cursor, (await reopen()).cursor], [head, head], 'the cursor')
      },
    ),
  ]
}

/** Writes the commits in two batches, and gives the cursor: a few commits beyond the last have no records. */
async function written(records: RecordStore, commits: readonly CommitRecords[]): Promise<number> {
  const half = commits.length >> 1
  const before = commits.slice(0, half)
  const last = before.at(-1)
  if (last !== undefined) await records.write(before, last.seq, false)
  const head = (commits.at(-1)?.seq ?? 0) + 3
  await records.write(commits.slice(half), head, true)
  return head
}

function onceOf(commits: readonly CommitRecords[]): KeyedRecord[] {
  return commits.flatMap((told) => [...told.records()])
}

function latestOf(commits: readonly CommitRecords[]): readonly KeyedRecord[] {
  const latest = commits.flatMap((told) => told.latest)
  return [...new Map(latest.map((record) => [record.key.join(), record])).values()]
}

function bytesOf(bytes: Uint8Array | undefined): number[] | undefined {
  return bytes && [...bytes]
}

/** Byte by byte, a beginning before what goes on. */
function order(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
