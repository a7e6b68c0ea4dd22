// A live run over the venue's stream: everything that happens is told, readings are never behind what was done, and cuts lose nothing.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { journalLine } from '../../../../src/backtest/live/journalText.ts'
import { LiveContext } from '../../../../src/backtest/live/liveContext.ts'
import { type LiveOptions, runLive } from '../../../../src/backtest/live/liveRun.ts'
import { streamOf } from '../../../../src/backtest/live/streamOf.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { MarginTradingClient } from '../../../../src/client/index.ts'
import { readConfiguration } from '../../../../src/host/configuration.ts'
import { type ServedVenue, serveVenue } from '../../../../src/host/serveVenue.ts'
import { fp9 } from '../../../../src/index.ts'
import { CuttableProxy } from '../../../examples/cuttableProxy.ts'
import { ALICE, BTC, CONFIGURATION, VenueUnderTest } from '../../../host/venue.ts'

let served: ServedVenue
let venue: VenueUnderTest

beforeAll(async () => {
  served = await serveVenue({
    configuration: readConfiguration(Buffer.from(JSON.stringify({ ...CONFIGURATION, rateLimit: null }))),
    port: 0,
  })
  venue = new VenueUnderTest(served)
  await price('50000')
})
afterAll(() => served.close())

const price = (text: string, ms = 1_000) =>
  venue.operate(
    { type: 'advanceTime', ms },
    { type: 'updatePrice', marketId: BTC, indexPrice: fp9(text).toString() },
  )
const engine = () => served.engine.read
const stops = () =>
  engine()
    .activeOrders(ALICE.accountId)
    .filter(({ orderType }) => orderType === 'trailing_stop')

/** Runs a strategy while the venue does something, and ends it then. */
async function live(
  strategy: Strategy,
  meanwhile: (context: LiveContext) => Promise<void>,
  more: Partial<LiveOptions> = {},
  baseUrl = served.url,
): Promise<void> {
  const client = new MarginTradingClient({ baseUrl, token: ALICE.key, retry: { wait: async () => {} } })
  const stop = new AbortController()
  const context = await LiveContext.open(client, () => served.engine.now)
  const stream = await streamOf(client, context.accountId, stop.signal)
  if (stream === null) throw new Error('the venue has a stream')
  const run = runLive({
    ...{ context, strategy, assets: ['BTC'], stream, signal: stop.signal, onExit: 'flatten' },
    sleep: async () => {},
    ...more,
  })
  try {
    await Promise.race([run, meanwhile(context)])
  } finally {
    stop.abort()
  }
  await run
}

const LONG = { asset: 'BTC', direction: 'long', sizeBy: { margin: '50' }, leverage: '2' } as const

describe('what is told', () => {
  test('orders and fills with what they did, as they happen, and the journal has them', async () => {
    const told: string[] = []
    const entries: JournalEntry[] = []
    const strategy: Strategy = {
      name: 'opens and is told',
      async onStart(context) {
        const opened = await context.open({ ...LONG, stopLoss: fp9('45000') })
        expect(opened.ok).toBe(true)
        // Nothing that was done is unknown afterwards.
        expect(context.positions('BTC')).toEqual(engine().activePositions(ALICE.accountId))
        expect(context.orders('BTC')).toEqual(engine().activeOrders(ALICE.accountId))
      },
      onEvent(event, context) {
        told.push(event.type)
        if (event.type !== 'increasePosition') return
        expect(event.size).toBe(context.positions()[0]?.size)
        expect(event.opens).toBe(true)
      },
    }
    await live(
      strategy,
      async () => {
        await vi.waitFor(() => expect(told).toContain('increasePosition'), 20_000)
        await price('44000')
        await vi.waitFor(() => expect(told).toContain('closePosition'), 20_000)
      },
      { onEntry: (entry) => entries.push(entry) },
    )
    expect(told.filter((type) => type.endsWith('Position'))).toEqual(['increasePosition', 'closePosition'])
    expect(told.indexOf('orderPlaced')).toBeLessThan(told.indexOf('increasePosition'))
    const events = entries.filter(({ type }) => type === 'event')
    expect(events).toHaveLength(told.length)
    const lines = entries.map((entry) => JSON.parse(journalLine(entry)))
    for (const line of lines) expect(Date.parse(line.at)).toBeGreaterThan(0)
    expect(lines.find(({ event }) => event?.type === 'increasePosition').event.size).toMatch(/^0\.\d+$/)
    await price('50000')
  })

  test('prices as ticks and bars, by the time of the venue', async () => {
    const bars: bigint[] = []
    const ticks: bigint[] = []
    const strategy: Strategy = {
      name: 'listens',
      onTick: ({ price }) => {
        ticks.push(price)
      },
      onBar: ({ close, closeTime, openTime }, context) => {
        expect(closeTime - openTime).toBe(59_999)
        expect(context.bars('BTC', '1m').at(-1)?.close).toBe(close)
        bars.push(close)
      },
    }
    await live(strategy, async () => {
      await price('50100')
      await vi.waitFor(() => expect(ticks).toContain(fp9('50100')), 20_000)
      await price('50200', 60_000)
      await vi.waitFor(() => expect(bars.length).toBeGreaterThan(0), 20_000)
    })
    expect(bars.at(-1)).toBe(fp9('50100'))
    await price('50000')
  })

  test('the account, as it is after what happened to it', async () => {
    let seen: StrategyContext | undefined
    const strategy: Strategy = {
      name: 'looks',
      onStart(context) {
        seen = context
      },
    }
    await live(strategy, async () => {
      await vi.waitFor(() => expect(seen).toBeDefined(), 20_000)
      const before = seen?.account().riskStatus.freeBalance ?? 0n
      await venue.operate({ type: 'adjustBalance', accountId: ALICE.accountId, amount: fp9('25').toString() })
      await vi.waitFor(() => expect(seen?.account().riskStatus.freeBalance).toBe(before + fp9('25')), 20_000)
    })
  })
})

