// A log explains itself: decided again it says the same, forked it says what would have been, inspected it says why.

import { describe, expect, test } from 'vitest'
import { takeSnapshot } from '../../src/engine/snapshot.ts'
import {
  asOf,
  type Commit,
  createEngine,
  type Engine,
  type Event,
  forkLog,
  fp9,
  lifeOf,
  type RuleChange,
  verifyLog,
  whyOf,
} from '../../src/index.ts'
import { folded } from '../properties/tried.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS, START } from './traffic.ts'

const [BTC] = MARKETS
const [ALICE, BOB] = ACCOUNTS

async function logOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

async function* inRuns(commits: readonly Commit[]): AsyncGenerator<readonly Commit[]> {
  for (let at = 0; at < commits.length; at += 100) yield commits.slice(at, at + 100)
}

function busy(seed: number, commands = 500): Engine {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(seed), commands)
  return engine
}

describe('verify', () => {
  test.each([1, 2, 3, 4])('traffic %i decided again is the same, event by event', async (seed) => {
    const engine = busy(seed)
    const commits = await logOf(engine)
    expect(await verifyLog(inRuns(commits))).toEqual({
      ok: true,
      commits: engine.head,
      events: commits.reduce((sum, { events }) => sum + events.length, 0),
      stateHash: engine.stateHash(),
    })
  })

  test('from a snapshot on, what stands before it is neither decided again nor needed', async () => {
    const engine = busy(3)
    const commits = await logOf(engine)
    const half = commits.length >> 1
    const before = folded()
    for (const commit of commits.slice(0, half)) before.fold(commit)
    const from = takeSnapshot(before)
    const after = commits.slice(half)
    const told: number[] = []
    const whole = {
      ok: true,
      commits: after.length,
      events: after.reduce((sum, { events }) => sum + events.length, 0),
      stateHash: engine.stateHash(),
    }
    for (const given of [after, commits])
      expect(await verifyLog(inRuns(given), { from, onProgress: (count) => told.push(count) })).toEqual(whole)
    expect(told.at(-1)).toBe(after.length)
    expect(Math.min(...told)).toBeGreaterThanOrEqual(0)
  })

  test('an event that was altered is found, with both sides', async () => {
    const commits = await logOf(busy(2))
    const at = commits.findIndex(({ events }) => events.some(({ type }) => type === 'increasePosition'))
    const { events, ...commit } = commits[at] as Commit
    const index = events.findIndex(({ type }) => type === 'increasePosition')
    const recorded = { ...(events[index] as Event), margin: 1n } as Event
    const altered = commits.with(at, { ...commit, events: events.with(index, recorded) })
    expect(await verifyLog(inRuns(altered))).toMatchObject({
      ok: false,
      divergence: { seq: at + 1, index, recorded, decided: events[index], rejection: null },
    })
  })

  test('an event too many and one too few are found', async () => {
    const commits = await logOf(busy(2))
    const last = commits.at(-1) as Commit
    const more = commits.with(-1, { ...last, events: [...last.events, last.events[0] as Event] })
    expect(await verifyLog(inRuns(more))).toMatchObject({
      divergence: { seq: last.seq, index: last.events.length, recorded: last.events[0], decided: null },
    })
    const fewer = commits.with(-1, { ...last, events: [] })
    expect(await verifyLog(inRuns(fewer))).toMatchObject({
      divergence: { seq: last.seq, index: 0, recorded: null, decided: last.events[0] },
    })
  })

  test('a command that is refused today is found, with the code', async () => {
    const commits = await logOf(busy(2))
    const at = commits.findIndex(({ command }) => command.type === 'placeOrder')
    const commit = commits[at] as Commit
    const altered = commits.with(at, { ...commit, command: { type: 'closeAll', accountId: 'nobody' } })
    expect(await verifyLog(inRuns(altered))).toMatchObject({
      divergence: { seq: at + 1, decided: null, rejection: { code: 'account_not_found' } },
    })
  })
})

