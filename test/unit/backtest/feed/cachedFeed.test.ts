/** A cache of columns changes nothing but the time: what is given is the same with it, without it, and with a damaged one. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openCachedFeed } from '../../../../src/backtest/feed/cache/cachedFeed.ts'
import type { Feed } from '../../../../src/backtest/feed/feed.ts'
import { type FeedOptions, openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { scratchFile, scratchFolder } from './sampleMarket.ts'
import { told } from './told.ts'

const read = vi.hoisted(() => ({ files: 0 }))
vi.mock('../../../../src/backtest/feed/openFeed.ts', async (original) => {
  const real = await original<typeof import('../../../../src/backtest/feed/openFeed.ts')>()
  return {
    ...real,
    openFeed: (options: FeedOptions) => {
      read.files += 1
      return real.openFeed(options)
    },
  }
})

const MINUTE = 60_000
const START = Date.UTC(2025, 0, 1)

let cache: string
beforeEach(() => {
  cache = scratchFolder()
})

const bar = (minute: number, price = 100) =>
  `${START + minute * MINUTE},${price},${price + 1},${price - 1},${price},${(minute * 7) % 13}`
const barFile = (rows: readonly string[]) =>
  scratchFile('bars.csv', `${['open_time_ms,open,high,low,close,volume', ...rows].join('\n')}\n`)
const minutes = (count: number) => Array.from({ length: count }, (_, minute) => minute)
const ticks = (columns: string, row: (at: number) => string) =>
  scratchFile('ticks.csv', `${[columns, ...minutes(50).map((at) => row(at))].join('\n')}\n`)

const fixture = (name: string) => path.join(import.meta.dirname, 'fixtures', name)

function twoFiles(): string {
  const folder = path.join(scratchFolder(), 'months')
  mkdirSync(folder, { recursive: true })
  for (const [name, from] of [
    ['a.csv', 0],
    ['b.csv', 30],
  ] as const)
    writeFileSync(
      path.join(folder, name),
      `t,open,high,low,close\n${minutes(25)
        .map((minute) => bar(from + minute).replace(/,[^,]*$/, ''))
        .join('\n')}\n`.replace('t,', 'time,'),
    )
  return folder
}

const SOURCES: Record<string, () => Omit<FeedOptions, 'chunkRows'>> = {
  'bars with a gap': () => ({
    path: barFile(
      minutes(60)
        .filter((minute) => minute < 20 || minute > 25)
        .map((minute) => bar(minute)),
    ),
  }),
  'bars with rows that are skipped': () => ({
    path: barFile(minutes(60).map((minute) => (minute % 9 === 4 ? `${START},x,1,1,1,1` : bar(minute)))),
    onBadRow: 'skip',
  }),
  'bars that end with a bad row': () => ({
    path: barFile([...minutes(60).map((minute) => bar(minute)), '1']),
  }),
  'a folder': () => ({ path: twoFiles() }),
  trades: () => ({ path: ticks('time_ms,price', (at) => `${START + at * 10},${100 + (at % 3)}`) }),
  quotes: () => ({
    path: ticks('time_ms,bid,ask', (at) => `${START + at * 10},${100 + (at % 3)},${101 + (at % 3)}`),
  }),
  'a header alone': () => ({ path: barFile([]) }),
  parquet: () => ({ path: fixture('wide-decimals.parquet') }),
  'quotes in parquet': () => ({ path: fixture('quotes.parquet') }),
  'no file': () => ({ path: path.join(scratchFolder(), 'none.csv') }),
}

const opened = (open: () => Promise<Feed>) => open().catch((error: unknown) => String(error))
const all = async (feed: Feed | string, atMost?: number) =>
  typeof feed === 'string' ? feed : told(feed, atMost)

describe.each(Object.entries(SOURCES))('%s', (_, source) => {
  test.each([Number.POSITIVE_INFINITY, 1, 2])(
    'is the same through the cache, up to %d chunks',
    async (atMost) => {
      const options = { ...source(), chunkRows: 16 }
      const plain = await all(await opened(() => openFeed(options)), atMost)
      for (let time = 0; time < 2; time++) {
        const feed = await opened(() => openCachedFeed(options, cache))
        expect(await all(feed, atMost)).toEqual(plain)
        // Each iteration begins anew, one that was broken off too.
        expect(await all(feed, atMost)).toEqual(
          typeof plain === 'string' ? plain : { ...plain, steps: [plain.end, ...plain.steps.slice(1)] },
        )
      }
    },
  )
})

const sample = () => ({ path: barFile(minutes(60).map((minute) => bar(minute))), chunkRows: 16 })
const cached = () => readdirSync(cache).map((name) => path.join(cache, name))

test('what was read to its end is not read again', async () => {
  const options = sample()
  await openCachedFeed(options, cache)
  read.files = 0
  await told(await openCachedFeed(options, cache))
  expect(read.files).toBe(0)
  expect(cached()).toHaveLength(1)
})

test('a file that was only touched is told by its bytes, and not read again', async () => {
  const options = sample()
  await openCachedFeed(options, cache)
  utimesSync(options.path, new Date(), new Date(START))
  read.files = 0
  await openCachedFeed(options, cache)
  expect(read.files).toBe(0)
})

test.each([
  ['as long as before, at the time it had before', (text: string) => text.replace(',100,', ',101,')],
  ['longer', (text: string) => `${text}${bar(60)}\n`],
  ['shorter', (text: string) => text.slice(0, text.lastIndexOf(`${START + 59 * MINUTE}`))],
])('a file that is another, %s, is read anew', async (_, change) => {
  const options = sample()
  await told(await openCachedFeed(options, cache))
  const { atime, mtime } = statSync(options.path)
  writeFileSync(options.path, change(readFileSync(options.path, 'utf8')))
  utimesSync(options.path, atime, mtime)
  const plain = await told(await openFeed(options))
  expect(await told(await openCachedFeed(options, cache))).toEqual(plain)
  expect(cached()).toHaveLength(1)
})

test('wherever a cache is damaged, the rows are the same and it is made again', async () => {
  const options = sample()
  const plain = await told(await openFeed(options))
  await openCachedFeed(options, cache)
  const [file = ''] = cached()
  const whole = readFileSync(file)
  const damage = fc.record({
    // What is told of all of it stands at its end.
    at: fc.oneof(
      fc.nat(whole.length - 1),
      fc.nat(Math.min(whole.length, 500) - 1).map((back) => whole.length - 1 - back),
    ),
    bit: fc.nat(7),
    how: fc.constantFrom('flipped', 'cut off', 'longer', 'of zeros from there'),
  })
  await fc.assert(
    fc.asyncProperty(damage, fc.boolean(), async ({ at, bit, how }, afterOpening) => {
      writeFileSync(file, whole)
      const before = await openCachedFeed(options, cache)
      if (how === 'flipped')
        writeFileSync(
          file,
          whole.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte)),
        )
      else if (how === 'cut off') truncateSync(file, at)
      else if (how === 'longer') appendFileSync(file, Buffer.alloc(at + 1))
      else writeFileSync(file, Buffer.concat([whole.subarray(0, at), Buffer.alloc(whole.length - at)]))
      const feed = afterOpening ? before : await openCachedFeed(options, cache)
      expect(await told(feed)).toEqual(plain)
      expect(await told(await openCachedFeed(options, cache))).toEqual(plain)
      read.files = 0
      await told(await openCachedFeed(options, cache))
      expect(read.files).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('rows of two files are never mixed: damage is not made good from a file that has changed meanwhile', async () => {
  const options = sample()
  const feed = await openCachedFeed(options, cache)
  const rows = feed[Symbol.asyncIterator]()
  await rows.next()
  const [file = ''] = cached()
  truncateSync(file, 1)
  writeFileSync(options.path, readFileSync(options.path, 'utf8').replaceAll(',100,', ',101,'))
  const rest = async () => {
    while (!(await rows.next()).done);
  }
  await expect(rest()).rejects.toThrow(`${options.path}: it has changed since it was opened`)
})

test('a cache that is removed between opening and reading costs nothing but time', async () => {
  const options = sample()
  const plain = await told(await openFeed(options))
  const feed = await openCachedFeed(options, cache)
  rmSync(cache, { recursive: true })
  expect(await told(feed)).toEqual(plain)
})

test('several that open the same file at once all read it', async () => {
  const options = sample()
  const plain = await told(await openFeed(options))
  const feeds = await Promise.all(minutes(5).map(() => openCachedFeed(options, cache)))
  for (const feed of feeds) expect(await told(feed)).toEqual(plain)
  expect(cached()).toHaveLength(1)
})

test('where a cache cannot be written, and of what cannot be read to its end, none is kept', async () => {
  const place = scratchFile('a-file', '')
  const options = sample()
  expect(await told(await openCachedFeed(options, place))).toEqual(await told(await openFeed(options)))
  await openCachedFeed(SOURCES['bars that end with a bad row']?.() as FeedOptions, cache)
  expect(cached()).toEqual([])
})

test('the same file read in another way has columns of its own', async () => {
  const options = sample()
  const bad = barFile([bar(0), bar(1), 'x', bar(2)])
  await openCachedFeed(options, cache)
  await openCachedFeed({ path: bad, onBadRow: 'skip' }, cache)
  const feed = await openCachedFeed({ path: bad, onBadRow: 'fail' }, cache)
  expect((await told(feed)).error).toMatch(/bars\.csv/)
})
