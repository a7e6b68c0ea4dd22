// What is sent on to another node while answers of that node are not read.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { forward } from '../../../../src/host/cluster/forward.ts'

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
