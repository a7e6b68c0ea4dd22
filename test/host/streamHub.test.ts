// Who hears what, and when: nothing before it is durable, everything once and in order, and whoever does not read costs so
// much and no more.

import { expect, test, vi } from 'vitest'
import { MOST_UNSENT, PATIENCE_MS } from '../../src/host/stream/allowance.ts'
import { Missed, MOST_MISSED, snapshot } from '../../src/host/stream/beginning.ts'
import { Listener, type Outlet } from '../../src/host/stream/listener.ts'
import { Message } from '../../src/host/stream/message.ts'
import { createEngine, fp9 } from '../../src/index.ts'
import type { EndReason } from '../../src/resources/stream.ts'
import { engineOn } from './slowStore.ts'
import { hubOf, listen, Tape } from './tape.ts'
import { turns } from './untilTold.ts'
import { ALICE, BOB, BTC, CONFIGURATION } from './venue.ts'

/** A machine that is busy with others takes longer than the second that is waited otherwise. */
const PATIENTLY = { timeout: 30_000, interval: 5 }

const deposit = (accountId: string) => ({ type: 'adjustBalance', accountId, amount: 1_000_000_000n }) as const

test('nothing is told before it is durable, a snapshot included; then in the order of the log', async () => {
  const { engine, store, release } = await engineOn(CONFIGURATION)
  const hub = hubOf(engine)
  engine.dispatch(deposit(ALICE.accountId))
  await turns()
  const tape = new Tape()
  const listener = listen(hub, tape, ALICE)
  const first = snapshot(engine, [ALICE.accountId])
  hub.whenDurable(() => listener.begin([first], first.seq))
  engine.dispatch(deposit(ALICE.accountId))
  engine.dispatch(deposit(BOB.accountId))
  await turns()
  expect(tape.texts).toEqual([])
  store.write()
  await turns()
  expect(tape.told('snapshot')).toHaveLength(1)
  expect(tape.told('account')).toEqual([])
  release()
  await engine.whenDurable()
  await turns()
  expect(tape.told('account').map(({ seq }) => seq)).toEqual([engine.head - 1])
  expect(tape.complete).toBe(engine.head - 1)
})

test('what is not durable yet is waited for, not asked about turn by turn', async () => {
  const { engine } = await engineOn(CONFIGURATION)
  const hub = hubOf(engine)
  listen(hub, new Tape(), ALICE).begin([], engine.head)
  engine.dispatch(deposit(ALICE.accountId))
  await turns()
  const taken = vi.spyOn(globalThis, 'setImmediate')
  try {
    await turns(50)
    // One of each turn is the test's own.
    expect(taken.mock.calls.length).toBeLessThan(75)
  } finally {
    taken.mockRestore()
  }
})

test('whoever takes long to be written to costs the others a turn, not what they are told', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const tapes = Array.from({ length: 3 }, () => new Tape())
  for (const tape of tapes) {
    const send = tape.send.bind(tape)
    tape.send = (...what) => {
      const end = performance.now() + 20
      while (performance.now() < end);
      send(...what)
    }
    listen(hub, tape, ALICE).begin([], engine.head)
  }
  engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect(tapes.map((tape) => tape.told('account').length)).toEqual([1, 1, 1])
})

test('what could not be written is never told, and the stream ends', async () => {
  const { engine, store } = await engineOn(CONFIGURATION)
  const hub = hubOf(engine)
  const tape = new Tape()
  listen(hub, tape, ALICE).begin([], engine.head)
  engine.dispatch(deposit(ALICE.accountId))
  await turns()
  store.fail()
  await expect(engine.whenDurable()).rejects.toThrow()
  await expect.poll(() => tape.isOver, PATIENTLY).toBe(true)
  expect(tape.told('account')).toEqual([])
  expect(tape.told('end')).toMatchObject([{ data: { reason: 'engine_stopped' } }])
})