test('a resting entry is followed by its trailing stop as it fills', async () => {
  const opened: boolean[] = []
  const strategy: Strategy = {
    name: 'rests',
    async onStart(context) {
      const rests = { ...LONG, type: 'limit', triggerPrice: fp9('49000') } as const
      const placed = await context.open({ ...rests, trailingStop: { offset: fp9('500') } })
      if (placed.ok) await context.edit(placed.value.id, { triggerPrice: fp9('49500') })
      opened.push(placed.ok)
    },
  }
  await live(strategy, async () => {
    await vi.waitFor(() => expect(opened).toEqual([true]), 20_000)
    expect(stops()).toEqual([])
    await price('49400')
    await vi.waitFor(() => expect(stops()).toHaveLength(1), 20_000)
    expect(stops()[0]?.amount).toBe(engine().activePositions(ALICE.accountId)[0]?.size)
  })
  expect(engine().activePositions(ALICE.accountId)).toEqual([])
  await price('50000')
})

test('without a stream an entry cannot trail, which is said before anything is opened', async () => {
  const client = new MarginTradingClient({ baseUrl: served.url, token: ALICE.key })
  const context = await LiveContext.open(client, () => served.engine.now)
  await expect(context.open({ ...LONG, trailingStop: { offset: fp9('500') } })).rejects.toThrow(
    /needs a venue with a stream/,
  )
})

test('a connection that is cut again and again loses no event and tells none twice', async () => {
  const proxy = new CuttableProxy(Number(new URL(served.url).port))
  const url = await proxy.listen()
  const fills: string[] = []
  let hasStarted = false
  const strategy: Strategy = {
    name: 'counts',
    onStart: () => {
      hasStarted = true
    },
    onEvent: (event) => {
      if (event.type === 'increasePosition' || event.type === 'closePosition') fills.push(event.orderId)
    },
  }
  const direct = new MarginTradingClient({ baseUrl: served.url, token: ALICE.key })
  const expected: string[] = []
  await live(
    strategy,
    async () => {
      const context = await LiveContext.open(direct, () => served.engine.now)
      await vi.waitFor(() => expect(hasStarted).toBe(true), 20_000)
      for (let round = 0; round < 6; round++) {
        const opened = await context.open(LONG)
        if (opened.ok) expected.push(opened.value.id)
        proxy.cut()
        for (const position of context.positions()) {
          const closed = await context.close({ position })
          if (closed.ok) expected.push(closed.value.id)
        }
      }
      await vi.waitFor(() => expect(fills.length).toBeGreaterThanOrEqual(expected.length), 30_000)
    },
    {},
    url,
  )
  expect(expected).toHaveLength(12)
  expect(fills).toEqual(expected)
  await proxy.close()
})
