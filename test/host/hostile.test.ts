// Bad input: never a 5xx, never a hang, never a body that is not documented (I16), and never a trace in the state.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectDocumented } from './documented.ts'
import { raw, request } from './raw.ts'
import {
  ALICE,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

const REQUESTS = process.env.MARGIN_CORE_NIGHTLY === '1' ? 20_000 : 3_000

let venue: VenueUnderTest
let ids: string[]
beforeAll(async () => {
  venue = await startVenue({ ...CONFIGURATION, rateLimit: null })
  const resting = await venue.post('/orders', limitOrder())
  await venue.post('/orders', marketOrder())
  await venue.post('/orders', limitOrder({ accountId: BOB.accountId }), { key: BOB.key })
  await venue.post('/orders', marketOrder({ accountId: BOB.accountId }), { key: BOB.key })
  const positions = (await venue.get(`/positions/${ALICE.accountId}/active`)).body
  const others = (await venue.get(`/positions/${BOB.accountId}/active`, { key: BOB.key })).body
  const theirs = (await venue.get(`/orders/${BOB.accountId}/active`, { key: BOB.key })).body
  ids = [
    ALICE.accountId,
    BOB.accountId,
    BTC,
    GOLD,
    resting.body.id,
    positions[0].idx,
    others[0].idx,
    theirs[0].id,
  ]
})
afterAll(() => venue.venue.close())

const FP9_EDGES = [
  '0',
  '1',
  '-1',
  '-0',
  '00',
  '01',
  '+1',
  ' 1',
  '1 ',
  '',
  '-',
  '1.0',
  '1e9',
  '0x1f',
  'NaN',
  'Infinity',
  '١',
  '1_000',
  '9'.repeat(39),
  '9'.repeat(40),
  '9'.repeat(41),
  `-${'9'.repeat(39)}`,
  `-${'9'.repeat(40)}`,
  '9'.repeat(5_000),
  '1\n',
  '\u00001',
  '1000000000',
  '5000000000',
  '50000000000000',
  '1000000000000',
] // prettier: one line per kind
const odd = fc.oneof(
  fc.constantFrom<unknown>(...FP9_EDGES),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1,
    1.5,
    Number.MAX_VALUE,
    [],
    {},
    [[]],
    { a: { b: {} } },
    '\ud800',
    '💥',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ maxLength: 40, unit: 'binary' }),
)
const id = () =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.uuid() })
const asset = fc.oneof(
  fc.constantFrom(
    'BTC',
    'XAU',
    'btc',
    'NOPE',
    'portfolio',
    'active',
    'history',
    '',
    '%',
    '%00',
    '..',
    '%2e%2e',
    '%zz',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => {
    try {
      return encodeURIComponent(text)
    } catch {
      return '%ff'
    }
  }),
)
const FIELDS = [
  ...Object.keys(marketOrder()),
  'positionId',
  'expectedAmount',
  'triggerPrice',
  'stopTriggerPrice',
  'takeTriggerPrice',
  'trailingStopActivationPrice',
  'trailingStopOffset',
  'trailingStopOffsetPercent',
  'stopLimitPrice',
  'sizeMode',
  'baseSize',
  'marginChange',
  'stray',
  '__proto__',
  'constructor',
  'toString',
  'name',
  'expiresAt',
]
const TYPES = [
  'market',
  'limit',
  'stop',
  'trailing_stop',
  'take',
  'stop_limit',
  'stop_market',
  'liquidation',
  'add_margin',
]

/** An order that is nearly right: a few fields bent. */
const bent = () =>
  fc
    .tuple(
      fc.record({
        type: fc.constantFrom(...TYPES),
        direction: fc.constantFrom('long', 'short', 'up'),
        positionId: id(),
      }),
      fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(odd, id()), { maxKeys: 3 }),
    )
    .map(([base, more]) => ({
      ...marketOrder(),
      ...base,
      ...(base.type !== 'market' && { triggerPrice: '49000000000000' }),
      ...more,
    }))

const body = () =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.constantFrom(marketOrder(), limitOrder()).map((value) => JSON.stringify(value)),
    },
    { weight: 5, arbitrary: bent().map((value) => JSON.stringify(value)) },
    {
      weight: 3,
      arbitrary: fc
        .dictionary(fc.constantFrom(...FIELDS), odd, { maxKeys: 5 })
        .map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: odd.map((value) => JSON.stringify(value) ?? 'undefined') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{"amount":"1","amount":"2"}',
        '{"a":{"b":1,"b":2}}',
        '{"__proto__":{"type":"market"}}',
        '['.repeat(16) + ']'.repeat(16),
        '['.repeat(17) + ']'.repeat(17),
        '['.repeat(60_000),
        '{"a":'.repeat(9_000),
        `{"a":"${'x'.repeat(65_528)}"}`,
        `{"a":"${'x'.repeat(65_529)}"}`,
        '\ufeff{}',
        '{} {}',
        '{"a":1e999}',
        '[1,]',
        '',
      ),
    },
  )

