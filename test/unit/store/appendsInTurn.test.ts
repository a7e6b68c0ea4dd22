// Work on a log is done one after the other, in the order in which it was asked for, however it is asked.

import { expect, test } from 'vitest'
import { CommitLog } from '../../../src/store/log/commitLog.ts'
import { sampleCommit } from '../../../src/testing/index.ts'
import { FaultyDisk } from '../../crash/faultyDisk.ts'

test('appends and marks that are asked for at once make the log that the same make one by one', async () => {
  const [atOnce, oneByOne] = [new FaultyDisk(), new FaultyDisk()]
  const [log, twin] = await Promise.all(
    [atOnce, oneByOne].map((disk) => CommitLog.open(disk, { segmentBytes: 400 })),
  )
  const works: Promise<void>[] = []
  for (let seq = 1; seq <= 12; seq += 2) {
    works.push(
      (log as CommitLog).append([sampleCommit(seq), sampleCommit(seq + 1)]),
      (log as CommitLog).mark(),
    )
    await (twin as CommitLog).append([sampleCommit(seq), sampleCommit(seq + 1)])
    await (twin as CommitLog).mark()
  }
  await Promise.all(works)
  expect(atOnce.contents()).toEqual(oneByOne.contents())
  expect(Object.keys(atOnce.contents()).length).toBeGreaterThan(1)
})
