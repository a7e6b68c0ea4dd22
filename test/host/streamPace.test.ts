// When what is durable is told: at once after a pause, together where much comes in, and what concerns everybody in portions.

import { expect, test, vi } from 'vitest'
import { Listener } from '../../src/host/stream/listener.ts'
import { createEngine, fp9 } from '../../src/index.ts'
import { ONE } from '../../src/quantity/fp9.ts'
import type { EndReason } from '../../src/resources/stream.ts'
import { hubOf, listen, Tape } from './tape.ts'
import { ALICE, BTC } from './venue.ts'

/** What a hub waits by. */
const HUB_TIMERS = [
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'performance',
] as const

test('after a pause a price is told at once, and then four times a second at most, the newest', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
    const account = { id: ALICE.accountId, userId: ALICE.userId, balance: 1_000n }
    const engine = createEngine({ at: 0, markets: [{ ...market, indexPrice: 1n }], accounts: [account] })
    const hub = hubOf(engine)
    const tape = new Tape()
    listen(hub, tape, ALICE).begin([], engine.head)
    const prices = () => tape.told('price').map(({ data }) => data.indexPrice)
    const tick = (indexPrice: bigint) => engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice })
    tick(2n)
    await vi.advanceTimersByTimeAsync(20)
    expect(prices()).toEqual(['2'])
    for (const price of [3n, 4n, 5n]) {
      tick(price)
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(prices()).toEqual(['2'])
    await vi.advanceTimersByTimeAsync(100)
    expect(prices()).toEqual(['2', '5'])
    // Nothing moves, and nothing is told; then it is at once again.
    await vi.advanceTimersByTimeAsync(1_000)
    tick(6n)
    tick(7n)
    await vi.advanceTimersByTimeAsync(20)
    expect(prices()).toEqual(['2', '5', '7'])
  } finally {
    vi.useRealTimers()
  }
})

test('a ping comes every fifteen seconds, an equity every second while a position is open and prices move it', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
    const account = { id: ALICE.accountId, userId: ALICE.userId, balance: fp9('10000'), maxDailyLoss: ONE }
    const markets = [{ ...market, indexPrice: fp9('50000') }]
    const engine = createEngine({ at: 0, markets, accounts: [{ ...account, maxTotalLoss: ONE }] })
    const hub = hubOf(engine)
    const tape = new Tape()
    listen(hub, tape, ALICE).begin([], engine.head)
    /** Ten prices in each second. */
    const pass = async (seconds: number) => {
      for (let tick = 0; tick < seconds * 10; tick++) {
        // A gain within a minute of the order is not counted, a loss is.
        const indexPrice = fp9('50000') - BigInt(tick) * ONE
        engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice })
        await vi.advanceTimersByTimeAsync(100)
      }
    }
    await pass(29)
    expect(tape.told('ping')).toHaveLength(1)
    await pass(2)
    expect(tape.told('ping')).toHaveLength(2)
    expect(tape.told('equity')).toEqual([])
    const order = {
      accountId: ALICE.accountId,
      marketId: BTC,
      orderType: 'market',
      direction: 'long',
    } as const
    const terms = { amount: fp9('1000'), leverage: fp9('5') }
    expect(engine.dispatch({ type: 'placeOrder', ...order, ...terms })).toMatchObject({ ok: true })
    await pass(20)
    const { length } = tape.told('equity')
    expect([length >= 19, length <= 20]).toEqual([true, true])
    engine.dispatch({ type: 'closeAll', accountId: ALICE.accountId })
    await pass(2)
    const closed = tape.told('equity').length
    await pass(10)
    expect(tape.told('equity')).toHaveLength(closed)
  } finally {
    vi.useRealTimers()
  }
})

