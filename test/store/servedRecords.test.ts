// History lists of a large file are served while it is still being checked: what is read then is what LMDB would give,
// what ends meanwhile is written later, and of a file that turns out to be damaged nothing is served any more (K8).

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { open } from 'lmdb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { createEngine, fp9, openEngine } from '../../src/index.ts'
import { openLmdbStore, RecordsDamaged } from '../../src/store/lmdb/index.ts'
import { LmdbRecords, type StoredRecord } from '../../src/store/lmdb/keyedRecords.ts'
import { PageFile } from '../../src/store/lmdb/pageFile.ts'
import { PageSearch } from '../../src/store/lmdb/pageSearch.ts'
import { openRecords } from '../../src/store/lmdb/servedRecords.ts'
import { Chance, drive, everythingReadable, GENESIS, MARKETS } from './traffic.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-served-'))
})
afterEach(() => rm(directory, { recursive: true }))

const text = (value: unknown) =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? String(field) : field))

const hexOf = (records: readonly StoredRecord[]) =>
  records.map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${value.toString('hex')}`).join()

const openRoot = () =>
  open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    eventTurnBatching: false,
    overlappingSync: false,
  })

describe('a search without LMDB', () => {
  test('finds what LMDB finds, for keys that are there and keys that are not, forwards and back', async () => {
    const root = openRoot()
    // Long keys make branches of few children, so that there are three levels; every second number is missing.
    const keyOf = (n: number) => Buffer.concat([Buffer.alloc(300, 7), Buffer.from([n >> 8, n & 255])])
    root.transactionSync(() => {
      for (let n = 2; n < 1_500; n += 2) root.put(keyOf(n), Buffer.alloc(n === 600 ? 30_000 : 20, n))
    })
    await root.flushed
    const pages = new PageFile(path.join(directory, 'data.mdb'))
    expect(pages.meta.main.depth).toBe(3)
    const [ours, theirs] = [new PageSearch(pages), new LmdbRecords(root)]
    const reached = { there: 0, missing: 0, full: 0, short: 0, none: 0 }
    for (let n = 0; n < 1_510; n++) {
      const found = theirs.get(keyOf(n))
      reached[found === undefined ? 'missing' : 'there'] += 1
      expect(ours.get(keyOf(n))?.toString('hex')).toBe(found?.toString('hex'))
    }
    const numbers = fc.integer({ min: 0, max: 1_510 })
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 1, max: 100 }), (after, upTo, limit) => {
        const expected = [...theirs.lastOf(keyOf(after), keyOf(upTo), limit)]
        reached[expected.length === limit ? 'full' : expected.length > 0 ? 'short' : 'none'] += 1
        const found = ours.lastOf(keyOf(after), keyOf(upTo), limit)
        expect(hexOf(found)).toBe(hexOf(expected))
      }),
      { numRuns: 200 },
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
    pages.close()
    await root.close()
  })

  test('of no records finds none', async () => {
    const root = openRoot()
    const pages = new PageFile(path.join(directory, 'data.mdb'))
    const search = new PageSearch(pages)
    expect([search.get(Buffer.of(1)), search.lastOf(Buffer.of(0), Buffer.of(9), 5)]).toEqual([undefined, []])
    pages.close()
    await root.close()
  })
})

const COMMANDS = 600
const historyOf = () => path.join(directory, 'history', 'data.mdb')
const openVenue = async (checkFirstBytes: number) =>
  openEngine({ ...GENESIS, store: await openLmdbStore(directory, { checkFirstBytes }) })

async function aVenue(): Promise<void> {
  const engine = await openVenue(0)
  drive(engine, new Chance(11), COMMANDS)
  await engine.saveSnapshot()
  await engine.close()
}

/** What a venue that was never closed would show. */
function neverClosed(more: number): string {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(11), COMMANDS)
  drive(engine, new Chance(12), more)
  return text(everythingReadable(engine, 50))
}

describe('a venue whose lists are still being checked', () => {
  beforeEach(aVenue)

  test('shows all of them at once, and what ends meanwhile; so it does after the check and after a start', async () => {
    const engine = await openVenue(0)
    expect(text(everythingReadable(engine, 50))).toBe(neverClosed(0))
    drive(engine, new Chance(12), 200)
    const expected = neverClosed(200)
    expect(text(everythingReadable(engine, 50))).toBe(expected)
    await engine.whenDurable()
    await engine.close()
    for (const checkFirstBytes of [2 ** 30, 0]) {
      const again = await openVenue(checkFirstBytes)
      expect(again.recovery?.rebuilt).toBeNull()
      expect(text(everythingReadable(again, 50))).toBe(expected)
      await again.close()
    }
  })

  test('closed at once lets go of the file, and loses nothing', async () => {
    for (let times = 0; times < 3; times++) await (await openVenue(0)).close()
    const engine = await openVenue(2 ** 30)
    expect(text(everythingReadable(engine, 50))).toBe(neverClosed(0))
    await engine.close()
  })

  test('is read from the file and written to it by the check, which ends after the opening', async () => {
    const history = await openRecords(path.dirname(historyOf()), HISTORY_FORM, 0)
    const before = history.cursor
    expect(before).toBeGreaterThan(COMMANDS / 2)
    await history.write([], before + 1, false)
    await history.checked
    expect(history.cursor).toBe(before + 1)
    await history.close()
    const small = await openRecords(path.dirname(historyOf()), HISTORY_FORM, (await stat(historyOf())).size)
    expect(small.cursor).toBe(before + 1)
    await small.close()
  })
})

describe('lists that turn out to be damaged', () => {
  beforeEach(aVenue)

  /** Flips a bit in the middle of every leaf but for the first page of all, where the lists say what they are. */
  async function damage(): Promise<void> {
    const bytes = await readFile(historyOf())
    const pages = new PageFile(historyOf())
    const first = new PageSearch(pages)
    const about = first.get(Buffer.of(0)) as Buffer
    pages.close()
    const aboutAt = Math.floor(bytes.indexOf(about) / 4_096)
    for (let page = 2; page < bytes.length / 4_096; page++) {
      const at = page * 4_096
      if (page === aboutAt || bytes.readUInt16LE(at + 18) !== 2) continue
      bytes[at + 4_000] = (bytes[at + 4_000] as number) ^ 8
    }
    await writeFile(historyOf(), bytes)
  }

  test('are not served, stop the venue, and are built again at the next start', async () => {
    await damage()
    const store = await openLmdbStore(directory, { checkFirstBytes: 0 })
    const engine = await openEngine({ ...GENESIS, store })
    const wrong = new Set<string>()
    const sound = neverClosed(0)
    // Record by record, either what it was or nothing, until the check is done and then nothing.
    for (let times = 0; times < 50; times++) {
      try {
        const shown = text(everythingReadable(engine, 50))
        if (shown !== sound) wrong.add(shown)
      } catch (error) {
        expect(error).toBeInstanceOf(RecordsDamaged)
      }
      await new Promise(setImmediate)
    }
    expect(wrong).toEqual(new Set())
    while (engine.failure === null) await new Promise(setImmediate)
    await expect(stat(historyOf())).rejects.toThrow('ENOENT')
    expect(() => everythingReadable(engine, 50)).toThrow(
      /are damaged, and are built again at the next start: /,
    )
    const [marketId] = MARKETS
    await expect(engine.send({ type: 'updatePrice', marketId, indexPrice: fp9('50001') })).rejects.toThrow()
    expect(String((engine.failure as Error).cause ?? engine.failure)).toContain('are damaged')
    await engine.close()

    const again = await openVenue(0)
    expect(text(everythingReadable(again, 50))).toBe(sound)
    await again.close()
  })

  test('that do not even say what they are, are built again at once', async () => {
    const bytes = await readFile(historyOf())
    bytes.fill(0, 0, 8_192)
    await writeFile(historyOf(), bytes)
    const engine = await openVenue(0)
    expect(engine.recovery?.rebuilt).toContain('meta page')
    expect(text(everythingReadable(engine, 50))).toBe(neverClosed(0))
    await engine.close()
  })
})
