// A new day that is one fact of the venue leaves every account as a new day of its own would: the same commands are
// decided once with the days of the venue and once, as the logs of 0.1.0 are, with a day for every account.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Account, balanceOf } from '../../src/domain/state/account.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { redecide } from '../../src/engine/redecide.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import {
  type AccountConfiguration,
  type Command,
  type Commit,
  createEngine,
  type Engine,
  fp9,
  ONE,
  verifyLog,
} from '../../src/index.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 5, 22)
const MARKET = '10000000-0000-4000-8000-000000000001'
const accountId = (index: number) => `20000000-0000-4000-8000-00000000000${index}`

/** Plans of which a midnight makes something different each. */
const PLANS: readonly Partial<AccountConfiguration>[] = [
  { maxTotalLoss: fp9('0.02'), maxDailyLoss: fp9('0.01') },
  { maxDailyLoss: fp9('0.002'), dailyBreach: 'freeze', maxTotalLoss: ONE, dailyLossBase: 'max' },
  { drawdownMode: 'trailing_eod', maxTotalLoss: fp9('0.02'), maxDailyLoss: ONE },
  { profitableDayShare: 0n, minProfitableDays: 4, profitTarget: 0n, autoPromote: true },
  {
    profitableDayShare: 0n,
    minProfitableDays: 2,
    profitTarget: fp9('0.001'),
    autoPromote: true,
    maxTotalLoss: ONE,
    maxDailyLoss: ONE,
  },
  { minProfitableDays: 0, profitTarget: 0n, autoPromote: true, phase: 'active_verification' },
  {
    profitableDayShare: fp9('0.0001'),
    minProfitableDays: 1,
    profitTarget: fp9('0.0005'),
    maxDailyLoss: ONE,
    maxTotalLoss: ONE,
  },
  { status: 'frozen', profitableDayShare: 0n },
  { phase: null, balance: 0n },
]

const configuration = (index: number): AccountConfiguration => ({
  id: accountId(index),
  userId: 'user',
  balance: fp9('10000'),
  ...PLANS[index],
})

interface Move {
  readonly kind:
    | 'trade'
    | 'close'
    | 'tick'
    | 'pay'
    | 'empty'
    | 'wait'
    | 'freeze'
    | 'thaw'
    | 'switch'
    | 'promote'
  readonly who: number
  readonly size: number
  readonly days: number
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom<Move['kind'][]>(
    'trade',
    'trade',
    'close',
    'tick',
    'tick',
    'pay',
    'empty',
    'wait',
    'wait',
    'wait',
    'freeze',
    'thaw',
    'switch',
    'promote',
  ),
  who: fc.nat({ max: PLANS.length - 1 }),
  size: fc.integer({ min: -40, max: 40 }),
  days: fc.constantFrom(0.1, 0.4, 1, 1, 2, 7),
})

function commandOf({ kind, who, size, days }: Move, engine: Engine): Command {
  const id = accountId(who)
  switch (kind) {
    case 'trade':
      return {
        type: 'placeOrder',
        accountId: id,
        marketId: MARKET,
        orderType: 'market',
        direction: size < 0 ? 'short' : 'long',
        amount: fp9('500'),
        leverage: fp9('5'),
      }
    case 'close':
      return { type: 'closeAll', accountId: id }
    case 'tick':
      return { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('100') + fp9('0.05') * BigInt(size) }
    case 'pay':
      return { type: 'adjustBalance', accountId: id, amount: fp9('10') * BigInt(size) }
    case 'empty':
      return {
        type: 'adjustBalance',
        accountId: id,
        amount: -(engine.read.riskStatus(id)?.freeBalance ?? 0n),
      }
    case 'wait':
      return { type: 'advanceTime', ms: Math.round(days * DAY) }
    case 'freeze':
      return { type: 'stopAccount', accountId: id, reason: 'freeze' }
    case 'thaw':
      return { type: 'unfreezeAccount', accountId: id }
    case 'switch':
      return { type: 'setApiTrading', accountId: id, enabled: size < 0 }
    case 'promote':
      return { type: 'stopAccount', accountId: id, reason: 'promote' }
  }
}

