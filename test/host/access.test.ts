// K1: who may use a route is declared with it and read off the route that matched. Every route, with every kind of
// credential, in every spelling of its path, on every way of mounting the plugin.

import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type OperatorRole, requireDeclaredAccess } from '../../src/host/access.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import { createServer, type MarginTradingApiOptions, marginTradingApi } from '../../src/host/index.ts'
import { COMMAND_ROLES } from '../../src/host/platformCommand.ts'
import { hashOf } from '../../src/host/secret.ts'
import { openVenue } from '../../src/host/venue.ts'
import { IS_BRIEF } from '../atLength.ts'
import { type RawAnswer, rawSequence, request } from './raw.ts'
import { isStream, type ListedRoute, routeTable } from './routeTable.ts'
import { ALICE, BOB, BTC, CONFIGURATION, limitOrder, OPERATOR, startVenue } from './venue.ts'

const ROLES = ['read', 'desk', 'admin'] as const
/** What each may do (K10). */
const MAY: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
  read: ['read'],
  desk: ['read', 'desk'],
  admin: ['read', 'desk', 'admin'],
}
const REVOKED = { keyId: 'c0000000-0000-4000-8000-000000000001', secret: 'mtk_revoked' }
const DISPOSABLE = 'c0000000-0000-4000-8000-000000000002'

const configuration = {
  ...CONFIGURATION,
  operatorTokens: ROLES.map((role) => ({ name: `the ${role}`, token: `token-${role}`, role })),
  users: [
    {
      id: ALICE.userId,
      sessionToken: ALICE.session,
      apiKeys: [{ key: ALICE.key }, { key: 'mtk_expired', expiresAt: '2026-01-05T00:00:00.000Z' }],
    },
    { id: BOB.userId, sessionToken: BOB.session, apiKeys: [{ key: BOB.key }] },
  ],
}

/** What somebody may come with: what it says, and what it is. */
const CREDENTIALS: Record<string, { readonly header: string | null; readonly is: string }> = {
  none: { header: null, is: 'nobody' },
  'an empty header': { header: '', is: 'nobody' },
  'an empty bearer': { header: 'Bearer ', is: 'nobody' },
  'another scheme': { header: `Basic ${OPERATOR}`, is: 'nobody' },
  'two tokens': { header: `Bearer ${ALICE.key} ${OPERATOR}`, is: 'nobody' },
  'a wrong operator token': { header: `Bearer ${OPERATOR}x`, is: 'nobody' },
  'an expired key': { header: 'Bearer mtk_expired', is: 'nobody' },
  'a revoked key': { header: `Bearer ${REVOKED.secret}`, is: 'nobody' },
  'a key': { header: `bearer ${ALICE.key}`, is: 'key' },
  "another user's key": { header: `Bearer ${BOB.key}`, is: 'key' },
  'a session': { header: `Bearer ${ALICE.session}`, is: 'session' },
  'the operator token': { header: `Bearer ${OPERATOR}`, is: 'admin' },
  ...Object.fromEntries(ROLES.map((role) => [role, { header: `Bearer token-${role}`, is: role }])),
}

type Verdict = 'admitted' | 'nobody' | 'not for this'

/** From the declaration alone: what a credential gets on a route; `undefined` access = no such route. */
function expected(route: Pick<ListedRoute, 'access' | 'role'>, is: string): Verdict {
  const role = ROLES.find((one) => one === is)
  switch (route.access) {
    case 'public':
      return 'admitted'
    case 'nobody':
      return 'nobody'
    case 'operator':
      if (role === undefined) return 'nobody'
      return MAY[role].includes(route.role ?? 'admin') ? 'admitted' : 'not for this'
    case 'trader':
      return is === 'key' || is === 'session' ? 'admitted' : 'nobody'
    case 'session':
      return is === 'session' ? 'admitted' : is === 'key' ? 'not for this' : 'nobody'
    default:
      return is === 'key' ? 'not for this' : 'nobody'
  }
}

