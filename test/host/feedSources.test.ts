// Prices from ticker streams: frames as exchanges send them, from a server on this machine that behaves as exchanges do, and worse.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SourceConfiguration } from '../../src/host/configuration.ts'
import { EXCHANGES, type ExchangeName } from '../../src/host/feed/exchanges.ts'
import { indexPrice, type Quote } from '../../src/host/feed/indexPrice.ts'
import { subscriptions, tickersIn } from '../../src/host/feed/ticker.ts'
import { pauseAfter, type Surroundings, TickerSource } from '../../src/host/feed/tickerSource.ts'
import { fp9 } from '../../src/quantity/decimal.ts'
import { ONE } from '../../src/quantity/fp9.ts'
import { BTC, CONFIGURATION, GOLD, OPERATOR, startVenue } from './venue.ts'

/** As each exchange sends them: what is no ticker, a ticker of BTC, and what that says. */
const RECORDED: {
  readonly [Name in ExchangeName]: {
    readonly symbol: string
    readonly asked: string
    readonly others: readonly string[]
    readonly ticker: string
    readonly price: string
    readonly at: string
  }
} = {
  binance: {
    symbol: 'BTCUSDT',
    asked: '{"method":"SUBSCRIBE","params":["btcusdt@miniTicker"],"id":1}',
    others: ['{"result":null,"id":1}', '{"error":{"code":2,"msg":"Invalid request"},"id":1}'],
    ticker:
      '{"e":"24hrMiniTicker","E":1732093591811,"s":"BTCUSDT","c":"93166.61000000","o":"91860.20000000","h":"93888.00000000","l":"90986.90000000","v":"13078.22438","q":"1207371025.18159211"}',
    price: '93166.61',
    at: '2024-11-20T09:06:31.811Z',
  },
  coinbase: {
    symbol: 'BTC-USD',
    asked: '{"type":"subscribe","channels":["ticker"],"product_ids":["BTC-USD"]}',
    others: [
      '{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD"],"account_ids":null}]}',
      '{"type":"error","message":"Failed to subscribe","reason":"XXX-USD is not a valid product"}',
    ],
    ticker:
      '{"type":"ticker","sequence":3262786978,"product_id":"BTC-USD","price":"4388.01","open_24h":"4000","volume_24h":"1","low_24h":"1","high_24h":"5000","volume_30d":"2","best_bid":"4388","best_bid_size":"1","best_ask":"4388.01","best_ask_size":"1","side":"buy","time":"2017-09-02T17:05:49.250000Z","trade_id":20153558,"last_size":"0.03"}',
    price: '4388.01',
    at: '2017-09-02T17:05:49.250Z',
  },
  kraken: {
    symbol: 'BTC/USD',
    asked: '{"method":"subscribe","params":{"channel":"ticker","symbol":["BTC/USD"]}}',
    others: [
      '{"channel":"status","type":"update","data":[{"version":"2.0.0","system":"online","api_version":"v2","connection_id":13834774380200032777}]}',
      '{"method":"subscribe","result":{"channel":"ticker","snapshot":true,"symbol":"BTC/USD"},"success":true,"time_in":"2023-09-25T09:04:31.742599Z","time_out":"2023-09-25T09:04:31.742648Z"}',
      '{"channel":"heartbeat"}',
      '{"method":"pong","req_id":1,"time_in":"2023-09-24T14:10:23.799685Z","time_out":"2023-09-24T14:10:23.799703Z"}',
    ],
    ticker:
      '{"channel":"ticker","type":"update","data":[{"symbol":"BTC/USD","bid":26556.6,"bid_qty":1.0,"ask":26556.7,"ask_qty":0.5,"last":26556.123456789,"volume":1e-05,"vwap":26500.1,"low":26400.0,"high":26600.9,"change":-12.3,"change_pct":-0.05,"timestamp":"2023-09-25T09:04:31.742648Z"}]}',
    price: '26556.123456789',
    at: '2023-09-25T09:04:31.742Z',
  },
  bybit: {
    symbol: 'BTCUSDT',
    asked: '{"op":"subscribe","args":["tickers.BTCUSDT"]}',
    others: [
      '{"success":true,"ret_msg":"subscribe","conn_id":"2324d924-aa4d-45b0-a858-7b8be29ab52b","op":"subscribe"}',
      '{"success":true,"ret_msg":"pong","conn_id":"2324d924-aa4d-45b0-a858-7b8be29ab52b","op":"ping"}',
      '{"topic":"tickers.BTCUSDT","ts":1673853746003,"type":"delta","cs":1,"data":{"symbol":"BTCUSDT","turnover24h":"1"}}',
    ],
    ticker:
      '{"topic":"tickers.BTCUSDT","ts":1673853746003,"type":"snapshot","cs":2588407389,"data":{"symbol":"BTCUSDT","lastPrice":"21109.77","highPrice24h":"21426.99","lowPrice24h":"20575","prevPrice24h":"20704.93","volume24h":"6780.866843","turnover24h":"141946527.22907118","price24hPcnt":"0.0196","usdIndexPrice":"21120.2400136"}}',
    price: '21109.77',
    at: '2023-01-16T07:22:26.003Z',
  },
  okx: {
    symbol: 'BTC-USDT',
    asked: '{"op":"subscribe","args":[{"channel":"tickers","instId":"BTC-USDT"}]}',
    others: [
      '{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"},"connId":"a4d3ae55"}',
      '{"event":"error","code":"60012","msg":"Invalid request","connId":"a4d3ae55"}',
      'pong',
    ],
    ticker:
      '{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instType":"SPOT","instId":"BTC-USDT","last":"9999.99","lastSz":"0.1","askPx":"9999.99","askSz":"11","bidPx":"8888.88","bidSz":"5","open24h":"9000","high24h":"10000","low24h":"8888.88","volCcy24h":"2222","vol24h":"2222","sodUtc0":"2222","sodUtc8":"2222","ts":"1597026383085"}]}',
    price: '9999.99',
    at: '2020-08-10T02:26:23.085Z',
  },
}

