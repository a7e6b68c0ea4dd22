// What one client can make the host hold, and for how long (K4).

import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BACKLOG_LIMITS, Backlog, LIFETIME_MS, SWEEP_MS } from '../../src/host/backlog.ts'
import { answerList } from '../../src/host/context.ts'
import { LongAnswer, PIECE } from '../../src/host/longAnswer.ts'
import { BODY_LIMIT } from '../../src/host/marginTradingApi.ts'
import { createServer } from '../../src/host/server.ts'
import { createEngine } from '../../src/index.ts'
import { raw, request } from './raw.ts'
import { ALICE, account, BOB, CONFIGURATION, limitOrder, marketOrder, startVenue } from './venue.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY !== undefined

/** What a request costs by itself. */
const EXCHANGE = 8_192
const LIMITS = { perConnection: 3 * EXCHANGE, perOwner: 5 * EXCHANGE, sweeps: 3 }

class FakeSocket extends EventEmitter {
  destroyed = false
  remoteAddress = '192.0.2.1'

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

const socket = () => new FakeSocket() as FakeSocket & Socket

function backlog() {
  const cuts: string[] = []
  return { held: new Backlog(LIMITS, (why, owner) => cuts.push(`${owner}: ${why}`)), cuts }
}

const begin = (held: Backlog, from: Socket, owner: string, bytes: number, handle = () => {}) =>
  held.begin(from, owner, bytes, handle)

describe('a backlog', () => {
  test('a connection may cost exactly its limit, and is cut off beyond it', () => {
    const { held, cuts } = backlog()
    const one = socket()
    const exchange = begin(held, one, 'alice', 0)
    held.answered(exchange, 2 * EXCHANGE, 'alice')
    expect(one.destroyed).toBe(false)
    expect(held.heldBy('alice')).toBe(LIMITS.perConnection)
    begin(held, one, 'alice', 0)
    expect(one.destroyed).toBe(true)
    expect(cuts).toEqual(['alice: too much unread on a connection'])
    expect(held.heldBy('alice')).toBe(0)
  })

  test('so may a user over all their connections; the one that goes beyond is cut off, the others live', () => {
    const { held, cuts } = backlog()
    const [first, second, third] = [socket(), socket(), socket()]
    held.answered(begin(held, first, 'alice', 0), EXCHANGE, 'alice')
    held.answered(begin(held, second, 'alice', 0), 2 * EXCHANGE, 'alice')
    begin(held, third, 'bob', 0)
    expect(held.heldBy('alice')).toBe(LIMITS.perOwner)
    begin(held, third, 'alice', 0)
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, false, true])
    expect(cuts).toEqual(['alice: too much unread of one user'])
    expect(held.heldBy('alice')).toBe(LIMITS.perOwner)
    expect(held.heldBy('bob')).toBe(0)
  })

  test('what has been read, or whose connection has gone, costs nothing any more', () => {
    const { held } = backlog()
    const one = socket()
    const read = begin(held, one, 'alice', 10)
    held.answered(read, 100, 'alice')
    held.end(read)
    held.end(read)
    expect(held.heldBy('alice')).toBe(0)
    held.answered(begin(held, one, 'alice', 0), 100, 'alice')
    begin(held, one, 'alice', 0)
    one.destroy()
    expect(held.heldBy('alice')).toBe(0)
    held.answered(begin(held, one, 'alice', 0), 100, 'alice')
    expect(held.heldBy('alice')).toBe(0)
  })

  test('of a connection four requests are handled at once, and with each that ends the next, in a turn of its own', async () => {
    const held = new Backlog({ ...LIMITS, perConnection: 9 * EXCHANGE, perOwner: 9 * EXCHANGE }, () => {})
    const one = socket()
    const handled: number[] = []
    const exchanges = Array.from({ length: 6 }, (_, n) => begin(held, one, 'alice', 0, () => handled.push(n)))
    expect(handled).toEqual([0, 1, 2, 3])
    for (const [index, next] of [4, 5].entries()) {
      held.end(exchanges[index] as (typeof exchanges)[number])
      expect(handled).not.toContain(next)
      await new Promise((resolve) => setImmediate(resolve))
      expect(handled.at(-1)).toBe(next)
    }
  })

  test('an answer that is not read in its time ends its connection; a request that has no answer yet does not', () => {
    const { held, cuts } = backlog()
    const [waiting, unread] = [socket(), socket()]
    begin(held, waiting, 'bob', 0)
    held.answered(begin(held, unread, 'alice', 0), 1, 'alice')
    for (let sweep = 0; sweep < LIMITS.sweeps; sweep++) held.sweep()
    expect(unread.destroyed).toBe(false)
    held.sweep()
    expect([waiting.destroyed, unread.destroyed]).toEqual([false, true])
    expect(cuts).toEqual(['alice: an answer was not read in time'])
  })

