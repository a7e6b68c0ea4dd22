// Two nodes in one process over a real PostgreSQL: what is one of the venue, however many shards it has.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { marketsOf } from '../../src/engine/engine.ts'
import { readConfiguration, type ServedNode, serveNode } from '../../src/host/index.ts'
import { LOADED_VENUE } from '../crash/hostLoad.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'

const SHARDS = 4
const OPERATOR = 'operator-of-the-cluster'
const MARKET = LOADED_VENUE.markets[0] as { id: string }
/** One on each shard. */
const TRADERS = Array.from({ length: SHARDS }, (_, shard) => {
  for (let number = 10; ; number++) {
    const id = `00000000-0000-4000-8000-0000000000${number}`
    const accountId = `00000000-0000-4000-8000-0000000001${number}`
    if (shardOf(id, SHARDS) === shard) return { id, accountId, key: `key-of-trader-${shard}`, shard }
  }
})
const usd = (amount: number) => String(BigInt(amount) * 10n ** 9n)

const configuration = readConfiguration(
  new TextEncoder().encode(
    JSON.stringify({
      ...LOADED_VENUE,
      operatorToken: OPERATOR,
      rateLimit: null,
      cluster: { shards: SHARDS, secret: 'between nodes' },
      markets: [{ ...LOADED_VENUE.markets[0], maxOpenNotionalLong: usd(10_000) }],
      users: TRADERS.map(({ id, key }) => ({ id, sessionToken: null, apiKeys: [{ key, expiresAt: null }] })),
      accounts: TRADERS.map(({ id, accountId }) => ({
        ...LOADED_VENUE.accounts[0],
        id: accountId,
        userId: id,
      })),
    }),
  ),
)

let server: PostgresServer
const nodes: ServedNode[] = []

beforeAll(async () => {
  if (whyNoServer !== null) return
  server = await PostgresServer.start()
  for (const name of ['a', 'b'])
    nodes.push(await serveNode({ configuration, postgres: server.url, name, port: 0, leaseMs: 1_000 }))
  await until(async () => {
    const asked = TRADERS.map(({ key, accountId }) => call(0, 'GET', `/orders/${accountId}/active`, key))
    return (await Promise.all(asked)).every(({ status }) => status === 200)
  })
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await server?.stop()
})

async function call(node: number, method: string, path: string, token: string, body?: object) {
  const answer = await fetch(`${(nodes[node] as ServedNode).url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? null : JSON.parse(text) }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 200) throw new Error('it does not come to that')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const command = (body: object) => call(1, 'POST', '/operator/commands', OPERATOR, body)

describe.skipIf(whyNoServer !== null)('open notional', () => {
  const openLong = (shard: number, amount: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    const order = { accountId, marketId: MARKET.id, type: 'market', direction: 'long', leverage: usd(1) }
    return call(shard % 2, 'POST', '/orders', key, { ...order, amount: usd(amount) })
  }
  const closeAll = (shard: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    return call(0, 'POST', `/positions/${accountId}/close-all`, key)
  }
  async function quotas(): Promise<bigint> {
    let sum = 0n
    for (const { node } of nodes)
      for (const { engine } of node.open.values())
        for (const { quota } of marketsOf(engine)) sum += quota?.long ?? 0n
    return sum
  }

  test('one shard may have all of it, none past it, whichever others held a part', async () => {
    expect((await openLong(0, 9_000)).status).toBe(201)
    const refused = await openLong(1, 2_000)
    expect([refused.status, refused.body.error]).toEqual([400, 'order_exceeds_max_open_notional'])
    expect((await openLong(2, 900)).status).toBe(201)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
    expect((await closeAll(0)).status).toBe(200)
    expect((await openLong(1, 9_000)).status).toBe(201)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
  })

  test('another maximum holds for all shards', async () => {
    const maximum = (amount: number) =>
      command({ type: 'configureMarket', market: { id: MARKET.id, maxOpenNotionalLong: usd(amount) } })
    expect((await maximum(20_000)).body).toMatchObject({
      results: [{ ok: true, shards: { length: SHARDS } }],
    })
    expect((await openLong(3, 9_000)).status).toBe(201)
    expect((await maximum(5_000)).body).toMatchObject({ results: [{ ok: true }] })
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
    for (const { shard } of TRADERS) expect((await openLong(shard, 100)).status).toBe(400)
    await closeAll(1)
    await closeAll(3)
    for (const { shard } of TRADERS) expect((await openLong(shard, 900)).status).toBe(201)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
  })
})