test('who reads too slowly is let go of after a mebibyte; the others hear everything', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const [slow, waiting, quick] = [new Tape(), new Tape(), new Tape()]
  slow.isRead = false
  listen(hub, slow, ALICE).begin([], engine.head)
  listen(hub, quick, ALICE).begin([], engine.head)
  // One that has not begun yet is held to the same.
  listen(hub, waiting, ALICE)
  const before = engine.head
  for (let round = 0; round < 20; round++) {
    for (let one = 0; one < 100; one++) engine.dispatch(deposit(ALICE.accountId))
    await engine.whenDurable()
    await turns(30)
  }
  expect(quick.told('account').map(({ seq }) => seq)).toEqual(
    Array.from({ length: 2_000 }, (_, at) => before + at + 1),
  )
  expect(hub.size).toBe(1)
  for (const tape of [slow, waiting]) {
    expect(tape.isOver).toBe(true)
    expect(tape.told('end')).toMatchObject([{ data: { reason: 'slow_consumer' } }])
  }
  expect(slow.unsent).toBeGreaterThan(MOST_UNSENT)
  expect(slow.unsent).toBeLessThan(1.5 * MOST_UNSENT)
  expect(waiting.texts).toHaveLength(1)
})

test('what one price sets off, five hundred orders of an account, is told to who reads it, however long it is', async () => {
  const accounts = CONFIGURATION.accounts.map((account) => ({ ...account, balance: '9000000000000000' }))
  const { engine, release } = await engineOn({ ...CONFIGURATION, accounts })
  release()
  const hub = hubOf(engine)
  const tape = new Tape()
  listen(hub, tape, ALICE).begin([], engine.head)
  const order = { accountId: ALICE.accountId, marketId: BTC, orderType: 'limit', direction: 'long' } as const
  const terms = { amount: fp9('100'), leverage: fp9('5'), triggerPrice: fp9('40000') }
  for (let placed = 0; placed < 500; placed++)
    expect(engine.dispatch({ type: 'placeOrder', ...order, ...terms })).toMatchObject({ ok: true })
  await engine.whenDurable()
  await vi.waitFor(() => expect(tape.told('order')).toHaveLength(500), PATIENTLY)
  // Nothing has been read yet when everything has been sent.
  tape.isRead = false
  engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: fp9('39000') })
  await engine.whenDurable()
  await vi.waitFor(() => expect(tape.told('position')).toHaveLength(500), PATIENTLY)
  expect(tape.unsent).toBeGreaterThan(MOST_UNSENT)
  expect(tape.isOver).toBe(false)
  tape.unsent = 0
  engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect(tape.told('account').at(-1).seq).toBe(engine.head)
})

test('what came before somebody listened is in their snapshot and is not told again', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  const hub = hubOf(engine)
  const [first, second] = [new Tape(), new Tape()]
  listen(hub, first, ALICE).begin([], engine.head)
  engine.dispatch(deposit(ALICE.accountId))
  const before = engine.head
  const late = listen(hub, second, ALICE)
  const beginning = snapshot(engine, [ALICE.accountId])
  hub.whenDurable(() => late.begin([beginning], beginning.seq))
  engine.dispatch(deposit(ALICE.accountId))
  release()
  await engine.whenDurable()
  await turns()
  expect(first.told('account').map(({ seq }) => seq)).toEqual([before, engine.head])
  expect(second.texts.map((text) => JSON.parse(text)).map(({ type, seq }) => [type, seq])).toEqual([
    ['snapshot', before],
    ['account', engine.head],
  ])
})

test('what is gathered while somebody waits for their beginning is told behind it', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const tape = new Tape()
  const listener = listen(hub, tape, ALICE)
  const beginning = snapshot(engine, [ALICE.accountId])
  for (let one = 0; one < 3; one++) engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect(tape.texts).toEqual([])
  listener.begin([beginning], beginning.seq)
  expect(tape.told('snapshot')).toHaveLength(1)
  expect(tape.told('account').map(({ seq }) => seq)).toEqual([1, 2, 3].map((nth) => beginning.seq + nth))
  expect(tape.complete).toBe(engine.head)
  engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect(tape.told('account')).toHaveLength(4)
})