  test('a connection whose answer was read in its time is cut off by no look afterwards', () => {
    const { held, cuts } = backlog()
    const reading = socket()
    const exchange = begin(held, reading, 'alice', 0)
    held.answered(exchange, 1, 'alice')
    held.end(exchange)
    for (let sweep = 0; sweep <= 3 * LIMITS.sweeps; sweep++) held.sweep()
    expect([reading.destroyed, cuts]).toEqual([false, []])
  })

  test('a long answer has its time for every piece, and is let go with its connection', () => {
    const { held } = backlog()
    const one = socket()
    const answer = Object.assign(new LongAnswer(['text'], 'alice'), { holds: EXCHANGE })
    held.answered(begin(held, one, 'alice', 0), answer, 'alice')
    for (let sweep = 0; sweep < 3 * LIMITS.sweeps; sweep++) {
      held.sweep()
      answer.onTaken()
    }
    expect(one.destroyed).toBe(false)
    for (let sweep = 0; sweep <= LIMITS.sweeps; sweep++) held.sweep()
    expect(one.destroyed).toBe(true)
    expect(answer.destroyed).toBe(true)
  })

  test('of one connection four requests are handled at once, in their order; the rest when answers are read', async () => {
    const held = new Backlog({ ...LIMITS, perConnection: 100 * EXCHANGE, perOwner: 100 * EXCHANGE }, () => {})
    const one = socket()
    const handled: number[] = []
    const all = Array.from({ length: 7 }, (_, n) => begin(held, one, 'alice', 0, () => handled.push(n)))
    expect(handled).toEqual([0, 1, 2, 3])
    for (const exchange of all.slice(0, 2)) held.end(exchange)
    expect(handled).toHaveLength(4)
    await sleep(10)
    expect(handled).toEqual([0, 1, 2, 3, 4, 5])
    one.destroy()
    await sleep(10)
    expect(handled).toHaveLength(6)
  })

  test('what was asked from an address is held for the user once it is known whose it is', () => {
    const { held } = backlog()
    const exchange = begin(held, socket(), 'an address', 0)
    held.answered(exchange, EXCHANGE, 'alice')
    expect([held.heldBy('an address'), held.heldBy('alice')]).toEqual([0, 2 * EXCHANGE])
  })

  test('a request costs its head as it came and the body that it announces, as far as that is let in; all that is let in where it announces none', async () => {
    const { venue } = await startVenue(CONFIGURATION)
    onTestFinished(() => venue.close())
    const begin = vi.spyOn(Backlog.prototype, 'begin')
    onTestFinished(() => begin.mockRestore())
    const chunked = { 'transfer-encoding': 'chunked' }
    const end = Buffer.from('0\r\n\r\n')
    for (const [bytes, costs] of [
      [request('GET /markets', {}), 0],
      [request('POST /orders', { 'x-longer': 'x'.repeat(500) }, '{}'), 2],
      [request('POST /orders', {}, 'x'.repeat(3_000)), 3_000],
      [request('POST /orders', { 'content-length': String(BODY_LIMIT + 1) }), BODY_LIMIT],
      [Buffer.concat([request('POST /orders', chunked), end]), BODY_LIMIT],
    ] as const) {
      await raw(venue.url, bytes)
      const [head = ''] = bytes.toString('latin1').split('\r\n\r\n')
      const texts = head.split('\r\n').slice(1).join('').replaceAll(': ', '')
      expect(begin.mock.lastCall?.[2], head).toBe(texts.length + costs)
    }
  })

  test('its limits are those of K4', () => {
    expect(BACKLOG_LIMITS).toEqual({ perConnection: 16 * 2 ** 20, perOwner: 64 * 2 ** 20, sweeps: 59 })
    expect((BACKLOG_LIMITS.sweeps + 1) * SWEEP_MS).toBe(LIFETIME_MS)
  })
})

