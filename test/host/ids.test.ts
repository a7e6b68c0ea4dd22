// A4: an id is the same in either case, wherever a route takes one: derived from the schemas of the routes.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListedRoute, routeTable } from './routeTable.ts'
import {
  ALICE,
  BTC,
  CONFIGURATION,
  limitOrder,
  marketOrder,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

/** A stream does not end: it has a test of its own. */
const routes = (await routeTable()).filter(
  ({ access, path }) => (access === 'trader' || access === 'session') && path !== '/stream',
)

/** Where a schema takes a uuid. */
function idsOf(schema: { readonly properties?: object } | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) =>
    JSON.stringify(field).includes('[0-9a-fA-F]{8}-') ? [name] : [],
  )
}

const positions = routes.flatMap((route) => {
  const { params, querystring, body } = route.schema
  const inPath = idsOf(params as object).map((name) => ({ route, part: 'path', name }))
  const inQuery = idsOf(querystring as object).map((name) => ({ route, part: 'query', name }))
  const inBody = idsOf(body as object).map((name) => ({ route, part: 'body', name }))
  return [...inPath, ...inQuery, ...inBody]
})

let venue: VenueUnderTest
let idempotency = 0
beforeAll(async () => {
  venue = await startVenue(CONFIGURATION)
})
afterAll(() => venue.venue.close())

/** What a call of the route needs, made anew for each. */
async function values(): Promise<Record<string, string>> {
  const order = (await venue.post('/orders', limitOrder({ amount: '100000000000' }))).body.id
  const made = await venue.post('/user/api-keys', { name: 'n' }, { key: ALICE.session })
  const [position] = (await venue.get(`/positions/${ALICE.accountId}/active`)).body
  return {
    accountId: ALICE.accountId,
    marketId: BTC,
    asset: 'BTC',
    orderId: order,
    positionId: position?.idx,
    id: made.body.id,
  }
}

const BODIES: Record<string, object> = {
  placeOrder: { type: 'take', direction: 'long', amount: '1', triggerPrice: '60000000000000' },
  editOrder: { triggerPrice: '39000000000000' },
  changeMargin: { marginChange: '0' },
}

async function call({ method, path, access, schema }: ListedRoute, given: Record<string, string>) {
  const target = path.replace(/:(\w+)/g, (_, name) => given[name] as string)
  const query = idsOf(schema.querystring as object).map((name) => `${name}=${given[name]}`)
  const sample = BODIES[schema.operationId ?? '']
  const body = sample && {
    ...Object.fromEntries(idsOf(schema.body as object).map((n) => [n, given[n]])),
    ...sample,
  }
  idempotency += 1
  return venue.call(method, query.length === 0 ? target : `${target}?${query.join('&')}`, {
    key: access === 'session' ? ALICE.session : ALICE.key,
    headers: { 'idempotency-key': `key ${idempotency}` },
    ...(body !== undefined && { body }),
  })
}

test('there are such places', () => {
  expect(positions.length).toBeGreaterThan(18)
})

test.each(
  positions.map(
    (position) => [`${position.route.method} ${position.route.path}`, position.name, position] as const,
  ),
)('%s: %s', async (_route, name, { route }) => {
  await venue.post('/orders', marketOrder({ amount: '100000000000' }))
  const lower = await values()
  const expected = await call(route, lower)
  await venue.post('/orders', marketOrder({ amount: '100000000000' }))
  const upper = await values()
  const answer = await call(route, { ...upper, [name]: upper[name]?.toUpperCase() as string })
  expect(expected.status, expected.text).toBeLessThan(300)
  expect(answer.status, answer.text).toBe(expected.status)
  for (const made of [lower.id, upper.id])
    await venue.delete(`/user/api-keys/${made}`, { key: ALICE.session })
})

test('GET /stream: accountId', async () => {
  const begun = async (accountId: string) => {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${ALICE.key}` }
    const { signal } = stop
    const response = await fetch(`${venue.venue.url}/stream?accountId=${accountId}`, { headers, signal })
    const first = await response.body?.getReader().read()
    stop.abort()
    return { status: response.status, text: new TextDecoder().decode(first?.value) }
  }
  for (const id of [ALICE.accountId, ALICE.accountId.toUpperCase()]) {
    const { status, text } = await begun(id)
    expect(status).toBe(200)
    expect(text).toContain(ALICE.accountId)
  }
})
