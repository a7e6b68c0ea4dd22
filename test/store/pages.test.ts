/**
 * Nothing of a file is followed that has not been checked (K8): each of the lies that a page of the history lists could
 * tell is found, and named.
 */
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open } from 'lmdb'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { nodeOf, type Page, PageFile } from '../../src/store/lmdb/pageFile.ts'
import { PageWalk } from '../../src/store/lmdb/pageWalk.ts'

let directory: string
let file: string
const LARGE = 20_000

/** Enough of everything: branches, records with pages of their own, lists of free pages. */
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-pages-'))
  file = path.join(directory, 'data.mdb')
  const root = open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    eventTurnBatching: false,
    overlappingSync: false,
  })
  for (let round = 0; round < 3; round++)
    root.transactionSync(() => {
      for (let n = 0; n < 600; n++) root.put(keyOf(n), Buffer.alloc(n === 300 ? LARGE : 40, n + round))
      for (let n = 400; n < 500; n++) root.remove(keyOf(n))
    })
  await root.close()
  await copyFile(file, `${file}.sound`)
})
beforeEach(() => copyFile(`${file}.sound`, file))
afterAll(() => rm(directory, { recursive: true }))

function keyOf(n: number): Buffer {
  const key = Buffer.alloc(4)
  key.writeUInt32BE(n)
  return key
}

async function walk(): Promise<Map<number, Buffer>> {
  const records = new Map<number, Buffer>()
  const pages = new PageFile(file)
  try {
    await new PageWalk(pages).records((bytes, key, data, end) =>
      records.set(bytes.readUInt32BE(key), Buffer.from(bytes.subarray(data, end))),
    )
  } finally {
    pages.close()
  }
  return records
}

test('what was written is told, by key, and no page is used twice', async () => {
  const records = await walk()
  const kept = Array.from({ length: 600 }, (_, n) => n).filter((n) => n < 400 || n >= 500)
  expect([...records.keys()]).toEqual(kept)
  for (const [n, value] of records)
    expect(value.equals(Buffer.alloc(n === 300 ? LARGE : 40, n + 2))).toBe(true)
})

interface Forged {
  readonly bytes: Buffer
  readonly pageBytes: number
  /** Where the first leaf begins, and what is in it. */
  readonly leaf: number
  readonly page: Page
  /** Where the root, a branch, begins, and what is in it. */
  readonly root: number
  readonly branch: Page
  /** Where the large record begins. */
  readonly large: number
  /** Where the node says so: its page, then the transaction, then how many pages. */
  readonly pointer: number
  /** Where the last page ends that a tree uses. */
  readonly end: number
}

/** The parts of a sound file, to be changed. */
async function parts(): Promise<Forged> {
  const pages = new PageFile(file)
  const { pageBytes, main, free } = pages.meta
  const root = main.root as number
  const branch = pages.page(root, false, Buffer.alloc(pageBytes))
  expect([main.depth, free.depth]).toEqual([2, 1])
  const children = Array.from({ length: branch.nodes }, (_, index) => nodeOf(branch, index).value)
  const page = pages.page(children[0] as number, true, Buffer.alloc(pageBytes))
  let [large, pointer] = [-1, -1]
  let last = Math.max(root, free.root as number, ...children)
  for (const child of children) {
    const among = pages.page(child, true, Buffer.alloc(pageBytes))
    for (let index = 0; index < among.nodes; index++) {
      const node = nodeOf(among, index)
      if (node.flags !== 1) continue
      const overflow = pages.overflow(among, node)
      large = overflow.first
      pointer = child * pageBytes + node.data
      last = Math.max(last, large + overflow.pages - 1)
    }
  }
  pages.close()
  expect(large).toBeGreaterThan(0)
  return {
    bytes: await readFile(file),
    pageBytes,
    leaf: (children[0] as number) * pageBytes,
    page,
    root: root * pageBytes,
    branch,
    large: large * pageBytes,
    pointer,
    end: (last + 1) * pageBytes,
  }
}

const BOUNDS = /^page \d+ has bounds that cannot be$/
const ASTRAY = /^a record of \d+ bytes does not lie on the pages it should$/
const put16 = (bytes: Buffer, at: number, value: number) => bytes.writeUInt16LE(value, at)