function opened(): Engine {
  return createEngine({
    seed: 'days',
    at: START,
    markets: [
      {
        id: MARKET,
        baseAsset: 'BTC',
        ticker: 'BTC/USD',
        category: 'crypto',
        indexPrice: fp9('100'),
        spread: 0n,
        feeRate: fp9('0.0001'),
        maxPriceAgeMs: 1_000 * DAY,
        fundingIntervalMs: 8 * HOUR,
        fundingRate: fp9('0.0001'),
      },
    ],
    accounts: PLANS.slice(0, 7).map((_, index) => configuration(index)),
  })
}

/** Everything a rule, a record or a later day could depend on. */
function fieldsOf({ world, read }: Folded, { id }: Account): object {
  const account = world.accounts.get(id) as Account
  const { orders, positions, daysSeen, watched, profitableDaysSeen, ...fields } = account
  return {
    ...fields,
    orders: [...orders].map((order) => order.id),
    positions: [...positions].map((position) => ({ ...position })),
    profitableDays: world.days.profitableDaysOf(account),
    record: read.account(id),
    eligible: read.isEligibleForPromotion(id),
  }
}

const empty = () => new Folded((world) => new LevelTriggers(world))

const reached = new Map<string, number>()
const count = (what: string, times = 1) => reached.set(what, (reached.get(what) ?? 0) + times)

async function compare(moves: readonly Move[]): Promise<void> {
  const engine = opened()
  for (const { kind, ...rest } of moves) {
    if (rest.who >= 7 && engine.read.account(accountId(rest.who)) === undefined)
      engine.dispatch({ type: 'openAccount', account: configuration(rest.who) })
    const at = engine.now + (kind === 'wait' ? 0 : Math.abs(rest.size) * 60_000)
    engine.dispatch(commandOf({ kind, ...rest }, engine), { at })
  }
  engine.dispatch({ type: 'advanceTime', ms: 3 * DAY })
  const log = await logOf(engine)
  const [first] = log as [Commit]
  const eager = empty()
  const folded = empty()
  let restored: Folded | null = null
  for (const commit of log) {
    const command: Command = commit === first ? { type: 'createEngine', seed: 'days' } : commit.command
    const { events, rejection } = redecide(eager, { ...commit, command })
    expect(rejection).toBeNull()
    folded.fold(commit)
    restored?.fold(commit)
    if (commit.seq === Math.floor(log.length / 2)) {
      restored = empty()
      restoreSnapshot(restored, takeSnapshot(folded))
    }
    look(commit, events.length)
    expect(folded.world.house).toBe(eager.world.house)
    // Whom no event names is as it was, and is looked at again at midnight.
    const named = new Set(events.map((event) => ('accountId' in event ? event.accountId : null)))
    const all = commit.at % DAY === 0 || commit.seq === log.length
    for (const account of eager.world.accounts.values()) {
      if (!all && !named.has(account.id)) continue
      expect(balanceOf(account) - account.dayStartBalance).toBe(account.realizedToday)
      if (!isDeepStrictEqual(fieldsOf(folded, account), fieldsOf(eager, account)))
        expect(fieldsOf(folded, account)).toEqual(fieldsOf(eager, account))
    }
  }
  expect(folded.stateHash()).toBe(engine.stateHash())
  expect(restored?.stateHash()).toBe(engine.stateHash())
  expect(await verifyLog(inOne(log))).toMatchObject({ ok: true, stateHash: engine.stateHash() })
  // A snapshot does not say whom the next midnight looks at: deciding on from it must come to the same.
  const next = {
    seq: log.length + 1,
    at: (Math.floor(engine.now / DAY) + 1) * DAY,
    command: { type: 'advanceTime', ms: 0 },
    events: [],
  } as const
  const decided = redecide(restored as Folded, next)
  expect(decided.events).toEqual(redecide(folded, next).events)
}

