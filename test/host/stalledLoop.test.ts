// A host that stood still while its clients gave up: what they asked is not carried out behind what they ask next.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PATIENCE_MS, Stalls } from '../../src/host/stillThere.ts'
import { raw, request } from './raw.ts'
import { askedWhileStalled, type Leaving } from './stalledHost.ts'
import { ALICE, limitOrder, OPERATOR, startVenue } from './venue.ts'

let venue: Awaited<ReturnType<typeof startVenue>>
let key = 0

beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())
beforeEach(() => {
  key += 1
})

const order = () =>
  request(
    'POST /orders',
    {
      authorization: `Bearer ${ALICE.key}`,
      'content-type': 'application/json',
      'x-idempotency-key': String(key),
    },
    JSON.stringify(limitOrder()),
  )
const deposit = () =>
  request(
    'POST /operator/commands',
    { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    JSON.stringify({
      type: 'adjustBalance',
      accountId: ALICE.accountId,
      amount: '1',
      commandId: String(key),
    }),
  )
/** Of an operator, and of the orders that were asked for. */
const heads = () => ({ head: venue.venue.engine.head, orders: orders() })
const orders = () => venue.venue.engine.read.activeOrders(ALICE.accountId).length
/** What came of requests that were read by now is seen. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await venue.get('/markets', { key: ALICE.key })
}

const WHEN = [
  ['on a connection that was there', true],
  ['on one that was made meanwhile', false],
] as const
const GONE: readonly Leaving[] = ['closed', 'reset']

describe.each(WHEN)('while the loop stood still, %s', (_, isEarly) => {
  test.each(GONE)('an order whose client has %s it is not placed, and its repetition is', async (how) => {
    const before = heads()
    await askedWhileStalled(venue.venue.url, order(), how, isEarly)
    await settled()
    expect(heads()).toEqual(before)
    const again = { key: ALICE.key, headers: { 'x-idempotency-key': String(key) } }
    expect(await venue.post('/orders', limitOrder(), again)).toMatchObject({ status: 201 })
    expect(orders()).toBe(before.orders + 1)
  })

  test('an operator’s command whose client has closed it is not carried out', async () => {
    const before = heads()
    await askedWhileStalled(venue.venue.url, deposit(), 'closed', isEarly)
    await settled()
    expect(heads()).toEqual(before)
  })

  test('who has ended their half of it is told that nothing was done, and to ask again', async () => {
    const before = heads()
    const answer = await askedWhileStalled(venue.venue.url, order(), 'half closed', isEarly)
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"error":"shard_unavailable"/)
    expect(heads()).toEqual(before)
  })

  test('who is there is answered', async () => {
    const before = heads()
    const answer = await askedWhileStalled(venue.venue.url, order(), 'there', isEarly)
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(orders()).toBe(before.orders + 1)
  })

  test('who only reads is answered, whatever they have ended', async () => {
    const read = request(`GET /orders/${ALICE.accountId}/active`, { authorization: `Bearer ${ALICE.key}` })
    expect(await askedWhileStalled(venue.venue.url, read, 'half closed', isEarly)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('who ends their half where the loop goes on is answered as always', async () => {
  // What came while it stood still is read by now.
  await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE_MS))
  expect(await raw(venue.venue.url, order())).toMatchObject({ status: 201 })
})

test('a loop has stood still, from when it is late until what gathered is read, on any of its clocks', () => {
  let now = { monotonic: 1_000, wall: 5_000 }
  const stalls = new Stalls({ monotonic: () => now.monotonic, wall: () => now.wall })
  const at = (monotonic: number, wall = monotonic + 4_000) => {
    now = { monotonic, wall }
    return stalls.areRecent
  }
  expect(at(1_250)).toBe(false)
  stalls.beat()
  expect(at(1_250 + PATIENCE_MS - 1)).toBe(false)
  // It may read before it beats.
  expect(at(1_250 + 2_000)).toBe(true)
  stalls.beat()
  for (let ms = 3_500; ms <= 5_000; ms += 250) {
    expect(at(ms)).toBe(true)
    stalls.beat()
  }
  expect(at(3_250 + 1_999)).toBe(true)
  expect(at(3_250 + 2_000)).toBe(false)
  // A machine that was suspended: its monotonic clock stood still.
  expect(at(5_250, 9_000 + PATIENCE_MS)).toBe(true)
  stalls.beat()
  expect(at(5_250 + PATIENCE_MS - 1, 9_000 + PATIENCE_MS)).toBe(true)
})
