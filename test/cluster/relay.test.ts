// Streams on their way through a node, whose owner goes without a word.
import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { dial, join, SocketRelays } from '../../src/host/cluster/socketRelay.ts'
import { WholeEvents } from '../../src/host/cluster/wholeEvents.ts'

const PATIENCE_MS = 30_000
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a client hears what its owner says and why it ends, and of one that is cut off that it is closing', async () => {
  const owners: WebSocket[] = []
  const sockets: Duplex[] = []
  const owner = createServer()
  const accepting = new WebSocketServer({ server: owner })
  accepting.on('connection', (socket, { socket: raw }) => {
    owners.push(socket)
    sockets.push(raw)
    socket.send('said at once')
    socket.on('message', (message) => socket.send(`heard ${message}`))
  })
  const ownerUrl = await listening(owner)
  const relays = new SocketRelays()
  const node = createServer()
  node.on('upgrade', (request, socket, rest) => {
    void dial(ownerUrl, {}, 421, PATIENCE_MS).then((dialed) => {
      const client = relays.open(request, { socket, rest })
      if (client !== null && dialed !== 'untouched' && 'socket' in dialed) join(client, dialed.socket)
    })
  })
  const url = await listening(node)
  const ends = [
    (at: number) => owners[at]?.close(4401, 'session_expired'),
    (at: number) => sockets[at]?.destroy(),
    () => relays.close(),
  ]
  for (const [at, [code, reason]] of (
    [
      [4401, 'session_expired'],
      [1001, 'closing'],
      [1001, 'closing'],
    ] as const
  ).entries()) {
    const client = new WebSocket(url)
    const told: string[] = []
    client.on('message', (message) => told.push(String(message)))
    await once(client, 'open')
    client.send('a token')
    while (told.length < 2) await once(client, 'message')
    expect(told).toEqual(['said at once', 'heard a token'])
    ends[at]?.(at)
    const [closedWith, said] = await once(client, 'close')
    expect([closedWith, String(said)]).toEqual([code, reason])
  }
})

test.each([
  ...[1_000, 1_001, 1_008, 1_009, 1_011, 1_012, 1_013, 1_014, 3_000, 4_000, 4_429].map((code) => [
    code,
    code,
    'said',
  ]),
  // Codes that no frame has: a connection that was cut off, or says nothing.
  ...[1_005, 1_006, 1_015].map((code) => [code, 1_001, 'closing']),
] as [number, number, string][])(
  'an owner that ends with %i ends its client with %i',
  (code, told, reason) => {
    const ends: unknown[] = []
    const end = (of: string) => ({
      readyState: WebSocket.OPEN,
      resume: () => {},
      close: (...said: unknown[]) => ends.push([of, ...said]),
      terminate: () => ends.push([of]),
    })
    const [client, owner] = [
      Object.assign(new EventEmitter(), end('client')),
      Object.assign(new EventEmitter(), end('owner')),
    ]
    join(client as unknown as WebSocket, owner as unknown as WebSocket)
    owner.emit('close', code, Buffer.from('said'))
    expect(ends).toEqual([['client', told, reason]])
    client.emit('close')
    expect(ends.slice(1)).toEqual([['owner']])
  },
)

test('a client that says more than one message holds ends for that, and nobody else hears of it', async () => {
  const relays = new SocketRelays()
  const node = createServer()
  const firsts: Promise<Buffer | null>[] = []
  node.on('upgrade', (request, socket, rest) => {
    const client = relays.open(request, { socket, rest })
    if (client !== null) firsts.push(relays.first(client))
  })
  const url = await listening(node)
  for (const [bytes, isTaken] of [
    [8_192, true],
    [8_193, false],
    [1, true],
  ] as const) {
    const client = new WebSocket(url)
    await once(client, 'open')
    client.send('x'.repeat(bytes))
    const ended = once(client, 'close')
    expect((await firsts.at(-1))?.length ?? null).toBe(isTaken ? bytes : null)
    if (isTaken) client.terminate()
    const [code] = await ended
    expect(code).toBe(isTaken ? 1_006 : 1_009)
  }
})

test('who is elsewhere, and who answers otherwise, is told apart', async () => {
  const owner = createServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end())
  const url = await listening(owner)
  owner.on('upgrade', (request, socket) =>
    socket.end(`HTTP/1.1 ${request.url?.slice(1)} Said\r\ncontent-length: 0\r\n\r\n`),
  )
  expect(await dial(`${url}/421`, {}, 421, PATIENCE_MS)).toBe('untouched')
  expect(await dial('ws://127.0.0.1:9/', {}, 421, PATIENCE_MS)).toBe('untouched')
  expect(await dial(`${url}/401`, {}, 421, PATIENCE_MS)).toMatchObject({ answer: { statusCode: 401 } })
})

test('events that are cut off anywhere arrive whole, and end as a closing owner ends them', async () => {
  const events = [1, 2, 30].map((seq) => `id: ${seq}\ndata: {"type":"price","seq":${seq}}\n\n`)
  const text = events.join('')
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), fc.nat(text.length), async (one, other) => {
      const [first, cut] = [Math.min(one, other), Math.max(one, other)]
      const stream = new WholeEvents()
      stream.write(text.slice(0, first))
      stream.write(text.slice(first, cut))
      stream.endOfOwner()
      const arrived = (await stream.setEncoding('utf8').toArray()).join('')
      const whole = events.filter((_, at) => events.slice(0, at + 1).join('').length <= cut)
      expect(arrived.startsWith(whole.join(''))).toBe(true)
      const { type, seq, data } = JSON.parse(arrived.slice(whole.join('').length).replace('data: ', ''))
      expect({ type, seq, data }).toEqual({
        type: 'end',
        seq: [0, 1, 2, 30][whole.length],
        data: { reason: 'closing' },
      })
    }),
  )
})
