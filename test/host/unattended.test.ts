// An invariant that breaks in a timer, or in a request, stops the engine; the process, and the answers under way in it, stay.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { manualClock } from '../../src/host/clock.ts'
import { readColumnsAhead } from '../../src/host/columnsAhead.ts'
import { DueInstants } from '../../src/host/dueInstants.ts'
import { EXCHANGES } from '../../src/host/feed/exchanges.ts'
import { startFeed } from '../../src/host/feed/feed.ts'
import { tick } from '../../src/host/feed/runningFeed.ts'
import { runSchedule } from '../../src/host/schedule.ts'
import { createServer } from '../../src/host/server.ts'
import { createEngine, type Engine, fp9 } from '../../src/index.ts'
import { EquityColumns } from '../../src/projections/equityColumns.ts'
import { SimpleTriggers } from '../../src/testing/index.ts'
import { DAY, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../unit/venue.ts'
import { OPERATOR } from './venue.ts'

const BROKEN = new RangeError('levels out of order')

/** Whatever happens to a price or an account from now on breaks an invariant. */
function fragile(): { engine: Engine; shatter(): void } {
  let broken = false
  class Broken extends SimpleTriggers {
    override priceMoved() {
      if (broken) throw BROKEN
    }
    override accountChanged(...args: Parameters<SimpleTriggers['accountChanged']>) {
      if (broken) throw BROKEN
      return super.accountChanged(...args)
    }
  }
  const engine = createEngine({
    at: START,
    markets: [PLAIN_MARKET],
    accounts: [PLAIN_ACCOUNT],
    triggers: (world) => new Broken(world),
  })
  return { engine, shatter: () => (broken = true) }
}

async function expectStopped(engine: Engine): Promise<void> {
  await expect.poll(() => engine.failure, { timeout: 10_000 }).toBe(BROKEN)
  const app = await createServer({ engine, operatorToken: OPERATOR, clock: manualClock(engine) })
  const headers = { authorization: `Bearer ${OPERATOR}` }
  const health = await app.inject({ url: '/operator/health', headers })
  expect([health.statusCode, health.json().status]).toEqual([503, 'failed'])
  expect((await app.inject({ url: '/accounts/with-risk-status' })).json().error).toBe('engine_stopped')
  await app.close()
}

test('in a request: it is answered as whatever comes after it', async () => {
  const { engine, shatter } = fragile()
  const app = await createServer({ engine, operatorToken: OPERATOR, clock: manualClock(engine) })
  const tick = () =>
    app.inject({
      method: 'POST',
      url: '/operator/commands',
      headers: { authorization: `Bearer ${OPERATOR}` },
      payload: { type: 'updatePrice', marketId: MARKET, indexPrice: '101000000000' },
    })
  expect((await tick()).json().results).toMatchObject([{ ok: true }])
  shatter()
  const [broken, after] = [await tick(), await tick()]
  expect([broken.statusCode, broken.json().error]).toEqual([503, 'engine_stopped'])
  expect(after.json()).toEqual(broken.json())
  await app.close()
  await expectStopped(engine)
})

test('in the schedule of funding and days', async () => {
  const { engine, shatter } = fragile()
  // A midnight looks at accounts with positions.
  const opened = engine.dispatch({
    type: 'placeOrder',
    accountId: PLAIN_ACCOUNT.id,
    marketId: MARKET,
    orderType: 'market',
    direction: 'long',
    amount: fp9('100'),
    leverage: fp9('2'),
  })
  expect(opened.ok).toBe(true)
  shatter()
  const schedule = runSchedule(engine, { mode: 'system', now: () => START + 2 * DAY, offset: () => 0 })
  await expectStopped(engine)
  schedule.stop()
})

test('in a simulated feed', async () => {
  const { engine, shatter } = fragile()
  const clock = { mode: 'system', now: () => engine.now, offset: () => 0 } as const
  const feed = { kind: 'simulated', seed: 's', intervalMs: 2, step: 1_000_000n } as const
  const running = await startFeed(feed, {
    engine,
    clock,
    due: new DueInstants(engine, clock),
    metrics: { feedRefused: () => {} },
  })
  shatter()
  await expectStopped(engine)
  running.stop()
})

test('in a replay', async () => {
  const { engine, shatter } = fragile()
  const file = path.join(tmpdir(), `margin-core-broken-replay-${process.pid}.csv`)
  writeFileSync(file, 'ms,price\n0,100\n5,101\n10,102\n')
  const clock = { mode: 'system', now: () => engine.now, offset: () => 0 } as const
  const running = await startFeed(
    { kind: 'replay', file, marketId: MARKET, speed: 1 },
    { engine, clock, due: new DueInstants(engine, clock), metrics: { feedRefused: () => {} } },
  )
  shatter()
  await expectStopped(engine)
  running.stop()
})

test('in a feed of sources', async () => {
  const { engine, shatter } = fragile()
  const source = new WebSocketServer({ port: 0 })
  await once(source, 'listening')
  source.on('connection', (socket) =>
    socket.on('message', () => socket.send(JSON.stringify({ s: 'BTCUSDT', c: '100', E: Date.now() }))),
  )
  const { port } = source.address() as AddressInfo
  const symbols = [{ symbol: 'BTCUSDT', marketId: MARKET }]
  const terms = { maxAgeMs: 60_000, silenceMs: 60_000, format: EXCHANGES.binance.format, symbols }
  const clock = manualClock(engine)
  shatter()
  const running = await startFeed(
    {
      kind: 'index',
      sources: [{ name: 'one', url: `ws://127.0.0.1:${port}`, ...terms }],
      maxDeviation: fp9('1'),
      minSources: 1,
      intervalMs: 5,
    },
    { engine, clock, due: new DueInstants(engine, clock), metrics: { feedRefused: () => {} } },
  )
  await expectStopped(engine)
  running.stop()
  source.close()
})

test('in a price that waits for what is due before it', async () => {
  const { engine, shatter } = fragile()
  shatter()
  const due = { before: async () => START }
  tick({ engine, clock: manualClock(engine), due, metrics: { feedRefused: () => {} } }, MARKET, fp9('101'))
  await expectStopped(engine)
})

test('in what is read ahead of an operator', async () => {
  const { engine } = fragile()
  vi.spyOn(EquityColumns.prototype, 'behind', 'get').mockImplementation(() => {
    throw BROKEN
  })
  const end = readColumnsAhead(engine, 1)
  try {
    await expectStopped(engine)
  } finally {
    end()
    vi.restoreAllMocks()
  }
})
