// What is sent on goes to the node it is meant for, whatever host its client writes into the target of the request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forward, NODE_HEADER } from '../../src/host/cluster/forward.ts'
import { socketUrlAt } from '../../src/host/cluster/passing.ts'

const SECRET = 'between nodes'
let owner: Server
let stranger: Server
const heard: { by: string; url: string | undefined; secret: unknown }[] = []

async function listening(by: string): Promise<Server> {
  const server = createServer(({ url, headers }, response) => {
    heard.push({ by, url, secret: headers[NODE_HEADER] })
    response.end(by)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeEach(async () => {
  heard.length = 0
  owner = await listening('owner')
  stranger = await listening('stranger')
})
afterEach(() => {
  for (const server of [owner, stranger]) {
    server.closeAllConnections()
    server.close()
  }
})

/** Targets in which a client names the host it wants. */
const targets = () => {
  const host = `127.0.0.1:${portOf(stranger)}`
  return [
    `http://${host}/orders?a=1`,
    `HTTP://${host}/orders`,
    `//${host}/orders`,
    `///${host}/orders`,
    `/\\${host}/orders`,
    `\\\\${host}/orders`,
    `http:${host}/orders`,
    `http://somebody@${host}/orders`,
    `https://${host}/orders`,
    `ws://${host}/orders`,
    `/@${host}/orders`,
    `@${host}/orders`,
    '/orders',
  ]
}

test('a request is sent to the node it is for, and to nobody its target names', async () => {
  for (const url of targets()) {
    const sent = { method: 'GET', url, headers: {}, body: Buffer.alloc(0) }
    const forwarded = await forward(`http://127.0.0.1:${portOf(owner)}`, SECRET, 0, sent)
    // Node's own parser may refuse what no client of it writes.
    if (typeof forwarded !== 'string') forwarded.answer.resume()
  }
  expect(heard.filter(({ by }) => by === 'stranger')).toEqual([])
  expect(heard).toContainEqual({ by: 'owner', url: '/orders', secret: SECRET })
  expect(heard.length).toBeGreaterThan(5)
})

test('a WebSocket is dialled at the node it is for, by the path that its target has', () => {
  for (const url of targets()) {
    const dialled = new URL(socketUrlAt('http://10.0.0.1:8080', { url } as IncomingMessage))
    expect([dialled.protocol, dialled.host]).toEqual(['ws:', '10.0.0.1:8080'])
  }
  const written = (url: string) => socketUrlAt('http://[::1]:80', { url } as IncomingMessage)
  expect(written('/stream?from=7&a=b')).toBe('ws://[::1]/stream?from=7&a=b')
  expect(written('http://elsewhere/stream?from=7')).toBe('ws://[::1]/stream?from=7')
})
