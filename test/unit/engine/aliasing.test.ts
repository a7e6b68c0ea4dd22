// K16: nothing reachable from what the engine hands out is its own: changing it changes nothing.

import { expect, test } from 'vitest'
import { type Commit, type Engine, MemoryStore, openEngine } from '../../../src/index.ts'
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
  ...MARKETS.map((id) => [engine.read.marketParameters(id), engine.quietRange(id)]),
  ...ACCOUNTS.map((id) => [engine.read.accountParameters(id), engine.read.riskStatus(id)]),
  ...USERS.map((id) => engine.read.apiKeys(id)),
]

test('whatever is done to outcomes, commits and records, the same commands lead to the same state and bytes', async () => {
  const run = async (vandal: boolean) => {
    const store = new MemoryStore()
    const engine = await openEngine({ store, ...GENESIS })
    if (vandal) engine.subscribe((commit) => vandalize(commit))
    const chance = new Chance(7)
    for (let count = 0; count < 600; count++) {
      const { command, at } = nextCommand(chance, engine)
      const outcome = engine.dispatch(command, { at, by: { type: 'operator', name: 'x' } })
      // The commit is not written yet.
      if (vandal) vandalize([outcome, command])
      if (count % 50 === 0) {
        await engine.settled()
        if (vandal) vandalize([everything(engine), await logOf(engine)])
      }
    }
    await engine.settled()
    expect(engine.blockedSubscriptions).toEqual([])
    const log = await logOf(engine)
    const recovered = await openEngine({ store })
    return {
      hashes: [engine.stateHash(), recovered.stateHash()],
      readable: asLines([everythingReadable(engine), everythingReadable(recovered)]),
      bytes: Buffer.from(await writeLog(log)).toString('base64'),
    }
  }
  expect(await run(true)).toEqual(await run(false))
})