test('what is due to somebody at a time is written at once; and no portion has more than 128 equities', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
    const terms = { userId: ALICE.userId, balance: fp9('10000'), maxDailyLoss: ONE, maxTotalLoss: ONE }
    const id = (at: number) => `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const accountIds = Array.from({ length: 200 }, (_, at) => id(at))
    const accounts = accountIds.map((account) => ({ ...terms, id: account }))
    const engine = createEngine({ at: 0, markets: [{ ...market, indexPrice: fp9('50000') }], accounts })
    const order = { marketId: BTC, orderType: 'market', direction: 'long', leverage: fp9('5') } as const
    for (const accountId of accountIds)
      engine.dispatch({ type: 'placeOrder', accountId, ...order, amount: fp9('1000') })
    const hub = hubOf(engine)
    const [all, one]: [string[][], string[][]] = [[], []]
    const pricesAt: number[] = []
    const listens = (ids: readonly string[], written: string[][]) => {
      const tape = new Tape()
      tape.send = (messages) => {
        const types = messages.map(({ json }) => JSON.parse(json).type)
        if (written === one && types.includes('price')) pricesAt.push(performance.now())
        written.push(types)
      }
      const obstacle = (): EndReason | null => null
      const listener = new Listener({ ...terms, accountIds: ids, hearsAll: false, outlet: tape, obstacle })
      hub.add(listener)
      listener.begin([], engine.head)
    }
    listens([id(0)], one)
    listens(accountIds, all)
    for (let tick = 0; tick < 160; tick++) {
      const indexPrice = fp9('50000') - BigInt(tick) * ONE
      engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice })
      await vi.advanceTimersByTimeAsync(100)
    }
    const count = (types: readonly string[], type: string) => types.filter((each) => each === type).length
    const equities = one.filter((types) => types.includes('equity'))
    const besidePrices = equities.filter((types) => types.includes('price'))
    expect([equities.length, besidePrices.length]).toEqual([15, 15])
    expect(count(one.flat(), 'ping')).toBe(1)
    expect(
      Math.min(...pricesAt.slice(1).map((at, index) => at - (pricesAt[index] ?? 0))),
    ).toBeGreaterThanOrEqual(250)
    expect(Math.max(...all.map((types) => count(types, 'equity')))).toBe(128)
  } finally {
    vi.useRealTimers()
  }
})

test('after a pause a commit is told at once, and those of the next 8 ms together at their end', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const engine = createEngine({
      at: 0,
      accounts: [{ id: ALICE.accountId, userId: ALICE.userId, balance: 1_000n }],
    })
    const hub = hubOf(engine)
    const tape = new Tape()
    listen(hub, tape, ALICE).begin([], engine.head)
    const deposit = () => engine.dispatch({ type: 'adjustBalance', accountId: ALICE.accountId, amount: 1n })
    const told = () => tape.told('account').length
    await vi.advanceTimersByTimeAsync(100)
    for (let again = 0; again < 2; again++) {
      const before = told()
      deposit()
      await vi.advanceTimersByTimeAsync(0)
      expect(told()).toBe(before + 1)
      const sends = vi.spyOn(tape, 'send')
      for (let ms = 1; ms <= 7; ms++) {
        deposit()
        await vi.advanceTimersByTimeAsync(1)
      }
      expect(sends).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect([sends.mock.calls.length, told()]).toEqual([1, before + 8])
      await vi.advanceTimersByTimeAsync(8)
      sends.mockRestore()
    }
  } finally {
    vi.useRealTimers()
  }
})

test('what a turn leaves behind is told in the next one, and no pace is waited for', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const engine = createEngine({
      at: 0,
      accounts: [{ id: ALICE.accountId, userId: ALICE.userId, balance: 1_000n }],
    })
    const hub = hubOf(engine)
    // One commit for so many is all that a turn gathers.
    const tapes = Array.from({ length: 257 }, () => new Tape())
    for (const tape of tapes) listen(hub, tape, ALICE).begin([], engine.head)
    await vi.advanceTimersByTimeAsync(100)
    for (let commit = 0; commit < 3; commit++)
      engine.dispatch({ type: 'adjustBalance', accountId: ALICE.accountId, amount: 1n })
    for (let turn = 1; turn <= 3; turn++) {
      vi.advanceTimersToNextTimer()
      expect(tapes.map((tape) => tape.told('account').length)).toEqual(tapes.map(() => turn))
      expect(performance.now()).toBeLessThan(108)
    }
  } finally {
    vi.useRealTimers()
  }
})

test('an account that was opened while all of a user are heard is told as any other, equities included', async () => {
  vi.useFakeTimers({ toFake: [...HUB_TIMERS] })
  try {
    const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
    const engine = createEngine({ at: 0, markets: [{ ...market, indexPrice: fp9('50000') }] })
    const hub = hubOf(engine)
    const tape = new Tape()
    const { userId, accountId } = ALICE
    const obstacle = (): EndReason | null => null
    const listener = new Listener({ userId, accountIds: [], hearsAll: true, outlet: tape, obstacle })
    hub.add(listener)
    listener.begin([], engine.head)
    const account = { id: accountId, userId, balance: fp9('10000'), maxDailyLoss: ONE, maxTotalLoss: ONE }
    engine.dispatch({ type: 'openAccount', account })
    const order = { marketId: BTC, orderType: 'market', direction: 'long', leverage: fp9('5') } as const
    engine.dispatch({ type: 'placeOrder', accountId, ...order, amount: fp9('1000') })
    engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: fp9('50001') })
    await vi.advanceTimersByTimeAsync(1_100)
    for (const type of ['account', 'position', 'equity'])
      expect(tape.told(type).map((message) => message.accountId)).toContain(accountId)
  } finally {
    vi.useRealTimers()
  }
})
