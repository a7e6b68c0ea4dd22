// Snapshots as files: two are kept, each whole or not there, flushed a mebibyte at a time so that a log beside them waits for little.

import { expect, test } from 'vitest'
import { SnapshotFiles } from '../../../src/store/log/snapshotFiles.ts'
import { joined, type Snapshot } from '../../../src/store/store.ts'
import { FaultyDisk } from '../../crash/faultyDisk.ts'

const MIB = 1 << 20

const saved = async (files: SnapshotFiles): Promise<Snapshot[]> => {
  const all: Snapshot[] = []
  for await (const snapshot of files.snapshots()) all.push(snapshot)
  return all
}

test('the newest two are kept, newest first, as they were given in pieces', async () => {
  const disk = new FaultyDisk()
  const files = new SnapshotFiles(disk)
  expect(await files.newest()).toBe(0)
  const pieces = [Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)]
  for (const seq of [5, 12, 100]) await files.saveSnapshot({ seq, schema: `s${seq}`, pieces })
  const bytes = joined(pieces)
  expect(await saved(files)).toEqual([
    { seq: 100, schema: 's100', bytes },
    { seq: 12, schema: 's12', bytes },
  ])
  expect(await files.newest()).toBe(100)
  expect((await disk.list()).sort()).toEqual(['0000000000000012.snapshot', '0000000000000100.snapshot'])
  await files.forgetAfter(100)
  expect(await files.newest()).toBe(100)
  await files.forgetAfter(99)
  expect(await files.newest()).toBe(12)
  await files.forgetAfter(0)
  expect(await saved(files)).toEqual([])
})

test('one with any bit turned, cut short, or under another sequence is damaged', async () => {
  const disk = new FaultyDisk()
  await new SnapshotFiles(disk).saveSnapshot({ seq: 7, schema: 's', pieces: [Uint8Array.of(1, 2, 3)] })
  const name = '0000000000000007.snapshot'
  const whole = disk.contents()[name] as Uint8Array
  const damaged = [
    ...Array.from(whole, (_, at) =>
      whole.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte)),
    ),
    ...Array.from(whole, (_, length) => whole.slice(0, length)),
    // What a file system makes of a file that was not flushed.
    ...Array.from(whole, (_, length) => new Uint8Array(length)),
  ]
  for (const bytes of damaged)
    expect(await saved(new SnapshotFiles(FaultyDisk.holding({ [name]: bytes })))).toEqual([
      { seq: 7, schema: 'damaged', bytes: new Uint8Array() },
    ])
  const moved = FaultyDisk.holding({ '0000000000000008.snapshot': whole, 'notes.txt': whole })
  expect((await saved(new SnapshotFiles(moved))).map(({ seq, schema }) => [seq, schema])).toEqual([
    [8, 'damaged'],
  ])
})

test.each([
  { pieces: [], flushes: 1 },
  { pieces: [MIB / 2, MIB / 4, MIB / 8], flushes: 1 },
  { pieces: [MIB, 1], flushes: 2 },
  { pieces: [MIB / 2, MIB / 2, MIB / 2, MIB / 2], flushes: 3 },
  { pieces: [3 * MIB, 3 * MIB], flushes: 3 },
])('pieces of $pieces bytes are flushed $flushes times', async ({ pieces, flushes }) => {
  const disk = new FaultyDisk()
  let count = 0
  const { create } = disk
  disk.create = async (name) => {
    const file = await create.call(disk, name)
    const flush = file.flush.bind(file)
    return Object.assign(file, {
      flush: () => {
        count += 1
        return flush()
      },
    })
  }
  const given = pieces.map((length) => new Uint8Array(length))
  await new SnapshotFiles(disk).saveSnapshot({ seq: 1, schema: '', pieces: given })
  expect(count).toBe(flushes)
})
