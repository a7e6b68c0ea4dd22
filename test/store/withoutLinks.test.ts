// A file system that knows no hard links, such as FAT: a file is published by another way, to the same answers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'

let code = ''
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  link: async () => {
    throw Object.assign(new Error('there are no links here'), { code })
  },
}))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-links-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function withFiles(...names: string[]): Promise<NodeDisk> {
  const disk = await NodeDisk.at(folder)
  for (const name of names) {
    const file = await disk.create(name)
    await file.write(Buffer.from(name), 0)
    await file.close()
  }
  return disk
}

async function textOf(disk: NodeDisk, name: string): Promise<string> {
  const file = await disk.open(name)
  const bytes = Buffer.alloc(file.size)
  await file.read(bytes, 0)
  await file.close()
  return bytes.toString()
}

test.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])(
  '%s: published where nothing is, and over nothing',
  async (told) => {
    code = told
    const disk = await withFiles('one', 'other')
    expect(await disk.publish('one', 'new')).toBe(true)
    expect((await disk.list()).sort()).toEqual(['new', 'other'])
    expect(await disk.publish('other', 'new')).toBe(false)
    expect((await disk.list()).sort()).toEqual(['new', 'other'])
    expect([await textOf(disk, 'new'), await textOf(disk, 'other')]).toEqual(['one', 'other'])
  },
)

test('any other failure is told', async () => {
  code = 'EIO'
  const disk = await withFiles('one')
  await expect(disk.publish('one', 'new')).rejects.toMatchObject({ code: 'EIO' })
  expect(await disk.list()).toEqual(['one'])
})
