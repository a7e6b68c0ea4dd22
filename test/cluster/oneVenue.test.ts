// Two nodes in one process over a real PostgreSQL: what is one of the venue, however many shards it has.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { marketsOf } from '../../src/engine/internals.ts'
import { bodyOf } from '../../src/host/cluster/passing.ts'
import type { ShardHost } from '../../src/host/cluster/shardHost.ts'
import { readConfiguration, type ServedNode, serveNode } from '../../src/host/index.ts'
import { LOADED_VENUE } from '../crash/hostLoad.ts'
import { request as asRequest, raw } from '../host/raw.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'

const SHARDS = 4
const OPERATOR = 'operator-of-the-cluster'
const DESK = 'desk-of-the-cluster'
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
      operatorTokens: [{ name: 'desk', token: DESK, role: 'desk' }],
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
/** What a webhook was told, with the shard that its head named. */
const told: { shard: number; id: number; part: number; inHead: string | undefined }[] = []
const receiver = createServer((request, response) => {
  void bodyOf(request).then((body) => {
    told.push({ ...JSON.parse(String(body)), inHead: request.headers['margin-core-shard'] })
    response.end()
  })
})
const nodes: ServedNode[] = []

beforeAll(async () => {
  if (whyNoServer !== null) return
  server = await PostgresServer.start()
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const webhooks = [{ url, secret: 'of the receiver', types: ['order.executed'] }] as const
  const venue = { ...configuration, webhooks }
  for (const name of ['a', 'b'])
    nodes.push(await serveNode({ configuration: venue, postgres: server.url, name, port: 0, leaseMs: 2_000 }))
  await until(async () => {
    const asked = TRADERS.map(({ key, accountId }) => call(0, 'GET', `/orders/${accountId}/active`, key))
    const areEven = nodes.every(({ node }) => node.open.size === SHARDS / nodes.length)
    return areEven && (await Promise.all(asked)).every(({ status }) => status === 200)
  })
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  receiver.close()
  await server?.stop()
})

const call = (
  node: number,
  ...terms: Parameters<typeof callAt> extends [unknown, ...infer Rest] ? Rest : never
) => callAt(nodes[node] as ServedNode, ...terms)

async function callAt(
  { url }: Pick<ServedNode, 'url'>,
  method: string,
  path: string,
  token: string,
  body?: object,
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
  }
}

