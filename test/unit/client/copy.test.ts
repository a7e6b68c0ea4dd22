// The copy that a stream keeps: what the messages of whole commits add up to, and how it is connected.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type OpenStream,
  StreamEnded,
  type StreamMessage,
  VenueStream,
} from '../../../src/client/venueStream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Sent = {
  readonly id: number | null
  readonly message: { readonly type: string; readonly [field: string]: unknown }
}

const order = (id: string, status = 'active') => ({ type: 'order', data: { id, status } })
const position = (idx: string | null, status = 'opened') => ({
  type: 'position',
  data: { idx, status, margin: status, order: { id: 'whatever' } },
})
const SNAPSHOT = {
  type: 'snapshot',
  data: {
    accounts: [{ accountId: 'a', riskStatus: { equity: '1', used: '2' } }],
    orders: [{ id: 'o1' }, { id: 'o2' }],
    positions: [{ idx: 'p1' }],
    markets: [{ id: 'm', name: 'M', state: { indexPrice: '1', updatedAt: 1, isOpen: true } }],
  },
}

/** Hears these, and then nothing. */
async function heard(...sent: readonly Sent[]) {
  const leaving = new AbortController()
  const open: OpenStream = async function* (_opening, signal) {
    yield* sent
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const stream = new VenueStream(open, { signal: leaving.signal })
  const messages: StreamMessage[] = []
  const running = (async () => {
    for await (const message of stream) messages.push(message)
  })()
  await vi.advanceTimersByTimeAsync(0)
  leaving.abort()
  await running
  return { stream, messages }
}

const commit = (id: number, ...messages: readonly Sent['message'][]): Sent[] =>
  messages.map((message, index) => ({ id: index === messages.length - 1 ? id : null, message }))

describe('the copy', () => {
  test('is the snapshot, and a later one in its place', async () => {
    const { stream } = await heard(...commit(4, SNAPSHOT))
    expect([
      ...stream.orders.keys(),
      ...stream.positions.keys(),
      ...stream.accounts.keys(),
      ...stream.markets.keys(),
    ]).toEqual(['o1', 'o2', 'p1', 'a', 'm'])
    const empty = { accounts: [], orders: [{ id: 'o3' }], positions: [], markets: [] }
    const again = await heard(...commit(4, SNAPSHOT), ...commit(5, { type: 'snapshot', data: empty }))
    expect([...again.stream.orders.keys()]).toEqual(['o3'])
    expect([again.stream.positions.size, again.stream.accounts.size, again.stream.markets.size]).toEqual([
      0, 0, 0,
    ])
  })

  test('has the orders that are active and the positions that are open', async () => {
    const { stream } = await heard(
      ...commit(4, SNAPSHOT),
      ...commit(5, order('o3'), order('o1', 'canceled'), position('p2'), position('p1', 'closed')),
      ...commit(6, order('o2', 'executed'), position('p3', 'liquidated')),
    )
    expect([...stream.orders.keys()]).toEqual(['o3'])
    expect([...stream.positions]).toEqual([['p2', { idx: 'p2', status: 'opened', margin: 'opened' }]])
  })

  test('has accounts and markets as they were told last, with prices and values', async () => {
    const { stream } = await heard(
      ...commit(4, SNAPSHOT),
      ...commit(
        5,
        { type: 'price', data: { marketId: 'm', indexPrice: '9', updatedAt: 8 } },
        { type: 'equity', accountId: 'a', data: { equity: '7', unrealizedPnl: '6' } },
        // What it does not know has no price and no value.
        { type: 'price', data: { marketId: 'other', indexPrice: '9', updatedAt: 8 } },
        { type: 'equity', accountId: 'other', data: { equity: '7', unrealizedPnl: '6' } },
      ),
    )
    expect([...stream.markets.values()]).toEqual([
      { id: 'm', name: 'M', state: { indexPrice: '9', updatedAt: 8, isOpen: true } },
    ])
    expect([...stream.accounts.values()]).toEqual([
      { accountId: 'a', riskStatus: { equity: '7', used: '2' } },
    ])
    const { stream: later } = await heard(
      ...commit(4, SNAPSHOT),
      ...commit(
        5,
        { type: 'market', data: { id: 'n' } },
        { type: 'account', accountId: 'b', data: { accountId: 'b' } },
      ),
    )
    expect([[...later.markets.keys()], [...later.accounts.keys()]]).toEqual([
      ['m', 'n'],
      ['a', 'b'],
    ])
  })

  test('shows whole commits, and so does what is given', async () => {
    const { stream, messages } = await heard(
      ...commit(4, order('o1')),
      { id: null, message: order('o2') },
      { id: null, message: order('o3') },
    )
    expect(stream.seq).toBe(4)
    expect([...stream.orders.keys()]).toEqual(['o1'])
    expect(messages).toEqual([order('o1')])
  })
})

describe('a connection', () => {
  /** Every opening within two minutes, and what is told of connections; each connection says one thing, and then nothing. */
  async function openings(options: ConstructorParameters<typeof VenueStream>[1], minutes = 2) {
    const leaving = new AbortController()
    const asked: { readonly at: number; readonly opening: object }[] = []
    const told: boolean[] = []
    const open: OpenStream = async function* (opening, signal) {
      asked.push({ at: Date.now(), opening })
      yield { id: asked.length * 10, message: { type: 'ping' } }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const stream = new VenueStream(open, {
      ...options,
      signal: leaving.signal,
      onConnection: (isConnected) => told.push(isConnected),
    })
    expect(stream.isEnded).toBe(false)
    const running = (async () => {
      for await (const _ of stream);
    })()
    await vi.advanceTimersByTimeAsync(minutes * 60_000)
    leaving.abort()
    await running
    expect(stream.isEnded).toBe(true)
    return { asked, told }
  }

  test.each([
    [{}, 40_000],
    [{ silenceMs: 5_000 }, 5_000],
  ])(
    'with %j is lost after silence of %i ms, and the next goes on behind what was given',
    async (options, silence) => {
      const { asked, told } = await openings(options)
      for (const [index, { at }] of asked.slice(1).entries()) {
        const apart = at - (asked[index]?.at as number)
        // With a pause of 50 to 100 ms, and another of as much by chance of the clock.
        expect(apart).toBeGreaterThanOrEqual(silence)
        expect(apart).toBeLessThan(silence + 200)
      }
      expect(asked.length).toBeGreaterThan(2)
      expect(asked.map(({ opening }) => opening)).toEqual(
        asked.map((_, index) => (index === 0 ? {} : { from: index * 10 })),
      )
      expect(told).toEqual(asked.flatMap((_, index) => (index === 0 ? [true] : [false, true])))
    },
  )

  test('that the venue ends says why when it is lost; one that is cut does not, nor that the next is there', async () => {
    const leaving = new AbortController()
    const ends = ['slow_consumer', null, 'closing']
    const told: unknown[][] = []
    const open: OpenStream = async function* () {
      yield { id: 1, message: { type: 'ping' } }
      const reason = ends.shift()
      if (reason === undefined) leaving.abort()
      else if (reason !== null) yield { id: 1, message: { type: 'end', data: { reason } } }
    }
    const onConnection = (...what: unknown[]) => told.push(what)
    const running = (async () => {
      for await (const _ of new VenueStream(open, { signal: leaving.signal, onConnection }));
    })()
    await vi.advanceTimersByTimeAsync(10_000)
    await running
    expect(told).toEqual([
      [true],
      [false, 'slow_consumer'],
      [true],
      [false],
      [true],
      [false, 'closing'],
      [true],
    ])
  })

  test('says which accounts it is for, and from where on', async () => {
    const { asked } = await openings({ accountIds: ['a'], from: 0 })
    expect(asked.slice(0, 2).map(({ opening }) => opening)).toEqual([
      { accountIds: ['a'], from: 0 },
      { accountIds: ['a'], from: 10 },
    ])
  })

  test.each([
    ['slow_consumer', true],
    ['closing', true],
    ['engine_stopped', true],
    ['session_ended', false],
    ['gone', false],
  ])('that ends with %s is opened again: %s', async (reason, isAgain) => {
    const leaving = new AbortController()
    let opened = 0
    const open: OpenStream = async function* () {
      opened += 1
      if (opened === 2) leaving.abort()
      yield { id: null, message: { type: 'end', data: { reason } } }
    }
    const running = (async () => {
      for await (const _ of new VenueStream(open, { signal: leaving.signal }));
    })().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    const failure = await running
    expect(opened).toBe(isAgain ? 2 : 1)
    if (isAgain) expect(failure).toBeUndefined()
    else expect([failure instanceof StreamEnded, (failure as StreamEnded).reason]).toEqual([true, reason])
  })
})
