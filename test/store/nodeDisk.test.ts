// A directory answers as the disk in memory does on which the log is proven against faults.

import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'
import type { Disk, DiskFile } from '../../src/store/log/disk.ts'
import { FaultyDisk } from '../crash/faultyDisk.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-disk-'))
})
afterAll(() => rm(folder, { recursive: true }))

const NAMES = ['a', 'b', 'c']
const name = fc.constantFrom(...NAMES)
const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), name, bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({
    does: fc.constant('write' as const),
    name,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
    position: fc.nat(60),
  }),
  fc.record({ does: fc.constantFrom('rename' as const, 'publish' as const), name, to: name }),
  fc.record({ does: fc.constantFrom('remove' as const, 'flush' as const), name }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Does a step; what it answers, and every file as it is then. */
async function done(disk: Disk, made: DiskFile[], open: Map<string, DiskFile>, step: Step) {
  const { does, name } = step
  const there = (await disk.list()).includes(name)
  const file = open.get(name)
  let answer: unknown = null
  if (does === 'create') {
    const created = await disk.create(name)
    made.push(created)
    if (step.bytes.length > 0) await created.write(step.bytes, 0)
    if (file !== undefined) answer = disk.names(name, file)
    open.set(name, created)
  } else if (does === 'write') {
    if (there && file !== undefined && disk.names(name, file)) {
      await file.write(step.bytes, step.position)
      await file.flush()
      answer = file.size
    }
  } else if (does === 'rename') {
    if (there && name !== step.to) await disk.rename(name, step.to)
  } else if (does === 'publish') {
    if (there && name !== step.to) answer = await disk.publish(name, step.to)
  } else if (does === 'remove') await disk.remove(name)
  else await disk.flush()
  return { answer, files: await filesOf(disk), named: namedBy(disk, open) }
}

async function filesOf(disk: Disk): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const name of (await disk.list()).sort()) {
    const file = await disk.open(name)
    const bytes = Buffer.alloc(file.size + 10)
    const length = await file.read(bytes, 0)
    const behind = Buffer.alloc(4)
    const rest = await file.read(behind, Math.max(0, file.size - 2))
    await file.close()
    files[name] = `${bytes.toString('hex', 0, length)} ${behind.toString('hex', 0, rest)}`
  }
  return files
}

const namedBy = (disk: Disk, open: ReadonlyMap<string, DiskFile>) =>
  [...open].flatMap(([, file]) => NAMES.filter((name) => disk.names(name, file)))

test('files are made, written, named and removed as on the disk in memory', async () => {
  let directories = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), fc.boolean(), async (steps, inBulk) => {
      directories += 1
      const directory = path.join(folder, String(directories))
      const real = await (inBulk ? NodeDisk.inBulk(directory) : NodeDisk.at(directory))
      const model = new FaultyDisk()
      const made: DiskFile[] = []
      const [there, here] = [new Map<string, DiskFile>(), new Map<string, DiskFile>()]
      try {
        for (const one of steps)
          expect(await done(real, made, there, one)).toEqual(await done(model, [], here, one))
      } finally {
        for (const file of made) await file.close()
      }
    }),
    { numRuns: 60 },
  )
})

test('a directory is made with those above it, and is for its owner alone', async () => {
  const directory = path.join(folder, 'deep', 'deeper', 'deepest')
  const disk = await NodeDisk.at(directory)
  expect(await disk.list()).toEqual([])
  for (const one of [directory, path.dirname(directory)]) expect((await stat(one)).mode & 0o777).toBe(0o700)
})

test('a directory that cannot be made is told by its own name', async () => {
  const file = path.join(folder, 'in the way')
  await (await open(file, 'w')).close()
  const directory = path.join(file, 'deep', 'deeper')
  await expect(NodeDisk.at(directory)).rejects.toMatchObject({ code: 'ENOTDIR', path: directory })
})

test('what a venue writes is for its owner alone', async () => {
  const disk = await NodeDisk.at(path.join(folder, 'private'))
  await (await disk.create('file')).close()
  expect((await stat(path.join(folder, 'private', 'file'))).mode & 0o777).toBe(0o600)
})

test('reading makes nothing, and a directory that is not there is empty', async () => {
  const directory = path.join(folder, 'nowhere')
  const disk = NodeDisk.reading(directory)
  expect(await disk.list()).toEqual([])
  await expect(disk.open('a')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(folder)).not.toContain('nowhere')
})

test('a directory that cannot be read is no empty one', async () => {
  const disk = await NodeDisk.at(folder)
  const file = await disk.create('file')
  await file.close()
  await expect(NodeDisk.reading(path.join(folder, 'file')).list()).rejects.toMatchObject({ code: 'ENOTDIR' })
})

describe('what is flushed is on the medium', () => {
  /** The calls that put a file there, each under way until it is let go. */
  async function watched(file: DiskFile) {
    const handle = await open(path.join(folder, 'to watch'), 'w')
    const prototype = Object.getPrototypeOf(handle) as FileHandle
    await handle.close()
    const under: { readonly done: () => void; readonly failed: (error: Error) => void }[] = []
    const spy = vi
      .spyOn(prototype, 'datasync')
      .mockImplementation(() => new Promise((done, failed) => under.push({ done, failed })))
    let flushes = 0
    const flush = () =>
      file.flush().then(() => {
        flushes += 1
      })
    return { under, flush, flushed: () => flushes, [Symbol.dispose]: () => spy.mockRestore() }
  }

  test('once the system has said so, and again after it has failed', async () => {
    const disk = await NodeDisk.inBulk(path.join(folder, 'bulk'))
    const file = await disk.create('file')
    using medium = await watched(file)
    await medium.flush()
    expect(medium.under).toHaveLength(0)
    await file.write(Buffer.from('one'), 0)
    const first = medium.flush()
    await setImmediate()
    expect([medium.under.length, medium.flushed()]).toEqual([1, 1])
    medium.under[0]?.failed(new Error('the medium is gone'))
    await expect(first).rejects.toThrow('the medium is gone')
    const second = medium.flush()
    await setImmediate()
    expect([medium.under.length, medium.flushed()]).toEqual([2, 1])
    medium.under[1]?.done()
    await second
    await medium.flush()
    expect([medium.under.length, medium.flushed()]).toEqual([2, 3])
    await file.close()
  })

  test('with the write itself, where it is written through', async () => {
    const disk = await NodeDisk.at(path.join(folder, 'through'))
    const file = await disk.create('file')
    using medium = await watched(file)
    await file.write(Buffer.from('one'), 0)
    await medium.flush()
    expect([medium.under.length, medium.flushed()]).toEqual([0, 1])
    await file.close()
  })
})
