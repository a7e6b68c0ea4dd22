// Metrics: what is counted is what happened, under labels of which there is an end, and the page says all of them.

import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Metrics } from '../../src/host/metrics.ts'
import { createEngine } from '../../src/index.ts'
import { metricRows } from './metricsTable.ts'
import {
  ALICE,
  BTC,
  CONFIGURATION,
  limitOrder,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())

const operator = { key: OPERATOR }

/** The value of a row of the answer, by its name and labels; undefined where there is none. */
async function rowsOf(of: VenueUnderTest): Promise<Map<string, number>> {
  const { text } = await of.get('/operator/metrics', operator)
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(rows.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const answered = (method: string, route: string, status: number) =>
  `margin_core_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`

/** What answers are told apart by. */
const timedIn = (rows: ReadonlyMap<string, number>) =>
  [...rows.keys()].filter((name) => name.startsWith('margin_core_http_request_seconds_count'))

test('a tick that liquidates fires nothing; stops and limits that it reaches, and those that fail, are fired', async () => {
  const own = await startVenue()
  await own.post('/orders', marketOrder({ leverage: '10000000000' }))
  await own.tick('40000000000000')
  let rows = await rowsOf(own)
  expect(rows.get('margin_core_liquidations_total')).toBe(1)
  expect(rows.get('margin_core_triggers_fired_total')).toBe(0)
  await own.post('/orders', marketOrder({ stopTriggerPrice: '39000000000000' }))
  await own.post('/orders', limitOrder({ triggerPrice: '38000000000000' }))
  await own.post(
    '/orders',
    limitOrder({ triggerPrice: '38000000000000', expectedAmount: '1000000000000000' }),
  )
  await own.tick('38000000000000')
  rows = await rowsOf(own)
  expect(rows.get('margin_core_triggers_fired_total')).toBe(3)
  expect(rows.get('margin_core_liquidations_total')).toBe(1)
  await own.venue.close()
})

test('answers are timed by the route that matched and their status, whatever the path', async () => {
  for (const id of [BTC, ALICE.accountId]) await venue.delete(`/orders/${id}`)
  for (const made of ['/nowhere', '/nowhere/else', '/orders/x/y/z/w']) await venue.get(made)
  for (const made of ['/operator/nowhere', '/operator/else']) await venue.get(made)
  const rows = await rowsOf(venue)
  expect(rows.get(answered('DELETE', '/orders/:orderId', 404))).toBe(2)
  expect(rows.get(answered('GET', 'none', 403))).toBe(3)
  expect(rows.get(answered('GET', '/operator/*', 401))).toBe(2)
  // Reading them is timed as well, and seen from the second time on.
  const before = timedIn(await rowsOf(venue))
  for (let other = 0; other < 20; other++) await venue.get(`/nowhere/${other}`)
  expect(timedIn(await rowsOf(venue))).toEqual(before)
})

test('commands took no longer than all of it took, and some time', async () => {
  const began = performance.now()
  const own = await startVenue()
  for (let order = 0; order < 5; order++) await own.post('/orders', limitOrder())
  const rows = await rowsOf(own)
  expect(rows.get('margin_core_commit_seconds_count')).toBeGreaterThanOrEqual(5)
  const sum = rows.get('margin_core_commit_seconds_sum') as number
  expect(sum).toBeGreaterThan(0)
  expect(sum).toBeLessThan((performance.now() - began) / 1_000)
  await own.venue.close()
})

test('a stream that the host ends is not an answer that took long', async () => {
  const own = await startVenue()
  const headers = { authorization: `Bearer ${ALICE.key}` }
  const stream = await fetch(`${own.venue.url}/stream`, { headers })
  const ended = stream.text()
  await own.operate({ type: 'setApiTrading', accountId: ALICE.accountId, enabled: false })
  expect(await ended).toContain('api_trading_not_enabled')
  await own.get('/accounts/with-risk-status')
  const rows = [...(await rowsOf(own)).keys()]
  expect(rows).toContain(answered('GET', '/accounts/with-risk-status', 200))
  expect(rows.filter((row) => row.includes('"/stream"'))).toEqual([])
  await own.venue.close()
})

test('a price that the feed has and the engine refuses is counted by its code', async () => {
  const live = { ...CONFIGURATION, clock: { mode: 'system' } }
  const file = path.join(tmpdir(), `margin-core-refused-prices-${process.pid}.csv`)
  writeFileSync(file, 'ms,price\n0,0\n5,50001\n10,0\n')
  const feed = { kind: 'replay', file, marketId: BTC }
  const own = await startVenue({ ...live, feed })
  const refused = async () =>
    (await rowsOf(own)).get('margin_core_feed_refusals_total{code="validation_failed"}')
  await expect.poll(refused, { timeout: 10_000 }).toBe(2)
  await own.venue.close()
})

test('the age of a price is that of the venue, and one never priced has none', async () => {
  const own = await startVenue({
    ...CONFIGURATION,
    markets: CONFIGURATION.markets.map((market, at) => (at === 0 ? market : { ...market, indexPrice: null })),
  })
  await own.advance(4_000)
  const rows = await rowsOf(own)
  expect(rows.get('margin_core_price_age_seconds{asset="BTC"}')).toBe(4)
  expect(rows.has('margin_core_price_age_seconds{asset="XAU"}')).toBe(false)
  expect(rows.get('margin_core_writable')).toBe(1)
  await own.venue.close()
})

test('what is blocked is counted', async () => {
  const own = await startVenue()
  own.venue.engine.subscribe(() => {
    throw new Error('no')
  })
  await own.tick('50000000000001')
  expect((await rowsOf(own)).get('margin_core_blocked_readers')).toBe(1)
  await own.venue.close()
})

test('docs/operating.md lists every metric as it is defined', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const [, table = ''] = page.split('| metric | kind | labels | what it says |\n|---|---|---|---|\n')
  const clock = { mode: 'manual', now: () => 0, offset: () => 0 } as const
  const { registry } = new Metrics(createEngine({ at: 0 }), clock)
  expect((table.split('\n\n')[0] as string).trim().split('\n')).toEqual(metricRows(registry))
})
