// Changes of the history lists are written in transactions of a bounded size, however much one commit changed (K15); and
// wherever the writing ends, telling the same again goes on from there.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GatheredChanges } from '../../src/history/gatheredChanges.ts'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import { StoreDamaged } from '../../src/index.ts'
import { type About, newestIn } from '../../src/store/lmdb/about.ts'
import { aboutRecordsIn } from '../../src/store/lmdb/aboutRecords.ts'
import { hexOf } from '../../src/store/lmdb/bufferOver.ts'
import { openLmdbStore, recordsToCompare } from '../../src/store/lmdb/index.ts'
import { faultOf } from '../../src/store/lmdb/recordCheck.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { type RecordTransaction, transactionsOf } from '../../src/store/lmdb/recordTransactions.ts'
import type { ComparedRecords } from '../../src/store/recordStore.ts'
import { gathered } from '../gathered.ts'

const bits = (byte: number) => new Uint8Array(128).fill(byte)
const entriesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ key: { list: 1, rank: from + n }, sequence: from + n + 1 }))

/** Commits with gaps between them, as those that change no list leave; some make a hole. */
const someCommits = fc
  .array(fc.record({ entries: fc.nat({ max: 12 }), hole: fc.boolean(), gap: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((drawn) => {
    let [seq, rank] = [0, 0]
    return drawn.map(({ entries, hole, gap }): GatheredChanges => {
      seq += 1 + gap
      rank += entries
      const holes = hole ? [{ list: 1, chunk: 0, bits: bits(seq) }] : []
      return gathered({ seq, entries: entriesOf(entries, rank - entries), holes })
    })
  })

const keysOf = (transactions: readonly RecordTransaction[]) =>
  transactions.flatMap(({ records }) => records.map(({ key }) => hexOf(key)))

test('no transaction is larger than it may be, and wherever the last one was the rest follows', () => {
  const reached = { several: 0, severalOfOne: 0, within: 0 }
  fc.assert(
    fc.property(someCommits, fc.integer({ min: 1, max: 8 }), (commits, atATime) => {
      const cursor = (commits.at(-1) as GatheredChanges).seq + 1
      const all = [...transactionsOf(commits, cursor, { cursor: 0, part: null }, atATime)]
      for (const { records } of all) expect(records.length).toBeLessThanOrEqual(atATime)
      expect(keysOf(all)).toEqual(
        keysOf([...transactionsOf(commits, cursor, { cursor: 0, part: null }, 1e9)]),
      )
      expect(all.at(-1)).toMatchObject({ cursor, part: null })
      for (const [index, written] of all.entries()) {
        const rest = commits.filter(({ seq }) => seq > written.cursor)
        const again = [...transactionsOf(rest, cursor, written, atATime)]
        expect(keysOf(again)).toEqual(keysOf(all.slice(index + 1)))
        // Holes of whole commits are there once their commits are.
        const holes = commits.filter(({ seq }) => seq <= written.cursor).flatMap(({ holes }) => holes)
        const kept = all.slice(0, index + 1).flatMap((transaction) => transaction.latest)
        expect(kept.at(-1)?.bytes).toEqual(holes.at(-1)?.bits)
        if (written.part !== null) reached.within += 1
      }
      if (all.length > 2) reached.several += 1
      if (new Set(all.map((one) => one.part?.seq)).size < all.length) reached.severalOfOne += 1
    }),
  )
  expect(reached.several).toBeGreaterThan(20)
  expect(reached.severalOfOne).toBeGreaterThan(10)
  expect(reached.within).toBeGreaterThan(100)
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-transactions-'))
})
afterEach(() => rm(directory, { recursive: true }))

const ENTRIES = 9_000
const before = gathered({
  seq: 4,
  entries: entriesOf(10, ENTRIES),
  holes: [{ list: 1, chunk: 0, bits: bits(4) }],
})
const large = gathered({
  seq: 6,
  entries: entriesOf(ENTRIES),
  holes: [{ list: 1, chunk: 0, bits: bits(6) }],
})

/** Writes both commits, and the power goes before so many entries of the large one are told. */
async function interrupted(history: string, told: number): Promise<void> {
  await mkdir(history, { recursive: true })
  const index = await RecordIndex.open(history, HISTORY_FORM)
  const entries = Object.assign([...large.entries], {
    *[Symbol.iterator]() {
      for (const [n, entry] of large.entries.entries()) {
        if (n === told) throw new Error('interrupted')
        yield entry
      }
    },
  })
  await expect(
    new RecordedHistory(index).write([before, gathered({ seq: 6, entries, holes: large.holes })], 6),
  ).rejects.toThrow('interrupted')
  await index.close()
}

const newest = () => newestIn(aboutRecordsIn(directory) as About)

test('a comparison is with whole commits: what there is of the next one is not counted', async () => {
  const history = path.join(directory, 'history')
  await interrupted(history, 7_000)
  const compared = (await recordsToCompare(directory, HISTORY_FORM)) as ComparedRecords
  expect([compared.upTo, compared.newest]).toEqual([4, 6])
  await compared.write([before], 4, false)
  expect(compared.result()).toEqual({ records: 11, difference: null })
  await compared.close()
})

test('records that do not say yet what they are have nothing to compare', async () => {
  await mkdir(path.join(directory, 'history'))
  await open({ path: path.join(directory, 'history'), noSubdir: false }).close()
  const compared = (await recordsToCompare(directory, HISTORY_FORM)) as ComparedRecords
  expect([compared.upTo, compared.newest]).toEqual([0, 0])
  expect(compared.result()).toEqual({ records: 0, difference: null })
  await compared.close()
})

test('a commit that was written in part is sound, and is written to its end when it is told again', async () => {
  await interrupted(directory, 7_000)
  expect(await faultOf(directory, HISTORY_FORM)).toBeNull()
  const index = await RecordIndex.open(directory, HISTORY_FORM)
  expect([index.removed, index.cursor, newest()]).toEqual([null, 4, 6])
  const lists = new RecordedHistory(index)
  expect(lists.entry({ list: 1, rank: 0 })).toBe(1)
  expect(lists.entry({ list: 1, rank: 6_999 })).toBeUndefined()
  expect(lists.holes(1, 0)).toEqual(Buffer.from(bits(4)))
  await lists.write([large], 6)
  expect(index.cursor).toBe(6)
  await index.close()

  // The records and their sum are those of lists that were written whole.
  expect(await faultOf(directory, HISTORY_FORM)).toBeNull()
  const again = await RecordIndex.open(directory, HISTORY_FORM)
  expect(newest()).toBe(6)
  const rebuilt = new RecordedHistory(again)
  for (const { key, sequence } of [...large.entries, ...before.entries])
    expect(rebuilt.entry(key)).toBe(sequence)
  expect(rebuilt.holes(1, 0)).toEqual(Buffer.from(bits(6)))
  await again.close()
})

test('a part of a commit that the log does not have is evidence of its loss (K7)', async () => {
  await interrupted(path.join(directory, 'history'), 7_000)
  const opening = openLmdbStore(directory)
  await expect(opening).rejects.toBeInstanceOf(StoreDamaged)
})
