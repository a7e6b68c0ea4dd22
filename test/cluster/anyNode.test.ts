// What a client meets at any node, whoever owns its shard: strangers, bodies, streams, and a node that leaves.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { HandoverStep } from '../../src/host/cluster/handoverSteps.ts'
import { ConnectionBound } from '../../src/host/connectionBound.ts'
import { type ServedNode, serveNode } from '../../src/host/index.ts'
import { request as asRequest, type RawAnswer, raw, rawSequence } from '../host/raw.ts'
import { freePort, whyNoServer } from '../postgres/postgresServer.ts'
import {
  callAt,
  configuration,
  DESK,
  MARKET,
  OPERATOR,
  SHARDS,
  statusOf,
  TRADERS,
  TwoNodes,
  until,
  usd,
} from './twoNodes.ts'

let cluster: TwoNodes
const steps: HandoverStep[] = []
const note = (step: unknown) => void steps.push(step as HandoverStep)

beforeAll(async () => {
  subscribe('margin-core:handover', note)
  if (whyNoServer === null) cluster = await TwoNodes.start()
})

afterAll(async () => {
  unsubscribe('margin-core:handover', note)
  await cluster?.end()
})

test.skipIf(whyNoServer !== null)(
  'a node whose machine was suspended has no lease, though its monotonic clock stood still',
  () => {
    const { node } = cluster.nodes[0] as ServedNode
    const wall = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    expect(node.leaseLeft).toBeLessThan(-50_000)
    wall.mockRestore()
  },
)