/** Of a target that `fetch` would write otherwise, or from an address that is not its own. */
async function statusOf(
  { url }: Pick<ServedNode, 'url'>,
  target: string,
  token = 'nobody',
  localAddress = '127.0.0.1',
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(url)
  const sent = request({
    ...{ hostname, port, path: target, localAddress },
    headers: { authorization: `Bearer ${token}`, ...headers },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode as number
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 200) throw new Error('it does not come to that')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** An answer of the rules: on a machine that does much else a lease of a second may run out. */
async function served(...terms: Parameters<typeof call>): ReturnType<typeof call> {
  for (;;) {
    const answer = await call(...terms)
    if (answer.status !== 503) return answer
  }
}

const command = (body: object) => call(1, 'POST', '/operator/commands', OPERATOR, body)

describe.skipIf(whyNoServer !== null)('open notional', () => {
  const openLong = (shard: number, amount: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    const order = { accountId, marketId: MARKET.id, type: 'market', direction: 'long', leverage: usd(1) }
    return served(shard % 2, 'POST', '/orders', key, { ...order, amount: usd(amount) })
  }
  /** At the latest when other shards have had the time to give. */
  const opened = (shard: number, amount: number) =>
    until(async () => (await openLong(shard, amount)).status === 201)
  const closeAll = (shard: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    return served(0, 'POST', `/positions/${accountId}/close-all`, key)
  }
  async function quotas(): Promise<bigint> {
    let sum = 0n
    for (const { node } of nodes)
      for (const { engine } of node.open.values())
        for (const { quota } of marketsOf(engine)) sum += quota?.long ?? 0n
    return sum
  }

  test('one shard may have all of it, none past it, whichever others held a part', async () => {
    await opened(0, 9_000)
    const refused = await openLong(1, 2_000)
    expect([refused.status, refused.body.error]).toEqual([400, 'order_exceeds_max_open_notional'])
    await opened(2, 900)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
    expect((await closeAll(0)).status).toBe(200)
    await opened(1, 9_000)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
  })

  test('webhooks tell what each shard tells under its name: the logs have the same sequences', async () => {
    await until(async () => new Set(told.map(({ shard }) => shard)).size >= 2)
    for (const { shard, inHead } of told) expect(inHead).toBe(String(shard))
    const ids = told.map(({ shard, id, part }) => `${shard} ${id} ${part}`)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('another maximum holds for all shards', async () => {
    const maximum = (amount: number) =>
      command({ type: 'configureMarket', market: { id: MARKET.id, maxOpenNotionalLong: usd(amount) } })
    expect((await maximum(20_000)).body).toMatchObject({
      results: [{ ok: true, shards: { length: SHARDS } }],
    })
    await opened(3, 9_000)
    expect((await maximum(5_000)).body).toMatchObject({ results: [{ ok: true }] })
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
    for (const { shard } of TRADERS) expect((await openLong(shard, 100)).status).toBe(400)
    await closeAll(1)
    await closeAll(3)
    for (const { shard } of TRADERS) await opened(shard, 900)
    expect(await quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
  })
})

describe.skipIf(whyNoServer !== null)('what has ended', () => {
  const { accountId, key, shard } = TRADERS[2] as (typeof TRADERS)[number]
  const stranger = TRADERS.find((trader) => trader.shard !== shard) as (typeof TRADERS)[number]

  test('is refused and listed as on a single host, written or not, here and where the shard is moved to', async () => {
    const on = { accountId, marketId: MARKET.id, direction: 'long' }
    const order = { ...on, type: 'limit', leverage: usd(1), amount: usd(10), triggerPrice: usd(1_000) }
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await served(0, 'POST', '/orders', key, order)).body.id)
    for (const id of ids) expect((await served(0, 'DELETE', `/orders/${id}`, key)).status).toBe(200)
    const short = { ...on, direction: 'short', type: 'market', leverage: usd(1), amount: usd(100) }
    expect((await served(0, 'POST', '/orders', key, short)).status).toBe(201)
    expect((await served(0, 'POST', `/positions/${accountId}/close-all`, key)).status).toBe(200)
    const before = await seen()
    expect(before.orders.filter((id: string) => ids.includes(id))).toEqual(ids.toReversed())
    const told = await Promise.all([0, 1].map((node) => call(node, 'GET', '/operator/health', OPERATOR)))
    const head = Math.max(
      ...told.flatMap(({ body }) => body.shards).map((one) => (one.shard === shard ? one.head : 0)),
    )
    await until(async () => {
      // Rows come behind their commits: a price has them written that moves nothing else.
      await command({ type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) })
      const [cursor] = await server.query(`SELECT seq FROM margin_core.history_cursor WHERE shard = ${shard}`)
      return Number(cursor?.seq) >= head
    })
    expect(await seen()).toEqual(before)
    const owner = () => nodes.find(({ node }) => node.open.has(shard))?.node.name
    const other = owner() === 'a' ? 'b' : 'a'
    await server.query(`UPDATE margin_core.shard SET wanted = '${other}' WHERE shard = ${shard}`)
    await until(async () => owner() === other)
    expect(await seen()).toEqual(before)

    async function seen() {
      const page = (of: string) => served(1, 'GET', `${of}?limit=9`, key)
      const orders = await page(`/orders/${accountId}/BTC/history`)
      const positions = await page(`/positions/${accountId}/BTC/history`)
      const portfolio = await page(`/positions/${accountId}/portfolio/history`)
      const [position] = positions.body.data
      const events = await served(1, 'GET', `/positions/${position.idx}/history`, key)
      expect(events.body.length).toBeGreaterThan(1)
      const codes = []
      for (const [method, path, by] of [
        ['DELETE', `/orders/${ids[0]}`, key],
        ['DELETE', `/orders/${position.idx}`, key],
        ['DELETE', '/orders/90000000-0000-4000-8000-000000000009', key],
        ['PATCH', `/positions/${position.idx}/margin`, key],
        ['PATCH', `/positions/${ids[0]}/margin`, key],
        ['GET', `/positions/${ids[0]}/history`, key],
      ] as const) {
        const body = method === 'PATCH' ? { marginChange: usd(1) } : undefined
        const answer = await served(0, method, path, by, body)
        codes.push(`${answer.status} ${answer.body.error}`)
      }
      expect(codes).toEqual([
        '403 order_not_active',
        '404 order_not_found',
        '404 order_not_found',
        expect.stringMatching(/position_not_available/),
        '404 position_not_found',
        '404 position_not_found',
      ])
      const denied = await served(0, 'GET', `/orders/${accountId}/BTC/history`, stranger.key)
      const charges = await call(0, 'GET', `/operator/accounts/${accountId}`, OPERATOR)
      return {
        orders: orders.body.data.map(({ id }: { id: string }) => id),
        pages: [orders.text, positions.text, portfolio.text, events.text],
        denied: denied.body.error,
        charges: charges.body.charges,
      }
    }
  })
})

describe.skipIf(whyNoServer !== null)('what operators see', () => {
  const operator = (node: number, path: string) => call(node, 'GET', `/operator/${path}`, OPERATOR)

  test.each(['/operator/commands', '/%6fperator/commands', '/operator/c%6Fmmands?x=1'])(
    'a command for all goes to all, however its path is spelt: %s',
    async (path) => {
      const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) }
      const { status, body } = await call(0, 'POST', path, OPERATOR, price)
      expect([status, body?.results?.[0]?.shards?.length]).toEqual([200, SHARDS])
    },
  )

  test.each(['-1', '0.5', '1e0', '99', '', '%31x'])(
    'shard=%s names none, and is refused at once',
    async (named) => {
      const { status, body } = await call(0, 'GET', `/operator/health?shard=${named}`, OPERATOR)
      expect([status, body.error, body.details]).toEqual([400, 'validation_failed', ['shard']])
    },
  )

  test('what is no path of any route is refused as on a single host', async () => {
    for (const target of ['//', '/%', '/operator/%', 'http://elsewhere/operator/commands/'])
      expect([target, await statusOf(nodes[0] as ServedNode, target)]).toEqual([target, 401])
    expect(await statusOf(nodes[0] as ServedNode, 'http://elsewhere/operator/health', OPERATOR)).toBe(200)
  })

  test('health tells of every shard, wherever it is, as its owner sees it', async () => {
    const told = await Promise.all([0, 1].map((node) => operator(node, 'health')))
    for (const { status, body } of told) {
      expect(status).toBe(200)
      expect(body.shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1, 2, 3])
      for (const { shard, owner, ...standing } of body.shards) {
        const { node } = nodes[owner === 'a' ? 0 : 1] as ServedNode
        const { engine, epoch } = node.open.get(shard) as ShardHost
        expect(standing).toEqual({
          epoch,
          head: engine.head,
          durableHead: engine.durableHead,
          at: new Date(engine.now).toISOString(),
        })
      }
    }
    expect(new Set(told[0]?.body.shards.map(({ owner }: { owner: string }) => owner)).size).toBe(2)
  })

  test('the exposure of a shard has its quotas beside the maximum', async () => {
    const { status, body } = await operator(0, 'exposure?shard=1')
    expect([status, body.markets[0]]).toMatchObject([200, { maxOpenNotionalShort: null, quotaShort: '0' }])
    expect(BigInt(body.markets[0].quotaLong)).toBeLessThanOrEqual(BigInt(body.markets[0].maxOpenNotionalLong))
  })

  test('commits name the epoch that they were appended under', async () => {
    const [shard, from] = [1, 2]
    const { body } = await operator(0, `commits?shard=${shard}&from=${from}`)
    const rows = await server.query(
      `SELECT first_seq, last_seq, epoch FROM margin_core.commit_group WHERE shard = ${shard}`,
    )
    const epochOf = (seq: number) =>
      Number(rows.find((row) => Number(row.first_seq) <= seq && seq <= Number(row.last_seq))?.epoch)
    expect(body.data[0].seq).toBe(from)
    for (const { seq, epoch } of body.data) expect(epoch).toBe(epochOf(seq))
  })

  test('metrics tell of a node by shard, and of one shard where that is named', async () => {
    const { text } = await operator(0, 'metrics')
    const open = [...(nodes[0] as ServedNode).node.open.keys()]
    for (const shard of open)
      for (const name of ['shard_append_seconds_count', 'shard_append_bytes_total', 'shard_takeovers_total'])
        expect(text).toMatch(new RegExp(`^margin_core_${name}\\{shard="${shard}"\\} [1-9]`, 'm'))
    expect(text).toMatch(/^margin_core_forwarded_requests_total\{shard="\d"\} [1-9]/m)
    expect(text).toMatch(/^margin_core_lease_margin_seconds [01]\.\d/m)
    const one = await operator(0, 'metrics?shard=3')
    expect(one.text).toMatch(/^margin_core_head \d/m)
  })

  test('a node is ready while it can serve', async () => {
    for (const path of ['/live', '/ready']) {
      const { status, body } = await call(0, 'GET', path, '')
      expect([status, body.status]).toEqual([200, 'ok'])
    }
  })

  test('a shard that cannot be reached is named by its absence, and the command may be repeated', async () => {
    // A node that will not answer, and is not expelled for a minute.
    await server.query(
      `INSERT INTO margin_core.node (life, name, address, lease_ms, draining) VALUES ('ghost', 'ghost', 'http://127.0.0.1:9', 60000, true)`,
    )
    await server.query(`UPDATE margin_core.shard SET owner = 'ghost', epoch = epoch + 1 WHERE shard = 3`)
    const price = {
      ...{ type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_001) },
      commandId: 'a price',
    }
    const [first] = (await command(price)).body.results
    expect(first).toMatchObject({ ok: false, error: 'shard_unavailable' })
    expect(first.shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1, 2])
    const { accountId, key } = TRADERS[3] as (typeof TRADERS)[number]
    const read = await call(0, 'GET', `/orders/${accountId}/active`, key)
    expect([read.status, read.body.error, read.headers.get('retry-after')]).toEqual([
      503,
      'shard_unavailable',
      '2',
    ])
    await server.query(`DELETE FROM margin_core.node WHERE life = 'ghost'`)
    await until(async () => (await call(0, 'GET', `/orders/${accountId}/active`, key)).status === 200)
    const [second] = (await command(price)).body.results
    expect(second).toMatchObject({ ok: true, shards: { length: SHARDS } })
    expect(second.shards.slice(0, 3)).toEqual(first.shards)
  })
})

