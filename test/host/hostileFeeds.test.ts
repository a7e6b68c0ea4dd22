// Sources of prices that mean harm: whatever one sends, or does not, it costs a bounded time and memory, operators are told what was
// wrong, it is connected anew, and prices come from the others.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { EXCHANGES } from '../../src/host/feed/exchanges.ts'
import { tickersIn } from '../../src/host/feed/ticker.ts'
import { TickerSource } from '../../src/host/feed/tickerSource.ts'
import { fp9 } from '../../src/quantity/decimal.ts'
import { BTC, CONFIGURATION, OPERATOR, startVenue } from './venue.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What a server does with who has connected, once their request is there. */
type Behaviour = (socket: Socket, key: string) => void

/** A server that behaves so; it counts who came. */
async function serverThat(behave: Behaviour): Promise<{ url: string; came: () => number }> {
  let connections = 0
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.once('data', (request) => {
      behave(socket, /^sec-websocket-key: (\S+)/im.exec(String(request))?.[1] ?? '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  return { url: `ws://127.0.0.1:${port}`, came: () => connections }
}

function acceptanceOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
}

const switching = (key: string, more = '') =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptanceOf(key)}\r\n${more}\r\n`

/** Writes for as long as the other side takes it. */
function withoutEnd(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed) if (!socket.write(piece)) return void socket.once('drain', more)
  }
  more()
}

/** A frame as bytes: 0x81 is a whole text, 0x89 a ping. */
function frame(first: number, payload: string | Buffer, announced?: number): Buffer {
  const bytes = Buffer.from(payload)
  const length = announced ?? bytes.length
  const head = length < 126 ? Buffer.from([first, length]) : Buffer.alloc(length < 65_536 ? 4 : 10)
  if (length >= 126) head.writeUInt8(first)
  if (length >= 65_536) {
    head.writeUInt8(127, 1)
    head.writeBigUInt64BE(BigInt(length), 2)
  } else if (length >= 126) {
    head.writeUInt8(126, 1)
    head.writeUInt16BE(length, 2)
  }
  return Buffer.concat([head, bytes])
}

const { format } = EXCHANGES.binance
const ticker = (price: string, symbol = 'BTCUSDT', at = Date.now()) =>
  `{"E":${at},"s":"${symbol}","c":"${price}"}`

interface SourceTerms {
  readonly silenceMs?: number
  /** Longer than a busy machine takes, where it is not what ends the connection. */
  readonly handshakeMs?: number
  readonly monotonic?: () => number
}

function sourceAt(url: string, more: SourceTerms = {}): TickerSource {
  const { silenceMs = 60_000, handshakeMs = 60_000, monotonic = () => performance.now() } = more
  const symbols = [{ symbol: 'BTCUSDT', marketId: BTC }]
  const source = new TickerSource(
    { name: 'hostile', url, format, symbols, maxAgeMs: 10_000, silenceMs },
    { monotonic, wall: Date.now, random: () => 0, pauses: [2, 8], handshakeMs },
  )
  closing.push(() => source.stop())
  return source
}

describe('whoever connects is', () => {
  const WAITED_FOR = /^no connection within 300 ms$/
  const REDIRECTED = 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'

  test.each<[string, Behaviour, RegExp]>([
    ['told nothing', () => {}, WAITED_FOR],
    [
      'answered byte by byte',
      (socket) => {
        const dripping = setInterval(() => socket.write('x'), 5)
        socket.write('HTTP/1.1 101 Switching Protocols\r\nX: ')
        socket.on('close', () => clearInterval(dripping))
      },
      WAITED_FOR,
    ],
    [
      'put off without end',
      (socket) => {
        const hinting = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
        socket.on('close', () => clearInterval(hinting))
      },
      WAITED_FOR,
    ],
    [
      'sent headers without end',
      (socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n')
        withoutEnd(socket, `X: ${'x'.repeat(1_000)}\r\n`)
      },
      /overflow/i,
    ],
    ['sent elsewhere', (socket) => socket.end(REDIRECTED), /302/],
    ['answered as if it were a page', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'), /200/],
    ['answered in no language', (socket) => socket.end('\u0000\u0001\u0002\r\n\r\n'), /parse/i],
    ['cut off', (socket) => socket.resetAndDestroy(), /ECONNRESET|hang up/],
    ['answered with another key', (socket) => socket.write(switching('other')), /Sec-WebSocket-Accept/],
    [
      'made to compress',
      (socket, key) => socket.write(switching(key, 'Sec-WebSocket-Extensions: permessage-deflate\r\n')),
      /Sec-WebSocket-Extensions/,
    ],
  ])('%s: given up, told, and tried again', async (_, behave, told) => {
    const { url, came } = await serverThat(behave)
    const source = sourceAt(url, told === WAITED_FOR ? { handshakeMs: 300 } : {})
    await expect.poll(() => came(), { timeout: 20_000 }).toBeGreaterThan(1)
    expect(source.lastError?.text).toMatch(told)
    expect(source).toMatchObject({ tickers: 0, isConnected: false })
    expect(source.quoteOf(BTC)).toBeUndefined()
  })
})

describe('a connection ends with', () => {
  const MIB = 1_048_576
  const inPieces = Buffer.concat([
    frame(0x01, '{'),
    ...Array.from({ length: 100 }, () => frame(0x00, '')),
    frame(0x80, '}'),
  ])

  test.each<[string, (socket: Socket) => void, RegExp]>([
    ['a frame that is announced as a terabyte', (socket) => socket.write(frame(0x81, '{', 2 ** 40)), /size/],
    ['a frame of a MiB', (socket) => socket.write(frame(0x81, 'x'.repeat(MIB))), /size/],
    ['a text in a hundred pieces', (socket) => socket.write(inPieces), /fragments/],
    ['a text that is no UTF-8', (socket) => socket.write(frame(0x81, Buffer.from([0xc1, 0xaf]))), /UTF-8/],
    ['a frame that says it is compressed', (socket) => socket.write(frame(0xc1, 'x')), /RSV1/],
    ['a frame of no kind', (socket) => socket.write(frame(0x8b, 'x')), /opcode/],
    ['a ping that is too long', (socket) => socket.write(frame(0x89, 'x'.repeat(126))), /payload length/],
    [
      'pings without end, whose answers are not taken',
      (socket) => {
        socket.pause()
        withoutEnd(socket, Buffer.concat(Array.from({ length: 500 }, () => frame(0x89, 'x'.repeat(125)))))
      },
      /^it pings, and takes no answers$/,
    ],
    ['its end', (socket) => socket.write(frame(0x88, Buffer.from([0x03, 0xe9]))), /^it left, with 1001$/],
  ])('%s, and another is made', { timeout: 60_000 }, async (_, send, told) => {
    const { url, came } = await serverThat((socket, key) => {
      socket.write(switching(key))
      send(socket)
    })
    const source = sourceAt(url)
    await expect.poll(() => came(), { timeout: 50_000 }).toBeGreaterThan(1)
    expect(source.lastError?.text).toMatch(told)
    expect(source.tickers).toBe(0)
  })
})

const NINES = '9'.repeat(400)

/** Frames that say no price that could be one. */
const UNREADABLE: Readonly<Record<string, string>> = {
  '400 digits': ticker(NINES),
  '400 digits as a number': `{"s":"BTCUSDT","c":${NINES}}`,
  '400 decimals': ticker(`1.${NINES}`),
  'ten decimals': ticker('1.0000000001'),
  'an exponent': ticker('1e9'),
  'an exponent as a number': '{"s":"BTCUSDT","c":1e999}',
  'less than zero': ticker('-1'),
  'less than zero as a number': '{"s":"BTCUSDT","c":-1}',
  zero: ticker('0'),
  'no number': ticker('NaN'),
  'a bare NaN': '{"s":"BTCUSDT","c":NaN}',
  'no end': ticker('Infinity'),
  'digits of another script': ticker('१२'),
  'a number in hexadecimal': ticker('0x10'),
  'a price that is a list': '{"s":"BTCUSDT","c":["1"]}',
  'a price that is nothing': '{"s":"BTCUSDT","c":null}',
  'a time that is none': '{"s":"BTCUSDT","c":"1","E":"yesterday"}',
  'a day that is none': '{"s":"BTCUSDT","c":"1","E":"2026-13-41T00:00:00Z"}',
  'a time of 400 digits': `{"s":"BTCUSDT","c":"1","E":${NINES}}`,
  'a time before 2001': '{"s":"BTCUSDT","c":"1","E":-1}',
  'brackets without end': '['.repeat(200_000),
  'a text without end': `"${'\\"'.repeat(130_000)}`,
  'a text that ends in a backslash': `"${'\\"'.repeat(130_000)}\\`,
}