/** Trades by hand on one market, without fees and spread. */
function trading() {
  const engine = createEngine({
    ...GENESIS,
    markets: [
      {
        id: BTC,
        baseAsset: 'BTC',
        ticker: 'BTC/USD',
        category: 'crypto',
        indexPrice: fp9('50000'),
        spread: 0n,
        feeRate: 0n,
        fundingRate: fp9('0.001'),
        maxPriceAgeMs: 1_000_000_000,
      },
    ],
  })
  const give = (command: Parameters<Engine['dispatch']>[0], after = 0) => {
    const outcome = engine.dispatch(command, { at: engine.now + after })
    if (!outcome.ok) throw new Error(outcome.error.code)
    return outcome
  }
  return {
    engine,
    buy: (accountId: string, rest: object = {}, after = 0) =>
      give(
        {
          type: 'placeOrder',
          accountId,
          marketId: BTC,
          orderType: 'market',
          direction: 'long',
          amount: fp9('1000'),
          leverage: fp9('10'),
          ...rest,
        },
        after,
      ),
    tick: (price: string, after = 0) =>
      give({ type: 'updatePrice', marketId: BTC, indexPrice: fp9(price) }, after),
    wait: (ms: number) => give({ type: 'advanceTime', ms }),
    flatten: (accountId: string, after = 0) => give({ type: 'closeAll', accountId }, after),
  }
}

describe('fork', () => {
  const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)

  async function fork(engine: Engine, from: number, change: RuleChange) {
    const result = await forkLog(inRuns(await logOf(engine)), from, change)
    const moved = sumOf(result.accounts.map(({ was, would }) => would.balance - was.balance))
    expect(moved + result.house.would - result.house.was, 'money is neither made nor lost').toBe(0n)
    return result
  }

  test.each([1, 2, 3])('traffic %i with a rule changed to what it is ends the same', async (seed) => {
    const engine = busy(seed)
    const at = Math.floor(engine.head / 2)
    const spread = engine.read.market(BTC) && (await engine.asOf(at)).read.market(BTC)?.config.spread
    const result = await fork(engine, at, { rule: 'market', market: { id: BTC, spread: spread as bigint } })
    expect(result).toMatchObject({
      from: at,
      head: engine.head,
      accounts: [],
      first: null,
      differing: 0,
      refused: 0,
    })
  })

  test.each<[string, RuleChange]>([
    ['no profit cap', { rule: 'noProfitCap' }],
    ['no stops', { rule: 'noStops' }],
    ['less leverage', { rule: 'maxLeverage', leverage: fp9('3') }],
    ['hourly funding', { rule: 'market', market: { id: BTC, fundingIntervalMs: 3_600_000 } }],
    ['a wider spread', { rule: 'market', market: { id: BTC, spread: fp9('0.002') } }],
  ])('%s on traffic keeps the books balanced', async (_, change) => {
    for (const seed of [1, 2, 3]) await fork(busy(seed), 20, change)
  })

  test('without the cap a profit of the first minute is the trader’s', async () => {
    const { engine, buy, tick, flatten } = trading()
    const from = engine.head
    buy(ALICE)
    tick('50500', 30_000)
    const { events } = flatten(ALICE)
    const close = events.find(({ type }) => type === 'closePosition')
    expect(close).toMatchObject({ pnl: 0n, rawPnl: fp9('100') })
    const result = await fork(engine, from, { rule: 'noProfitCap' })
    const [alice] = result.accounts
    expect(result.accounts).toHaveLength(1)
    expect(alice?.would.balance).toBe((alice?.was.balance ?? 0n) + fp9('100'))
    expect(result.first).toMatchObject({ seq: engine.head, was: { realizedPnl: 0n } })
    expect(result).toMatchObject({ differing: 1, refused: 0 })
  })

  test('without stops a position rides on, and what is placed later keeps its id', async () => {
    const { engine, buy, tick, flatten } = trading()
    buy(ALICE, { stopTriggerPrice: fp9('49000'), takeTriggerPrice: fp9('60000') })
    const from = engine.head
    tick('48900', 100_000)
    const fired = engine.head
    buy(ALICE, {}, 1_000)
    buy(BOB, {}, 1_000)
    tick('52000', 100_000)
    flatten(ALICE)
    const result = await fork(engine, from, { rule: 'noStops' })
    expect(result.first).toMatchObject({ seq: fired, was: { type: 'orderExecuted' }, would: null })
    expect(result.refused).toBe(0)
    // Lost 220 at the stop; held instead, the first position earns 400.
    const [alice] = result.accounts
    expect(result.accounts).toHaveLength(1)
    expect((alice?.would.balance ?? 0n) - (alice?.was.balance ?? 0n)).toBe(fp9('620'))
  })

  test('a leverage limit refuses what is above it, and commands on what never was are refused too', async () => {
    const { engine, buy, tick } = trading()
    const from = engine.head
    const opened = buy(ALICE)
    tick('51000', 70_000)
    const [position] = engine.read.activePositions(ALICE)
    engine.dispatch({ type: 'changeMargin', positionId: position?.id as string, marginChange: fp9('10') })
    buy(BOB, { leverage: fp9('2') })
    const result = await fork(engine, from, { rule: 'maxLeverage', leverage: fp9('5') })
    expect(result.first).toMatchObject({
      seq: opened.seq,
      would: null,
      rejection: { code: 'invalid_leverage' },
    })
    expect(result.refused).toBe(2)
    expect(result.accounts.map(({ accountId }) => accountId)).toEqual([ALICE])
  })

  test('shorter funding intervals fall due where the log has nothing', async () => {
    const { engine, buy, tick, wait } = trading()
    buy(ALICE)
    const from = engine.head
    wait(7 * 3_600_000)
    tick('50000')
    const paid = fp9('10')
    const hourly: RuleChange = { rule: 'market', market: { id: BTC, fundingIntervalMs: 3_600_000 } }
    const result = await fork(engine, from, hourly)
    expect(result.first?.would).toMatchObject({ type: 'payFunding', amount: -paid })
    // Seven instants instead of the one at 08:00.
    const [alice] = result.accounts
    expect((alice?.was.balance ?? 0n) - (alice?.would.balance ?? 0n)).toBe(paid * 6n)
  })

  test('a change that is refused, and a commit that is not there', async () => {
    const engine = busy(1, 50)
    const commits = await logOf(engine)
    const wide: RuleChange = { rule: 'market', market: { id: BTC, spread: fp9('2') } }
    await expect(forkLog(inRuns(commits), 10, wide)).rejects.toThrow('market.spread')
    await expect(forkLog(inRuns(commits), 1_000_000, { rule: 'noStops' })).rejects.toThrow('ends at commit')
  })
})

