// What the history lists ask of a store, of each that keeps them; and that they need no more: over a map they answer as the
// history in memory does.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import type { CommitRecords, RecordStore } from '../../src/history/recordStore.ts'
import { StoredHistory } from '../../src/history/storedHistory.ts'
import { HistoryIndex } from '../../src/store/lmdb/historyIndex.ts'
import { aProgram } from '../../src/testing/index.ts'
import { run, runs } from '../properties/runs.ts'
import { RecordsInMemory } from '../recordsInMemory.ts'

interface Opened {
  readonly records: RecordStore
  /** What is there after a restart; the same where nothing outlives the process. */
  reopen(): Promise<RecordStore>
  dispose(): Promise<void>
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  'a map': async () => {
    const records = new RecordsInMemory()
    return { records, reopen: async () => records, dispose: async () => {} }
  },
  LMDB: async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-records-'))
    let index = await HistoryIndex.open(directory)
    return {
      records: index,
      async reopen() {
        await index.close()
        index = await HistoryIndex.open(directory)
        return index
      },
      async dispose() {
        await index.close()
        await rm(directory, { recursive: true })
      },
    }
  },
}

/** Keys of different lengths, none of them that of anything a store keeps for itself. */
const aKey = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from([1, ...bytes]))
const someBytes = fc.uint8Array({ maxLength: 40 })
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
    return drawn.map(({ gap, once, again }): CommitRecords => {
      seq += 1 + gap
      const fresh = once.filter(([key]) => {
        const name = key.toString('hex')
        return !seen.has(name) && seen.add(name) !== undefined
      })
      return {
        seq,
        records: () => fresh.map(([key, bytes]) => ({ key, bytes })),
        latest: again.map(([key, bytes]) => ({ key: Buffer.of(2, key), bytes })),
      }
    })
  })

describe.each(Object.entries(STORES))('%s', (name, opened) => {
  test('keeps what it was told, commit by commit, and how far the log is in it', async () => {
    await fc.assert(
      fc.asyncProperty(someCommits, aKey, aKey, fc.nat({ max: 6 }), async (commits, after, upTo, limit) => {
        const { records, reopen, dispose } = await opened()
        expect([records.cursor, records.get(after), records.latest(after)]).toEqual([0, undefined, undefined])
        const half = commits.length >> 1
        const before = commits.slice(0, half)
        if (before.length > 0) await records.write(before, (before.at(-1) as CommitRecords).seq, false)
        const cursor = (commits.at(-1) as CommitRecords).seq + 3
        await records.write(commits.slice(half), cursor, true)
        const once = commits.flatMap((told) => [...told.records()])
        const last = new Map(commits.flatMap(({ latest }) => latest.map(({ key, bytes }) => [key[1], bytes])))
        const range = once
          .filter(({ key }) => Buffer.compare(key, after) > 0 && Buffer.compare(key, upTo) <= 0)
          .sort((a, b) => Buffer.compare(b.key, a.key))
          .slice(0, limit)
        const check = (kept: RecordStore) => {
          expect([kept.cursor, kept.removed]).toEqual([cursor, null])
          for (const { key, bytes } of once) expect(Buffer.from(kept.get(key) ?? []).equals(bytes)).toBe(true)
          for (const [key, bytes] of last)
            expect(Buffer.from(kept.latest(Buffer.of(2, key as number)) ?? []).equals(bytes)).toBe(true)
          if (after.compare(upTo) >= 0) return
          const found = [...kept.lastOf(after, upTo, limit)].map(({ key, bytes }) => [
            Buffer.from(key),
            Buffer.from(bytes),
          ])
          expect(found).toEqual(range.map(({ key, bytes }) => [key, Buffer.from(bytes)]))
        }
        check(records)
        check(await reopen())
        await dispose()
      }),
      { numRuns: name === 'LMDB' ? 15 : 50 },
    )
  })
})

test('the lists over a map answer as the history in memory does', async () => {
  const paging = { limit: 7, offset: 2 }
  let shown = 0
  await fc.assert(
    fc.asyncProperty(aProgram(60, 150), async (program) => {
      const { engine, watched } = await run(program, { laws: [] })
      const history = new StoredHistory(new RecordedHistory(new RecordsInMemory()), (error) => {
        throw error
      })
      const folded = new Folded((world) => new LevelTriggers(world), history)
      history.recovered()
      for (const commit of watched.commits) {
        folded.fold(commit)
        history.durable(commit.seq)
      }
      await history.flushed()
      expect(history.cursor).toBe(engine.head)
      for (const { accountId: id } of engine.read.accounts()) {
        const pages = (read: typeof engine.read) => [
          read.portfolio(id, paging),
          ...read
            .markets()
            .flatMap((market) => [
              read.orderHistory(id, market.id, paging),
              read.positionHistory(id, market.id, paging),
            ]),
        ]
        expect(pages(folded.read)).toEqual(pages(engine.read))
        for (const { id: positionId } of engine.read.portfolio(id).data) {
          expect(folded.read.positionEvents(positionId)).toEqual(engine.read.positionEvents(positionId))
          shown += 1
        }
      }
    }),
    runs(6),
  )
  expect(shown).toBeGreaterThan(20)
})