/** Frames that are about something else. */
const NOT_MEANT: Readonly<Record<string, string>> = {
  'another symbol': ticker('1', 'ETHUSDT'),
  'a symbol that is no text': '{"s":7,"c":"1"}',
  'names that objects have': '{"__proto__":{"s":"BTCUSDT","c":"1"},"constructor":{"s":"BTCUSDT","c":"1"}}',
  'a symbol that objects have': ticker('1', '__proto__'),
  'a list': `[${ticker('1')}]`,
  nothing: 'null',
}

test.each(Object.entries(UNREADABLE))('a frame with %s is read as none, and counted', (_, text) => {
  expect(() => tickersIn(text, format)).toThrow(RangeError)
})

test('names that objects have are names like others, wherever a format looks', () => {
  for (const path of [
    '__proto__',
    'constructor',
    'constructor.name',
    'toString.length',
    '__proto__.polluted',
  ]) {
    const looking = { ...format, rows: null, symbol: path, price: path }
    for (const text of ['{}', '[]', '"x"', '{"a":{"__proto__":{"polluted":"1"}}}'])
      expect(tickersIn(text, looking), `${path} in ${text}`).toEqual([])
  }
  const own = { ...format, symbol: '__proto__.s', price: '__proto__.c' }
  expect(tickersIn('{"__proto__":{"s":"X","c":"2"}}', own)).toMatchObject([{ symbol: 'X', price: fp9('2') }])
  expect(({} as { s?: string }).s).toBeUndefined()
})

