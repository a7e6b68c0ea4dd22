// The data beside a lock are those that are known and its owner's alone; whatever else is found there is replaced.

import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLockData } from '../../../src/store/lmdb/lockData.ts'

let folder: string
let name: string
let made: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-lock-'))
  name = path.join(folder, 'data.mdb')
  await makeLockData(folder)
  made = await readFile(name)
})
afterAll(() => rm(folder, { recursive: true }))

const standing = async () => {
  const { mode, ino } = await stat(name)
  return { mode: mode & 0o777, ino }
}

test('are two pages of the environment of a mebibyte, and left alone when they are there', async () => {
  expect(made).toHaveLength(2 * 4_096)
  expect([made.readUInt32LE(40), made.readUInt32LE(4_096 + 40)]).toEqual([2 ** 20, 2 ** 20])
  const before = await standing()
  expect(before.mode).toBe(0o600)
  await makeLockData(folder)
  expect(await standing()).toEqual(before)
})

test('are the same for ever: a venue of another release finds its own', () => {
  expect(createHash('sha256').update(made).digest('hex')).toBe(
    '7a291bebdea42a01efb3161fc10d525eb70db3857457cc008f1d181df10652e2',
  )
})

test.each([0o601, 0o602, 0o604, 0o610, 0o620, 0o640, 0o700, 0o400, 0o200])(
  'are made anew where their mode is %o',
  async (mode) => {
    await chmod(name, mode)
    await makeLockData(folder)
    expect((await standing()).mode).toBe(0o600)
    expect(await readdir(folder)).toEqual(['data.mdb'])
  },
)

test('are made anew where a bit is turned, or where they are shorter or longer', async () => {
  const turned = (at: number) => {
    const bytes = Buffer.from(made)
    bytes[at] = (bytes[at] as number) ^ 1
    return bytes
  }
  const others = [
    turned(0),
    turned(made.length - 1),
    made.subarray(0, -1),
    Buffer.concat([made, Buffer.of(0)]),
  ]
  for (const bytes of others) {
    await writeFile(name, bytes)
    await makeLockData(folder)
    expect((await readFile(name)).equals(made)).toBe(true)
  }
})
