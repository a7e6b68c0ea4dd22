// A venue that closes waits for nobody who has asked nothing, and for whoever has begun to.

import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { HUSH_MS, silentLetGo } from '../../src/host/silentConnections.ts'
import { startVenue } from './venue.ts'

/** What waits for a request would wait for five seconds. */
const SOON_MS = 3_000

async function connected(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Until it is closed, in whatever way. */
async function told(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

test('who has said nothing is let go of', async () => {
  const { venue } = await startVenue()
  const silent = await Promise.all([connected(venue.url), connected(venue.url)])
  const began = performance.now()
  await Promise.all([venue.close(), ...silent.map(told)])
  expect(performance.now() - began).toBeLessThan(SOON_MS)
})

test('who has said nothing is let go of after 100 ms, and no sooner', async () => {
  const server = createServer()
  const letGo = silentLetGo(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const silent = await connected(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const held = await accepted
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    letGo()
    vi.advanceTimersByTime(99)
    expect(held.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(held.destroyed).toBe(true)
  } finally {
    vi.useRealTimers()
    silent.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('what was sent just before is answered, and half a request is waited for', async () => {
  const { venue } = await startVenue()
  const [asks, begins] = await Promise.all([connected(venue.url), connected(venue.url)])
  begins.write('GET /time HTTP/1.1\r\n')
  await new Promise((resolve) => setTimeout(resolve, 20))
  const closed = venue.close()
  asks.write('GET /markets HTTP/1.1\r\nconnection: close\r\n\r\n')
  const answers = Promise.all([told(asks), told(begins)])
  await new Promise((resolve) => setTimeout(resolve, 3 * HUSH_MS))
  expect(begins.destroyed).toBe(false)
  begins.write('connection: close\r\n\r\n')
  expect(await answers).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 401/),
    expect.stringMatching(/^HTTP\/1\.1 \d/),
  ])
  await closed
})
