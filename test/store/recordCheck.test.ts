// What a seal and a tally are for: records that were changed, moved, lost, or are an older version of themselves (K8).

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import { holesKey, KIND, sequenceKey } from '../../src/history/recordKeys.ts'
import { faultOf } from '../../src/store/lmdb/recordCheck.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { RecordsDamaged, sealed, unsealed } from '../../src/store/lmdb/sealedRecord.ts'
import { gathered } from '../gathered.ts'

let directory: string

const bits = (byte: number) => new Uint8Array(128).fill(byte)

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-check-'))
  const index = await RecordIndex.open(directory, HISTORY_FORM)
  const lists = new RecordedHistory(index)
  const entries = Array.from({ length: 500 }, (_, rank) => ({ key: { list: 1, rank }, sequence: rank + 1 }))
  await lists.write([gathered({ seq: 7, entries, holes: [{ list: 1, chunk: 0, bits: bits(1) }] })], 7)
  await lists.write([gathered({ seq: 9, holes: [{ list: 1, chunk: 0, bits: bits(3) }] })], 9)
  await index.close()
})
afterEach(() => rm(directory, { recursive: true }))

/** Changes the file behind the back of the index, in ways that every page of it survives. */
async function tamper(change: (root: RootDatabase<Buffer, Buffer>) => Promise<unknown>): Promise<void> {
  const root = open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  })
  await change(root)
  await root.flushed
  await root.close()
}

const entry = (rank: number) => Buffer.from([KIND.entry, 0, 0, 0, 1, 0, 0, 0, 0, rank >> 8, rank & 255])

test('untouched lists are sound', async () => {
  expect(await faultOf(directory, HISTORY_FORM)).toBeNull()
})

test('a record that is gone is missed', async () => {
  await tamper((root) => root.remove(entry(300)))
  expect(await faultOf(directory, HISTORY_FORM)).toBe('they have 500 records, not 501')
})

test('a record in the place of another fails its check', async () => {
  await tamper((root) => root.put(entry(300), Buffer.from(root.get(entry(301)) as Buffer)))
  expect(await faultOf(directory, HISTORY_FORM)).toContain('fails its check')
})

test('an older version of a record is told from the newest', async () => {
  await tamper((root) => root.put(Buffer.from(holesKey(1, 0)), sealed(holesKey(1, 0), bits(1))))
  expect(await faultOf(directory, HISTORY_FORM)).toBe('a record is not the newest of its kind')
})

test('lists of builds that wrote on after a write that had failed are built again, once', async () => {
  const ABOUT = Buffer.of(0)
  const formerly = 1_611_250_368
  await tamper((root) => {
    const about = Buffer.from(unsealed(ABOUT, root.get(ABOUT) as Buffer))
    about.writeUInt32LE(formerly, 0)
    return root.put(ABOUT, sealed(ABOUT, about))
  })
  const index = await RecordIndex.open(directory, HISTORY_FORM)
  expect(index.removed).toBe('they are of another form')
  expect(index.cursor).toBe(0)
  await index.close()
  expect(await faultOf(directory, HISTORY_FORM)).toBeNull()
})

test('what is removed is told, and the lists begin again', async () => {
  await tamper((root) => root.remove(entry(3)))
  const index = await RecordIndex.open(directory, HISTORY_FORM)
  expect(index.removed).toBe('they have 500 records, not 501')
  expect([index.cursor, new RecordedHistory(index).entry({ list: 1, rank: 5 })]).toEqual([0, undefined])
  await index.close()
  const again = await RecordIndex.open(directory, HISTORY_FORM)
  expect(again.removed).toBeNull()
  await again.close()
})

test('a record whose bytes or key changed is not read', () => {
  const [key, other] = [sequenceKey(KIND.order, 5), sequenceKey(KIND.order, 6)]
  const stored = sealed(key, Buffer.from('an order'))
  expect(String(unsealed(key, stored))).toBe('an order')
  expect(() => unsealed(other, stored)).toThrow(RecordsDamaged)
  for (let bit = 0; bit < 8 * stored.length; bit++) {
    const changed = Buffer.from(stored)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(() => unsealed(key, changed)).toThrow(RecordsDamaged)
  }
  expect(() => unsealed(key, Buffer.alloc(3))).toThrow(RecordsDamaged)
})