describe.skipIf(whyNoServer !== null)('strangers', () => {
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
      for (const node of cluster.ownerOf(shard)) {
        const path = `/orders/${accountId}/active`
        expect(await statusOf(node, `http://${host}${path}`, key)).toBe(200)
        expect(await statusOf(node, `//${host}${path}`, key)).toBe(403)
      }
    const at = (cluster.nodes[0] as ServedNode).url.replace('http', 'ws')
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

  test('a connection of another node does not count towards those of its address, and one of a client does', async () => {
    const { take } = ConnectionBound.prototype
    const came: (number | undefined)[] = []
    const taken = vi.spyOn(ConnectionBound.prototype, 'take').mockImplementation(function (
      this: ConnectionBound,
      socket,
    ) {
      came.push(socket.remotePort)
      take.call(this, socket)
    })
    const trusted = vi.spyOn(ConnectionBound.prototype, 'trust')
    onTestFinished(() => {
      taken.mockRestore()
      trusted.mockRestore()
    })
    const path = (accountId: string) => `/orders/${accountId}/active`
    for (const { shard, accountId, key } of TRADERS)
      for (const node of cluster.ownerOf(shard))
        expect(await statusOf(node, path(accountId), key, '127.0.0.9')).toBe(200)
    const ports = new Set(trusted.mock.calls.map(([{ remotePort }]) => remotePort))
    expect(ports.size).toBeGreaterThan(0)
    const clients = came.filter((port) => !ports.has(port))
    expect(clients.length).toBeGreaterThanOrEqual(cluster.nodes.length)
  })

  test('HEAD is answered by every node as GET is, without the body, and its connection goes on', async () => {
    const { accountId, shard, key } = TRADERS[2] as (typeof TRADERS)[number]
    const asked = [
      ['/live', key],
      [`/orders/${accountId}/active`, key],
      ['/accounts/with-risk-status', key],
      [`/orders/${accountId}/active`, 'nobody'],
      ['/operator/health', OPERATOR],
      [`/operator/accounts?shard=${shard}`, OPERATOR],
    ] as const
    for (const node of cluster.ownerOf(shard))
      for (const [path, token] of asked) {
        const headers = { authorization: `Bearer ${token}`, connection: 'keep-alive' }
        const both = () =>
          rawSequence(
            node.url,
            ['HEAD', 'GET'].map((method) => ({
              bytes: asRequest(`${method} ${path}`, headers),
              bodiless: method === 'HEAD',
            })),
          )
        let [head, got] = await both()
        // A lease that ran out between the two would have them answered otherwise.
        while (head?.status === 503 || got?.status === 503) [head, got] = await both()
        const told = (answer?: RawAnswer) => [
          answer?.status,
          ...(answer?.head.match(/^content-(?:type|length): .*$/gim) ?? []),
        ]
        expect([path, ...told(head)]).toEqual([path, ...told(got)])
        expect([path, head?.body, told(got).length]).toEqual([path, '', 3])
      }
  })

  test('of a request with one command beyond its role nothing happens, at any node (K10)', async () => {
    const { accountId, shard, key } = TRADERS[2] as (typeof TRADERS)[number]
    const free = async () => (await cluster.served(0, 'GET', '/accounts/with-risk-status', key)).text
    const before = await free()
    const give = { type: 'adjustBalance', accountId, amount: usd(1) }
    const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) }
    for (const node of cluster.ownerOf(shard)) {
      const refused = await callAt(node, 'POST', '/operator/commands', DESK, [give, price])
      expect([refused.status, refused.body.error]).toEqual([403, 'api_key_not_allowed'])
    }
    expect(await free()).toBe(before)
    const { body } = await cluster.served(0, 'POST', '/operator/commands', DESK, [give])
    expect(body.results).toMatchObject([{ ok: true }])
    expect(await free()).not.toBe(before)
  })

  test('who tries operator tokens is held up at every node alone, whomever they say to be (K10)', async () => {
    const [owner, other] = cluster.ownerOf(2)
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

describe.skipIf(whyNoServer !== null)('what is asked again', () => {
  const { accountId, key, shard } = TRADERS[1] as (typeof TRADERS)[number]
  const on = { accountId, marketId: MARKET.id, direction: 'long', leverage: usd(1), amount: usd(100) }

  /** At the owner and at the other node, again once they have changed places. */
  async function* everywhere() {
    for (let moves = 0; moves < 2; moves++) {
      yield* cluster.ownerOf(shard)
      const [, other] = cluster.ownerOf(shard)
      const { name } = other.node
      await cluster.server.query(`UPDATE margin_core.shard SET wanted = '${name}' WHERE shard = ${shard}`)
      await until(async () => other.node.open.has(shard) && cluster.ownerOf(shard)[0] === other)
    }
    // Back where it was, it may go anywhere again.
    await cluster.server.query('UPDATE margin_core.shard SET wanted = NULL')
  }
  /** An answer of the rules, and without what each answer has of its own. */
  async function told(node: ServedNode, method: string, path: string, body?: object, under?: string) {
    const headers = under === undefined ? {} : { 'x-idempotency-key': under }
    for (;;) {
      const answer = await callAt(node, method, path, key, body, headers)
      const cached = answer.headers.get('x-idempotency-cached')
      if (answer.status !== 503)
        return { status: answer.status, text: answer.text, cached, body: answer.body }
    }
  }

  test('is answered as it was under its key, wherever the shard is by then, whatever has become of the order', async () => {
    const [owner] = cluster.ownerOf(shard)
    const resting = { ...on, type: 'limit', triggerPrice: usd(1_000) }
    const [first, refused] = [
      await told(owner, 'POST', '/orders', resting, 'an order'),
      await told(owner, 'POST', '/orders', { ...resting, leverage: usd(1_000) }, 'no order'),
    ]
    expect([first.status, first.cached, refused.status]).toEqual([201, null, 400])
    const cancel = `/orders/${first.body.id}`
    expect(await told(owner, 'DELETE', cancel)).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect(await told(owner, 'POST', '/orders', { ...on, type: 'market' })).toMatchObject({ status: 201 })
    const closeAll = `/positions/${accountId}/close-all`
    expect(await told(owner, 'POST', closeAll)).toMatchObject({
      status: 200,
      body: { orders: [{ status: 'executed' }] },
    })
    for await (const node of everywhere()) {
      const again = await told(node, 'POST', '/orders', resting, 'an order')
      expect(again).toEqual({ ...first, cached: 'true' })
      // A refusal is decided anew, as nothing came of it; a cancel and a close find nothing left to do.
      expect(
        await told(node, 'POST', '/orders', { ...resting, leverage: usd(1_000) }, 'no order'),
      ).toMatchObject({
        status: refused.status,
        body: { error: refused.body.error },
      })
      expect(await told(node, 'DELETE', cancel)).toMatchObject({
        status: 403,
        body: { error: 'order_not_active' },
      })
      expect(await told(node, 'POST', closeAll)).toMatchObject({
        status: 200,
        body: { orders: [], failed: [] },
      })
    }
  })
})

describe.skipIf(whyNoServer !== null)('what is sent to a node', () => {
  const elsewhere = () => {
    const node = cluster.nodes[0] as ServedNode
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
      const answer = await raw((cluster.nodes[0] as ServedNode).url, bytes)
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toMatchObject({ statusCode: status, error: 'validation_failed' })
    }
  })
})

