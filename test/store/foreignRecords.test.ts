// History lists of another venue in the place of a venue's own (K8): sound in themselves, whichever commit they have come to, and built again
// from the log of the venue that they were put beside.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createEngine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'
import { Chance, drive, everythingReadable, GENESIS } from './traffic.ts'

const OWN = { seed: 3, commands: 200 }
const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-foreign-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (value: unknown) =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? String(field) : field))

async function venue(name: string, { seed, commands }: typeof OWN): Promise<string> {
  const directory = path.join(folder, name)
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  drive(engine, new Chance(seed), commands)
  await engine.close()
  return directory
}

/** What a venue that was never closed would show. */
function neverClosed(): string {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(OWN.seed), OWN.commands)
  return text(everythingReadable(engine, 50))
}

const expected = neverClosed()
let own: string
beforeAll(async () => {
  own = await venue('own', OWN)
})

let copies = 0
/** Written where it lies: a copy would be known for one, and its lists built again for that. */
async function withHistoryOf(other: string, files: readonly string[]): Promise<string> {
  const directory = await venue(`own-${++copies}`, OWN)
  for (const file of files) {
    const place = path.join(directory, 'history', file)
    rmSync(place, { recursive: true, force: true })
    cpSync(path.join(other, 'history', file), place, { recursive: true })
  }
  return directory
}

describe.each([
  ['one that has come less far', { seed: 8, commands: 90 }],
  ['one of the same beginning that has come as far', { seed: 9, commands: 200 }],
  ['one that knows of more than the log', { seed: 10, commands: 400 }],
])('the history of %s', (name, other) => {
  test.each([
    ['its folder', ['.'], 2 ** 30],
    ['its file alone', ['data.mdb'], 2 ** 30],
    ['its file, too large to be checked first', ['data.mdb'], 0],
  ])('%s is told and built again, once', async (_, files, checkFirstBytes) => {
    const directory = await withHistoryOf(await venue(`${name}-${++copies}`, other), files)
    const open = async () =>
      openEngine({ ...GENESIS, store: await openLmdbStore(directory, { checkFirstBytes }) })
    const engine = await open()
    expect(engine.recovery?.rebuilt).toBe('they are those of another venue')
    expect(text(everythingReadable(engine, 50))).toBe(expected)
    await engine.whenDurable()
    await engine.close()
    const again = await open()
    expect(again.recovery?.rebuilt).toBeNull()
    expect(text(everythingReadable(again, 50))).toBe(expected)
    await again.close()
  })

  test('is not read where nothing can be written', async () => {
    const directory = await withHistoryOf(await venue(`${name}-${++copies}`, other), ['data.mdb'])
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const making = vi.spyOn(NodeDisk, 'at').mockRejectedValue(full)
    const store = await openLmdbStore(directory).finally(() => making.mockRestore())
    const engine = await openEngine({ store, onNotice: () => {} })
    expect(text(everythingReadable(engine, 50))).toBe(expected)
    await engine.close()
  })
})

test('its own is taken (K8)', async () => {
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(own) })
  expect(engine.recovery?.rebuilt).toBeNull()
  expect(text(everythingReadable(engine, 50))).toBe(expected)
  await engine.close()
})