test('what cannot be read moves no price, is told, and the next price counts', {
  timeout: 60_000,
}, async () => {
  const texts = [...Object.values(UNREADABLE), ...Object.values(NOT_MEANT)]
  let say = (_text: string) => {}
  const { url, came } = await serverThat((socket, key) => {
    socket.write(switching(key))
    say = (text) => socket.write(frame(0x81, text))
    say(ticker('50000'))
    for (const text of texts) say(text)
    say(ticker('50001'))
  })
  const source = sourceAt(url)
  await expect.poll(() => source.tickers, { timeout: 50_000 }).toBe(2)
  expect(source.unreadable).toBe(Object.keys(UNREADABLE).length)
  expect(source.quoteOf(BTC)?.price).toBe(fp9('50001'))
  expect(source.lastError?.text).toMatch(/^a frame that cannot be read: not /)
  expect(came()).toBe(1)
})

test('many frames at once have a turn of the loop each', async () => {
  const count = 300
  const { url } = await serverThat((socket, key) => {
    socket.write(switching(key))
    socket.write(Buffer.concat(Array.from({ length: count }, () => frame(0x81, ticker('50000')))))
  })
  const source = sourceAt(url)
  const seen: number[] = []
  await new Promise<void>((resolve) => {
    const look = () => {
      seen.push(source.tickers)
      if (source.tickers === count) resolve()
      else setImmediate(look)
    }
    look()
  })
  const steps = seen.slice(1).map((tickers, at) => tickers - (seen[at] as number))
  expect(Math.max(...steps)).toBeLessThanOrEqual(2)
})

test('prices of something else do not keep a connection', { timeout: 60_000 }, async () => {
  const { url, came } = await serverThat((socket, key) => {
    socket.write(switching(key))
    const telling = setInterval(() => socket.write(frame(0x81, ticker('3000', 'ETHUSDT'))), 10)
    socket.on('close', () => clearInterval(telling))
  })
  const source = sourceAt(url, { silenceMs: 1_000 })
  await expect.poll(() => came(), { timeout: 50_000 }).toBeGreaterThan(1)
  expect(source.lastError?.text).toBe('no price for 1000 ms')
})

