// Nodes that stood still, and shards without an owner, while clients gave up: what they asked is not carried out behind what they ask next.
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ServedNode } from '../../src/host/index.ts'
import { PATIENCE_MS } from '../../src/host/stillThere.ts'
import { request } from '../host/raw.ts'
import { askedWhileStalled } from '../host/stalledHost.ts'
import { whyNoServer } from '../postgres/postgresServer.ts'
import { callAt, MARKET, OPERATOR, TRADERS, TwoNodes, until, usd } from './twoNodes.ts'

const TRADER = TRADERS[1] as (typeof TRADERS)[number]
let cluster: TwoNodes
let owner: ServedNode
let other: ServedNode
let key = 0

beforeAll(async () => {
  if (whyNoServer === null) cluster = await TwoNodes.start()
})
afterAll(() => cluster?.end())
beforeEach(() => {
  if (whyNoServer === null) [owner, other] = cluster.ownerOf(TRADER.shard)
  key += 1
})

const ORDER = {
  ...{ accountId: TRADER.accountId, marketId: MARKET.id, type: 'limit', direction: 'long' },
  ...{ amount: usd(100), leverage: usd(1), triggerPrice: usd(25_000) },
}
const order = () =>
  request(
    'POST /orders',
    {
      authorization: `Bearer ${TRADER.key}`,
      'content-type': 'application/json',
      'x-idempotency-key': String(key),
    },
    JSON.stringify(ORDER),
  )
const deposit = () =>
  request(
    'POST /operator/commands',
    { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    JSON.stringify({
      ...{ type: 'adjustBalance', accountId: TRADER.accountId, amount: '1', commandId: String(key) },
    }),
  )
/** What the owner has of the trader, whoever that is by now. */
const standing = () => {
  const read = cluster.ownerOf(TRADER.shard)[0].node.open.get(TRADER.shard)?.engine.read
  const balance = read?.account(TRADER.accountId)?.accountBalance
  return { balance, orders: read?.activeOrders(TRADER.accountId).length }
}
const settled = async () => {
  for (const node of [other, owner, other])
    await callAt(node, 'GET', `/orders/${TRADER.accountId}/active`, TRADER.key)
}

describe.skipIf(whyNoServer !== null)('while the loop stood still', () => {
  test('what a client that has closed its connection asked is not carried out, at any node', async () => {
    for (const { url } of [owner, other])
      for (const asked of [order(), deposit()]) {
        const before = standing()
        await askedWhileStalled(url, asked, 'closed', true)
        await settled()
        expect(standing()).toEqual(before)
      }
  })

  test('who has ended their half is told to ask again, who is there is answered, at any node', async () => {
    for (const { url } of [owner, other]) {
      const before = standing()
      expect(await askedWhileStalled(url, order(), 'half closed', true)).toMatch(
        /^HTTP\/1\.1 503 [\s\S]*"error":"shard_unavailable"/,
      )
      expect(standing()).toEqual(before)
      expect(await askedWhileStalled(url, order(), 'there', true)).toMatch(/^HTTP\/1\.1 201 /)
      key += 1
    }
  })
})

test.skipIf(whyNoServer !== null)(
  'a shard without an owner for a while: who has left before it had one has nothing carried out',
  async () => {
    // What came while it stood still is read by now.
    await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE_MS))
    for (const node of [owner, other]) {
      const before = standing()
      const where = vi.spyOn(node.node, 'where').mockReturnValue({ at: 'nowhere', isComing: false })
      const client = connect(Number(new URL(node.url).port), '127.0.0.1')
      client.end(order()).resume()
      await until(async () => where.mock.calls.length > 0)
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
      where.mockRestore()
      await new Promise((resolve) => client.once('close', resolve))
      await settled()
      expect(standing()).toEqual(before)
    }
  },
)