describe.skipIf(whyNoServer !== null)('streams', () => {
  type Said = { type: string; seq: number; id?: number; data: never }

  /** What a stream says, by whichever way; resolves with why it ended. */
  function listen(node: number, shard: number, way: 'header' | 'message', from?: number) {
    const { key } = TRADERS[shard] as (typeof TRADERS)[number]
    const at = `${(cluster.nodes[node] as ServedNode).url.replace('http', 'ws')}/stream`
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
    return cluster.served(0, 'POST', '/orders', key, { accountId, marketId: MARKET.id, ...limit })
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

    const leaving = cluster.nodes.pop() as ServedNode
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
    const at = `${(cluster.nodes[0] as ServedNode).url.replace('http', 'ws')}/stream`
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

test.skipIf(whyNoServer !== null)(
  'a node that cannot start lets go of its address and of the database',
  async () => {
    const named = 'node_that_does_not_start'
    const postgres = `${cluster.server.url}?application_name=${named}`
    const [free, taken] = [await freePort(), Number(new URL((cluster.nodes[0] as ServedNode).url).port)]
    const another = { ...configuration, cluster: { shards: SHARDS + 1, secret: 'between nodes' } }
    const twice = { ...configuration, operatorListen: { host: '127.0.0.1', port: free } }
    for (const [options, why] of [
      [{ configuration: another, port: free }, /cannot become 5/],
      [{ configuration, port: free, advertise: 'nowhere' }, /URL/],
      [{ configuration, port: taken }, /EADDRINUSE/],
      [{ configuration: twice, port: free }, /EADDRINUSE/],
    ] as const)
      await expect(serveNode({ postgres, ...options })).rejects.toThrow(why)
    // A server whose port is taken could not be told to listen there again.
    const server = createServer().listen(free, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    const connected = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${named}'`
    await until(async () => (await cluster.server.query(connected)).length === 0)
  },
)

describe.skipIf(whyNoServer !== null)('a node that leaves', () => {
  /** How long a node that leaves goes on listening, ms: no other wait is as long. */
  const LISTENING_MS = 4_321

  /** That wait ends when it is let go of, however busy the machine is. @returns lets go */
  function heldListening(): () => void {
    const { setTimeout: real } = globalThis
    let letGo = () => {}
    const ended = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const hold = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      if (ms !== LISTENING_MS) return real(run, ms, ...given)
      void ended.then(() => run())
      return real(() => {}, 0)
    }
    const holding = vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout)
    onTestFinished(() => void holding.mockRestore())
    return letGo
  }

  test('goes on answering, by whoever has its shards now, until all have seen it go', async () => {
    const letGo = heldListening()
    const leaving = await serveNode({
      configuration,
      postgres: cluster.server.url,
      name: 'c',
      port: 0,
      leaseMs: 2 * LISTENING_MS,
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
    letGo()
    await closing
  })
})

test.skipIf(whyNoServer !== null)('each shard that changes hands tells of every step, in its order', () => {
  const opening =
    'it is opened, its epoch is raised, its log is folded, its server is there, it is served'.split(', ')
  const giving = [
    ...['the next owner is told', 'what is there of it has been read'],
    ...['it stops', 'what was under way is answered', 'its log is closed', 'it is given'],
    ...opening,
  ].join()
  const given = TRADERS.filter(({ shard }) => {
    const told = steps.filter((step) => step.shard === shard).map(({ step }) => step)
    expect(told.slice(0, opening.length)).toEqual(opening)
    return told.join().includes(giving)
  })
  // The second node was given half of them, the third, which left, at least one.
  expect(given.length).toBeGreaterThanOrEqual(SHARDS / 2)
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort((a, b) => a - b))
})