test('a message is written once for everybody who hears it', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const heard: Message[][] = []
  for (let one = 0; one < 3; one++) {
    const tape = new Tape()
    const gathered: Message[] = []
    tape.send = (messages) => void gathered.push(...messages)
    heard.push(gathered)
    listen(hub, tape, ALICE).begin([], engine.head)
  }
  engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect(heard[0]).toHaveLength(1)
  for (const gathered of heard) expect(gathered[0]).toBe(heard[0]?.[0])
})

test('what was missed is told from the log, up to ten thousand commits', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const { head } = engine
  engine.dispatch(deposit(ALICE.accountId))
  for (let tick = 1; tick < MOST_MISSED; tick++)
    engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: 50_000_000_000_000n + BigInt(tick) })
  const missed = await new Missed(engine, head, [ALICE.accountId]).told('alice')
  expect(missed?.map(({ json }) => JSON.parse(json).type)).toEqual(['account', 'market', 'market'])
  engine.dispatch(deposit(ALICE.accountId))
  expect(await new Missed(engine, head, [ALICE.accountId]).told('alice')).toBeNull()
  expect(await new Missed(engine, engine.head + 1, [ALICE.accountId]).told('alice')).toBeNull()
})

test('what was missed is told as it was told, from wherever it is resumed', async () => {
  const rates = { fundingIntervalMs: 3_600_000, fundingRate: '1000000' }
  const markets = CONFIGURATION.markets.map((market) => ({ ...market, ...rates, maxPriceAgeMs: 999_999_999 }))
  const { engine, release } = await engineOn({ ...CONFIGURATION, markets })
  release()
  const hub = hubOf(engine)
  const tape = new Tape()
  listen(hub, tape, ALICE).begin([], engine.head)
  const { head } = engine
  const at = () => ({ at: engine.now + 600_000 })
  const order = { type: 'placeOrder', accountId: ALICE.accountId, marketId: BTC, direction: 'long' } as const
  const entry = { ...order, leverage: 5_000_000_000n, amount: 1_000_000_000_000n } as const
  const placed = engine.dispatch({ ...entry, orderType: 'limit', triggerPrice: 40_000_000_000_000n }, at())
  engine.dispatch({ ...entry, orderType: 'market' }, at())
  const [position] = engine.read.activePositions(ALICE.accountId)
  const positionId = position?.id as string
  const hours = (count: number) => engine.dispatch({ type: 'advanceTime', ms: count * 3_600_000 })
  hours(2)
  engine.dispatch({ type: 'changeMargin', positionId, marginChange: 5_000_000_000n }, at())
  hours(3)
  const close = { ...order, orderType: 'take', positionId, triggerPrice: 0n } as const
  engine.dispatch({ ...close, amount: (position?.size as bigint) / 2n }, at())
  hours(2)
  if (placed.ok) engine.dispatch({ type: 'cancelOrder', orderId: placed.value.id }, at())
  engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: 30_000_000_000_000n }, at())
  await engine.whenDurable()
  await turns(20)
  const changes = (texts: readonly string[]) => texts.filter((text) => /^.{9}(order|position)/.test(text))
  const told = changes(tape.texts)
  expect(told.map((text) => JSON.parse(text).data.eventName)).toEqual(
    expect.arrayContaining(['payFunding', 'addMargin', 'closePosition', 'liquidate']),
  )
  for (let from = head; from < engine.head; from++) {
    const missed = await new Missed(engine, from, [ALICE.accountId]).told('alice')
    const texts = missed?.map(({ json }) => json) ?? []
    expect(changes(texts)).toEqual(told.filter((text) => JSON.parse(text).seq > from))
  }
})