describe('inspect', () => {
  const scene = async () => {
    const { engine, buy, tick } = trading()
    const opened = buy(ALICE, { stopTriggerPrice: fp9('49000') })
    const [position] = engine.read.activePositions(ALICE)
    tick('49500', 70_000)
    tick('48900')
    const commits = await logOf(engine)
    return { engine, opened, position: position?.id as string, log: () => inRuns(commits) }
  }

  test('the life of a position and of an order', async () => {
    const { engine, log, position } = await scene()
    const life = await lifeOf(log, position)
    expect(life.map(({ event }) => event.type)).toEqual(['increasePosition', 'orderPlaced', 'closePosition'])
    const stop = engine.read.positionEvents(position)?.[0]?.order?.id as string
    expect((await lifeOf(log, stop)).map(({ event }) => event.type)).toEqual([
      'orderPlaced',
      'orderExecuted',
      'closePosition',
    ])
    expect(await lifeOf(log, 'nobody')).toEqual([])
  })

  test('why: request, fill, then tick, trigger, fill', async () => {
    const { engine, log, position, opened } = await scene()
    const chain = await whyOf(log, position)
    expect(chain.map(({ seq, kind }) => [seq, kind])).toEqual([
      [opened.seq, 'request'],
      [opened.seq, 'order'],
      [opened.seq, 'order'],
      [opened.seq, 'fill'],
      [opened.seq, 'order'],
      [engine.head, 'tick'],
      [engine.head, 'trigger'],
      [engine.head, 'fill'],
    ])
    expect(chain[5]).toMatchObject({ priceBefore: fp9('49500'), command: { indexPrice: fp9('48900') } })
  })

  test('why of a spawned order begins with the order it was spawned from', async () => {
    const { engine, log, position, opened } = await scene()
    const stop = engine.read.positionEvents(position)?.[0]?.order?.id as string
    const [first, placed] = await whyOf(log, stop)
    expect(first).toMatchObject({ seq: opened.seq, kind: 'request' })
    expect(placed?.event).toMatchObject({ type: 'orderPlaced', orderType: 'market' })
  })

  test('as of a commit and as of an instant', async () => {
    const { engine, log, opened } = await scene()
    const bySeq = await asOf(log, { seq: opened.seq })
    expect(bySeq.read.activePositions(ALICE)).toEqual(
      (await engine.asOf(opened.seq)).read.activePositions(ALICE),
    )
    const byTime = await asOf(log, { at: START + 69_999 })
    expect(byTime.seq).toBe(opened.seq)
    expect((await asOf(log, { at: START + 70_000 })).seq).toBe(engine.head)
    await expect(asOf(log, { seq: 999 })).rejects.toThrow('ends at commit')
    await expect(asOf(log, { at: 1 })).rejects.toThrow('begins later')
  })
})