describe('a long answer', () => {
  const piece = 'x'.repeat(40_000)

  test('is not made further than it is read', async () => {
    let made = 0
    function* texts() {
      for (; made < 1_000; made++) yield piece
    }
    const answer = new LongAnswer(texts(), 'alice')
    answer.read(0)
    await sleep(50)
    expect(made).toBeLessThan(5)
    let length = 0
    for await (const text of answer) length += text.length
    expect(length).toBe(1_000 * piece.length)
  })

  test('is one that does not fit a piece, or whose making took its time: no more than a piece is made at once (K15)', async () => {
    /** What a list of these is answered with, and how many of them were made for that. */
    const answered = (texts: readonly string[]) => {
      let made = 0
      function* making() {
        for (const text of texts) {
          made += 1
          yield text
        }
      }
      let sent: unknown
      const reply = {
        request: { principal: { userId: 'alice' }, operator: null },
        code: () => reply,
        header: () => reply,
        send(what: unknown) {
          sent = what
          return reply
        },
      }
      answerList(reply as unknown as FastifyReply, making())
      return { sent, made }
    }
    const text = JSON.stringify('x'.repeat(997))
    // With what stands before each, a bracket or a comma, 1,000 bytes.
    const fits = Math.floor(PIECE / 1_000)
    expect(answered(Array(fits).fill(text))).toEqual({ sent: `[${Array(fits).fill(text)}]`, made: fits })
    for (const [texts, most] of [
      [Array(1_000).fill(text), fits + 1],
      [[text, '', text], 2],
    ] as [string[], number][]) {
      const { sent, made } = answered(texts)
      expect([sent instanceof LongAnswer, made]).toEqual([true, most])
      let read = ''
      for await (const piece of sent as LongAnswer) read += piece
      expect(read).toBe(`[${texts.filter((one) => one !== '')}]`)
    }
  })

  test('says that it has been read, and so has its time anew, with every piece', async () => {
    const answer = new LongAnswer(Array(20).fill(piece), 'alice')
    let [said, read] = [0, 0]
    answer.onTaken = () => {
      said += 1
    }
    for await (const _ of answer) {
      read += 1
      expect(said).toBeGreaterThanOrEqual(read)
    }
    // Of the last as well: only then is it known that nothing follows.
    expect([read > 2, said]).toEqual([true, read + 1])
  })

  test('gives every piece, and every step without one, a turn of the loop of its own', async () => {
    let turns = 0
    const turn = () => {
      turns += 1
      turning = setImmediate(turn)
    }
    let turning = setImmediate(turn)
    const texts = [...Array(20).fill(piece), ...Array(20).fill('')]
    for await (const _ of new LongAnswer(texts, 'alice'));
    clearImmediate(turning)
    expect(turns).toBeGreaterThanOrEqual(40)
  })

  test('is made in turns with all others: no turn makes two pieces, and clients come round one by one (K15)', async () => {
    let turn = 0
    const count = () => {
      turn += 1
      turning = setImmediate(count)
    }
    let turning = setImmediate(count)
    const made: { readonly by: string; readonly turn: number }[] = []
    function* texts(by: string) {
      for (let n = 0; n < 12; n++) {
        made.push({ by, turn })
        yield piece
      }
    }
    const answers = [...Array(9).fill('alice'), 'bob'].map((by) => new LongAnswer(texts(by), by))
    await Promise.all(answers.map((answer) => answer.toArray()))
    clearImmediate(turning)
    expect(made).toHaveLength(120)
    expect(new Set(made.map(({ turn }) => turn)).size).toBe(120)
    expect(made.findLastIndex(({ by }) => by === 'bob')).toBeLessThan(40)
  })

  test('that is given up before its turn waits for none, however many wait before it (K4)', async () => {
    const crowd = Array.from({ length: 100 }, () => new LongAnswer([piece], 'alice'))
    for (const answer of crowd) answer.read(0)
    // By a timer's time all of them may have had their turns.
    await new Promise(setImmediate)
    const released: Promise<unknown>[] = crowd.map((answer) => once(answer, 'close'))
    let turns = 0
    let turning = setImmediate(function turn() {
      turns += 1
      turning = setImmediate(turn)
    })
    for (const answer of crowd) answer.destroy()
    await Promise.all(released)
    clearImmediate(turning)
    expect(turns).toBeLessThan(10)
    expect(await new LongAnswer([piece], 'alice').toArray()).toEqual([piece])
  })

  test('that is given up lets go of its source; one whose source fails fails', async () => {
    let ended = false
    async function* texts() {
      try {
        for (;;) yield piece
      } finally {
        ended = true
      }
    }
    const answer = new LongAnswer(texts(), 'alice')
    answer.read(0)
    await sleep(20)
    answer.destroy()
    await sleep(20)
    expect(ended).toBe(true)
    const failing = (async function* () {
      yield piece
      throw new Error('damaged')
    })()
    await expect(new LongAnswer(failing, 'alice').toArray()).rejects.toThrow('damaged')
  })
})