test.each(Object.entries(RECORDED))('%s: what is asked for, and what is read', (name, recorded) => {
  const { format } = EXCHANGES[name as ExchangeName]
  const { symbol, asked, others, ticker, price, at } = recorded
  expect(subscriptions(format, [symbol])).toEqual([asked])
  expect(tickersIn(ticker, format)).toEqual([{ symbol, price: fp9(price), at: Date.parse(at) }])
  for (const other of others) expect(tickersIn(other, format)).toEqual([])
  for (const count of [0, 1, 9, 10, 11, 20, 21, 25]) {
    const symbols = Array.from({ length: count }, (_, number) => `S${number}.`)
    const many = subscriptions(format, symbols)
    expect(many, 'ten at a time').toHaveLength(Math.ceil(count / 10))
    for (const message of many) expect(() => JSON.parse(message)).not.toThrow()
    for (const [at, one] of symbols.entries())
      expect(many[Math.floor(at / 10)]?.toLowerCase()).toContain(one.toLowerCase())
  }
})

test('a price is what was written, to the last digit, as text and as a number', () => {
  const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`))
  const { format } = EXCHANGES.kraken
  fc.assert(
    fc.property(fc.nat({ max: 999_999_999 }), digits(9), fc.boolean(), (whole, decimals, asText) => {
      const text = `${whole}.${decimals}`
      fc.pre(/[1-9]/.test(text))
      const frame = `{"data":[{"symbol":"X","note":"\\"1.5\\" 1e9","last":${asText ? `"${text}"` : text}}]}`
      const wanted = BigInt(whole) * ONE + BigInt(decimals.padEnd(9, '0'))
      expect(tickersIn(frame, format)).toEqual([{ symbol: 'X', price: wanted, at: null }])
    }),
  )
})

test.each([
  '{"last":',
  'hello',
  '{"data":[{"symbol":"X","last":0}]}',
  '{"data":[{"symbol":"X","last":"-1"}]}',
  '{"data":[{"symbol":"X","last":"1e5"}]}',
  '{"data":[{"symbol":"X","last":1e5}]}',
  '{"data":[{"symbol":"X","last":"NaN"}]}',
  '{"data":[{"symbol":"X","last":null}]}',
  '{"data":[{"symbol":"X","last":"5%"}]}',
  '{"data":[{"symbol":"X","last":"1.0000000001"}]}',
  '{"data":[{"symbol":"X","last":"1","timestamp":"yesterday"}]}',
  '{"data":[{"symbol":"X","last":"1","timestamp":17}]}',
])('%s is no ticker, and is said to be none', (frame) => {
  expect(() => tickersIn(frame, EXCHANGES.kraken.format)).toThrow(RangeError)
})

test('whatever comes is read or refused', () => {
  const formats = Object.values(EXCHANGES).map(({ format }) => format)
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.constantFrom(...formats), (text, format) => {
      try {
        for (const { price } of tickersIn(text, format)) expect(price).toBeGreaterThan(0n)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})

/** The same, as one would say it: sort, take the middle, leave out, again. */
function plainly(quotes: readonly Quote[], maxDeviation: bigint, minSources: number): bigint | null {
  const middle = (prices: bigint[]) => {
    const sorted = [...prices].sort((a, b) => Number(a - b))
    const half = sorted.length / 2
    return sorted.length % 2 === 1
      ? (sorted[Math.floor(half)] as bigint)
      : ((sorted[half - 1] as bigint) + (sorted[half] as bigint)) / 2n
  }
  const fresh = quotes.filter(({ price, ageMs, maxAgeMs }) => price !== null && ageMs <= maxAgeMs)
  const prices = fresh.map(({ price }) => price as bigint)
  if (prices.length === 0) return null
  const first = middle(prices)
  const near = prices.filter((price) => {
    const away = price - first
    return (away < 0n ? -away : away) * ONE <= maxDeviation * first
  })
  return near.length < minSources ? null : middle(near)
}

test('an index price is the median of those near the median of what is current', () => {
  const quote = fc.record({
    price: fc.option(fc.bigInt({ min: 95n, max: 105n }), { freq: 6 }),
    ageMs: fc.integer({ min: 0, max: 12 }),
    maxAgeMs: fc.constant(10),
  })
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(
      fc.array(quote, { maxLength: 7 }),
      fc.bigInt({ min: 0n, max: ONE / 20n }),
      fc.integer({ min: 1, max: 4 }),
      (quotes, maxDeviation, minSources) => {
        const { price, excluded } = indexPrice(quotes, { maxDeviation, minSources })
        expect(price).toBe(plainly(quotes, maxDeviation, minSources))
        for (const why of [...excluded, price === null ? 'none' : 'priced'])
          reached.set(String(why), (reached.get(String(why)) ?? 0) + 1)
      },
    ),
  )
  for (const why of ['silent', 'old', 'far', 'null', 'none', 'priced'])
    expect(reached.get(why) ?? 0, why).toBeGreaterThan(5)
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An exchange on this machine. */
class Exchange {
  readonly #server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  readonly connections: WebSocket[] = []
  readonly asked: string[] = []
  /** The extensions that each connection offered. */
  readonly offered: (string | undefined)[] = []
  #onAsked = () => {}

  static async open(): Promise<Exchange> {
    const exchange = new Exchange()
    await once(exchange.#server, 'listening')
    return exchange
  }

  private constructor() {
    this.#server.on('connection', (socket, { headers }) => {
      this.connections.push(socket)
      this.offered.push(headers['sec-websocket-extensions'])
      socket.on('error', () => {})
      socket.on('message', (text) => {
        this.asked.push(String(text))
        this.#onAsked()
      })
    })
    closing.push(() => {
      for (const socket of this.#server.clients) socket.terminate()
      return new Promise((resolve) => this.#server.close(resolve))
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Once it has been asked so often. */
  async askedFor(count: number): Promise<void> {
    while (this.asked.length < count)
      await new Promise<void>((resolve) => {
        this.#onAsked = resolve
      })
  }

  say(text: string): void {
    this.connections.at(-1)?.send(text)
  }

  tell(price: string, at = Date.now(), symbol = 'BTCUSDT'): void {
    this.say(`{"e":"24hrMiniTicker","E":${at},"s":"${symbol}","c":"${price}"}`)
  }
}

/** A clock that stands until it is moved. */
class Time {
  now = 1_000_000
  readonly wall = () => 1_767_571_800_000 + this.now
  readonly around: Surroundings = {
    monotonic: () => this.now,
    wall: this.wall,
    random: () => 0,
    pauses: [2, 8],
    handshakeMs: 10_000,
  }
}

async function sourceOf(more: Partial<SourceConfiguration> = {}) {
  const exchange = await Exchange.open()
  const time = new Time()
  const { format } = EXCHANGES.binance
  const symbols = [{ symbol: 'btcUSDT', marketId: BTC }]
  const source = new TickerSource(
    { name: 'x', url: exchange.url, format, symbols, maxAgeMs: 10_000, silenceMs: 60_000, ...more },
    time.around,
  )
  closing.push(() => source.stop())
  await exchange.askedFor(1)
  const heard = (count: number) => expect.poll(() => source.tickers, { timeout: 10_000 }).toBe(count)
  return { exchange, time, source, heard }
}

test('what an exchange sends is never packed, so that its length bounds what it takes to read', async () => {
  const { exchange } = await sourceOf()
  expect(exchange.offered).toEqual([undefined])
})

test('a source that is stopped leaves its exchange', async () => {
  const { exchange, source, heard } = await sourceOf()
  exchange.tell('50000')
  await heard(1)
  const left = once(exchange.connections[0] as WebSocket, 'close')
  source.stop()
  await left
  expect(exchange.connections).toHaveLength(1)
})

test('a source that is lost is connected and asked again', { timeout: 15_000 }, async () => {
  const { exchange, source, heard } = await sourceOf()
  exchange.tell('50000.5')
  await heard(1)
  for (let round = 2; round < 5; round++) {
    exchange.connections.at(-1)?.terminate()
    await exchange.askedFor(round)
    exchange.tell(`5000${round}`)
    await heard(round)
  }
  expect(new Set(exchange.asked)).toEqual(new Set([RECORDED.binance.asked]))
  expect(source).toMatchObject({ reconnections: 3, isConnected: true, unreadable: 0 })
  expect(source.quoteOf(BTC)?.price).toBe(fp9('50004'))
})

test('a source that says nothing is connected again, heartbeats notwithstanding', {
  timeout: 15_000,
}, async () => {
  const { exchange, source } = await sourceOf({ silenceMs: 400 })
  const beating = setInterval(() => exchange.say('{"result":null,"id":1}'), 5)
  await exchange.askedFor(3)
  clearInterval(beating)
  expect(source.reconnections).toBeGreaterThanOrEqual(2)
})

test('the pauses before it is connected again grow, each spread over its half', async () => {
  const drawn: number[] = []
  const around = {
    monotonic: () => 0,
    wall: Date.now,
    random: () => drawn.push(0) && 0,
    pauses: [80, 1_000] as const,
    handshakeMs: 10_000,
  }
  expect([0, 1, 2, 3, 9].map((failures) => pauseAfter(failures, { ...around, random: () => 0 }))).toEqual([
    40, 80, 160, 320, 500,
  ])
  expect(pauseAfter(2, { ...around, random: () => 0.5 })).toBe(240)
  const began = performance.now()
  const exchange = await Exchange.open()
  const { format } = EXCHANGES.binance
  const symbols = [{ symbol: 'BTCUSDT', marketId: BTC }]
  const terms = { name: 'x', url: exchange.url, format, symbols, maxAgeMs: 1, silenceMs: 60_000 }
  const source = new TickerSource(terms, around)
  closing.push(() => source.stop())
  for (let round = 1; round < 5; round++) {
    await exchange.askedFor(round)
    exchange.connections.at(-1)?.terminate()
  }
  await exchange.askedFor(5)
  expect(drawn).toHaveLength(4)
  // 40 + 80 + 160 + 320, where pauses that stay as they are come to 160; a timer may be a millisecond early.
  expect(performance.now() - began).toBeGreaterThan(590)
})

test('a price makes the next pause the first again', { timeout: 15_000 }, async () => {
  const exchange = await Exchange.open()
  const { format } = EXCHANGES.binance
  const symbols = [{ symbol: 'BTCUSDT', marketId: BTC }]
  const terms = { name: 'x', url: exchange.url, format, symbols, maxAgeMs: 1, silenceMs: 60_000 }
  // Twenty pauses that double, from a millisecond, are minutes.
  const source = new TickerSource(terms, {
    monotonic: () => 0,
    wall: Date.now,
    random: () => 0,
    pauses: [1, 1e9],
    handshakeMs: 10_000,
  })
  closing.push(() => source.stop())
  for (let round = 1; round <= 20; round++) {
    await exchange.askedFor(round)
    exchange.tell('1')
    await expect.poll(() => source.tickers, { interval: 1, timeout: 10_000 }).toBe(round)
    exchange.connections.at(-1)?.terminate()
  }
  expect(source.reconnections).toBeGreaterThanOrEqual(19)
})

test('garbage is counted and harms nothing', async () => {
  const { exchange, source, heard } = await sourceOf()
  const garbage = [
    '',
    '{',
    'null',
    '[]',
    '{"s":"BTCUSDT","c":"0"}',
    '{"s":"BTCUSDT","c":"1","E":"x"}',
    '\u0000',
  ]
  for (const text of garbage) exchange.say(text)
  exchange.say('{"s":"ETHUSDT","c":"3000"}')
  exchange.say('{"s":"BTCUSDT","c":"77"}')
  await heard(1)
  expect(source.unreadable).toBe(5)
  expect(source.quoteOf(BTC)?.price).toBe(fp9('77'))
  exchange.connections.at(-1)?.send('x'.repeat(2_000_000))
  await exchange.askedFor(2)
})

test('a ticker that another has overtaken moves nothing; of two of one millisecond the last counts', async () => {
  const { exchange, time, source, heard } = await sourceOf()
  const began = time.wall()
  const told: [price: string, at: number, held: string][] = [
    ['1', 0, '1'],
    ['2', 400, '2'],
    ['3', 100, '2'],
    ['4', 400, '4'],
    ['5', 399, '4'],
    ['6', 401, '6'],
    ['7', 401 - 10_001, '7'],
  ]
  for (const [index, [price, at, held]] of told.entries()) {
    time.now += 500.25
    exchange.tell(price, began + at)
    await heard(index + 1)
    expect(source.quoteOf(BTC)?.price, `${price} of ${at}`).toBe(fp9(held))
  }
})

/** What each exchange says to a symbol that it does not know, as documented. */
const OBJECTIONS: Readonly<Record<ExchangeName, string>> = {
  binance: '{"error":{"code":2,"msg":"Invalid request: unknown stream"},"id":1}',
  coinbase: '{"type":"error","message":"Failed to subscribe","reason":"XXX-USD is not a valid product"}',
  kraken:
    '{"error":"Currency pair not supported XXX/USD","method":"subscribe","success":false,"symbol":"XXX/USD"}',
  bybit: '{"success":false,"ret_msg":"error:handler not found,topic:tickers.XXXUSDT","op":"subscribe"}',
  okx: '{"event":"error","code":"60018","msg":"Wrong URL or channel:tickers,instId:XXX-USDT doesn\'t exist."}',
}

test.each(Object.entries(OBJECTIONS))('what %s objects to is told in its words', async (name, objection) => {
  const { format } = EXCHANGES[name as ExchangeName]
  const { symbol, others, ticker } = RECORDED[name as ExchangeName]
  const { exchange, source, heard } = await sourceOf({ format, symbols: [{ symbol, marketId: BTC }] })
  for (const other of others) if (!/error|"msg"/.test(other)) exchange.say(other)
  exchange.say(ticker)
  await heard(1)
  expect(source.lastError, 'nothing is wrong yet').toBe(null)
  const long = (control: string) => objection.replace('{', `{"x":"${control}31m${'y'.repeat(90)}",`)
  exchange.say(long('\u009b'))
  exchange.say(ticker)
  await heard(2)
  expect(source.lastError?.text).toBe(`it says ${long(' ').slice(0, 200)}`)
})

test('how a source left is told, with its reason', { timeout: 15_000 }, async () => {
  const { exchange, source } = await sourceOf()
  const leave = [
    (socket: WebSocket) => socket.close(1008, 'too many requests'),
    (socket: WebSocket) => socket.close(),
    (socket: WebSocket) => socket.terminate(),
  ]
  const told: (string | undefined)[] = []
  for (const [at, how] of leave.entries()) {
    how(exchange.connections.at(-1) as WebSocket)
    await exchange.askedFor(at + 2)
    told.push(source.lastError?.text)
  }
  expect(told).toEqual([
    'it left, with 1008: too many requests',
    'it left without a reason',
    'the connection was lost',
  ])
})

test('an exchange whose clock is off is as current as any; what was under way for long is old', async () => {
  for (const off of [-3_600_000, 0, 3_600_000]) {
    const { exchange, time, source, heard } = await sourceOf()
    const age = () => source.ageOf(source.quoteOf(BTC) as NonNullable<ReturnType<typeof source.quoteOf>>)
    expect(source.clockAhead).toBe(null)
    const began = time.wall() + off
    exchange.tell('1', began)
    await heard(1)
    expect(age()).toBe(0)
    time.now += 700
    expect(age()).toBe(700)
    exchange.tell('2', began + 500)
    await heard(2)
    expect(age()).toBe(200)
    expect(source.clockAhead).toBe(off)
    // The same delay for longer than a minute is taken for the clock again.
    for (const step of [60_000, 60_000, 60_000]) {
      time.now += step
      exchange.tell('3', began + time.now - 1_000_000 - 200)
      await heard(source.tickers + 1)
    }
    expect(age()).toBe(0)
    expect(source.clockAhead).toBe(off - 200)
    expect(source.perMinute).toBe(1)
  }
  const { exchange, source, heard } = await sourceOf()
  exchange.say('{"s":"BTCUSDT","c":"77"}')
  await heard(1)
  expect(source.clockAhead, 'it tells no times').toBe(null)
})

const live = { ...CONFIGURATION, clock: { mode: 'system' } }
const own = (exchange: Exchange, name: string, more: object = {}) => ({
  name,
  url: exchange.url,
  exchange: 'binance',
  symbols: [{ symbol: 'BTCUSDT', marketId: BTC.toUpperCase() }],
  ...more,
})

test('an index: its median is the price, whoever is far from it is left out, and with too few there is none', async () => {
  const exchanges = await Promise.all([Exchange.open(), Exchange.open(), Exchange.open()])
  const sources = exchanges.map((exchange, at) => own(exchange, `exchange ${at}`, { maxAgeMs: 600_000 }))
  const feed = { kind: 'index', sources, maxDeviation: '1%', minSources: 2, intervalMs: 5 }
  const venue = await startVenue({ ...live, feed })
  closing.push(() => venue.venue.close())
  await Promise.all(exchanges.map((exchange) => exchange.askedFor(1)))
  const [a, b, c] = exchanges as [Exchange, Exchange, Exchange]
  const { read } = venue.venue.engine
  const price = () => read.market(BTC)?.state.indexPrice
  a.tell('60000')
  const shown = async () => (await venue.get('/operator/markets', { key: OPERATOR })).body.markets
  await expect.poll(async () => (await shown())[0].sources[0].price).toBe('60000000000000')
  expect(price(), 'one of two is not enough').toBe(fp9('50000'))
  b.tell('60100.5')
  await expect.poll(price).toBe(fp9('60050.25'))
  c.tell('66000')
  await expect.poll(async () => (await shown())[0].sources[2].excluded).toBe('far')
  await expect.poll(price).toBe(fp9('60050.25'))
  c.tell('60100')
  await expect.poll(price).toBe(fp9('60100'))
  const [btc, gold] = await shown()
  expect(btc).toMatchObject({
    priceSource: 'index',
    sources: [{ name: 'exchange 0', isConnected: true }, {}, {}],
  })
  expect(gold).toMatchObject({ priceSource: 'operator', sources: [] })
  const metrics = (await venue.get('/operator/metrics', { key: OPERATOR })).text
  expect(metrics).toContain(`margin_core_feed_source_connected{source="exchange 0",market="${BTC}"} 1\n`)
  expect(metrics).toContain(`margin_core_feed_source_excluded{source="exchange 2",market="${BTC}"} 0`)
  expect(metrics).toMatch(
    /margin_core_feed_source_clock_ahead_seconds\{source="exchange 1",market="[^"]+"\} -?\d/,
  )
  expect(metrics).toMatch(/margin_core_feed_source_prices_per_minute\{source="exchange 2",market="[^"]+"\} 2/)
  expect(metrics).toMatch(/margin_core_feed_source_age_seconds\{source="exchange 1",market="[^"]+"\} \d/)
  // Nobody says anything anew: nothing is told anew.
  const { head } = venue.venue.engine
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(venue.venue.engine.head).toBe(head)
})

test('a stream of one exchange moves its markets', async () => {
  const exchange = await Exchange.open()
  const symbols = [
    { symbol: 'BTCUSDT', marketId: BTC },
    { symbol: 'XAUUSDT', marketId: GOLD },
  ]
  const feed = { kind: 'websocket', ...own(exchange, 'mine', { symbols }), intervalMs: 5 }
  const venue = await startVenue({ ...live, feed })
  closing.push(() => venue.venue.close())
  await exchange.askedFor(1)
  exchange.tell('61234.567891234')
  exchange.tell('2345.6', Date.now(), 'XAUUSDT')
  const prices = () => venue.venue.engine.read.markets().map(({ state }) => state.indexPrice)
  await expect.poll(prices).toEqual([fp9('61234.567891234'), fp9('2345.6')])
})

test('an own format, as it is configured', async () => {
  const exchange = await Exchange.open()
  const format = {
    subscribe: 'please {arguments}',
    argument: '<{symbol}>',
    rows: 'all.of',
    symbol: 'what.0',
    price: 'what.1',
    ping: 'still there?',
    pingMs: 5,
  }
  const symbols = [{ symbol: 'B', marketId: BTC }]
  const feed = { kind: 'websocket', url: exchange.url, format, symbols, intervalMs: 5 }
  const venue = await startVenue({ ...live, feed })
  closing.push(() => venue.venue.close())
  await exchange.askedFor(2)
  expect(exchange.asked.slice(0, 2)).toEqual(['please <B>', 'still there?'])
  exchange.say('{"all":{"of":[{"what":["A",1]},{"what":["B",123.45]}]}}')
  await expect.poll(() => venue.venue.engine.read.market(BTC)?.state.indexPrice).toBe(fp9('123.45'))
})

const NO_MARKET = 'b0000000-0000-4000-8000-0000000000ff'
const NOWHERE = { exchange: 'okx', symbols: [{ symbol: 'BTC-USDT', marketId: BTC }] }
test.each<[string, object, string]>([
  ['of no exchange', { ...NOWHERE, exchange: undefined }, 'feed.exchange: name one, or give a format'],
  ['of an unknown one', { ...NOWHERE, exchange: 'mtgox' }, 'feed.exchange'],
  ['that is not an address', { ...NOWHERE, url: 'https://example.com' }, 'feed.url'],
  ['about nothing', { ...NOWHERE, symbols: [] }, 'feed.symbols: there is none'],
  [
    'twice about the same',
    { ...NOWHERE, symbols: [...NOWHERE.symbols, ...NOWHERE.symbols] },
    'feed.symbols[1]',
  ],
  [
    'of a market that is none',
    { ...NOWHERE, symbols: [{ symbol: 'X', marketId: NO_MARKET }] },
    'there is no market',
  ],
  ['with too few sources', { kind: 'index', sources: [NOWHERE], minSources: 2 }, 'feed.minSources: is 2'],
  ['with two of one name', { kind: 'index', sources: [NOWHERE, NOWHERE] }, 'feed.sources[1].name'],
])('a feed %s does not start', async (_, feed, fault) => {
  await expect(startVenue({ ...live, feed: { kind: 'websocket', ...feed } })).rejects.toThrow(fault)
})