async function* inOne(log: readonly Commit[]): AsyncGenerator<readonly Commit[]> {
  yield log
}

function look({ at, command, events }: Commit, eager: number): void {
  if (command.type !== 'advanceTime' || at % DAY !== 0) return
  count('midnights')
  count('days of their own', events.filter(({ type }) => type === 'dayStarted').length)
  count('days left out', eager - events.length + 1)
  for (const { type } of events) count(`at midnight: ${type}`)
}

describe('days of the venue', () => {
  test('leave every account as its own days would, field by field', async () => {
    const moves = fc.array(move, { minLength: 5, maxLength: 60, size: 'max' })
    await fc.assert(fc.asyncProperty(moves, compare), runs(60))
  })

  test('leave an account that a withdrawal put below its floor to the next midnight', async () => {
    const before = reached.get('at midnight: accountStopped') ?? 0
    const [size, days] = [1, 1]
    await compare([
      { kind: 'trade', who: 0, size, days },
      { kind: 'tick', who: 0, size: -40, days },
      { kind: 'close', who: 0, size, days },
      { kind: 'empty', who: 0, size, days },
    ])
    expect(reached.get('at midnight: accountStopped')).toBe(before + 1)
  })

  test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
    for (const [what, least] of [
      ['midnights', 500],
      ['days of their own', 500],
      ['days left out', 2_000],
      ['at midnight: accountUnfrozen', 5],
      ['at midnight: accountPromoted', 50],
      ['at midnight: accountStopped', 2],
      ['at midnight: payFunding', 100],
    ] as const)
      expect([what, reached.get(what) ?? 0]).toEqual([what, expect.toSatisfy((times) => times >= least)])
  })
})

describe('a midnight', () => {
  const idle = (count: number) => {
    const engine = createEngine({ seed: 'idle', at: START, markets: [] })
    for (let n = 0; n < count; n++)
      engine.dispatch({
        type: 'openAccount',
        account: { id: `account ${n}`, userId: 'user', balance: fp9('1000') },
      })
    return engine
  }

  test('of idle accounts is one event, however many there are and however often it comes', async () => {
    const engine = idle(200)
    const { head } = engine
    engine.dispatch({ type: 'advanceTime', ms: 10 * DAY })
    const events = (await logOf(engine)).slice(head).flatMap((commit) => commit.events)
    expect(events).toEqual(Array.from({ length: 10 }, () => ({ type: 'dayBegan' })))
  })

  /** This plan asks for nothing, so that its first midnight promotes. */
  const PROMOTED = { accountId: accountId(5) }

  test('that a balance passed by starts no day, one that traded does, once', async () => {
    const engine = opened()
    const { head } = engine
    engine.dispatch(commandOf({ kind: 'trade', who: 0, size: 1, days: 0 }, engine))
    engine.dispatch(commandOf({ kind: 'close', who: 0, size: 1, days: 0 }, engine))
    engine.dispatch(commandOf({ kind: 'pay', who: 1, size: 1, days: 0 }, engine))
    engine.dispatch({ type: 'advanceTime', ms: 3 * DAY })
    const started = (await logOf(engine)).slice(head).flatMap(({ events }) => events)
    expect(started.filter(({ type }) => type === 'dayStarted')).toMatchObject([
      { accountId: accountId(0) },
      PROMOTED,
    ])
  })

  test('is not decided in a log of 0.1.0 but account by account', () => {
    const folded = empty()
    redecide(folded, { seq: 1, at: 0, command: { type: 'createEngine', seed: 'old' }, events: [] })
    const account = { id: 'account', userId: 'user', balance: fp9('1000') }
    redecide(folded, { seq: 2, at: START, command: { type: 'openAccount', account }, events: [] })
    const midnight = { seq: 3, at: START + 2 * HOUR, command: { type: 'advanceTime', ms: 2 * HOUR } } as const
    expect(redecide(folded, { ...midnight, events: [] }).events).toMatchObject([{ type: 'dayStarted' }])
  })
})