describe('a server', () => {
  test('gives a request no more than 30 s, and looks in time', async () => {
    const app = await createServer({ engine: createEngine() })
    const interval: unknown = Reflect.get(app.server, 'connectionsCheckingInterval')
    expect(app.server.requestTimeout + Number(interval)).toBe(LIFETIME_MS)
    expect(app.server.headersTimeout).toBe(app.server.requestTimeout)
    await app.close()
  })

  test('tells nothing to whoever has asked nothing in time, as browsers that connect ahead of a request', async () => {
    const app = await createServer({ engine: createEngine() })
    const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    for (const [said, told] of [
      ['', /^$/],
      ['GET / HT', /^HTTP\/1.1 400 /],
    ] as const) {
      const connected = once(app.server, 'connection')
      const client = connect(Number(port), hostname)
      client.write(said)
      const [socket] = (await connected) as [Socket]
      await vi.waitFor(() => expect(socket.bytesRead).toBe(said.length), { timeout: 20_000, interval: 5 })
      app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      let heard = ''
      for await (const text of client.setEncoding('utf8')) heard += text
      expect(heard).toMatch(told)
    }
    await app.close()
  })

  test('cuts off who asks for lists and reads none; others are answered', { timeout: 120_000 }, async () => {
    const venue = await startVenue({
      ...CONFIGURATION,
      accounts: [account(ALICE, { balance: '1000000000000000' }), account(BOB)],
    })
    for (let n = 0; n < 500; n++) await venue.post('/orders', limitOrder({ amount: '1000000000' }))
    const refused = await venue.post('/orders', limitOrder({ amount: '1000000000' }))
    expect(refused.body.error).toBe('too_many_active_orders')
    const list = request(`GET /orders/${ALICE.accountId}/active`, {
      connection: 'keep-alive',
      authorization: `Bearer ${ALICE.key}`,
    })
    const { hostname, port } = new URL(venue.venue.url)
    const deaf = Array.from({ length: 40 }, () => connect(Number(port), hostname))
    const over = Promise.race(deaf.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    for (const socket of deaf) socket.on('error', () => {}).pause()
    for (let n = 0; n < 30; n++) for (const socket of deaf) socket.write(list)
    // Who does not read learns of the end by writing on.
    const writing = setInterval(() => {
      for (const socket of deaf) socket.write(list)
    }, 20)
    await over
    clearInterval(writing)
    expect((await venue.get(`/orders/${BOB.accountId}/active`, { key: BOB.key })).text).toBe('[]')
    for (const socket of deaf) socket.destroy()
    const all = await vi.waitFor(() => venue.get(`/orders/${ALICE.accountId}/active`), { timeout: 10_000 })
    expect(all.body).toHaveLength(500)
    await venue.venue.close()
  })

  test('tells no more than two streams of a user at once what they missed, and nobody else waits for them', async () => {
    const venue = await startVenue({
      ...CONFIGURATION,
      accounts: [account(ALICE, { balance: '1000000000000000' }), account(BOB)],
    })
    const { engine, url } = venue.venue
    await venue.post('/orders', marketOrder())
    const [position] = engine.read.activePositions(ALICE.accountId)
    const positionId = position?.id as string
    const { head } = engine
    // Of the system's buffers between the two, several MiB, there must be no end.
    for (let n = 0; n < 9_000; n++) engine.dispatch({ type: 'changeMargin', positionId, marginChange: 1n })
    await engine.whenDurable()
    const read = vi.spyOn(engine, 'commits')
    const { hostname, port } = new URL(url)
    const deaf = () => {
      const socket = connect(Number(port), hostname)
        .on('error', () => {})
        .pause()
      socket.write(
        request(`GET /stream?from=${head}&accountId=${ALICE.accountId}`, {
          connection: 'keep-alive',
          authorization: `Bearer ${ALICE.key}`,
        }),
      )
      return socket
    }
    const sockets = Array.from({ length: 5 }, deaf)
    const begun = (count: number) =>
      vi.waitFor(() => expect(read).toHaveBeenCalledTimes(count), { timeout: 20_000, interval: 20 })
    await begun(2)
    const bob = request(`GET /stream?from=${head}&accountId=${BOB.accountId}`, {
      connection: 'keep-alive',
      authorization: `Bearer ${BOB.key}`,
    })
    const other = connect(Number(port), hostname)
    other.write(bob)
    await begun(3)
    let heard = ''
    for await (const text of other.setEncoding('utf8')) {
      heard += text
      if (heard.includes('"type":"account"')) break
    }
    expect(read).toHaveBeenCalledTimes(3)
    for (const socket of sockets) socket.destroy()
    await venue.venue.close()
  })

  test.runIf(NIGHTLY)(
    'gives up half a request after 30 s, and none in silence',
    { timeout: 60_000 },
    async () => {
      const venue = await startVenue()
      const { hostname, port } = new URL(venue.venue.url)
      const idle = connect(Number(port), hostname).setEncoding('utf8')
      const heard = idle.toArray()
      const slow = connect(Number(port), hostname)
      slow.on('error', () => {}).resume()
      const over = new Promise((resolve) => slow.once('close', resolve))
      slow.write('POST /orders HTTP/1.1\r\nHost: venue\r\nContent-Length: 10\r\n\r\n{')
      const began = performance.now()
      await over
      expect(performance.now() - began).toBeLessThan(LIFETIME_MS + 3_000)
      expect(await heard).toEqual([])
      await venue.venue.close()
    },
  )
})
