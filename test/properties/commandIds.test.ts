// What a command under an id does the second time: nothing, whatever came between, for a day of engine time.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMAND_WINDOW_MS } from '../../src/engine/commandOutcomes.ts'
import {
  type Commit,
  createEngine,
  type Engine,
  fp9,
  MemoryStore,
  type Outcome,
  openEngine,
  type PlatformCommand,
  verifyLog,
} from '../../src/index.ts'
import { ACCOUNT, HOUR, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../unit/venue.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

const GENESIS = { seed: 'again', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }

/** Some are refused, some change nothing, some are accepted and change something. */
const COMMANDS: readonly PlatformCommand[] = [
  { type: 'adjustBalance', accountId: ACCOUNT, amount: fp9('500') },
  { type: 'adjustBalance', accountId: ACCOUNT, amount: fp9('-9000') },
  { type: 'setAccountLock', accountId: ACCOUNT, locked: false },
  { type: 'setAccountLock', accountId: ACCOUNT, locked: true },
  { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') },
  { type: 'setMarketStatus', marketId: MARKET, status: 'paused' },
  { type: 'openAccount', account: PLAIN_ACCOUNT },
  { type: 'advanceTime', ms: HOUR },
]

const aStep = fc.record({
  wait: fc.constantFrom(0, 1, HOUR, COMMAND_WINDOW_MS - 1, COMMAND_WINDOW_MS),
  command: fc.constantFrom(...COMMANDS),
  id: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null, freq: 5 }),
  between: fc.constantFrom('nothing', 'nothing', 'restart', 'snapshot'),
})

interface Answered {
  readonly outcome: Outcome<PlatformCommand>
  readonly at: number
}

const without = (outcome: Outcome<PlatformCommand>) => ({ ...outcome, events: [], replayedFrom: 0 })

test('a second command under an id changes nothing and gives the first result, within a day and not after it', async () => {
  const reached = { again: 0, refusedAgain: 0, last: 0, over: 0, restarted: 0, fromSnapshot: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const store = new MemoryStore()
      let engine = await openEngine({ ...GENESIS, store, snapshotEvery: 1_000_000 })
      const first = new Map<string, Answered>()
      for (const { wait, command, id, between } of steps) {
        if (between !== 'nothing') {
          if (between === 'snapshot') await engine.saveSnapshot()
          const hash = engine.stateHash()
          engine = await openEngine({ store, snapshotEvery: 1_000_000 })
          expect(engine.stateHash()).toBe(hash)
          reached.restarted += 1
          if (engine.recovery?.snapshotSeq) reached.fromSnapshot += 1
        }
        const at = engine.now + wait
        const before = { head: engine.head, hash: engine.stateHash() }
        const known = id === null ? undefined : first.get(id)
        const outcome = await engine.send({ ...command, commandId: id }, { at })
        const gone = known === undefined ? Number.NaN : at - known.at
        if (known === undefined || gone >= COMMAND_WINDOW_MS) {
          if (gone === COMMAND_WINDOW_MS) reached.over += 1
          if (id === null) continue
          // What became of it is in the log, whatever it was.
          expect(engine.head).toBeGreaterThan(before.head)
          expect(!outcome.ok || outcome.seq === engine.head).toBe(true)
          first.set(id, { outcome, at: engine.now })
          continue
        }
        reached.again += 1
        if (!outcome.ok) reached.refusedAgain += 1
        if (gone === COMMAND_WINDOW_MS - 1) reached.last += 1
        expect(without(outcome)).toEqual(without(known.outcome))
        expect(outcome.ok && outcome.replayedFrom).toBe(outcome.ok && known.at)
        expect({ head: engine.head, hash: engine.stateHash() }).toEqual(before)
      }
      await expect(verifyLog(inRuns(await logOf(engine)))).resolves.toMatchObject({
        ok: true,
        stateHash: engine.stateHash(),
      })
    }),
    runs(60),
  )
  if (ALL_RUNS) for (const count of Object.values(reached)) expect(count).toBeGreaterThan(5)
})

async function* inRuns(log: readonly Commit[]): AsyncGenerator<readonly Commit[]> {
  yield log
}

test('a state in which no command has an id hashes as it did before there were any', () => {
  const [named, plain] = [new Venue().engine, new Venue().engine]
  const deposit = { type: 'adjustBalance', accountId: ACCOUNT, amount: fp9('1') } as const
  const hashes = (engine: Engine, commandId: string | null) => {
    engine.dispatch({ ...deposit, commandId })
    const within = engine.stateHash()
    engine.dispatch({ type: 'advanceTime', ms: COMMAND_WINDOW_MS })
    return [within, engine.stateHash()]
  }
  const [within, after] = hashes(named, 'a')
  const [plainWithin, plainAfter] = hashes(plain, null)
  expect(within).not.toBe(plainWithin)
  expect(after).toBe(plainAfter)
})

test('an id has 1 to 255 characters, and only platform commands have one', () => {
  const { engine } = new Venue()
  const codeOf = (command: object) => {
    const before = engine.head
    const outcome = engine.dispatch(command as PlatformCommand)
    if (!outcome.ok) expect(engine.head).toBe(before)
    return outcome.ok ? 'accepted' : [outcome.error.code, outcome.error.details]
  }
  const refused = ['validation_failed', ['commandId']]
  const deposit = { type: 'adjustBalance', accountId: ACCOUNT, amount: fp9('1') }
  for (const commandId of ['', 'x'.repeat(256), 7, {}])
    expect(codeOf({ ...deposit, commandId })).toEqual(refused)
  for (const commandId of ['x', 'x'.repeat(255), null])
    expect(codeOf({ ...deposit, commandId })).toBe('accepted')
  expect(codeOf({ type: 'closeAll', accountId: ACCOUNT, commandId: 'x' })).toEqual(refused)
  // What has not the form of a command leaves its id free.
  expect(codeOf({ ...deposit, amount: 'much', commandId: 'y' })).toEqual(['validation_failed', ['amount']])
  expect(codeOf({ ...deposit, commandId: 'y' })).toBe('accepted')
})

test('a repeat that comes before the first is durable waits for it, and gets the same answer', async () => {
  const store = new MemoryStore()
  const engine = await openEngine({ ...GENESIS, store })
  const append = store.append.bind(store)
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  store.append = async (...batch) => {
    await held
    return append(...batch)
  }
  const deposit = { type: 'adjustBalance', accountId: ACCOUNT, amount: fp9('1'), commandId: 'a' } as const
  const told: unknown[] = []
  const both = [engine.send(deposit), engine.send(deposit)].map((sent) =>
    sent.then((outcome) => told.push(outcome)),
  )
  await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual([])
  goOn()
  await Promise.all(both)
  expect(told).toMatchObject([
    { ok: true, seq: engine.head },
    { ok: true, seq: engine.head, events: [] },
  ])
  expect(engine.read.account(ACCOUNT)?.riskStatus.currentBalance).toBe(fp9('10001'))
})

test('a command given again moves no time: an advanceTime stays where the first one has brought it', () => {
  const engine = createEngine(GENESIS)
  const command = { type: 'advanceTime', ms: COMMAND_WINDOW_MS * 2, commandId: 'a' } as const
  engine.dispatch(command)
  const { now, head } = engine
  expect(engine.dispatch(command)).toMatchObject({ ok: true, seq: head })
  expect(engine.now).toBe(now)
})