test('however many resume, a turn of the loop reads one piece of the log, in turns, and none for who is gone (K15)', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const { head } = engine
  for (let n = 0; n < 12; n++) engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  let turn = 0
  const count = () => {
    turn += 1
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)
  const read: { readonly from: number; readonly turn: number }[] = []
  const { commits } = engine
  // A log of which every commit takes as long to read as a piece may.
  Object.defineProperty(engine, 'commits', {
    value: async function* (range: { from: number }) {
      for await (const commit of commits.call(engine, range)) {
        const until = performance.now() + 2
        while (performance.now() < until);
        read.push({ from: range.from, turn })
        yield commit
      }
    },
  })
  const missed = (client: string, from: number, gone = () => false) =>
    new Missed(engine, from, [ALICE.accountId]).told(client, gone)
  const alices = Array.from({ length: 4 }, () => missed('alice', head))
  const told = await Promise.all([...alices, missed('bob', head + 1)])
  for (const messages of told) expect(messages).toHaveLength(3)
  expect(read).toHaveLength(4 * 12 + 11)
  expect(new Set(read.map(({ turn }) => turn)).size).toBe(read.length)
  expect(read.findLastIndex(({ from }) => from === head + 2)).toBeLessThan(30)
  read.length = 0
  await missed('carol', head, () => read.length === 3)
  expect(read).toHaveLength(3)
  clearImmediate(turning)
})

test('nothing is told to who goes while it is gathered, at whichever step', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const { head } = engine
  const order = { type: 'placeOrder', accountId: ALICE.accountId, marketId: BTC, direction: 'long' } as const
  engine.dispatch({ ...order, orderType: 'market', leverage: 5_000_000_000n, amount: 1_000_000_000_000n })
  const [position] = engine.read.activePositions(ALICE.accountId)
  const positionId = position?.id as string
  for (let n = 0; n < 20; n++) engine.dispatch({ type: 'changeMargin', positionId, marginChange: 1n })
  const told = async (steps: number) => {
    let asked = 0
    const messages = await new Missed(engine, head, [ALICE.accountId]).told('alice', () => asked++ >= steps)
    return { messages, asked }
  }
  const { messages, asked: all } = await told(Number.POSITIVE_INFINITY)
  expect(messages?.length).toBeGreaterThan(20)
  // Of each of the commits when it is read, when its records are found, when they are told and when that is written.
  expect(all).toBeGreaterThan(4 * 20)
  for (let steps = 0; steps < all; steps++)
    expect(await told(steps)).toEqual({ messages: null, asked: steps + 1 })
})

test('a long beginning is sent in portions, each when the one before has been taken; who takes none is let go of', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const portions: number[][] = []
  let take: (isTaken: boolean) => void = () => {}
  const patience: number[] = []
  const outlet: Outlet = {
    unsent: 0,
    send: (messages) => void portions.push(messages.map(({ seq }) => seq)),
    taken: (ms) => {
      patience.push(ms)
      return new Promise((resolve) => {
        take = resolve
      })
    },
    end: () => {},
  }
  const message = (seq: number, length: number) =>
    new Message({ type: 'order', seq, at: 0, data: () => JSON.stringify('x'.repeat(length)) })
  const messages = [1, 2, 3, 4, 5].map((seq) => message(seq, 200_000))
  const hub = hubOf(engine)
  const listener = listen(hub, outlet, ALICE)
  const begun = listener.begin(messages, 5)
  expect(portions).toEqual([[1, 2]])
  listener.take(message(6, 10))
  expect(listener.flush()).toBe(true)
  expect(portions).toHaveLength(1)
  for (const so of [2, 3]) {
    take(true)
    await turns(2)
    expect(portions).toHaveLength(so)
  }
  expect(portions).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  take(true)
  expect(await begun).toBe(true)
  const deaf = listen(hub, outlet, ALICE)
  const never = deaf.begin(messages, 5)
  take(false)
  expect(await never).toBe(false)
  expect(portions).toHaveLength(4)
  // A long message has its time for every MiB.
  void listen(hub, outlet, ALICE).begin([message(1, 3 * MOST_UNSENT)], 1)
  expect(patience).toEqual([...Array(4).fill(PATIENCE_MS), 4 * PATIENCE_MS])
})

test('nobody listens, nothing is kept', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const tape = new Tape()
  const listener = listen(hub, tape, ALICE)
  listener.begin([], engine.head)
  hub.remove(listener)
  engine.dispatch(deposit(ALICE.accountId))
  await engine.whenDurable()
  await turns()
  expect([hub.size, tape.texts]).toEqual([0, []])
})

