// Which files of a log are opened, and until when: those that are read from, and none once it is closed.

import { expect, test } from 'vitest'
import { CommitLog } from '../../../src/store/log/commitLog.ts'
import type { Disk, DiskFile } from '../../../src/store/log/disk.ts'
import { segmentName } from '../../../src/store/log/segmentHeader.ts'
import { sampleCommit } from '../../../src/testing/index.ts'
import { FaultyDisk } from '../../crash/faultyDisk.ts'

/** Files whose closing takes a turn of the event loop. */
class WatchedDisk extends FaultyDisk {
  readonly opened: string[] = []
  left = 0

  override async open(name: string): Promise<DiskFile> {
    this.opened.push(name)
    return this.#watched(await super.open(name))
  }

  override async create(name: string): Promise<DiskFile> {
    return this.#watched(await super.create(name))
  }

  override names: Disk['names'] = () => true

  #watched(file: DiskFile): DiskFile {
    this.left += 1
    const close = async () => {
      await new Promise(setImmediate)
      await file.close()
      this.left -= 1
    }
    return new Proxy(file, { get: (of, what) => (what === 'close' ? close : bound(of, what)) })
  }
}

function bound(file: DiskFile, what: string | symbol): unknown {
  const value: unknown = Reflect.get(file, what)
  return typeof value === 'function' ? value.bind(file) : value
}

test('a log that is closed has no file open, and from a commit on those are read that reach it', async () => {
  const disk = new WatchedDisk()
  const log = await CommitLog.open(disk, { segmentBytes: 400 })
  const begun = [1]
  for (let files = 1; begun.length < 5; files = Object.keys(disk.contents()).length) {
    if (files > begun.length) begun.push(log.head)
    await log.append([sampleCommit(log.head + 1)])
  }
  for (let from = 0; from <= log.head; from++) {
    disk.opened.length = 0
    for await (const _ of log.read(from));
    const reach = begun.filter((_, index) => (begun[index + 1] ?? log.head + 1) > Math.max(from, 1))
    expect(disk.opened, `from ${from}`).toEqual(reach.map(segmentName))
    expect(disk.left, 'that of the writer').toBe(1)
  }
  await log.close()
  expect(disk.left).toBe(0)
})

/** A log of three files, and one of its groups in bytes. */
async function threeFiles() {
  const disk = new FaultyDisk()
  const log = await CommitLog.open(disk, { segmentBytes: 400 })
  while (log.segments.length < 3) await log.append([sampleCommit(log.head + 1)])
  await log.close()
  return disk.contents()
}

test('files that do not count are set aside on the medium, and where there are none nothing is waited for', async () => {
  const whole = await threeFiles()
  const [, second = '', third = ''] = Object.keys(whole).sort()
  const opened = async (files: Record<string, Uint8Array>, copies: boolean) => {
    const disk = FaultyDisk.holding(files, copies)
    let flushes = 0
    const { flush } = disk
    disk.flush = () => {
      flushes += 1
      return flush.call(disk)
    }
    const log = await CommitLog.open(disk)
    return { flushes, files: Object.keys(disk.contents()).sort(), repaired: log.repaired }
  }
  expect(await opened(whole, false)).toMatchObject({ flushes: 0, repaired: null })
  const torn = {
    ...whole,
    [second]: (whole[second] as Uint8Array).map((byte, at) => (at < 4_000 && at >= 66 ? 0 : byte)),
  }
  const { flushes, files } = await opened(torn, true)
  expect(flushes).toBe(1)
  expect(files).toContain(`${third}.beyond`)
})