/** Where requests go: mostly to a route under its own method, sometimes under any, sometimes nowhere. */
const target = () =>
  fc.tuple(id(), asset).chain(([at, ticker]) => {
    const routes = [
      ...['POST /orders', 'POST /orders', 'POST /orders', `PATCH /orders/${at}`, `DELETE /orders/${at}`],
      ...[
        `GET /orders/${at}/active`,
        `GET /orders/${at}/${ticker}/active`,
        `GET /orders/${at}/${ticker}/history`,
      ],
      ...[`GET /positions/${at}/active`, `GET /positions/${at}/${ticker}/active`],
      ...[`GET /positions/${at}/${ticker}/history`, `GET /positions/${at}/portfolio/history`],
      ...[`GET /positions/${at}/history`, `PATCH /positions/${at}/margin`, `POST /positions/${at}/close-all`],
      ...[
        'GET /accounts/with-risk-status',
        `GET /accounts/${at}/risk-status`,
        `GET /v2/markets?accountId=${at}`,
      ],
      ...['POST /user/api-keys', 'GET /user/api-keys', `POST /user/api-keys/${at}/refresh`],
      ...[
        `DELETE /user/api-keys/${at}`,
        'POST /operator/commands',
        'GET /operator/commits',
        'GET /operator/health',
      ],
    ].map((route) => route.split(' ') as [string, string])
    const nowhere = [
      `/orders/${at}/`,
      '//orders',
      `/orders/${ticker}`,
      `/${ticker}`,
      '/operator',
      '/v2/markets',
    ]
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...routes) },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
          fc.constantFrom(...nowhere, ...routes.map(([, path]) => path)),
        ),
      },
    )
  })

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('limit', 'offset', 'accountId', 'from', 'x', '__proto__', 'limit[]'),
        fc.constantFrom(
          '0',
          '1',
          '100',
          '101',
          '-1',
          '1.5',
          '',
          ' ',
          '1e2',
          '007',
          '9007199254740991',
          '9007199254740992',
          '٣',
          '%00',
          'NaN',
          '9'.repeat(400),
          '5&limit=6',
          '%zz',
          '%ff',
        ),
      )
      .map(([name, value]) => `${name}=${value}`),
  },
)

const TOKENS = [ALICE.key, ALICE.key, ALICE.key, ALICE.session, BOB.key, 'mtk_unknown', '', OPERATOR]
const CONTENT_TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'application/JSON;x=y',
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  ';',
  'application/jsonx',
]

