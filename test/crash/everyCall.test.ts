/**
 * A durable venue, with every call of its store to the operating system failing in turn: it begins, is closed and comes back,
 * one call of which fails. Then, on a sound system, all that was acknowledged is there and nothing else, and the directory is
 * nobody's. Each place is struck at its first call; at night at every one.
 */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Command, type Commit, createEngine, type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { Chance, everythingReadable, GENESIS, nextCommand } from '../store/traffic.ts'
import { answersTo, StruckSystem } from './struckSystem.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
/** Commands of each of the two lives. */
const OF_A_LIFE = 5

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-calls-'))
const directory = path.join(folder, 'data')
const system = await StruckSystem.on(directory)
afterAll(async () => {
  system.putBack()
  await rm(folder, { recursive: true })
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** Commands that each make one commit, and the log that they make. */
const { first, commands, log } = await planned()

async function planned() {
  const engine = createEngine(GENESIS)
  const first = engine.head
  const commands: { readonly command: Command; readonly at: number }[] = []
  const chance = new Chance(5)
  while (commands.length < 2 * OF_A_LIFE) {
    const next = nextCommand(chance, engine)
    const { head } = engine
    engine.dispatch(next.command, { at: next.at })
    if (engine.head === head + 1) commands.push(next)
    else if (engine.head !== head) throw new Error('a command of several commits')
  }
  return { first, commands, log: await commitsOf(engine) }
}

async function commitsOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

const opened = async () =>
  openEngine({ ...GENESIS, store: await openLmdbStore(directory, { segmentBytes: 600 }), snapshotEvery: 4 })

/** What clients were told. */
interface Told {
  /** The last commit that was acknowledged. */
  acknowledged: number
  readonly failures: string[]
}

/** A venue goes on with the commands up to one. */
async function life(upTo: number, told: Told): Promise<void> {
  const venue = await opened()
  try {
    expect(venue.head).toBeGreaterThanOrEqual(told.acknowledged)
    for (const { command, at } of commands.slice(Math.max(0, venue.head - first), upTo)) {
      venue.dispatch(command, { at })
      await venue.whenDurable()
      told.acknowledged = venue.head
    }
  } finally {
    await venue.close()
  }
}

/** Both lives. One that fails is over, with a reason; what it had acknowledged stays. */
async function lives(): Promise<Told> {
  const told: Told = { acknowledged: 0, failures: [] }
  for (const upTo of [OF_A_LIFE, 2 * OF_A_LIFE])
    await life(upTo, told).catch((error: Error) => told.failures.push(error.message))
  return told
}

system.begin()
await lives()
/** At the first call; records that are read without LMDB at the third too, the first behind their two meta pages. */
const isStruck = (place: string) => place.endsWith(' 1') || /^readSync .* 3$/.test(place)
const PLACES = NIGHTLY ? system.places : system.places.filter(isStruck)
const STRIKES = PLACES.flatMap((place) =>
  (NIGHTLY ? answersTo(place) : answersTo(place).slice(0, 1)).map((code) => [code, place] as const),
)

/** What cannot be read is not taken for nothing, nor what cannot be written for written. */
const TELLS = /^(open|read|readFile|readdir|write|sync) (durable|log|log\/.*|projections) 1$/
/** History that the medium does not give back is built again from the log: it does not keep a venue from starting. */
const REBUILT = /^(open|read|stat|openSync|statSync|fstatSync|readSync) history\/data\.mdb /

test('every kind of call is made, and struck', () => {
  const calls = new Set(PLACES.map((place) => place.split(' ')[0]))
  expect([...calls].sort()).toEqual([
    ...[
      'close',
      'datasync',
      'fstatSync',
      'link',
      'mkdir',
      'open',
      'openSync',
      'read',
      'readFile',
      'readSync',
    ],
    ...['readdir', 'realpathSync', 'rename', 'rm', 'stat', 'statSync', 'sync', 'write', 'writeFile'],
  ])
})

test.each(STRIKES)('%s: %s', async (code, place) => {
  system.begin({ place, code })
  const { acknowledged, failures } = await lives()
  expect(system.open, 'files that were left open').toEqual([])
  for (const failure of failures) expect(failure).not.toBe('')
  if (TELLS.test(place)) expect(failures).not.toEqual([])
  if (code === 'EIO' && REBUILT.test(place)) expect(failures).toEqual([])
  system.begin()
  const venue = await opened()
  try {
    const commits = await commitsOf(venue)
    expect(commits.length).toBeGreaterThanOrEqual(acknowledged)
    expect(commits).toEqual(log.slice(0, commits.length))
    const twin = createEngine(GENESIS)
    for (const { command, at } of commands.slice(0, commits.length - first)) twin.dispatch(command, { at })
    expect(venue.stateHash()).toBe(twin.stateHash())
    expect(everythingReadable(venue)).toEqual(everythingReadable(twin))
  } finally {
    await venue.close()
  }
  expect(await readdir(path.join(directory, 'lock'))).not.toContain('room')
})