interface Spelling {
  readonly spell: (path: string) => string
  /** The same path by RFC 3986 and 9112: whoever may use the route may use it like this. */
  readonly same?: boolean
  readonly method?: string
  readonly headers?: Record<string, string>
}

const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
const asIs = (path: string) => path
const SPELLINGS: Record<string, Spelling> = {
  'as documented': { spell: asIs, same: true },
  'its first letter encoded': { spell: (path) => path.replace(/[a-z]/, encoded), same: true },
  'its second letter encoded, upper case': {
    spell: (path) => path.replace(/(?<=[a-z])[a-z]/, (letter) => encoded(letter).toUpperCase()),
    same: true,
  },
  'every letter encoded': { spell: (path) => path.replace(/[a-z]/g, encoded), same: true },
  'encoded twice': { spell: (path) => path.replace(/[a-z]/, (letter) => `%25${encoded(letter).slice(1)}`) },
  'a slash encoded': { spell: (path) => path.replace(/(?<=.)\//, '%2f') },
  'the first slash encoded': { spell: (path) => `/%2f${path.slice(1)}` },
  'a letter in full width': {
    spell: (path) =>
      path.replace(/[a-z]/, (c) => encodeURIComponent(String.fromCharCode(c.charCodeAt(0) + 0xfee0))),
  },
  'an absolute target': { spell: (path) => `http://venue${path}`, same: true },
  'an absolute target elsewhere': { spell: (path) => `https://user@elsewhere:1${path}`, same: true },
  'two slashes before': { spell: (path) => `/${path}` },
  'two slashes within': { spell: (path) => path.replace(/(?<=.)\//, '//') },
  'a slash after': { spell: (path) => `${path}/` },
  'a dot before': { spell: (path) => `/.${path}` },
  'a way back before': { spell: (path) => `/docs/..${path}` },
  'a way out of the operator surface': { spell: (path) => `/operator/..${path}` },
  'an encoded way back': { spell: (path) => `/docs/%2e%2e${path}` },
  'a dot after': { spell: (path) => `${path}/.` },
  'in capitals': { spell: (path) => path.toUpperCase() },
  'one capital': { spell: (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()) },
  'a parameter after a semicolon': { spell: (path) => `${path};a=b` },
  'a semicolon within': { spell: (path) => path.replace(/(?<=.)\//, ';/') },
  'an empty query': { spell: (path) => `${path}?`, same: true },
  'a query that looks like a path': { spell: (path) => `${path}?/operator/commands`, same: true },
  'a fragment': { spell: (path) => `${path}#/docs` },
  'a zero byte after': { spell: (path) => `${path}%00` },
  'a backslash': { spell: (path) => path.replace(/^\//, '/\\') },
  'text that does not decode': { spell: (path) => `${path}%c1%af` },
  'headers that name another path': {
    spell: asIs,
    same: true,
    headers: { 'x-original-url': '/docs', 'x-rewrite-url': '/docs', 'x-forwarded-prefix': '/operator' },
  },
  'headers that name another method': {
    spell: asIs,
    same: true,
    headers: { 'x-http-method-override': 'GET', 'x-method-override': 'POST' },
  },
  ...Object.fromEntries(
    ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'GET', 'POST'].map((method) => [
      method,
      { spell: asIs, method },
    ]),
  ),
}

const COMERS = Object.entries(CREDENTIALS)
/** By what they are; of those who are nobody the first says nothing. */
const KINDS = [...new Set(COMERS.map(([, { is }]) => is))].map((kind) =>
  COMERS.filter(([, { is }]) => is === kind),
)

/**
 * Everybody comes to a route as it is documented. In another spelling there comes one of each kind, at each turn another: it is
 * the route that a spelling may miss, and who is of a kind the documented one has shown.
 */
const comers = ({ access }: ListedRoute, spelling: Spelling, turn: number) =>
  spelling === SPELLINGS['as documented']
    ? COMERS
    : KINDS.map((kind) => kind[access === 'public' ? 0 : turn % kind.length] as (typeof COMERS)[number])

type Served = Pick<FastifyInstance, 'close' | 'listen'>

const OWN = 'a server of its own'

/** Ways of putting the plugin into a server. */
const MOUNTS: Record<
  string,
  { readonly prefix: string; readonly serve: (options: MarginTradingApiOptions) => Promise<Served> }
> = {
  [OWN]: { prefix: '', serve: createServer },
  'a prefix in another server': {
    prefix: '/venue/v1',
    serve: async (options) => {
      const app = Fastify()
      app.get('/', async () => 'mine')
      await app.register(marginTradingApi, { prefix: '/venue/v1', ...options })
      return app
    },
  },
  'another server whose router is lenient': {
    prefix: '',
    serve: async (options) => {
      const app = Fastify({
        routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
      })
      app.get('/', async () => 'mine')
      await app.register(marginTradingApi, options)
      return app
    },
  },
}

/** What a plain client can send; the operator surface answers every method there is. */
const SENT = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const table = await routeTable({ heads: true })
const isGot = ({ path }: ListedRoute) => table.some((one) => one.method === 'GET' && one.path === path)
/** HEAD is sent beside each GET. */
const routes = table.filter(
  (route) => SENT.includes(route.method) && !(route.method === 'HEAD' && isGot(route)),
)

const VALUES: Record<string, string> = {
  accountId: ALICE.accountId,
  asset: 'BTC',
  id: DISPOSABLE,
  '*': 'nowhere',
}
/** A stream is asked for what it refuses once who asks was let in, because its answer would go on. */
const pathOf = ({ path }: ListedRoute) =>
  (isStream(path) ? `${path}?from=x` : path).replace(
    /:(\w+)|\*/g,
    (name, parameter) => VALUES[parameter ?? name] ?? BTC,
  )

const deposit = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1' }
const bodyOf = ({ schema }: ListedRoute) =>
  schema.body === undefined ? '' : JSON.stringify(schema.operationId === 'platformCommands' ? deposit : {})

test('every route declares who may call it, and what is for nobody is hidden', () => {
  expect(routes.length).toBeGreaterThan(30)
  for (const route of routes) expect(route.access, `${route.method} ${route.path}`).toBeDefined()
})

test('whatever is read has a head that can be asked for alone, but for streams, which have no end', () => {
  const pathsOf = (wanted: string) => table.flatMap(({ method, path }) => (method === wanted ? [path] : []))
  expect(pathsOf('HEAD').sort()).toEqual(
    pathsOf('GET')
      .filter((path) => !isStream(path))
      .sort(),
  )
})

test('a route without a declared access does not start', async () => {
  const app = Fastify()
  requireDeclaredAccess(app)
  expect(() => app.get('/open', async () => 'x')).toThrow('GET /open does not declare who may call it')
  const misspelt = { config: { access: 'traders' as 'trader' } }
  expect(() => app.get('/open', misspelt, async () => 'x')).toThrow('does not declare')

  const engine = (await openVenue(readConfiguration(Buffer.from(JSON.stringify(CONFIGURATION))))).engine
  const around = Fastify()
  around.addHook('onRegister', (inside) => {
    inside.addHook('onRoute', ({ url }) => {
      if (url === '/docs') inside.get('/forgotten', async () => 'x')
    })
  })
  await expect(around.register(marginTradingApi, { engine })).rejects.toThrow('/forgotten does not declare')
})

describe.each(Object.entries(MOUNTS))('in %s', (mount, { prefix, serve }) => {
  let app: Served
  let url: string
  let head: () => number
  beforeAll(async () => {
    const read = readConfiguration(Buffer.from(JSON.stringify(configuration)))
    const { engine, clock, sessions } = await openVenue(read)
    const key = { type: 'registerApiKey', userId: ALICE.userId, name: 'x', prefix: 'mtk' } as const
    engine.dispatch({ ...key, keyId: REVOKED.keyId, hash: hashOf(REVOKED.secret) })
    engine.dispatch({ ...key, keyId: DISPOSABLE, hash: hashOf('mtk_disposable') })
    engine.dispatch({ type: 'revokeApiKey', keyId: REVOKED.keyId, userId: ALICE.userId })
    const { operatorToken, operatorTokens } = read
    const options = { engine, clock, sessions, operatorToken, operatorTokens, rateLimit: null }
    app = await serve(options)
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    head = () => engine.head
  })
  afterAll(() => app.close())

  interface Attempt {
    readonly route: ListedRoute
    readonly spelling: Spelling
    readonly name: string
    readonly is: string
    readonly header: string | null
  }
  let addresses = 0

  /** Fewer than twenty requests from each address, because wrong operator tokens are counted. */
  const OF_AN_ADDRESS = 9

  async function verdictsOf(attempts: readonly Attempt[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = []
    const count = Math.ceil(attempts.length / OF_AN_ADDRESS)
    const starts = Array.from({ length: count }, (_, at) => at * OF_AN_ADDRESS)
    const work = async () => {
      for (let at = starts.shift(); at !== undefined; at = starts.shift()) {
        const some = attempts.slice(at, at + OF_AN_ADDRESS)
        addresses += 1
        const from = `127.${1 + (addresses >> 14)}.${(addresses >> 7) & 127}.${1 + (addresses & 127)}`
        const heads = some.filter(hasHead)
        const requests = [...some.map((one) => asRequest(one)), ...heads.map((one) => asRequest(one, 'HEAD'))]
        const answers = await rawSequence(url, requests, from)
        for (const [index, attempt] of some.entries())
          verdicts[at + index] = verdictOf(answers[index] as RawAnswer, attempt)
        for (const [index, attempt] of heads.entries()) {
          const got = answers[some.indexOf(attempt)] as RawAnswer
          const head = answers[some.length + index] as RawAnswer
          expect([statusAndType(head), head.body], `HEAD of ${attempt.name}`).toEqual([
            statusAndType(got),
            '',
          ])
        }
      }
    }
    await Promise.all([work(), work(), work(), work()])
    return verdicts
  }

  /** Beside each GET the same is asked for its head alone, which has to be that of the answer, whatever it is. */
  function hasHead({ route, spelling }: Attempt): boolean {
    return route.method === 'GET' && spelling.method === undefined && !isStream(route.path)
  }

  function asRequest({ route, spelling, header }: Attempt, instead?: 'HEAD') {
    const { spell, method = instead ?? route.method, headers = {} } = spelling
    const body = bodyOf(route)
    const line = `${method} ${spell(prefix + pathOf(route))}`
    const bytes = request(
      line,
      {
        connection: 'keep-alive',
        ...(header !== null && { authorization: header }),
        ...(body !== '' && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    )
    return { bytes, bodiless: method === 'HEAD' }
  }

  function statusAndType({ status, head }: RawAnswer): string {
    return `${status} ${/^content-type: .*$/im.exec(head)?.[0]}`
  }

  /** An answer to HEAD has no body that could say which code it was. */
  function verdictOf({ status, body }: { status: number; body: string }, { name }: Attempt): Verdict {
    expect(status, name).not.toBe(429)
    if (status === 401) return 'nobody'
    if (status === 403 && (body === '' || JSON.parse(body).error === 'api_key_not_allowed'))
      return 'not for this'
    // Outside the plugin the embedding server answers, and shows nothing of it.
    if (status === 404 && prefix !== '' && (body === '' || body.includes('"Not Found"'))) return 'nobody'
    // Fastify itself answers a path that does not decode.
    if (status === 400 && (/FST_ERR_BAD_URL/.test(body) || (body === '' && mount !== OWN))) return 'nobody'
    return 'admitted'
  }

  /** In brief a route of another server is spelled in a third of the ways, the next in the next third. */
  const EACH = IS_BRIEF && mount !== OWN ? 3 : 1
  // Elsewhere `/` is the embedding server's own.
  const served = routes.filter(({ path }) => mount === OWN || path !== '/')
  const attempts = served.flatMap((route, at) =>
    Object.entries(SPELLINGS).flatMap(([spelt, spelling], nth) =>
      (spelling !== SPELLINGS['as documented'] && (at + nth) % EACH !== 0
        ? []
        : comers(route, spelling, at + nth)
      ).map(([who, { header, is }]): Attempt => {
        const name = `${route.method} ${route.path}, ${spelt}, with ${who}`
        return { route, spelling, header, is, name }
      }),
    ),
  )
  const documented = attempts.filter(({ spelling }) => spelling === SPELLINGS['as documented'])

  test('every route answers every credential as it declares', { timeout: 240_000 }, async () => {
    const verdicts = await verdictsOf(documented)
    const wrong = documented.filter(({ route, is }, at) => verdicts[at] !== expected(route, is))
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('a WebSocket lets in whom the route does, by header and by first message', async () => {
    const streams = documented.filter(({ route }) => isStream(route.path))
    const before = head()
    for (const { route, is, header, name } of streams) {
      const path = prefix + route.path
      expect(await overWebSocket(path, header, null), name).toBe(expected(route, is))
      const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1]
      if (token === undefined) continue
      expect(await overWebSocket(path, null, token), `${name}, said first`).toBe(expected(route, is))
    }
    expect(head()).toBe(before)
    expect(streams.length).toBeGreaterThan(20)
  })

  /** What a socket is told first: of a log that tells nothing by itself, that it stays open. */
  async function overWebSocket(path: string, header: string | null, first: string | null): Promise<Verdict> {
    addresses += 1
    const localAddress = `127.200.${addresses >> 8}.${1 + (addresses & 127)}`
    const headers = header === null ? {} : { authorization: header }
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?from=0`, { headers, localAddress })
    const verdict = await new Promise<Verdict>((resolve) => {
      socket.on('unexpected-response', (_request, { statusCode }) =>
        resolve(statusCode === 401 ? 'nobody' : 'not for this'),
      )
      socket.on('open', () => {
        if (first !== null) socket.send(JSON.stringify({ token: first }))
        else if (header === null) socket.send('{}')
      })
      socket.on('message', (text) => {
        const { error } = JSON.parse(String(text))
        if (error === undefined) resolve('admitted')
        else resolve(error === 'api_key_not_allowed' ? 'not for this' : 'nobody')
      })
      socket.on('error', () => {})
    })
    socket.terminate()
    return verdict
  }

  test('no spelling lets in whom the route does not, and none changes the venue', {
    timeout: 240_000,
  }, async () => {
    const outsiders = attempts.filter(({ route, is }) => expected(route, is) !== 'admitted')
    const before = head()
    const verdicts = await verdictsOf(outsiders)
    expect(outsiders.filter((_, at) => verdicts[at] === 'admitted').map(({ name }) => name)).toEqual([])
    expect(head()).toBe(before)
    expect(outsiders.length).toBeGreaterThan(7_500 / EACH)
  })

  test('every spelling of the same path lets in whom the route does', { timeout: 240_000 }, async () => {
    const insiders = attempts.filter(
      ({ route, is, header, spelling }) =>
        spelling.same === true &&
        expected(route, is) === 'admitted' &&
        // Files that are for everybody, some of them large, are asked for without a credential and with one of each kind.
        (route.access !== 'public' || header === null || is !== 'nobody'),
    )
    const before = head()
    const verdicts = await verdictsOf(insiders)
    expect(insiders.filter((_, at) => verdicts[at] !== 'admitted').map(({ name }) => name)).toEqual([])
    expect(insiders.length).toBeGreaterThan(900 / EACH)
    expect(head()).toBeGreaterThan(before)
  })
})

describe('operators', () => {
  const SAMPLES: { readonly [Type in keyof typeof COMMAND_ROLES]: object } = {
    updatePrice: { marketId: BTC, indexPrice: '50000000000000' },
    advanceTime: { ms: 0 },
    configureMarket: { market: { id: BTC, feeRate: '1000000' } },
    setMarketStatus: { marketId: BTC, status: 'open' },
    setFundingRate: { marketId: BTC, fundingRate: '0', fundingRateShort: null },
    openAccount: { account: { id: DISPOSABLE, userId: BOB.userId, balance: '1' } },
    adjustBalance: { accountId: ALICE.accountId, amount: '1' },
    setApiTrading: { accountId: ALICE.accountId, enabled: true },
    setAccountLock: { accountId: ALICE.accountId, locked: false },
    setAccountLoaded: { accountId: ALICE.accountId, loaded: true },
    stopAccount: { accountId: BOB.accountId, reason: 'freeze' },
    unfreezeAccount: { accountId: BOB.accountId },
    forceClosePosition: { positionId: BTC },
    weeklySessionRiskClose: { marketId: BTC },
    revokeApiKey: { hash: hashOf('mtk_expired') },
  }

  test('each role sends its own commands and no other; what is refused is refused whole', async () => {
    const venue = await startVenue(configuration)
    for (const [type, fields] of Object.entries(SAMPLES)) {
      const command = { type, ...fields }
      for (const role of ROLES) {
        const { head } = venue.venue.engine
        const answer = await venue.post('/operator/commands', [deposit, command], { key: `token-${role}` })
        const may = MAY[role].includes(COMMAND_ROLES[type as keyof typeof COMMAND_ROLES])
        expect(answer.status, `${role} ${type}`).toBe(may ? 200 : 403)
        const beyond = role === 'read' ? 'This route needs the role desk' : `${type} needs the role admin`
        if (!may) expect(answer.body.message).toBe(`${beyond}; this token has the role ${role}.`)
        expect(venue.venue.engine.head > head).toBe(may)
      }
    }
    await venue.venue.close()
  })

  test('the desk acts on accounts, orders and positions alone', () => {
    const admin = Object.entries(COMMAND_ROLES).flatMap(([type, role]) => (role === 'admin' ? [type] : []))
    expect(admin).toEqual([
      'updatePrice',
      'advanceTime',
      'configureMarket',
      'setMarketStatus',
      'setFundingRate',
      'weeklySessionRiskClose',
      'revokeApiKey',
    ])
  })

  test('the log names the operator behind a command', async () => {
    const venue = await startVenue(configuration)
    await venue.post('/operator/commands', deposit, { key: 'token-desk' })
    const { data } = (await venue.get('/operator/commits?limit=999', { key: 'token-read' })).body
    expect(data.at(-1).by).toEqual({ type: 'operator', name: 'the desk' })
    await venue.venue.close()
  })

  test('with an address of its own the surface is there and nowhere else', async () => {
    const venue = await startVenue({ ...configuration, operatorListen: '127.0.0.1:0' })
    const { url, operatorUrl } = venue.venue
    const ask = async (base: string, path: string, token: string) => {
      const answer = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } })
      return [answer.status, ((await answer.json()) as { error?: string }).error]
    }
    expect(operatorUrl).not.toBe(url)
    expect(await ask(operatorUrl as string, '/operator/health', 'token-read')).toEqual([200, undefined])
    expect(await ask(url, '/operator/health', 'token-admin')).toEqual([401, 'session_expired'])
    expect(await ask(url, '/operator/health', ALICE.key)).toEqual([403, 'api_key_not_allowed'])
    expect(await ask(url, '/operator/nowhere', ALICE.key)).toEqual([403, 'api_key_not_allowed'])
    expect(await ask(operatorUrl as string, '/accounts/with-risk-status', ALICE.key)).toEqual([
      403,
      'api_key_not_allowed',
    ])
    expect(await ask(operatorUrl as string, '/accounts/with-risk-status', ALICE.session)).toEqual([
      401,
      'session_expired',
    ])
    await venue.post('/orders', limitOrder({ leverage: '0' }))
    const metrics = await fetch(`${operatorUrl}/operator/metrics`, {
      headers: { authorization: 'Bearer token-read' },
    })
    expect(await metrics.text()).toContain('margin_core_refusals_total{code="invalid_leverage"} 1')
    await venue.venue.close()
    await expect(fetch(operatorUrl as string)).rejects.toThrow()
  })
})
