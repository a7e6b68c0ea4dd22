// K16: nothing reachable from what the engine hands out is its own: changing it changes nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { quietRangeOf } from '../../../src/engine/internals.ts'
import { type Commit, createEngine, type Engine, MemoryStore, openEngine } from '../../../src/index.ts'
import { openLmdbStore } from '../../../src/store/lmdb/index.ts'
import { asLines, writeLog } from '../../golden/goldenLog.ts'
import {
  ACCOUNTS,
  Chance,
  everythingReadable,
  GENESIS,
  MARKETS,
  nextCommand,
  USERS,
} from '../../store/traffic.ts'

/** Tries to change everything that can be reached; how many objects let themselves be changed. */
function vandalize(root: unknown): number {
  const seen = new Set<object>()
  let changed = 0
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    for (const inner of Object.values(value)) visit(inner)
    if (Object.isFrozen(value)) return
    changed += 1
    for (const field of Object.keys(value)) Reflect.set(value, field, field === 'type' ? 'vandalized' : -1n)
    Reflect.set(value, 'vandal', true)
  }
  visit(root)
  return changed
}

async function logOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

const everything = (engine: Engine) => [
  everythingReadable(engine),
  engine.read.markets(ACCOUNTS[0]),
  engine.read.accounts(),
  engine.read.ledger(),
  engine.recovery,
  engine.blockedSubscriptions,
  ...MARKETS.map((id) => [engine.read.marketParameters(id), quietRangeOf(engine, id)]),
  ...ACCOUNTS.map((id) => [engine.read.accountParameters(id), engine.read.riskStatus(id)]),
  ...USERS.map((id) => engine.read.apiKeys(id)),
]

/** An engine that begins from {@link GENESIS}, and one that is what its log says. */
interface Kept {
  readonly engine: Engine
  again(): Promise<Engine>
}

const KEEPING: Readonly<Record<string, (directory: string) => Promise<Kept>>> = {
  async 'a log in memory that is written at once'() {
    const engine = createEngine(GENESIS)
    const again = async () => {
      const store = new MemoryStore()
      const { head, epoch } = await store.open()
      await store.append(await logOf(engine), head, epoch)
      return openEngine({ store })
    }
    return { engine, again }
  },
  async 'a store in memory'() {
    const store = new MemoryStore()
    return { engine: await openEngine({ store, ...GENESIS }), again: () => openEngine({ store }) }
  },
  async 'a store on disk'(directory) {
    const engine = await openEngine({ store: await openLmdbStore(directory), ...GENESIS })
    const again = async () => {
      await engine.close()
      return openEngine({ store: await openLmdbStore(directory) })
    }
    return { engine, again }
  },
}

async function played(keeping: string, vandal: boolean, subscribed: boolean) {
  const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-aliasing-'))
  try {
    const { engine, again } = await (KEEPING[keeping] as (typeof KEEPING)[string])(directory)
    const told: string[] = []
    if (vandal && subscribed) {
      engine.subscribe((commit) => vandalize(commit))
      engine.subscribe((commit) => told.push(asLines([commit])))
    }
    const chance = new Chance(7)
    let changed = 0
    for (let count = 0; count < 600; count++) {
      const { command, at } = nextCommand(chance, engine)
      const by = { type: 'operator', name: 'x' } as const
      const outcome = engine.dispatch(command, { at, by })
      // On a store the commit is not written yet.
      if (vandal) changed += vandalize([outcome.ok && outcome.events, outcome, command, by])
      if (count % 50 === 0) {
        await engine.whenDurable()
        if (vandal) vandalize([everything(engine), await logOf(engine)])
      }
    }
    await engine.whenDurable()
    expect(engine.blockedSubscriptions).toEqual([])
    if (vandal) expect(changed).toBeGreaterThan(2_000)
    const log = await logOf(engine)
    // What one listener does to a commit the next is not told.
    expect(told).toEqual(log.slice(log.length - told.length).map((commit) => asLines([commit])))
    const [hash, readable] = [engine.stateHash(), everythingReadable(engine)]
    const recovered = await again()
    const result = {
      hashes: [hash, recovered.stateHash()],
      readable: asLines([readable, everythingReadable(recovered)]),
      bytes: Buffer.from(await writeLog(log)).toString('base64'),
    }
    await recovered.close()
    return result
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe('whatever is done to outcomes, commits and records, the same commands lead to the same state and bytes', () => {
  const untouched = played('a store in memory', false, false)

  test.each(
    Object.keys(KEEPING).flatMap((keeping) => [
      { keeping, subscribed: true },
      { keeping, subscribed: false },
    ]),
  )('on $keeping, subscribed: $subscribed', async ({ keeping, subscribed }) => {
    expect(await played(keeping, true, subscribed)).toEqual(await untouched)
  })
})