test('while many are still to be told of a price, an account is told at once, and nobody of an earlier commit after a later one', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const hub = hubOf(engine)
  const tapes = Array.from({ length: 300 }, () => new Tape())
  for (const [at, tape] of tapes.entries())
    listen(hub, tape, at === tapes.length - 1 ? BOB : ALICE).begin([], engine.head)
  const [first, last] = [tapes[0], tapes.at(-1)] as [Tape, Tape]
  const send = first.send.bind(first)
  let isDeposited = false
  first.send = (messages, complete) => {
    send(messages, complete)
    if (isDeposited || first.told('price').length === 0) return
    isDeposited = true
    engine.dispatch(deposit(BOB.accountId))
    engine.dispatch(deposit(ALICE.accountId))
  }
  engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: 50_001_000_000_000n })
  const isTold = () => expect(['price', 'account'].map((type) => last.told(type).length)).toEqual([1, 1])
  await vi.waitFor(isTold, PATIENTLY)
  const types = last.texts.map((text) => JSON.parse(text).type)
  expect(types.indexOf('account')).toBeLessThan(types.indexOf('price'))
  for (const tape of tapes) {
    const told = tape.texts.map((text) => JSON.parse(text).seq)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(tape.told('price')).toMatchObject([{ data: { indexPrice: '50001000000000' } }])
  }
})

test('an account is told when it is another than it was told, its risk included, and not for what moves with every price', async () => {
  const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
  const account = { id: ALICE.accountId, userId: ALICE.userId, balance: fp9('10000') }
  const dawn = Date.UTC(2026, 0, 6)
  const engine = createEngine({
    at: dawn - 3_600_000,
    markets: [{ ...market, indexPrice: fp9('50000') }],
    accounts: [account],
  })
  const hub = hubOf(engine)
  const tape = new Tape()
  listen(hub, tape, ALICE).begin([], engine.head)
  const placed = engine.dispatch({
    type: 'placeOrder',
    accountId: ALICE.accountId,
    marketId: BTC,
    orderType: 'market',
    direction: 'long',
    amount: fp9('1000'),
    leverage: fp9('5'),
    stopTriggerPrice: fp9('45000'),
  })
  const events = placed.ok ? placed.events : []
  const placings = events.filter((event) => event.type === 'orderPlaced')
  await turns()
  const before = tape.told('account').length
  engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: fp9('50001') })
  const orderId = placings.at(-1)?.orderId ?? ''
  const canceled = engine.dispatch({ type: 'cancelOrder', orderId })
  expect(canceled).toMatchObject({ ok: true })
  await turns()
  expect(tape.told('order').at(-1)).toMatchObject({ data: { id: orderId, status: 'canceled' } })
  expect(tape.told('account')).toHaveLength(before)
  // Without a position nothing is booked at midnight: the risk alone is another then.
  engine.dispatch({ type: 'closeAll', accountId: ALICE.accountId })
  await turns()
  const idle = tape.told('account')
  expect(idle.length).toBeGreaterThan(before)
  const tick = { type: 'updatePrice', marketId: BTC, indexPrice: fp9('50001') } as const
  expect(engine.dispatch(tick, { at: dawn })).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(tape.told('account').length).toBeGreaterThan(idle.length), PATIENTLY)
  const [own] = tape.told('account').slice(idle.length)
  expect(own.data.accountBalance).toBe(idle.at(-1).data.accountBalance)
  expect(own.data.riskStatus.nextDayAt).toBe('2026-01-07T00:00:00.000Z')
})

test('a portion of what a stream begins with says which commit is complete, where one is', async () => {
  const sent: [number[], number | null][] = []
  const outlet = {
    unsent: 0,
    send: (messages: readonly Message[], complete: number | null) =>
      void sent.push([messages.map(({ seq }) => seq), complete]),
    taken: async () => true,
    end: () => {},
  }
  const long = (seq: number) =>
    new Message({ type: 'order', seq, at: 0, data: () => JSON.stringify('x'.repeat(200_000)) })
  const obstacle = (): EndReason | null => null
  const listener = new Listener({ userId: ALICE.userId, accountIds: [], hearsAll: false, outlet, obstacle })
  await listener.begin([3, 4, 5, 5, 5].map(long), 9)
  expect(sent).toEqual([
    [[3, 4], 4],
    [[5, 5], null],
    [[5], 9],
  ])
})