test.each<[lie: string, told: RegExp, tell: (forged: Forged) => void]>([
  ['no nodes', BOUNDS, ({ bytes, leaf }) => put16(bytes, leaf + 20, 0)],
  ['half a node', BOUNDS, ({ bytes, leaf }) => put16(bytes, leaf + 20, bytes.readUInt16LE(leaf + 20) + 1)],
  ['an odd end', BOUNDS, ({ bytes, leaf }) => put16(bytes, leaf + 22, bytes.readUInt16LE(leaf + 22) + 1)],
  [
    'bounds that cross',
    BOUNDS,
    ({ bytes, leaf }) => put16(bytes, leaf + 20, bytes.readUInt16LE(leaf + 22) + 2),
  ],
  ['bounds beyond the page', BOUNDS, ({ bytes, leaf, pageBytes }) => put16(bytes, leaf + 22, pageBytes)],
  [
    'a node too many',
    /outside its bounds|do not fill it|outside its page|never written|runs out/,
    ({ bytes, leaf }) => put16(bytes, leaf + 20, bytes.readUInt16LE(leaf + 20) + 2),
  ],
  [
    'a node too few',
    /do not fill it/,
    ({ bytes, leaf }) => put16(bytes, leaf + 20, bytes.readUInt16LE(leaf + 20) - 2),
  ],
  [
    'data that runs out of the page',
    /^a node runs out of its page$/,
    ({ bytes, leaf, page, pageBytes }) => bytes.writeUInt32LE(pageBytes, leaf + nodeOf(page, 0).key - 8),
  ],
  [
    'a node outside the page',
    /^a node lies outside its page$/,
    ({ bytes, leaf, pageBytes }) => put16(bytes, leaf + 24, pageBytes),
  ],
  [
    'a kind of node that is never written',
    /^a node is of a kind that is never written$/,
    ({ bytes, leaf, page }) => put16(bytes, leaf + nodeOf(page, 0).key - 4, 2),
  ],
  [
    'another number',
    /is not what leads to it says$/,
    ({ bytes, leaf }) => bytes.writeUInt32LE(bytes.readUInt32LE(leaf) + 1, leaf),
  ],
  ['another kind of page', /is not what leads to it says$/, ({ bytes, leaf }) => put16(bytes, leaf + 18, 1)],
  [
    'a transaction to come',
    /is of a transaction that is not$/,
    ({ bytes, leaf }) => bytes.writeUInt32LE(1_000_000, leaf + 8),
  ],
  [
    'a key twice',
    /^keys do not ascend$/,
    ({ bytes, leaf, page }) => {
      const [first, second] = [nodeOf(page, 0), nodeOf(page, 1)]
      bytes.copy(bytes, leaf + second.key, leaf + first.key, leaf + first.data)
    },
  ],
  [
    'a page that begins with the last key of the one before',
    /^a branch leads astray$/,
    ({ bytes, leaf, page, root, branch }) => {
      const [last, next] = [nodeOf(page, page.nodes - 1), nodeOf(branch, 1)]
      bytes.copy(bytes, root + next.key, leaf + last.key, leaf + last.data)
    },
  ],
  [
    'a large record of a transaction to come',
    ASTRAY,
    ({ bytes, pointer }) => bytes.writeUInt32LE(1_000_000, pointer + 8),
  ],
  [
    'a large record with a page too many',
    ASTRAY,
    ({ bytes, pointer }) => bytes.writeUInt32LE(bytes.readUInt32LE(pointer + 16) + 1, pointer + 16),
  ],
  [
    'other pages for a large record',
    /begins another record$/,
    ({ bytes, large }) => bytes.writeUInt32LE(1, large + 20),
  ],
])('%s', async (_, told, tell) => {
  const forged = await parts()
  tell(forged)
  await writeFile(file, forged.bytes)
  await expect(walk()).rejects.toThrow(
    expect.objectContaining({ name: 'Unsound', message: expect.stringMatching(told) }),
  )
})

test('a page that a branch leads to twice, whichever it is', async () => {
  const { bytes, root, pageBytes } = await parts()
  const pages = new PageFile(file)
  const branch = pages.page(root / pageBytes, false, Buffer.alloc(pageBytes))
  const children = Array.from({ length: branch.nodes }, (_, index) => nodeOf(branch, index))
  pages.close()
  expect(new Set(children.map(({ value }) => value % 8)).size).toBeGreaterThan(2)
  for (const [index, { value }] of children.slice(0, -1).entries()) {
    const forged = Buffer.from(bytes)
    put16(forged, root + (children[index + 1]?.key as number) - 8, value)
    await writeFile(file, forged)
    await expect(walk()).rejects.toThrow(`page ${value} is used twice`)
  }
})

test('a file that ends within a page, be it the last that is used', async () => {
  const { leaf, root, large, end, pageBytes } = await parts()
  for (const at of [Math.max(leaf, root, large) + pageBytes / 2, end - pageBytes / 2, end - 1]) {
    await copyFile(`${file}.sound`, file)
    await truncate(file, at)
    await expect(walk()).rejects.toThrow(/^the file ends within the page at \d+$/)
  }
  await copyFile(`${file}.sound`, file)
  await truncate(file, end)
  expect((await walk()).size).toBe(500)
})
