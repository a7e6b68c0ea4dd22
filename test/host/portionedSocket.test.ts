// How much of what clients send is parsed in one turn of the loop, and how much before they are answered (K4, K15).

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { outOf, PORTION, readInPortions, UNDER_WAY, unsentOf } from '../../src/host/portionedSocket.ts'
import { createServer } from '../../src/host/server.ts'
import { createEngine } from '../../src/index.ts'

/** The shortest request there is. */
const SHORTEST = 'GET / HTTP/1.1\r\n\r\n'
const MANY = 10_000
/** Requests of one portion, begun ones included. */
const IN_A_PORTION = Math.ceil(PORTION / SHORTEST.length)

const open: (Server | Socket)[] = []
afterEach(() => {
  for (const each of open.splice(0)) 'destroy' in each ? each.destroy() : each.close()
})

async function served(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createHttpServer({ requireHostHeader: false }, handle)
  readInPortions(server)
  return listening(server)
}

async function listening(server: Server): Promise<Server> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function client(server: Server): Socket {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const socket = connect(address.port, '127.0.0.1').on('error', () => {})
  open.push(socket)
  return socket
}

/** Everything that comes until the other side ends. */
async function answersTo(socket: Socket): Promise<string> {
  let text = ''
  for await (const bytes of socket) text += bytes
  return text
}

/** Counts by turn of the loop, as long as it goes on. */
function countByTurn() {
  const counted = { total: 0, most: 0, add, end: () => clearImmediate(turning) }
  let inTurn = 0
  const next = () => {
    inTurn = 0
    turning = setImmediate(next)
  }
  let turning = setImmediate(next)
  function add(): void {
    counted.total += 1
    inTurn += 1
    counted.most = Math.max(counted.most, inTurn)
  }
  return counted
}

describe('a connection read in portions', () => {
  test('of thousands of requests at once few are begun in a turn, and all are answered in their order', async () => {
    const begun = countByTurn()
    let n = 0
    const server = await served((_request, response) => {
      begun.add()
      response.end(`${n++};`)
    })
    let accepted = 0
    server.on('connection', () => accepted++)
    const sockets = Array.from({ length: 50 }, () => client(server))
    const answers = sockets.map(answersTo)
    while (accepted < sockets.length) await nextTurn()
    for (const socket of sockets) socket.end(SHORTEST.repeat(MANY / 50))
    const numbers = (await Promise.all(answers)).map((text) =>
      [...text.matchAll(/(\d+);/g)].map(([, number]) => Number(number)),
    )
    begun.end()
    expect(n).toBe(MANY)
    expect(numbers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: MANY }, (_, n) => n))
    for (const own of numbers) expect(own).toEqual([...own].sort((a, b) => a - b))
    expect(begun.most).toBeLessThanOrEqual(17 * IN_A_PORTION)
  })

  test('who came last is not behind who sends most', async () => {
    const order: string[] = []
    const server = await served((request, response) => {
      order.push(request.url ?? '')
      response.end('done')
    })
    const busy = client(server)
    busy.write(SHORTEST.repeat(MANY))
    busy.resume()
    while (order.length === 0) await nextTurn()
    const late = client(server)
    const answer = answersTo(late)
    late.end('GET /late HTTP/1.1\r\n\r\n')
    expect(await answer).toContain('done')
    const before = order.indexOf('/late')
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(MANY / 2)
  })

  test('of a client whose requests are under way no more are begun until some are answered', async () => {
    const waiting: ServerResponse[] = []
    const server = await served((_request, response) => waiting.push(response))
    const socket = client(server)
    const answers = answersTo(socket)
    socket.end(SHORTEST.repeat(1_000))
    for (let turn = 0; turn < 200; turn++) await nextTurn()
    expect(waiting.length).toBeGreaterThanOrEqual(UNDER_WAY)
    expect(waiting.length).toBeLessThanOrEqual(UNDER_WAY + IN_A_PORTION)
    let answered = 0
    for (; answered < 1_000; await nextTurn())
      for (const response of waiting.splice(0)) {
        answered += 1
        response.end()
      }
    expect((await answers).match(/200 OK/g)).toHaveLength(1_000)
  })

  test('what is written beneath its portions comes behind what was written above, and counts as unsent', async () => {
    const server = await served(({ socket }) => {
      socket.write('a'.repeat(8 * 1_048_576))
      socket.write('b')
      outOf(socket).write('c')
      expect(unsentOf(socket)).toBeGreaterThan(1_048_576)
      socket.once('drain', () => {
        expect(outOf(socket)).not.toBe(socket)
        outOf(socket).write('d')
        socket.end('e')
      })
    })
    const socket = client(server)
    socket.write(SHORTEST)
    expect((await answersTo(socket)).replace(/^a+/, '')).toBe('bcde')
  })

  test('a connection that is idle is closed in its time; one that is reset harms nobody', {
    timeout: 20_000,
  }, async () => {
    const server = await served((_request, response) => response.end('done'))
    server.keepAliveTimeout = 50
    const idle = client(server)
    const answers = answersTo(idle)
    const gone = client(server)
    gone.write(SHORTEST)
    await new Promise((resolve) => gone.once('data', resolve))
    gone.resetAndDestroy()
    idle.write(SHORTEST)
    expect(await answers).toContain('done')
  })

  test('bodies larger than a portion come whole', async () => {
    const server = await served(async (request, response) => {
      let length = 0
      for await (const bytes of request) length += bytes.length
      response.end(`${length};`)
    })
    const socket = client(server)
    const answers = answersTo(socket)
    const sizes = [0, 1, PORTION - 1, PORTION, PORTION + 1, 100_000]
    for (const size of sizes)
      socket.write(`POST / HTTP/1.1\r\ncontent-length: ${size}\r\n\r\n${'x'.repeat(size)}`)
    socket.end()
    expect([...(await answers).matchAll(/(\d+);/g)].map(([, length]) => Number(length))).toEqual(sizes)
  })

  test('the host reads all its connections so', async () => {
    const app = await createServer({ engine: createEngine() })
    open.push(app.server)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const begun = countByTurn()
    app.server.on('request', begun.add)
    const socket = client(app.server)
    const answers = answersTo(socket)
    socket.end(SHORTEST.repeat(2_000))
    await answers
    begun.end()
    expect(begun.total).toBe(2_000)
    expect(begun.most).toBeLessThanOrEqual(2 * IN_A_PORTION)
  })
})
