// What is derived from a log is checked against it: history lists record by record, snapshots field by field.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDerived, type DerivedCheck } from '../../src/engine/derived.ts'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import { CHUNK } from '../../src/history/listRanks.ts'
import { openEngine, type Snapshot } from '../../src/index.ts'
import { openLmdbStore, RecordsDamaged, recordsToCompare } from '../../src/store/lmdb/index.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { gathered } from '../gathered.ts'
import { Chance, drive, GENESIS } from './traffic.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-derived-'))
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  const chance = new Chance(3)
  drive(engine, chance, 400)
  await engine.saveSnapshot()
  drive(engine, chance, 400)
  await engine.close()
})
afterEach(() => rm(directory, { recursive: true }))

/** Of the whole log, or from the snapshot of a commit on. */
async function check(snapshot = 0): Promise<DerivedCheck> {
  const store = await openLmdbStore(directory, { readOnly: true })
  const records = await recordsToCompare(directory, HISTORY_FORM)
  try {
    let from: Snapshot | null = null
    for await (const kept of store.snapshots()) if (kept.seq === snapshot) from = kept
    return await checkDerived(store.read(1), { snapshots: store.snapshots(), records }, { from })
  } finally {
    await records?.close()
    await store.close()
  }
}

/** Changes the lists as no flipped bit could: with seals that are right. */
async function forge(change: (lists: RecordedHistory) => Promise<void>): Promise<void> {
  const index = await RecordIndex.open(path.join(directory, 'history'), HISTORY_FORM)
  await change(new RecordedHistory(index))
  await index.close()
}

test('what a venue left behind follows from its log', async () => {
  const { records, snapshots, unread, differences } = await check()
  expect(differences).toEqual([])
  expect(records).toBeGreaterThan(200)
  expect(snapshots).toHaveLength(2)
  expect(unread).toEqual([])
})

test('from a snapshot on it follows as well, though records and holes before it are not told again', async () => {
  const whole = await check()
  const [older = 0, newer = 0] = whole.snapshots
  const fromOlder = await check(older)
  expect(fromOlder).toMatchObject({ snapshots: [newer], differences: [] })
  expect(fromOlder.records).toBeGreaterThan(100)
  expect(fromOlder.records).toBeLessThan(whole.records)
  expect(await check(newer)).toMatchObject({ snapshots: [], differences: [] })
})

test('a snapshot ahead of the log is named', async () => {
  const store = await openLmdbStore(directory, { readOnly: true })
  const kept: Snapshot[] = []
  for await (const snapshot of store.snapshots()) kept.unshift(snapshot)
  const [from, newer] = kept as [Snapshot, Snapshot]
  const beginning = async function* () {
    for await (const run of store.read(1)) yield run.filter(({ seq }) => seq < newer.seq)
  }
  const { differences } = await checkDerived(
    beginning(),
    { snapshots: store.snapshots(), records: null },
    { from },
  )
  expect(differences).toEqual([
    `the snapshot of commit ${newer.seq} is ahead of the log, which ends at ${newer.seq - 1}`,
  ])
  await store.close()
})

test('beside a venue at work it follows too', async () => {
  const engine = await openEngine({ store: await openLmdbStore(directory) })
  drive(engine, new Chance(4), 100)
  await engine.whenDurable()
  expect((await check()).differences).toEqual([])
  await engine.close()
})

test('a record too many is named by its number', async () => {
  await forge((index) =>
    index.write(
      [gathered({ seq: index.cursor, entries: [{ key: { list: 999, rank: 0 }, sequence: 1 }] })],
      index.cursor,
    ),
  )
  const { records, differences } = await check()
  expect(differences).toEqual([
    `of the history lists there are ${records + 1} records where the log tells ${records}`,
  ])
})

test('other holes in a list are named', async () => {
  await forge(async (index) => {
    const list = Array.from({ length: 50 }, (_, list) => list).find(
      (list) => index.holes(list, 0) !== undefined,
    )
    const bits = new Uint8Array(CHUNK >> 3).fill(1)
    await index.write(
      [gathered({ seq: index.cursor, holes: [{ list: list as number, chunk: 0, bits }] })],
      index.cursor,
    )
  })
  expect((await check()).differences).toEqual([
    expect.stringMatching(/^of the history lists the record 05[0-9a-f]+ is not what the log tells$/),
  ])
})

/** A venue that was told the same and gives other ids, up to the commit where this one ended. */
async function otherVenue(): Promise<string> {
  const other = await mkdtemp(path.join(tmpdir(), 'margin-core-derived-'))
  const engine = await openEngine({ ...GENESIS, seed: 'other', store: await openLmdbStore(other) })
  const chance = new Chance(3)
  const [newest = 0] = (await snapshotFiles()).map((name) => Number(name.slice(0, 16))).reverse()
  while (engine.head < newest) drive(engine, chance, 1)
  await engine.close()
  return other
}

const snapshotFiles = async () => (await readdir(path.join(directory, 'snapshots'))).sort()

test('the lists of another venue are told apart, by the first record that differs', async () => {
  const other = await otherVenue()
  await rm(path.join(directory, 'history'), { recursive: true })
  await cp(path.join(other, 'history'), path.join(directory, 'history'), { recursive: true })
  await rm(other, { recursive: true })
  const { differences } = await check()
  expect(differences).toContainEqual(
    expect.stringMatching(/^of the history lists the record 01[0-9a-f]{12} is not what the log tells$/),
  )
})

test('damaged lists are named', async () => {
  const file = path.join(directory, 'history', 'data.mdb')
  const bytes = await readFile(file)
  bytes[24] = (bytes[24] as number) ^ 1
  await writeFile(file, bytes)
  await expect(check()).rejects.toThrow(
    new RecordsDamaged('the records beside the log cannot be used: meta page 0 is not one'),
  )
})

test('the snapshot of another venue is told apart', async () => {
  const [older = '', newer = ''] = await snapshotFiles()
  const other = await otherVenue()
  await cp(path.join(other, 'snapshots', newer), path.join(directory, 'snapshots', newer))
  await rm(other, { recursive: true })
  const { snapshots, differences } = await check()
  expect(snapshots).toEqual([Number(older.slice(0, 16))])
  expect(differences).toEqual([expect.stringContaining('holds another state than the log leads to')])
})

test('a snapshot that fails its check is named', async () => {
  const [older = ''] = await snapshotFiles()
  await writeFile(path.join(directory, 'snapshots', older), 'not a snapshot')
  expect((await check()).differences).toEqual([
    `the snapshot of commit ${Number(older.slice(0, 16))} fails its check`,
  ])
})
