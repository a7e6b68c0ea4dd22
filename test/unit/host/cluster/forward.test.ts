// What is sent on to another node: while answers of that node are not read, and for clients that send no more.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { forward } from '../../../../src/host/cluster/forward.ts'
import { hasSentAll, onSentAll, readInPortions } from '../../../../src/host/portionedSocket.ts'

/** More than a pool of connections would have. */
const UNREAD = 300

test('answers that nobody reads keep no other request waiting', async () => {
  const server = createServer(({ url }, response) =>
    url === '/unread' ? response.write('begun') : response.end('read'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = async (url: string) => {
    const sent = { method: 'GET', url, headers: {}, body: Buffer.alloc(0) }
    const forwarded = await forward(address, 'between nodes', 0, sent)
    return (forwarded as { answer: IncomingMessage }).answer
  }
  const unread = await Promise.all(Array.from({ length: UNREAD }, () => get('/unread')))
  expect((await (await get('/read')).toArray()).join('')).toBe('read')
  for (const answer of unread) answer.destroy()
})

test('a connection between nodes is let go of here before its owner closes it under what is sent', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sent = { method: 'GET', url: '/', headers: {}, body: Buffer.alloc(0) }
  const { answer } = (await forward(address, 'between nodes', 0, sent)) as { answer: IncomingMessage }
  expect(answer.socket.timeout).toBeGreaterThan(0)
  expect(answer.socket.timeout).toBeLessThan(server.keepAliveTimeout)
  answer.resume()
})

test.each(['meanwhile', 'before it is sent on'])(
  'the owner sees that a client sends no more, %s, and answers it all the same',
  async (when) => {
    const client = new PassThrough()
    client.resume()
    if (when !== 'meanwhile') await finished(client.end(), { writable: false })
    const server = createServer()
    readInPortions(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const sent = { method: 'POST', url: '/orders', headers: {}, body: Buffer.from('{}') }
    const forwarded = forward(address, 'between nodes', 0, sent, null, client)
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    request.resume()
    if (when === 'meanwhile') expect(hasSentAll(request.socket)).toBe(false)
    const ended = new Promise<void>((resolve) => void onSentAll(request.socket, resolve))
    client.end()
    await ended
    expect(hasSentAll(request.socket)).toBe(true)
    response.end('carried out')
    const { answer } = (await forwarded) as { answer: IncomingMessage }
    expect((await answer.toArray()).join('')).toBe('carried out')
  },
)

test('a client that goes on sending leaves the connection between nodes as it is, to be used again', async () => {
  const client = new PassThrough()
  const connections = new Set<number | undefined>()
  const server = createServer(({ socket }, response) => {
    connections.add(socket.remotePort)
    response.end('read')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sent = { method: 'GET', url: '/', headers: {}, body: Buffer.alloc(0) }
  for (let n = 0; n < 3; n++) {
    const { answer } = (await forward(address, 'between nodes', 0, sent, null, client)) as {
      answer: IncomingMessage
    }
    await answer.toArray()
    await new Promise(setImmediate)
  }
  expect(connections.size).toBe(1)
  expect(client.listenerCount('end')).toBe(0)
})