describe.skipIf(whyNoServer !== null)('strangers', () => {
  /** The owner of a shard, and the other node. */
  function ownerOf(shard: number): [ServedNode, ServedNode] {
    const [a, b] = nodes as [ServedNode, ServedNode]
    return a.node.open.has(shard) ? [a, b] : [b, a]
  }

  test('a target with a host in it is answered by its path, at every node, and sent on to no other host', async () => {
    const heard: unknown[] = []
    const stranger = createServer(({ headers }, response) => {
      heard.push(headers)
      response.end()
    })
    stranger.listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const host = `127.0.0.1:${(stranger.address() as AddressInfo).port}`
    for (const { shard, accountId, key } of TRADERS)
      for (const node of ownerOf(shard)) {
        const path = `/orders/${accountId}/active`
        expect(await statusOf(node, `http://${host}${path}`, key)).toBe(200)
        expect(await statusOf(node, `//${host}${path}`, key)).toBe(403)
      }
    const at = (nodes[0] as ServedNode).url.replace('http', 'ws')
    for (const { key } of TRADERS) {
      const socket = new WebSocket(`${at}//${host}/stream`, { headers: { authorization: `Bearer ${key}` } })
      socket.on('error', () => {})
      await new Promise((resolve) => {
        socket.on('unexpected-response', resolve)
        socket.on('close', resolve)
      })
    }
    expect(heard).toEqual([])
    stranger.close()
  })

  test('of a request with one command beyond its role nothing happens, at any node (K10)', async () => {
    const { accountId, shard, key } = TRADERS[2] as (typeof TRADERS)[number]
    const free = async () => (await call(0, 'GET', '/accounts/with-risk-status', key)).text
    const before = await free()
    const give = { type: 'adjustBalance', accountId, amount: usd(1) }
    const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) }
    for (const node of ownerOf(shard)) {
      const refused = await callAt(node, 'POST', '/operator/commands', DESK, [give, price])
      expect([refused.status, refused.body.error]).toEqual([403, 'api_key_not_allowed'])
    }
    expect(await free()).toBe(before)
    const { body } = await callAt(nodes[0] as ServedNode, 'POST', '/operator/commands', DESK, [give])
    expect(body.results).toMatchObject([{ ok: true }])
    expect(await free()).not.toBe(before)
  })

  test('who tries operator tokens is held up at every node alone, whomever they say to be (K10)', async () => {
    const [owner, other] = ownerOf(2)
    const tries = async (path: string, address: string) => {
      const told: number[] = []
      for (let number = 0; number < 22; number++)
        told.push(
          await statusOf(other, path, `wrong-${number}`, address, { 'x-forwarded-for': `10.0.0.${number}` }),
        )
      return told
    }
    const held = [...Array(20).fill(401), 429, 429]
    // Answered by the owner of a shard, one hop away, and by the node itself.
    for (const [path, address] of [
      ['/operator/accounts?shard=2', '127.0.0.2'],
      ['/operator/health', '127.0.0.3'],
    ] as const) {
      expect(await tries(path, address)).toEqual(held)
      expect(await statusOf(other, path, OPERATOR, address)).toBe(429)
      const elsewhere = [owner, other].map((node) => statusOf(node, path, OPERATOR))
      expect([path, ...(await Promise.all(elsewhere))]).toEqual([path, 200, 200])
    }
  })
})

