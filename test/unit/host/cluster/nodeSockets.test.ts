// A WebSocket at a node: given whole to the owner of its shard where that is here, and answered with why otherwise.

import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { ClusterNode } from '../../../../src/cluster/node.ts'
import { Addressing } from '../../../../src/host/cluster/addressing.ts'
import {
  ELSEWHERE,
  NODE_HEADER,
  OPERATORS_HEADER,
  SHARD_HEADER,
} from '../../../../src/host/cluster/forward.ts'
import type { NodeMetrics } from '../../../../src/host/cluster/nodeMetrics.ts'
import { NodeSockets } from '../../../../src/host/cluster/nodeSockets.ts'
import type { ShardHost } from '../../../../src/host/cluster/shardHost.ts'
import { TokenShards } from '../../../../src/host/cluster/tokenShards.ts'
import { onHandshake, type Upgrade } from '../../../../src/host/stream/upgrades.ts'

const SECRET = 'of-the-cluster'
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

async function listening(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Where = ReturnType<ClusterNode<ShardHost>['where']>

/** A node at which every shard is where it is said to be; time passes while somebody waits. */
async function nodeAt(where: (shard: { taken: unknown[] }) => unknown) {
  const taken: unknown[] = []
  let now = 0
  const node = {
    where: () => where({ taken }) as Where,
    view: { shards: [0, 1] },
    open: new Map([[1, null]]),
    look: async () => {},
    changed: async (ms: number) => {
      now += ms
    },
  } as unknown as ClusterNode<ShardHost>
  const forwarded: number[] = []
  const sockets = new NodeSockets({
    node,
    metrics: { forwarded: (shard: number) => forwarded.push(shard) } as unknown as NodeMetrics,
    addressing: new Addressing(node, new TokenShards([], 2), SECRET),
    secret: SECRET,
    own: 'http://nowhere',
    patience: { clock: { monotonic: () => now, sleep: async () => {} }, patienceMs: 3_000 },
  })
  const server = createServer()
  onHandshake(
    server,
    (request, response, upgrade) => void sockets.upgrade(request, response, upgrade, 'main'),
  )
  return { url: await listening(server), taken, forwarded }
}

/** The owner of every shard, which keeps what it is given and hangs up. */
const here = ({ taken }: { taken: unknown[] }) => ({
  at: 'here',
  shard: {
    upgrade: (request: IncomingMessage, { socket, rest }: Upgrade, address: string) => {
      taken.push([request.url, String(rest), address])
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n')
    },
  },
})

/** What a handshake is answered with, and whether the connection ends then. */
async function shaken(url: string, headers: Record<string, string> = {}, at = '/stream?from=7') {
  const request = ask(url + at, {
    headers: {
      ...{ connection: 'upgrade', upgrade: 'websocket', authorization: 'Bearer x' },
      ...{ 'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==', 'sec-websocket-version': '13', ...headers },
    },
  }).end()
  const answered = once(request, 'response').then(([response]) => response as IncomingMessage)
  const upgraded = once(request, 'upgrade').then(([response, socket]) => {
    ;(socket as Duplex).destroy()
    return response as IncomingMessage
  })
  const response = await Promise.race([answered, upgraded])
  if (response.statusCode === 101) return { status: 101, closes: true, error: null, retryAfter: null }
  const text = (await response.toArray()).join('')
  return {
    status: response.statusCode,
    closes: response.headers.connection === 'close',
    error: JSON.parse(text).error ?? null,
    retryAfter: response.headers['retry-after'] ?? null,
  }
}

const FROM_A_NODE = { [NODE_HEADER]: SECRET, [SHARD_HEADER]: '1' }

test('is the owner’s where that is here, whoever sent it', async () => {
  const { url, taken, forwarded } = await nodeAt(here)
  expect((await shaken(url)).status).toBe(101)
  expect((await shaken(url, FROM_A_NODE)).status).toBe(101)
  expect((await shaken(url, { ...FROM_A_NODE, [OPERATORS_HEADER]: '1' })).status).toBe(101)
  expect((await shaken(url, { [OPERATORS_HEADER]: '1' })).status, 'who is no node is believed nothing').toBe(
    101,
  )
  expect(taken).toEqual(['main', 'main', 'operators', 'main'].map((at) => ['/stream?from=7', '', at]))
  expect(forwarded).toEqual([])
})

test('is refused with when to come again where nobody has its shard, and the connection ends', async () => {
  const { url } = await nodeAt(() => ({ at: 'nowhere' }))
  expect(await shaken(url)).toEqual({
    ...{ status: 503, closes: true, error: 'shard_unavailable', retryAfter: expect.stringMatching(/^\d+$/) },
  })
})

test('that is refused is hung up on, by a client that stays too', async () => {
  const { url } = await nodeAt(() => ({ at: 'nowhere' }))
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  const head = ['GET /stream HTTP/1.1', 'host: node', 'connection: upgrade', 'upgrade: websocket']
  socket.write(`${[...head, 'authorization: Bearer x'].join('\r\n')}\r\n\r\n`)
  socket.resume()
  await once(socket, 'end')
  socket.end()
})

test('that another node sent here by mistake goes back to it', async () => {
  for (const found of [{ at: 'nowhere' }, { at: 'there', address: 'http://nowhere' }]) {
    const { url } = await nodeAt(() => found)
    expect(await shaken(url, FROM_A_NODE)).toMatchObject({ status: ELSEWHERE, closes: true })
  }
})

test('is answered by the owner elsewhere, whatever that says', async () => {
  const heard: IncomingMessage[] = []
  const owner = createServer()
  owner.on('upgrade', (request: IncomingMessage, socket) => {
    heard.push(request)
    const body = '{"error":"session_expired"}'
    socket.end(`HTTP/1.1 401 No\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  })
  const address = await listening(owner)
  const { url, forwarded } = await nodeAt(() => ({ at: 'there', address }))
  expect(await shaken(url)).toEqual({ status: 401, closes: true, error: 'session_expired', retryAfter: null })
  expect(forwarded).toEqual([1])
  expect(
    heard.map(({ headers }) => [headers.authorization, headers[NODE_HEADER], headers[SHARD_HEADER]]),
  ).toEqual([['Bearer x', SECRET, '1']])
})

test('whose shard went while its owner was found is refused like one that nobody has', async () => {
  let looks = 0
  const { url } = await nodeAt((of) => (looks++ === 0 ? here(of) : { at: 'nowhere' }))
  expect(await shaken(url)).toMatchObject({ status: 503, closes: true, error: 'shard_unavailable' })
})

test('is answered with no more than that where something is wrong here', async () => {
  const { url } = await nodeAt(() => {
    throw new Error('secret detail')
  })
  expect(await shaken(url)).toEqual({ status: 500, closes: true, error: 'internal_error', retryAfter: null })
})
