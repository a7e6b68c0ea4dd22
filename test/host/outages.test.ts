// A market that its sources leave without a price is told once that has lasted, by name and with why, and so is its next price.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EXCHANGES } from '../../src/host/feed/exchanges.ts'
import { indexFeed } from '../../src/host/feed/indexFeed.ts'
import { Outages } from '../../src/host/feed/outages.ts'
import { DueInstants, manualClock } from '../../src/host/index.ts'
import { createEngine, fp9 } from '../../src/index.ts'
import { BTC } from './venue.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => vi.useRealTimers())

test('it is told after ten seconds in a row, once, and the next price after that', () => {
  const notices: string[] = []
  const outages = new Outages(1_000, (notice) => notices.push(notice))
  const look = (count: number, isPriced: boolean) => {
    for (let each = 0; each < count; each++) outages.look('BTC', isPriced ? null : () => 'all are old')
  }
  look(9, false)
  look(1, true)
  look(9, false)
  expect(notices).toEqual([])
  outages.look('GOLD', () => 'all are silent')
  look(30, false)
  expect(notices).toEqual(['feed: BTC has no price: all are old'])
  look(2, true)
  expect(notices.slice(1)).toEqual(['feed: BTC has a price again'])
})

test('however rarely one looks, it is told once: at the look with which it has lasted ten seconds', () => {
  for (const intervalMs of [1, 999, 5_000, 9_999, 10_000, 10_001, 60_000]) {
    const notices: string[] = []
    const outages = new Outages(intervalMs, (notice) => notices.push(notice))
    const looks = Math.ceil(10_000 / intervalMs)
    for (let look = 1; look <= 3 * looks; look++) {
      outages.look('BTC', () => 'all are old')
      expect(notices.length, `look ${look} every ${intervalMs} ms`).toBe(look < looks ? 0 : 1)
    }
  }
})

test('that there is a price again is told where it was told that there is none, and nowhere else', () => {
  for (const intervalMs of [2_500, 5_000, 9_999, 10_000, 10_001, 60_000])
    for (let lacking = 0; lacking <= 5; lacking++) {
      const notices: string[] = []
      const outages = new Outages(intervalMs, (notice) => notices.push(notice))
      for (let look = 0; look < lacking; look++) outages.look('BTC', () => 'all are old')
      const isTold = notices.length === 1
      for (let look = 0; look < 2; look++) outages.look('BTC', null)
      const again = isTold ? ['feed: BTC has a price again'] : []
      expect(notices.slice(isTold ? 1 : 0), `${lacking} looks every ${intervalMs} ms`).toEqual(again)
    }
})

/** A market of two sources that nobody answers for, looked at every two seconds. */
function unansweredFeed() {
  const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
  const engine = createEngine({ at: 0, markets: [{ ...market, indexPrice: fp9('50000') }] })
  const notices: string[] = []
  const symbols = [{ symbol: 'BTC', marketId: BTC }]
  const source = {
    url: 'ws://127.0.0.1:1',
    format: EXCHANGES.kraken.format,
    symbols,
    maxAgeMs: 5_000,
    silenceMs: 30_000,
  }
  const sources = ['one', 'other'].map((name) => ({ ...source, name }))
  const clock = manualClock(engine)
  const venue = { engine, clock, due: new DueInstants(engine, clock), metrics: { feedRefused: () => {} } }
  const feed = indexFeed(
    { kind: 'index', sources, intervalMs: 2_000, maxDeviation: fp9('0.01'), minSources: 2 },
    { ...venue, onNotice: (notice) => notices.push(notice) },
  )
  return { feed, notices }
}

test('what the sources of a feed are at is said with it', () => {
  const { feed, notices } = unansweredFeed()
  vi.advanceTimersByTime(8_000)
  expect(notices).toEqual([])
  // Its fifth look: ten seconds however many looks they are.
  vi.advanceTimersByTime(2_000)
  expect(notices).toHaveLength(1)
  vi.advanceTimersByTime(20_000)
  feed.stop()
  expect(notices).toEqual(['feed: BTC has no price: one silent, other silent; 2 must count'])
})

test('what was wrong last with a source that does not count is said with it', async () => {
  const { feed, notices } = unansweredFeed()
  await expect
    .poll(() => feed.standings?.().every(({ lastError }) => lastError !== null), { timeout: 10_000 })
    .toBe(true)
  vi.advanceTimersByTime(10_000)
  feed.stop()
  const refused = 'silent (last: connect ECONNREFUSED 127.0.0.1:1)'
  expect(notices).toEqual([`feed: BTC has no price: one ${refused}, other ${refused}; 2 must count`])
})