describe.skipIf(whyNoServer !== null)('what is sent to a node', () => {
  const elsewhere = () => {
    const node = nodes[0] as ServedNode
    const trader = TRADERS.find(({ shard }) => !node.node.open.has(shard)) as (typeof TRADERS)[number]
    return { node, trader }
  }

  test('a body that nobody may send is refused before it is read, and one of an operator is taken', async () => {
    const { node, trader } = elsewhere()
    const auth = { authorization: `Bearer ${trader.key}`, 'content-type': 'application/json' }
    const long = `${' '.repeat(65_536)}{}`
    for (const line of ['POST /orders', 'POST /operator/commands'])
      for (const announced of [true, false]) {
        const bytes = announced
          ? asRequest(line, auth, long)
          : `${line} HTTP/1.1\r\n${Object.entries({ ...auth, 'transfer-encoding': 'chunked' })
              .map((pair) => pair.join(': '))
              .join('\r\n')}\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`
        const answer = await raw(node.url, bytes)
        expect([line, announced, answer.status]).toEqual([line, announced, 413])
        expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 413, error: 'validation_failed' })
      }
    const many = JSON.stringify([{ type: 'setMarketStatus', marketId: MARKET.id, status: 'open' }])
    const operator = { ...auth, authorization: `Bearer ${OPERATOR}` }
    const taken = await raw(
      node.url,
      asRequest('POST /operator/commands', operator, ' '.repeat(100_000) + many),
    )
    expect(taken.status).toBe(200)
  })

  test('is answered by the documented body, though it is no request', async () => {
    for (const [bytes, status] of [
      ['GARBAGE\r\n\r\n', 400],
      [asRequest('CONNECT elsewhere:80', {}), 400],
      [`GET / HTTP/1.1\r\na: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
      [asRequest('POST /orders', { expect: 'the best' }), 417],
    ] as const) {
      const answer = await raw((nodes[0] as ServedNode).url, bytes)
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toMatchObject({ statusCode: status, error: 'validation_failed' })
    }
  })
})

describe.skipIf(whyNoServer !== null)('prices', () => {
  test('one feed moves all shards, and goes on with the next owner of the first; operators have an address apart', async () => {
    await server.query('CREATE DATABASE fed')
    const postgres = server.url.replace(/postgres$/, 'fed')
    const fed = {
      ...configuration,
      clock: { mode: 'system', start: null },
      operatorListen: { host: '127.0.0.1', port: 0 },
      feed: { kind: 'simulated', seed: 'a walk', intervalMs: 100, step: 1_000_000n },
    } as const
    const [first, second] = [
      await serveNode({ configuration: fed, postgres, name: 'a', port: 0, leaseMs: 2_000 }),
      await serveNode({ configuration: fed, postgres, name: 'b', port: 0, leaseMs: 2_000 }),
    ]
    const operatorsAt = (node: ServedNode) => ({ url: node.operatorUrl as string })
    /** As the log of a shard has them. */
    async function pricesOf(shard: number, at: ServedNode): Promise<string[]> {
      const { body } = await callAt(
        operatorsAt(at),
        'GET',
        `/operator/commits?shard=${shard}&limit=9999`,
        OPERATOR,
      )
      const commits = body.data as { command: { type: string; indexPrice: string } }[]
      return commits.flatMap(({ command }) => (command.type === 'updatePrice' ? [command.indexPrice] : []))
    }
    async function follows(shard: number, at: ServedNode): Promise<boolean> {
      const heard = (await pricesOf(shard, at)).slice(-5)
      const given = (await pricesOf(0, at)).join()
      return heard.length === 5 && given.includes(heard.join())
    }
    try {
      await until(async () => second.node.open.size === 2 && first.node.open.size === 2)
      for (const { shard } of TRADERS) await until(() => follows(shard, second))
      for (const at of [first, second]) {
        const path = '/operator/commands'
        const command = { type: 'setMarketStatus', marketId: MARKET.id, status: 'open' }
        expect((await callAt(at, 'POST', path, OPERATOR, command)).status).toBe(401)
        const { body } = await callAt(operatorsAt(at), 'POST', path, OPERATOR, command)
        expect(body.results).toMatchObject([{ ok: true, shards: { length: SHARDS } }])
        expect((await callAt(operatorsAt(at), 'GET', '/operator/health', OPERATOR)).status).toBe(200)
        const { accountId, key } = TRADERS[0] as (typeof TRADERS)[number]
        const trading = `/orders/${accountId}/active`
        expect((await callAt(operatorsAt(at), 'GET', trading, key)).status).toBe(403)
        expect((await callAt(at, 'GET', trading, key)).status).toBe(200)
      }
      const before = (await pricesOf(0, second)).length
      const feeding = first.node.open.has(0) ? first : second
      const other = feeding === first ? second : first
      await feeding.close()
      await until(
        async () => other.node.open.size === SHARDS && (await pricesOf(0, other)).length > before + 5,
      )
      for (const { shard } of TRADERS) await until(() => follows(shard, other))
    } finally {
      await Promise.all([first.close(), second.close()].map((closed) => closed.catch(() => {})))
    }
  })
})

describe.skipIf(whyNoServer !== null)('streams', () => {
  type Said = { type: string; seq: number; id?: number; data: never }

  /** What a stream says, by whichever way; resolves with why it ended. */
  function listen(node: number, shard: number, way: 'header' | 'message', from?: number) {
    const { key } = TRADERS[shard] as (typeof TRADERS)[number]
    const at = `${(nodes[node] as ServedNode).url.replace('http', 'ws')}/stream`
    const resumed = from === undefined ? '' : `?from=${from}`
    const socket =
      way === 'header'
        ? new WebSocket(at + resumed, { headers: { authorization: `Bearer ${key}` } })
        : new WebSocket(at)
    if (way === 'message')
      socket.on('open', () =>
        socket.send(JSON.stringify({ token: key, ...(from !== undefined && { from }) })),
      )
    const told: Said[] = []
    socket.on('message', (message) => told.push(JSON.parse(String(message))))
    socket.on('error', () => {})
    const ended = new Promise<[number, string]>((resolve) =>
      socket.on('close', (code, reason) => resolve([code, String(reason)])),
    )
    return { told, ended, socket }
  }
  const order = (shard: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    const limit = {
      type: 'limit',
      direction: 'short',
      triggerPrice: usd(90_000),
      leverage: usd(1),
      amount: usd(10),
    }
    return call(0, 'POST', '/orders', key, { accountId, marketId: MARKET.id, ...limit })
  }

  test('a stream is heard at every node, and goes on elsewhere when its owner leaves', async () => {
    const streams = TRADERS.flatMap(({ shard }) =>
      [0, 1].flatMap((node) =>
        (['header', 'message'] as const).map((way) => ({ shard, node, ...listen(node, shard, way) })),
      ),
    )
    await until(async () => streams.every(({ told }) => told[0]?.type === 'snapshot'))
    for (const { shard } of TRADERS) expect((await order(shard)).status).toBe(201)
    await until(async () => streams.every(({ told }) => told.some(({ type }) => type === 'order')))
    const refused = listen(0, 0, 'message', -1)
    expect((await refused.ended)[0]).toBe(4400)

    const leaving = nodes.pop() as ServedNode
    const moved = [...leaving.node.open.keys()]
    await leaving.close()
    for (const { shard, node, told, ended, socket } of streams) {
      if (node === 0 && !moved.includes(shard)) {
        socket.close()
        continue
      }
      expect(await ended).toEqual([1001, 'closing'])
      const heard = Math.max(...told.map(({ id = 0 }) => id))
      expect((await order(shard)).status).toBe(201)
      const { told: more, socket: again } = listen(0, shard, 'header', heard)
      await until(async () => more.some(({ type }) => type === 'order'))
      expect(more.map(({ type }) => type)).not.toContain('snapshot')
      again.close()
    }
  })

  test('who is nobody is refused, whichever way they say so', async () => {
    const at = `${(nodes[0] as ServedNode).url.replace('http', 'ws')}/stream`
    const named = new WebSocket(at, { headers: { authorization: 'Bearer nobody' } })
    named.on('error', () => {})
    const status = await new Promise((resolve) =>
      named.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode)),
    )
    expect(status).toBe(401)
    const unnamed = new WebSocket(at)
    unnamed.on('open', () => unnamed.send('{"token":"nobody"}'))
    const code = await new Promise((resolve) => unnamed.on('close', resolve))
    expect(code).toBe(4401)
  })
})

describe.skipIf(whyNoServer !== null)('a node that leaves', () => {
  test('goes on answering, by whoever has its shards now, until all have seen it go', async () => {
    const leaving = await serveNode({
      configuration,
      postgres: server.url,
      name: 'c',
      port: 0,
      leaseMs: 8_000,
    })
    await until(async () => leaving.node.open.size > 0)
    const closing = leaving.close()
    await until(async () => leaving.node.open.size === 0)
    // On a machine that does much else the lease of an owner may run out: the request is repeated, and not refused.
    const answered = async ({ accountId, key }: (typeof TRADERS)[number]) => {
      for (;;) {
        const { status } = await callAt(leaving, 'GET', `/orders/${accountId}/active`, key)
        if (status !== 503) return status
      }
    }
    expect(await Promise.all(TRADERS.map(answered))).toEqual(TRADERS.map(() => 200))
    await closing
  })
})
