// Prices without a market data provider: seeded walks, and recordings.

import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { DueInstants } from '../../src/host/dueInstants.ts'
import { recordedPrices, replayFeed } from '../../src/host/feed/replay.ts'
import { priceWalk } from '../../src/host/feed/simulated.ts'
import { fp9 } from '../../src/quantity/decimal.ts'
import { MARKET, Venue } from '../unit/venue.ts'
import { BTC, CONFIGURATION, GOLD, OPERATOR, startVenue } from './venue.ts'

test('a walk is its seed, moves by no more than its step, and stays near its start', () => {
  const [start, step] = [fp9('50000'), fp9('1%')]
  const [one, same, other] = [
    priceWalk('a', start, step),
    priceWalk('a', start, step),
    priceWalk('b', start, step),
  ]
  let [before, differed] = [start, false]
  for (let tick = 0; tick < 5_000; tick++) {
    const price = one()
    expect(price).toBe(same())
    differed ||= price !== other()
    const moved = price > before ? price - before : before - price
    expect(moved).toBeLessThanOrEqual(before / 100n + 1n)
    expect(price).toBeGreaterThan(fp9('39000'))
    expect(price).toBeLessThan(fp9('61000'))
    before = price
  }
  expect(differed).toBe(true)
})

test('the smallest price there is never falls to nothing', () => {
  const next = priceWalk('a', 1n, fp9('1%'))
  const seen = Array.from({ length: 200 }, next)
  expect(new Set(seen)).toContain(1n)
  expect(seen.filter((price) => price <= 0n)).toEqual([])
})

test('a recording is lines of ms,price', () => {
  expect(recordedPrices('ms,price\n1,50000\r\n2,50000.5\n\n')).toEqual([
    { at: 1, price: fp9('50000') },
    { at: 2, price: fp9('50000.5') },
  ])
  for (const text of ['', 'ms,price\n', 'x', '1;2', '1,', '1,-', '-1,5'])
    expect(() => recordedPrices(text)).toThrow(RangeError)
})

const live = { ...CONFIGURATION, clock: { mode: 'system' } }

test('a simulated feed moves every priced market', async () => {
  const venue = await startVenue({ ...live, feed: { kind: 'simulated', intervalMs: 5, seed: 's' } })
  const prices = () => venue.venue.engine.read.markets().map(({ state }) => state.indexPrice)
  const before = prices()
  await expect.poll(prices, { timeout: 10_000 }).not.toContain(before[0])
  await venue.venue.close()
})

test('a replay plays its file on its market', async () => {
  const file = path.join(tmpdir(), `margin-core-replay-${process.pid}.csv`)
  writeFileSync(file, 'ms,price\n0,100\n5,101\n10,102\n')
  const venue = await startVenue({ ...live, feed: { kind: 'replay', file, marketId: GOLD } })
  const price = () => venue.venue.engine.read.market(GOLD)?.state.indexPrice
  await expect.poll(price, { timeout: 10_000 }).toBe(fp9('102'))
  expect(venue.venue.engine.read.market(BTC)?.state.indexPrice).toBe(fp9('50000'))
  const log = await venue.get('/operator/commits?limit=1000', { key: OPERATOR })
  expect(log.text.match(/"priceUpdated"/g)).toHaveLength(3)
  const { markets } = (await venue.get('/operator/markets', { key: OPERATOR })).body
  expect(markets).toMatchObject([
    { marketId: BTC, priceSource: 'operator' },
    { marketId: GOLD, priceSource: 'replay' },
  ])
  await venue.venue.close()
})

test('a replay keeps the pace of its recording at its speed, sleeps through no gap, and ends when it is told', async () => {
  const file = path.join(tmpdir(), `margin-core-paced-replay-${process.pid}.csv`)
  writeFileSync(file, '1000,101\n1400,102\n1300,103\n1000000000,104\n1000000100,105\n')
  const { engine } = new Venue()
  const clock = { mode: 'system', now: () => engine.now, offset: () => 0 } as const
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const running = await replayFeed(
      { kind: 'replay', file, marketId: MARKET, speed: 4 },
      { engine, clock, due: new DueInstants(engine, clock), metrics: { feedRefused: () => {} } },
    )
    const priceAfter = (ms: number) => {
      vi.advanceTimersByTime(ms)
      return engine.read.market(MARKET)?.state.indexPrice
    }
    expect(priceAfter(0)).toBe(fp9('101'))
    expect(priceAfter(99)).toBe(fp9('101'))
    // The time goes back once: the price after that is played at once.
    expect(priceAfter(1)).toBe(fp9('102'))
    expect(priceAfter(1)).toBe(fp9('103'))
    expect(priceAfter(59_997)).toBe(fp9('103'))
    expect(priceAfter(3)).toBe(fp9('104'))
    running.stop()
    expect(priceAfter(60_000)).toBe(fp9('104'))
  } finally {
    vi.useRealTimers()
  }
})
