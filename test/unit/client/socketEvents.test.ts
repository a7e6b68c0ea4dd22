// A stream over a WebSocket says who asks, gives what it is told in order, and ends when the connection does.

import { expect, test } from 'vitest'
import { type StreamSocket, socketEvents } from '../../../src/client/socketEvents.ts'

type Listener = (event: { readonly data: unknown }) => void

/** A socket whose other side is the test. */
class Socket implements StreamSocket {
  static last: Socket
  readonly sent: string[] = []
  isClosed = false
  readonly #listeners: [string, Listener][] = []

  constructor() {
    Socket.last = this
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener])
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }

  happens(type: string, data?: string): void {
    for (const [known, listener] of this.#listeners) if (known === type) listener({ data })
  }
}

const opening = { token: 'key', accountIds: ['a'], from: 7 }

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const heard: unknown[] = []
  for await (const event of events) heard.push(event)
  return heard
}

function opened(signal = new AbortController().signal) {
  const heard = all(socketEvents(Socket, 'ws://venue/stream', opening, signal))
  return { heard, socket: Socket.last }
}

test('what is asked for is the first message, and ids stand beside their messages', async () => {
  const { heard, socket } = opened()
  socket.happens('open')
  expect(socket.sent.map((text) => JSON.parse(text))).toEqual([opening])
  socket.happens('message', '{"type":"order","seq":8}')
  socket.happens('message', '{"id":8,"type":"account","seq":8}')
  socket.happens('close')
  expect(await heard).toEqual([
    { id: null, message: { type: 'order', seq: 8 } },
    { id: 8, message: { type: 'account', seq: 8 } },
  ])
  expect(socket.isClosed).toBe(true)
})

test('a refusal is thrown, a connection that cannot be had too', async () => {
  const refused = opened()
  refused.socket.happens('message', '{"statusCode":401,"error":"session_expired","message":"No."}')
  await expect(refused.heard).rejects.toMatchObject({ code: 'session_expired', statusCode: 401 })
  const lost = opened()
  lost.socket.happens('error')
  await expect(lost.heard).rejects.toThrow('ws://venue/stream cannot be reached')
})

test('whoever reads too slowly is given whole what came before the connection was let go of', async () => {
  const { heard, socket } = opened()
  const message = JSON.stringify({ type: 'ping', data: 'x'.repeat(1_000_000) })
  for (let nth = 0; nth < 10; nth++) socket.happens('message', message)
  socket.happens('close')
  expect(await heard).toHaveLength(5)
  expect(socket.isClosed).toBe(true)
})

test('whoever keeps up is told without end', async () => {
  const { heard, socket } = opened()
  const message = JSON.stringify({ type: 'ping', data: 'x'.repeat(1_000_000) })
  for (let nth = 0; nth < 10; nth++) {
    socket.happens('message', message)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.happens('close')
  expect(await heard).toHaveLength(10)
})

test('it ends when it is told to', async () => {
  const leaving = new AbortController()
  const { heard, socket } = opened(leaving.signal)
  leaving.abort()
  expect(await heard).toEqual([])
  expect(socket.isClosed).toBe(true)
})

test('four mebi characters may wait, and not one more', async () => {
  const MOST = 4 * 2 ** 20
  const of = (length: number) => `{"type":"${'x'.repeat(length - 11)}"}`
  for (const [first, isHeard] of [
    [MOST - 1, true],
    [MOST, true],
    [MOST + 1, false],
  ] as const) {
    const { heard, socket } = opened()
    socket.happens('message', of(first))
    socket.happens('message', of(20))
    socket.happens('close')
    expect(await heard, `${first} characters and more`).toHaveLength(isHeard ? 2 : 1)
  }
})

test('what has been read waits no longer', async () => {
  const events = socketEvents(Socket, 'ws://venue/stream', opening, new AbortController().signal)
  const long = JSON.stringify({ type: 'ping', data: 'x'.repeat(3_000_000) })
  for (let nth = 0; nth < 4; nth++) {
    const next = events.next()
    Socket.last.happens('message', long)
    expect((await next).value).toMatchObject({ message: { type: 'ping' } })
  }
  await events.return()
})
