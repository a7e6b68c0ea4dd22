// I4: an accepted order is placed once per user, key and hour; rejections leave the key free.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MarginTradingClient } from '../../src/client/index.ts'
import { createServer } from '../../src/host/server.ts'
import { engineOn } from './slowStore.ts'
import {
  ALICE,
  BOB,
  CONFIGURATION,
  limitOrder,
  marketOrder,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())

const keyed = (key: string, trader = ALICE.key) => ({ headers: { 'x-idempotency-key': key }, key: trader })

test('a replay has the bytes, the status and the time of the first answer, whatever the new body', async () => {
  const first = await venue.post('/orders', limitOrder(), keyed('a'))
  expect(first.status).toBe(201)
  expect(first.headers.get('x-idempotency-cached')).toBeNull()
  await venue.delete(`/orders/${first.body.id}`)
  await venue.advance(1_000)
  const again = await venue.post('/orders', marketOrder({ amount: '7' }), keyed('a'))
  expect(again).toMatchObject({ status: 201, text: first.text })
  expect(again.headers.get('x-idempotency-cached')).toBe('true')
  expect(again.headers.get('x-idempotency-timestamp')).toBe(first.body.createdAt)
})

test('an execution failure is an outcome and is replayed', async () => {
  const order = marketOrder({ expectedAmount: '999999999999999' })
  await venue.tick('50000000000000')
  const first = await venue.post('/orders', order, keyed('b'))
  expect(first.body).toMatchObject({ status: 'canceled_by_error', errorCode: 'slippage_tolerance' })
  expect((await venue.post('/orders', order, keyed('b'))).text).toBe(first.text)
})

test('after a rejection the key is free', async () => {
  expect((await venue.post('/orders', limitOrder({ leverage: '0' }), keyed('c'))).status).toBe(400)
  const accepted = await venue.post('/orders', limitOrder(), keyed('c'))
  expect(accepted.status).toBe(201)
  expect(accepted.headers.get('x-idempotency-cached')).toBeNull()
})

test('what is no order tells under its key what was placed, and places nothing', async () => {
  const client = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.key })
  const first = await venue.post('/orders', limitOrder(), keyed('asked'))
  expect(await client.placedUnder('asked')).toEqual(first.body)
  expect(await client.placedUnder('never placed')).toBeNull()
  const placed = await venue.post('/orders', limitOrder(), keyed('never placed'))
  expect(placed.headers.get('x-idempotency-cached')).toBeNull()
})

test('keys belong to users, and an empty one is none', async () => {
  const mine = await venue.post('/orders', limitOrder(), keyed('d'))
  const theirs = await venue.post('/orders', limitOrder({ accountId: BOB.accountId }), keyed('d', BOB.key))
  expect(theirs.body.trader).toBe(BOB.accountId)
  expect(theirs.body.id).not.toBe(mine.body.id)
  const [one, two] = [
    await venue.post('/orders', limitOrder(), keyed('')),
    await venue.post('/orders', limitOrder(), keyed('')),
  ]
  expect(one.body.id).not.toBe(two.body.id)
})

test('the hour is half-open', async () => {
  const first = await venue.post('/orders', limitOrder(), keyed('e'))
  await venue.advance(3_599_999)
  await venue.tick('50000000000000')
  expect((await venue.post('/orders', limitOrder(), keyed('e'))).body.id).toBe(first.body.id)
  await venue.advance(1)
  expect((await venue.post('/orders', limitOrder(), keyed('e'))).body.id).not.toBe(first.body.id)
})

test('255 characters are a key, 256 are not', async () => {
  expect((await venue.post('/orders', limitOrder(), keyed('k'.repeat(255)))).status).toBe(201)
  const refused = await venue.post('/orders', limitOrder(), keyed('k'.repeat(256)))
  expect(refused.body).toMatchObject({ error: 'validation_failed', details: ['x-idempotency-key'] })
})

describe('Idempotency-Key', () => {
  const both = (documented: string | null, usual: string | null) => ({
    headers: {
      ...(documented !== null && { 'x-idempotency-key': documented }),
      ...(usual !== null && { 'idempotency-key': usual }),
    },
  })

  test('is another name of X-Idempotency-Key', async () => {
    const first = await venue.post('/orders', limitOrder(), both(null, 'usual'))
    for (const headers of [
      both(null, 'usual'),
      both('usual', null),
      both('usual', 'usual'),
      both('', 'usual'),
    ]) {
      const again = await venue.post('/orders', limitOrder(), headers)
      expect(again).toMatchObject({ status: 201, text: first.text })
      expect(again.headers.get('x-idempotency-cached')).toBe('true')
    }
  })

  test('both given and different is refused, and nothing happens', async () => {
    const { head } = venue.venue.engine
    const refused = await venue.post('/orders', limitOrder(), both('usual', 'another'))
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: ['idempotency-key'] },
    })
    expect(venue.venue.engine.head).toBe(head)
    expect((await venue.post('/orders', limitOrder(), both(null, 'k'.repeat(256)))).body.details).toEqual([
      'idempotency-key',
    ])
  })
})

test('while the first call waits for the disk, a second is in flight and the order is not readable', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  const app = await createServer({ engine, sessions: [{ userId: ALICE.userId, token: 'session' }] })
  const call = () =>
    app.inject({
      method: 'POST',
      url: '/orders',
      headers: { authorization: 'Bearer session', 'x-idempotency-key': 'f' },
      payload: limitOrder(),
    })
  const first = call()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const second = await call()
  expect(second.json()).toMatchObject({ statusCode: 409, error: 'idempotency_key_in_flight' })
  release()
  expect((await first).statusCode).toBe(201)
  expect((await call()).body).toBe((await first).body)
  await app.close()
})
