// What a node sends on of a client that does not wait for its answers.

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { ELSEWHERE } from '../../../../src/host/cluster/forward.ts'
import { NodeFront } from '../../../../src/host/cluster/nodeFront.ts'
import { readConfiguration } from '../../../../src/host/configuration.ts'
import { CONFIGURATION } from '../../../host/venue.ts'

/** As long as a machine takes that does much else. */
const BUSY = { timeout: 30_000 }

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://127.0.0.1:${port}` }
}

/** A node with one shard, which is where `where` says. */
function frontOf(
  where: () => object,
  changed: () => Promise<void> = () => new Promise(() => {}),
  onNotice: (notice: string) => void = () => {},
  { wasForwarded = false, ...others }: { wasForwarded?: boolean; markets?: object[] } = {},
): NodeFront {
  type Parts = ConstructorParameters<typeof NodeFront>
  return new NodeFront(
    {
      ...{ view: { nodes: [], shards: [] }, where, changed },
      ...{ look: async () => {}, expect: async () => {} },
    } as never as Parts[0],
    { registry: new Registry(), forwarded: () => {} } as never as Parts[1],
    {
      taken: () => ({ wasForwarded, named: 0, address: 'main' }),
      shardOf: () => 0,
    } as never as Parts[2],
    readConfiguration(Buffer.from(JSON.stringify({ ...CONFIGURATION, ...others }))),
    { clock: { monotonic: () => performance.now(), sleep: () => new Promise(() => {}) }, patienceMs: 60_000 },
    onNotice,
  )
}

test('of one connection a request is sent on once the one before it is answered', async () => {
  const asked: ServerResponse[] = []
  const owner = await listening((_request, response) => asked.push(response))
  const front = frontOf(() => ({ at: 'there', address: owner.url }))
  let came = 0
  const node = await listening((request, response) => {
    came += 1
    void front.answer(request, response, 'main')
  })
  const client = connect(node.port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  let told = ''
  client.on('data', (data) => {
    told += data
  })
  client.write('GET /orders HTTP/1.1\r\nhost: venue\r\n\r\n'.repeat(2))
  await expect.poll(() => came, BUSY).toBe(2)
  await expect.poll(() => asked.length, BUSY).toBe(1)
  // Another connection need not wait for that.
  const other = fetch(`${node.url}/orders`)
  await expect.poll(() => asked.length, BUSY).toBe(2)
  asked[1]?.end('other')
  expect(await (await other).text()).toBe('other')
  asked[0]?.end('first')
  await expect.poll(() => asked.length, BUSY).toBe(3)
  asked[2]?.end('second')
  await expect.poll(() => told, BUSY).toContain('second')
  expect(told.indexOf('first')).toBeLessThan(told.indexOf('second'))
})

test('what waited for an owner is not carried out once its client has gone', async () => {
  const asked: ServerResponse[] = []
  const owner = await listening((_request, response) => {
    asked.push(response)
    response.end()
  })
  const former = await listening((_request, response) => {
    found = { at: 'nowhere', isComing: false }
    response.writeHead(ELSEWHERE).end()
  })
  let found: object = { at: 'there', address: former.url }
  let comes = () => {}
  const coming = new Promise<void>((resolve) => {
    comes = resolve
  })
  const front = frontOf(
    () => found,
    () => coming,
  )
  const answered: Promise<void>[] = []
  let isGone = false
  const node = await listening((request, response) => {
    response.once('close', () => {
      isGone = true
    })
    answered.push(front.answer(request, response, 'main'))
  })
  const client = connect(node.port, '127.0.0.1')
  client.write('POST /orders HTTP/1.1\r\nhost: venue\r\ncontent-length: 0\r\n\r\n')
  await expect.poll(() => found, BUSY).toMatchObject({ at: 'nowhere' })
  client.destroy()
  await expect.poll(() => isGone, BUSY).toBe(true)
  found = { at: 'there', address: owner.url }
  comes()
  await answered[0]
  expect(asked).toEqual([])
})

test('a stream that was asked for while its shard came here is told as it comes; a command is answered here with its body', async () => {
  const former = await listening((_request, response) => {
    found = { at: 'here', shard }
    response.writeHead(ELSEWHERE).end()
  })
  const there = { at: 'there', address: former.url }
  let found: object = there
  const injected: unknown[] = []
  const shard = {
    serve: (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: first')
    },
    inject: async ({ method, body }: { method: string; body: Buffer }) => {
      injected.push([method, String(body)])
      return { statusCode: 201, headers: {}, rawPayload: Buffer.from('placed') }
    },
  }
  const front = frontOf(
    () => found,
    async () => {},
  )
  const node = await listening((request, response) => void front.answer(request, response, 'main'))
  const { body: stream } = await fetch(`${node.url}/stream`)
  const { value } = await (stream as ReadableStream<Uint8Array>).getReader().read()
  expect(Buffer.from(value ?? []).toString()).toBe('data: first')
  found = there
  const placed = await fetch(`${node.url}/orders`, { method: 'POST', body: 'an order' })
  expect([placed.status, await placed.text()]).toEqual([201, 'placed'])
  expect(injected).toEqual([['POST', 'an order']])
})

test('a node that takes nothing from this one, as its secret is another, is told of once until it does', async () => {
  let status = 401
  const other = await listening((_request, response) => response.writeHead(status).end())
  const notices: string[] = []
  const front = frontOf(
    () => ({}),
    undefined,
    (notice) => notices.push(notice),
  )
  const counts: number[] = []
  for (status of [401, 401, 200, 200, 401]) {
    await front.foretell(other.url, 0)
    counts.push(notices.length)
  }
  expect(counts).toEqual([1, 1, 1, 1, 2])
  expect(notices[0]).toContain(`${other.url} takes nothing`)
})

test('a node of another venue on the same database is told of once, until it is of this one', async () => {
  const toldBy = (others: { markets?: object[] }) =>
    frontOf(() => ({}), undefined, undefined, { wasForwarded: true, ...others })
  const [same, another] = [toldBy({}), toldBy({ markets: [...CONFIGURATION.markets].reverse().slice(1) })]
  let answering = same
  const other = await listening((request, response) => void answering.answer(request, response, 'main'))
  const notices: string[] = []
  const front = frontOf(
    () => ({}),
    undefined,
    (notice) => notices.push(notice),
    { markets: [...CONFIGURATION.markets].reverse() },
  )
  const counts: number[] = []
  for (answering of [same, another, another, same, another]) {
    await front.foretell(other.url, 0)
    counts.push(notices.length)
  }
  expect(counts).toEqual([0, 1, 1, 1, 2])
  expect(notices[0]).toContain(`${other.url} has other markets, users or accounts in its configuration`)
})