test('a time far ahead makes the source that tells it old, for two minutes at most', async () => {
  let now = 1_000_000
  let say = (_text: string) => {}
  const { url } = await serverThat((socket, key) => {
    socket.write(switching(key))
    say = (text) => socket.write(frame(0x81, text))
    say(ticker('1'))
  })
  const source = sourceAt(url, { monotonic: () => now })
  const told = async (at: number) => {
    const { tickers } = source
    if (tickers > 0) say(ticker('1', 'BTCUSDT', at))
    await expect.poll(() => source.tickers, { timeout: 20_000 }).toBeGreaterThan(tickers)
    return source.ageOf(source.quoteOf(BTC) as NonNullable<ReturnType<typeof source.quoteOf>>)
  }
  const began = Date.now()
  await told(began)
  expect(await told(began + 10 ** 12), 'itself as current as any').toBe(0)
  expect(await told(began), 'what comes after it').toBeGreaterThan(10_000)
  now += 120_000
  expect(await told(began + 120_000)).toBe(0)
  expect(await told(began + 120_000 - 10 ** 11), 'a time long past').toBeGreaterThan(10_000)
  expect(await told(began + 120_000)).toBe(0)
})

test('among others it moves no price, and operators see what it does', { timeout: 60_000 }, async () => {
  const honest =
    (price: string): Behaviour =>
    (socket, key) => {
      socket.write(switching(key))
      const telling = setInterval(() => socket.write(frame(0x81, ticker(price))), 20)
      socket.on('close', () => clearInterval(telling))
    }
  const others = await Promise.all([serverThat(honest('60000')), serverThat(honest('60010'))])
  const hostile = await serverThat((socket, key) => {
    socket.write(switching(key))
    for (const text of Object.values(UNREADABLE)) socket.write(frame(0x81, text))
    for (const price of ['99999999999999999999', '0.000000001', '1']) socket.write(frame(0x81, ticker(price)))
  })
  const sources = [...others, hostile].map(({ url }, at) => ({
    name: `source ${at}`,
    url,
    exchange: 'binance',
    symbols: [{ symbol: 'BTCUSDT', marketId: BTC }],
  }))
  const feed = { kind: 'index', sources, maxDeviation: '1%', minSources: 2, intervalMs: 5 }
  const venue = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' }, feed })
  closing.push(() => venue.venue.close())
  const { engine } = venue.venue
  await expect.poll(() => engine.read.market(BTC)?.state.indexPrice, { timeout: 40_000 }).toBe(fp9('60005'))
  const shown = async () =>
    (await venue.get('/operator/markets', { key: OPERATOR })).body.markets[0].sources[2]
  await expect.poll(async () => (await shown()).excluded, { timeout: 40_000 }).toBe('far')
  expect(await shown()).toMatchObject({
    unreadable: Object.keys(UNREADABLE).length,
    lastError: expect.stringContaining('cannot be read'),
    lastErrorAt: expect.stringMatching(/Z$/),
  })
  const { text } = await venue.get('/operator/metrics', { key: OPERATOR })
  expect(text).toContain(`margin_core_feed_source_unreadable{source="source 2",market="${BTC}"} `)
  expect(text).toContain(`margin_core_feed_source_excluded{source="source 2",market="${BTC}"} 1`)
  for await (const { command } of engine.commits({ from: 1 }))
    if (command.type === 'updatePrice')
      expect([fp9('60000'), fp9('60005'), fp9('60010')]).toContain(command.indexPrice)
  expect((await venue.get('/ready', { key: null })).status).toBe(200)
})

test('one that is alone may say any price there is, and the engine goes on', async () => {
  const { url } = await serverThat((socket, key) => {
    socket.write(switching(key))
    const telling = ['99999999999999999999.999999999', '0.000000001', '50000.5']
    const next = setInterval(() => socket.write(frame(0x81, ticker(telling.shift() ?? '50000.5'))), 50)
    socket.on('close', () => clearInterval(next))
  })
  const feed = {
    ...{ kind: 'websocket', url, exchange: 'binance', intervalMs: 5 },
    symbols: [{ symbol: 'BTCUSDT', marketId: BTC }],
  }
  const venue = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' }, feed })
  closing.push(() => venue.venue.close())
  const { engine } = venue.venue
  await expect.poll(() => engine.read.market(BTC)?.state.indexPrice, { timeout: 40_000 }).toBe(fp9('50000.5'))
  expect(engine.failure).toBe(null)
})
