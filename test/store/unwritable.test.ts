// A data directory where nothing can be written, for want of room or of permission: it is read, and nothing in it changes.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEngine, type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { bundle } from '../bundle.ts'
import { canRunUnprivileged, UNPRIVILEGED } from '../unprivileged.ts'
import { Chance, drive, everythingReadable, GENESIS, MARKETS } from './traffic.ts'

/** For everybody to read. */
const programs = mkdtempSync(path.join(tmpdir(), 'margin-core-programs-'))
chmodSync(programs, 0o755)
const READ_ENGINE = bundle('test/store/readEngine.ts', programs)
const MAIN = bundle('src/cli/main.ts', programs)
afterAll(() => rm(programs, { recursive: true }))
const HALF = 150
let folder: string
let directory: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-unwritable-'))
  directory = path.join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true }))

/** A venue of a day's traffic; `aside` holds its history lists as they were half-way. */
async function filled(aside?: string): Promise<void> {
  const chance = new Chance(3)
  for (const part of [1, 2]) {
    const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
    drive(engine, chance, HALF)
    await engine.close()
    if (part === 1 && aside !== undefined) cpSync(path.join(directory, 'history'), aside, { recursive: true })
  }
}

/** What it has to read like: the same commands in memory. */
function twin(): Engine {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(3), 2 * HALF)
  return engine
}

/** The disk is full as soon as the store asks for one of its folders. */
async function openFull(notices: string[] = []): Promise<Engine> {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const making = vi.spyOn(NodeDisk, 'at').mockRejectedValue(full)
  const store = await openLmdbStore(directory).finally(() => making.mockRestore())
  return openEngine({ store, onNotice: (notice) => notices.push(notice) })
}

/** Every file with its bytes and modes. */
function contents(where: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(where, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(where, name)
    const { mode, mtimeMs } = statSync(file)
    const text = statSync(file).isFile() ? readFileSync(file, 'latin1') : ''
    found.set(name, `${mode} ${mtimeMs} ${text}`)
  }
  return found
}

