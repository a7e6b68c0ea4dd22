// An answer that goes on: what is told goes straight to its connection, in order, whatever else the connection is about.

import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { readInPortions } from '../../src/host/portionedSocket.ts'
import { EventStream } from '../../src/host/stream/eventStream.ts'
import { Message } from '../../src/host/stream/message.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const message = (seq: number, text: string) =>
  new Message({ type: 'price', seq, at: 0, data: () => JSON.stringify(text) })

/** A server with a stream, and with an answer that takes until it is let go. */
async function served() {
  const app = Fastify({ forceCloseConnections: true })
  readInPortions(app.server)
  const streams: EventStream[] = []
  let release = () => {}
  app.get('/stream', (_request, reply) => {
    streams.push(new EventStream(reply))
    return reply
  })
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return 'at last'
  })
  open.push(app)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  open.push({ close: () => socket.destroy() })
  return { socket, streams, release: () => release() }
}

function textOf(socket: Socket): { text: string } {
  const heard = { text: '' }
  socket.on('data', (bytes) => {
    heard.text += bytes
  })
  return heard
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: venue\r\n\r\n`

test('the answer has no chunks, and ends with its connection', async () => {
  const { socket, streams } = await served()
  const heard = textOf(socket)
  socket.write(request('/stream'))
  await expect.poll(() => streams.length).toBe(1)
  streams[0]?.send([message(1, 'ä'), message(2, 'b')], 2)
  streams[0]?.end()
  await expect.poll(() => socket.destroyed).toBe(true)
  const [head = '', body] = heard.text.split('\r\n\r\n')
  expect(head).toMatch(/connection: close/i)
  expect(head).not.toMatch(/transfer-encoding|content-length/i)
  const [first, second] = [message(1, 'ä'), message(2, 'b')]
  expect(body).toBe(`id: 1\ndata: ${first.json}\n\nid: 2\ndata: ${second.json}\n\n`)
})

test('behind an earlier answer of its connection it is told all the same, after that', async () => {
  const { socket, streams, release } = await served()
  const heard = textOf(socket)
  socket.write(request('/slow') + request('/stream'))
  await expect.poll(() => streams.length).toBe(1)
  for (let seq = 1; seq <= 3; seq++) streams[0]?.send([message(seq, 'early')], seq)
  expect(streams[0]?.unsent).toBeGreaterThan(0)
  release()
  await expect.poll(() => heard.text).toContain('id: 3')
  streams[0]?.send([message(4, 'late')], 4)
  await expect.poll(() => heard.text).toContain('id: 4')
  expect(heard.text.indexOf('at last')).toBeLessThan(heard.text.indexOf('id: 1'))
  expect([...heard.text.matchAll(/id: (\d)/g)].map(([, seq]) => seq)).toEqual(['1', '2', '3', '4'])
})

test('what is not read is counted, and comes in its order once it is', async () => {
  const { socket, streams } = await served()
  socket.write(request('/stream'))
  await expect.poll(() => streams.length).toBe(1)
  const [stream] = streams as [EventStream]
  socket.pause()
  let sent = 0
  for (; sent < 500 && stream.unsent <= 1_048_576; sent++)
    stream.send([message(sent, 'x'.repeat(100_000))], sent)
  expect(stream.unsent).toBeGreaterThan(1_048_576)
  expect(await stream.taken(10)).toBe(false)
  const heard = textOf(socket)
  socket.resume()
  expect(await stream.taken(10_000)).toBe(true)
  await expect.poll(() => heard.text.match(/"seq":\d+/g)?.length).toBe(sent)
  const seqs = [...heard.text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq))
  expect(seqs).toEqual(Array.from({ length: sent }, (_, seq) => seq))
})

test('an id stands with the last message of each commit; with that of all, the commit that is complete', async () => {
  const { socket, streams } = await served()
  const heard = textOf(socket)
  socket.write(request('/stream'))
  await expect.poll(() => streams.length).toBe(1)
  const shared = message(3, 'to everybody')
  streams[0]?.send([shared], 5)
  streams[0]?.send([shared], 3)
  streams[0]?.send([shared], null)
  const [a, b, c] = [message(6, 'a'), message(6, 'b'), message(7, 'c')]
  streams[0]?.send([shared, a, b, c], 8)
  streams[0]?.send([a, c], null)
  streams[0]?.send([], 8)
  streams[0]?.end()
  await expect.poll(() => socket.destroyed).toBe(true)
  const data = `data: ${shared.json}\n\n`
  const expected = [
    `id: 5\n${data}`,
    `id: 3\n${data}`,
    data,
    `id: 3\n${data}`,
    `data: ${a.json}\n\n`,
    `id: 6\ndata: ${b.json}\n\n`,
    `id: 8\ndata: ${c.json}\n\n`,
    `id: 6\ndata: ${a.json}\n\n`,
    `data: ${c.json}\n\n`,
  ]
  expect(heard.text.split('\r\n\r\n')[1]).toBe(expected.join(''))
})
