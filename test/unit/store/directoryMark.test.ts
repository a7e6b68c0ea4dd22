// What a directory says of its log: the newer of two places that is whole, and of whom it is.

import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { crc32 } from '../../../src/hashes/crc32.ts'
import { DirectoryMark } from '../../../src/store/lmdb/directoryMark.ts'

const PLACE = 512
const folder = () => mkdtempSync(path.join(tmpdir(), 'margin-core-mark-'))

async function marked(heads: readonly number[], directory = folder()) {
  const mark = await DirectoryMark.open(directory, await DirectoryMark.read(directory))
  for (const head of heads) await mark.write(head)
  await mark.close()
  return { directory, file: path.join(directory, 'durable') }
}

test('where nothing was said nothing is claimed', async () => {
  expect(await DirectoryMark.read(folder())).toEqual({ head: 0, copied: false, openings: 0, venue: 0 })
})

test('the newest head is said, never an older one again, and each opening is counted', async () => {
  const { directory } = await marked([3, 7, 5])
  expect(await DirectoryMark.read(directory)).toMatchObject({ head: 7, copied: false, openings: 1 })
  await marked([9], directory)
  expect(await DirectoryMark.read(directory)).toMatchObject({ head: 9, copied: false, openings: 2 })
})

test.each([
  [0, [4, 9], 4],
  [1, [4, 9], 9],
])('with place %i torn while it was written the other one counts', async (place, heads, head) => {
  const { directory, file } = await marked(heads)
  const bytes = readFileSync(file)
  expect(bytes).toHaveLength(3 * PLACE)
  bytes.fill(0, place * PLACE, place * PLACE + 30)
  writeFileSync(file, bytes)
  expect(await DirectoryMark.read(directory)).toMatchObject({ head, copied: false, openings: 1 })
})

test('with both places torn nothing is claimed, and it is no copy', async () => {
  const { directory, file } = await marked([4, 9])
  writeFileSync(file, Buffer.alloc(2 * PLACE))
  expect(await DirectoryMark.read(directory)).toMatchObject({ head: 0, copied: false, openings: 0 })
})

test('a line of a build that did not count openings counts none', async () => {
  const { directory, file } = await marked([1])
  const text = Buffer.from(`durable up to commit 12 in file ${(await stat(file)).ino}`)
  writeFileSync(file, `${text} check ${crc32(text, 0, text.length)}`)
  expect(await DirectoryMark.read(directory)).toMatchObject({ head: 12, copied: false, openings: 0 })
})

test('a copy says so and claims no head, and whoever opens it gives it a file of its own', async () => {
  const { file } = await marked([6])
  const copy = folder()
  copyFileSync(file, path.join(copy, 'durable'))
  expect(await DirectoryMark.read(copy)).toMatchObject({ head: 0, copied: true, openings: 1 })
  await marked([2], copy)
  expect(await DirectoryMark.read(copy)).toMatchObject({ head: 2, copied: false, openings: 2 })
})

test('a directory is known by what was drawn for it, which stays as long as its file does; a copy is another one', async () => {
  const { directory, file } = await marked([1])
  const { venue } = await DirectoryMark.read(directory)
  expect(venue).toBeGreaterThan(0)
  expect(venue).toBeLessThan(2 ** 24)
  for (const heads of [[2], [3, 4, 5]]) await marked(heads, directory)
  expect((await DirectoryMark.read(directory)).venue).toBe(venue)
  expect((await DirectoryMark.read((await marked([1])).directory)).venue).not.toBe(venue)
  const copy = folder()
  copyFileSync(file, path.join(copy, 'durable'))
  expect((await DirectoryMark.read(copy)).venue).toBe(0)
  await marked([2], copy)
  expect([0, venue]).not.toContain((await DirectoryMark.read(copy)).venue)
})

test('what a directory is known by is drawn anew where an earlier build wrote the file, and where a bit of it has changed', async () => {
  const { directory, file } = await marked([1, 2])
  const { venue } = await DirectoryMark.read(directory)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, 2 * PLACE))
  expect(await DirectoryMark.read(directory)).toEqual({ head: 2, copied: false, openings: 1, venue: 0 })
  await marked([3], directory)
  expect([0, venue]).not.toContain((await DirectoryMark.read(directory)).venue)
  for (let at = 0; at < 30; at++) {
    const flipped = Buffer.from(bytes)
    flipped[2 * PLACE + at] = (flipped[2 * PLACE + at] as number) ^ 4
    writeFileSync(file, flipped)
    const read = await DirectoryMark.read(directory)
    expect([0, venue]).toContain(read.venue)
    expect(read).toMatchObject({ head: 2, openings: 1 })
  }
})