describe('on a full disk', () => {
  const inHistory = (name: string) => path.join(directory, 'history', name)
  test.each<[string, { fromSnapshot: boolean }, (aside: string) => Promise<unknown>]>([
    ['as it was closed', { fromSnapshot: true }, async () => {}],
    [
      'with lists that are behind the log',
      { fromSnapshot: true },
      async (aside) => {
        await rm(path.join(directory, 'history'), { recursive: true })
        await rename(aside, path.join(directory, 'history'))
        const [, newest] = (await readdir(path.join(directory, 'snapshots'))).sort()
        await rm(path.join(directory, 'snapshots', newest as string))
      },
    ],
    [
      'without lists',
      { fromSnapshot: false },
      () => rm(path.join(directory, 'history'), { recursive: true }),
    ],
    [
      'with lists cut short',
      { fromSnapshot: false },
      () => writeFile(inHistory('data.mdb'), new Uint8Array(9_000)),
    ],
    [
      'copied from elsewhere',
      { fromSnapshot: false },
      async () => {
        cpSync(directory, `${directory}-copy`, { recursive: true })
        directory = `${directory}-copy`
      },
    ],
  ])('a directory %s is read, and the first command refused', async (_, { fromSnapshot }, prepare) => {
    const aside = path.join(folder, 'aside')
    await filled(aside)
    await prepare(aside)
    const notices: string[] = []
    const engine = await openFull(notices)
    expect(engine.unwritable).toContain('make room and start again (ENOSPC')
    const refused = `commands are refused, and what is there is served to be read: ${engine.unwritable}`
    expect(notices.at(-1)).toBe(refused)
    const ignored = notices.filter((notice) =>
      notice.endsWith('the history lists it goes with cannot be used'),
    )
    expect(ignored).toHaveLength(fromSnapshot ? 0 : 2)
    expect((engine.recovery?.snapshotSeq ?? 0) > 0).toBe(fromSnapshot)
    const expected = twin()
    expect(engine.stateHash()).toBe(expected.stateHash())
    expect(everythingReadable(engine)).toEqual(everythingReadable(expected))

    await expect(engine.send({ type: 'advanceTime', ms: 1 })).rejects.toThrow('the engine only reads')
    const ticks = {
      marketIds: [MARKETS[0]],
      market: Uint16Array.of(0),
      at: Float64Array.of(engine.now),
      indexPrice: BigInt64Array.of(engine.read.market(MARKETS[0])?.state.indexPrice ?? 0n),
    }
    expect(() => engine.dispatchTicks(ticks)).toThrow('the engine only reads')
    expect([engine.head, engine.failure]).toEqual([expected.head, null])
    expect((await engine.asOf(engine.head)).stateHash()).toBe(expected.stateHash())
    await engine.close()
    const again = await openEngine({ store: await openLmdbStore(directory) })
    expect([again.head, again.unwritable, again.stateHash()]).toEqual([
      expected.head,
      null,
      expected.stateHash(),
    ])
    expect(everythingReadable(again)).toEqual(everythingReadable(expected))
    await again.close()
  })

  test('where there is room for the log and none for the lists, they are read as they are', async () => {
    await filled()
    const opening = vi
      .spyOn(RecordIndex, 'open')
      .mockRejectedValue(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
    const notices: string[] = []
    const engine = await openEngine({
      store: await openLmdbStore(directory),
      onNotice: (notice) => notices.push(notice),
    })
    opening.mockRestore()
    expect(engine.unwritable).toContain('make room and start again (ENOSPC')
    expect(notices).toEqual([
      `commands are refused, and what is there is served to be read: ${engine.unwritable}`,
    ])
    expect(everythingReadable(engine)).toEqual(everythingReadable(twin()))
    await expect(engine.send({ type: 'advanceTime', ms: 1 })).rejects.toThrow('the engine only reads')
    await engine.close()
    const again = await openEngine({ store: await openLmdbStore(directory) })
    expect([again.unwritable, again.stateHash()]).toEqual([null, twin().stateHash()])
    await again.close()
  })

  test('another process may write meanwhile, another store of this one may not', async () => {
    await filled()
    const engine = await openFull()
    await expect(openLmdbStore(directory)).rejects.toThrow('in use by this process')
    const writer = spawnSync(process.execPath, [READ_ENGINE, directory])
    expect(JSON.parse(String(writer.stdout))).toMatchObject({ unwritable: null, refused: null })
    expect(engine.stateHash()).toBe(twin().stateHash())
    await engine.close()
  })
})

const MODES = { file: 0o444, directory: 0o555 }

/** Nobody may write there, and somebody unprivileged may read. */
function seal(where: string, { file, directory } = MODES): void {
  const { uid } = UNPRIVILEGED as { uid?: number }
  for (const name of ['', ...readdirSync(where, { recursive: true, encoding: 'utf8' })]) {
    const one = path.join(where, name)
    chmodSync(one, statSync(one).isFile() ? file : directory)
    if (uid !== undefined) chownSync(one, uid, uid)
  }
}

function cli(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', ...UNPRIVILEGED })
}

describe.skipIf(!canRunUnprivileged)('where nobody may write', () => {
  beforeEach(async () => {
    chmodSync(folder, 0o755)
    await filled()
  })
  afterEach(() => seal(directory, { file: 0o644, directory: 0o755 }))

  test.each(['as it is', 'without the lock files', 'the log alone'])(
    'verify, %s: it works and writes nothing',
    async (part) => {
      const unneeded = {
        'as it is': [],
        'without the lock files': ['lock', 'history/lock.mdb'],
        'the log alone': ['lock', 'history', 'snapshots', 'durable'],
      }[part]
      for (const name of unneeded ?? []) await rm(path.join(directory, name), { recursive: true })
      seal(directory)
      const before = contents(directory)
      const { stdout, stderr, status } = cli('verify', directory)
      expect([stderr, status]).toEqual(['', 0])
      expect(stdout).toMatch(/^verified [0-9]+ commits/)
      expect(contents(directory)).toEqual(before)
    },
  )

  test('verify still looks at the lists', async () => {
    const file = path.join(directory, 'history', 'data.mdb')
    const handle = await open(file, 'r+')
    await handle.write(Uint8Array.of(0xff), 0, 1, 8_192 + 30)
    await handle.close()
    seal(directory)
    const { stdout, status } = cli('verify', directory)
    expect([stdout, status]).toEqual([
      expect.stringContaining(
        'the history lists cannot be compared: the records beside the log cannot be used: ',
      ),
      1,
    ])
  })

  test('an engine reads, and nothing is written', () => {
    seal(directory)
    const before = contents(directory)
    const { stdout, stderr } = spawnSync(process.execPath, [READ_ENGINE, directory], {
      encoding: 'utf8',
      ...UNPRIVILEGED,
    })
    const expected = twin()
    expect([stderr, JSON.parse(stdout)]).toEqual([
      '',
      {
        head: expected.head,
        stateHash: expected.stateHash(),
        unwritable: expect.stringMatching(
          /cannot be written to, make it writable and start again \(.*denied/,
        ),
        refused: expect.stringContaining('the engine only reads'),
      },
    ])
    expect(contents(directory)).toEqual(before)
  })
})

/** A file system of its own in memory, where this process may make one: full to the last byte, and read-only. */
const canMount = (() => {
  const at = path.join(tmpdir(), `margin-core-mount-${process.pid}`)
  const made = spawnSync('sh', [
    '-c',
    `mkdir ${at} && mount -t tmpfs -o size=64k tmpfs ${at} && umount ${at}; s=$?; rmdir ${at}; exit $s`,
  ])
  return made.status === 0
})()

describe.skipIf(!canMount)('on a file system of its own', () => {
  let mount: string
  beforeEach(async () => {
    mount = path.join(folder, 'mount')
    await mkdir(mount)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount])
    directory = path.join(mount, 'data')
  })
  afterEach(() => execFileSync('umount', [mount]))

  const remount = (mode: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${mode}`, mount])
  const fill = () => spawnSync('dd', ['if=/dev/zero', `of=${path.join(mount, 'filling')}`, 'bs=4096'])
  const read = () =>
    spawnSync(process.execPath, [READ_ENGINE, directory], {
      encoding: 'utf8',
    })

  /** LMDB maps its lock file: where it has no room the process ends with SIGBUS. */
  test.each([
    { missing: [] },
    { missing: ['lock'] },
    { missing: ['lock/lock.mdb'] },
    { missing: ['history/lock.mdb'] },
    { missing: ['lock', 'history'] },
    { missing: ['snapshots'] },
  ])('full to the last byte, without $missing', async ({ missing }) => {
    await filled()
    for (const name of missing) await rm(path.join(directory, name), { recursive: true })
    fill()
    const { stdout, stderr, signal } = read()
    expect([stderr, signal]).toEqual(['', null])
    const expected = twin()
    expect(JSON.parse(stdout)).toMatchObject({
      head: expected.head,
      stateHash: expected.stateHash(),
      unwritable: expect.stringContaining('make room and start again'),
    })
    await rm(path.join(mount, 'filling'))
    expect(JSON.parse(read().stdout)).toMatchObject({
      head: expected.head,
      unwritable: null,
      refused: null,
    })
  })

  test('full, with nothing in it', () => {
    fill()
    const { stderr, signal } = read()
    expect([stderr, signal]).toEqual([expect.stringContaining('there is no log to be read'), null])
  })

  test('room for less than a first append is none', async () => {
    await filled()
    fill()
    // Room for the notes of who is at work here, and no more.
    execFileSync('truncate', ['-s', '-65536', path.join(mount, 'filling')])
    expect(JSON.parse(read().stdout).unwritable).toContain('make room')
  })

  test.each([{ missing: [] }, { missing: ['lock', 'history/lock.mdb'] }])(
    'read-only, without $missing: served, verified, unchanged',
    async ({ missing }) => {
      await filled()
      for (const name of missing) await rm(path.join(directory, name), { recursive: true })
      remount('ro')
      const before = contents(directory)
      const expected = twin()
      expect(JSON.parse(read().stdout)).toMatchObject({
        stateHash: expected.stateHash(),
        unwritable: expect.stringMatching(/make it writable and start again \(.*read-only file system/i),
      })
      const verified = spawnSync(process.execPath, [MAIN, 'verify', directory], { encoding: 'utf8' })
      expect([verified.stderr, verified.status]).toEqual(['', 0])
      expect(contents(directory)).toEqual(before)
      remount('rw')
    },
  )
})