test(`${REQUESTS} hostile requests get documented answers and leave the ledger whole`, {
  timeout: 1_200_000,
}, async () => {
  const { engine } = venue.venue
  const hostile = fc.record({
    target: target(),
    query,
    token: fc.constantFrom(...TOKENS),
    contentType: fc.oneof(
      { weight: 4, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
    ),
    body: body(),
    key: fc.option(fc.constantFrom('k', 'k'.repeat(255), 'k'.repeat(256), '\u00ff', ' ')),
  })
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(hostile, async (sent) => {
      const [method, path] = sent.target
      // The operator's own token would move the clock for hours: that is not hostile input but an order.
      if (sent.token === OPERATOR && path === '/operator/commands') return
      const bytes = request(
        `${method} ${encodeURI(path).replaceAll('%25', '%')}${sent.query === '' ? '' : `?${encodeURI(sent.query).replaceAll('%25', '%')}`}`,
        {
          ...(sent.token !== '' && { authorization: `Bearer ${sent.token}` }),
          ...(sent.contentType !== '' && { 'content-type': sent.contentType }),
          ...(sent.key !== null && { 'x-idempotency-key': sent.key }),
        },
        method === 'GET' ? '' : sent.body,
      )
      const answer = await raw(venue.venue.url, bytes)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      expect(answer.status).toBeGreaterThanOrEqual(200)
      if (method !== 'HEAD') expectDocumented(answer.status, answer.body)
      expect(engine.failure).toBeNull()
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  )
  const { free, reserve, margin, house } = engine.read.ledger()
  expect(free + reserve + margin + house).toBe(0n)
  // The generator reached what it is for.
  for (const status of [200, 201, 400, 401, 403, 404, 413, 415])
    expect([...statuses.keys()]).toContain(status)
})

describe('limits at n and n + 1', () => {
  const order = (body: string) =>
    raw(
      venue.venue.url,
      request(
        'POST /orders',
        { authorization: `Bearer ${ALICE.key}`, 'content-type': 'application/json' },
        body,
      ),
    )
  const padded = (bytes: number) => {
    const bare = JSON.stringify({ ...limitOrder(), positionId: null })
    return bare.slice(0, -1) + ' '.repeat(bytes - bare.length) + bare.slice(-1)
  }

  test('64 KiB of body', async () => {
    expect((await order(padded(65_536))).status).toBe(201)
    expect((await order(padded(65_537))).status).toBe(413)
  })

  test('4 MiB of platform commands', async () => {
    const own = await startVenue()
    const headers = { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' }
    const send = (bytes: number) =>
      raw(own.venue.url, request('POST /operator/commands', headers, `[${' '.repeat(bytes - 2)}]`))
    expect((await send(4 * 1_048_576)).status).not.toBe(413)
    expect((await send(4 * 1_048_576 + 1)).status).toBe(413)
    await own.venue.close()
  })

  test('40 characters of fp9', async () => {
    const amount = (digits: number) => order(JSON.stringify(limitOrder({ amount: '9'.repeat(digits) })))
    expect(JSON.parse((await amount(40)).body).error).toBe('insufficient_balance')
    expect(JSON.parse((await amount(41)).body)).toMatchObject({
      error: 'validation_failed',
      details: ['amount'],
    })
  })

  test.each([
    ['limit=1', 200],
    ['limit=0', 400],
    ['limit=100', 200],
    ['limit=101', 400],
    ['offset=9007199254740991', 200],
    ['offset=9007199254740992', 400],
  ])('%s is %d', async (query, status) => {
    expect((await venue.get(`/positions/${ALICE.accountId}/portfolio/history?${query}`)).status).toBe(status)
  })

  test.each([
    ['trailingStopOffsetPercent', '999999999', 201],
    ['trailingStopOffsetPercent', '1000000000', 400],
  ])('%s %s is %d', async (field, value, status) => {
    await venue.post('/orders', marketOrder({ accountId: BOB.accountId }), { key: BOB.key })
    const [position] = (await venue.get(`/positions/${BOB.accountId}/active`, { key: BOB.key })).body
    const stop = {
      ...marketOrder({ type: 'trailing_stop', accountId: BOB.accountId, positionId: position.idx }),
      [field]: value,
    }
    expect((await venue.post('/orders', stop, { key: BOB.key })).status).toBe(status)
  })
})

describe('bytes that are hardly HTTP', () => {
  const auth = { authorization: `Bearer ${ALICE.key}` }
  const json = { ...auth, 'content-type': 'application/json' }
  const chunked = (chunks: string, more = '') =>
    `POST /orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${ALICE.key}\r\n` +
    `content-type: application/json\r\ntransfer-encoding: chunked\r\n${more}\r\n${chunks}`

  test.each<[string, string | Buffer, number]>([
    ['noise', 'GARBAGE\r\n\r\n', 400],
    ['a TLS hello', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 400],
    ['an unknown method', request('FOO /orders', auth), 400],
    ['headers beyond 16 KiB', request('GET /', { x: 'a'.repeat(20_000) }), 431],
    ['a path beyond 16 KiB', request(`GET /${'a'.repeat(20_000)}`, auth), 431],
    ['a long id', request(`GET /orders/${'a'.repeat(9_000)}/active`, auth), 400],
    ['a malformed escape', request('GET /orders/%zz/active', auth), 400],
    ['a malformed escape without a key', request('GET /orders/%zz/active', {}), 401],
    ['an expectation', request('POST /orders', { ...json, expect: 'tea' }, '{}'), 417],
    ['a tunnel', request('CONNECT a:1', auth), 400],
    ['OPTIONS *', request('OPTIONS *', auth), 403],
    ['a bad chunk', chunked('zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['two lengths', chunked('2\r\n{}\r\n0\r\n\r\n', 'content-length: 2\r\n'), 400],
    ['a negative length', 'POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: -2\r\n\r\n', 400],
    ['a body cut short', request('POST /orders', { ...json, 'content-length': '99' }, '{}'), 400],
    ['a large body without a key', request('POST /orders', {}, 'x'.repeat(700_000)), 401],
    [
      'bytes that are not UTF-8',
      request('POST /orders', json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
      400,
    ],
    [
      'UTF-16',
      request('POST /orders', { ...json, 'content-type': 'application/json; charset=utf-16' }, '{}'),
      415,
    ],
    [
      'compression',
      request('POST /orders', { ...json, 'content-encoding': 'gzip' }, Buffer.from([0x1f, 0x8b])),
      400,
    ],
  ])('%s', async (_name, bytes, status) => {
    const answer = await raw(venue.venue.url, bytes)
    expect(answer.status).toBe(status)
    expectDocumented(answer.status, answer.body)
    expect(answer.head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  })
})

test('a body that is no JSON by what is said of it is refused with what to send instead', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await venue.post('/orders', '{}', { headers })
  expect([status, body.error, body.details]).toEqual([415, 'validation_failed', ['body']])
  expect(body.message).toContain('send Content-Type: application/json')
})
