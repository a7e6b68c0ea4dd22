// A store on a log is one writer's, one append at a time: what comes beside or behind it is refused, and changes nothing.

import { expect, test } from 'vitest'
import { CommitLog } from '../../../src/store/log/commitLog.ts'
import { LogStore } from '../../../src/store/log/logStore.ts'
import { SegmentReader } from '../../../src/store/log/segment.ts'
import { segmentName } from '../../../src/store/log/segmentHeader.ts'
import { SnapshotFiles } from '../../../src/store/log/snapshotFiles.ts'
import { StoreConflict } from '../../../src/store/store.ts'
import { sampleCommit } from '../../../src/testing/index.ts'
import { FaultyDisk } from '../../crash/faultyDisk.ts'

async function opened() {
  const disk = new FaultyDisk()
  const log = await CommitLog.open(disk)
  const store = new LogStore(log, new SnapshotFiles(new FaultyDisk()), { epoch: 7, release: async () => {} })
  return { disk, store, session: await store.open() }
}

async function headOf(disk: FaultyDisk): Promise<number> {
  return (await CommitLog.openForReading(disk)).head
}

test('an append beside one that is under way is refused, and the next one behind it is not', async () => {
  const { disk, store, session } = await opened()
  expect(session).toMatchObject({ head: 0, epoch: 8, repaired: null, unwritable: null })
  const first = store.append([sampleCommit(1)], 0, session.epoch)
  await expect(store.append([sampleCommit(1)], 0, session.epoch)).rejects.toThrow('an append is under way')
  await first
  await store.append([sampleCommit(2)], 1, session.epoch)
  expect(await headOf(disk)).toBe(2)
})

test('an earlier session, another head and a closed store are refused', async () => {
  const { disk, store, session } = await opened()
  const { epoch } = await store.open()
  const refused = [
    store.append([sampleCommit(1)], 0, session.epoch),
    store.append([sampleCommit(2)], 1, epoch),
    store.append([sampleCommit(2)], 0, epoch),
  ]
  for (const append of refused) await expect(append).rejects.toThrow(StoreConflict)
  await store.close()
  await expect(store.append([sampleCommit(1)], 0, epoch)).rejects.toThrow('the store is closed')
  expect(await headOf(disk)).toBe(0)
})

test('a file that is shorter than was said when it is read has what is there', async () => {
  const { disk, store, session } = await opened()
  await store.append([sampleCommit(1), sampleCommit(2)], 0, session.epoch)
  const file = await disk.open(segmentName(1))
  const heads: number[] = []
  for await (const { head } of new SegmentReader(disk, file, 1, { size: file.size + 100 }).runs())
    heads.push(head)
  expect(heads.at(-1)).toBe(2)
})
