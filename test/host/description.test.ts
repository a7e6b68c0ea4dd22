// The API description: every route and no other, every code on the operations that raise it, readable without a key.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import Fastify from 'fastify'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marginTradingApi } from '../../src/host/index.ts'
import { ErrorResource } from '../../src/host/operation.ts'
import { COMMAND_ROLES, onePlatformCommand } from '../../src/host/platformCommand.ts'
import { faultAt } from '../../src/host/schemaFault.ts'
import { PlatformCommands } from '../../src/host/schemas/platformCommands.ts'
import { createEngine } from '../../src/index.ts'
import { ERRORS, type ErrorCode } from '../../src/terms/errors.ts'
import { isIncreaseType, PLACEABLE_ORDER_TYPES } from '../../src/terms/orderTypes.ts'
import { VERSION } from '../../src/version.ts'
import { routeTable } from './routeTable.ts'
import { CONFIGURATION, startVenue, type VenueUnderTest } from './venue.ts'

interface Operation {
  readonly operationId: string
  readonly 'x-error-codes': string[]
  readonly 'x-extension'?: boolean
  readonly responses: Record<string, Response>
}

interface Response {
  headers?: object
  content: Record<
    string,
    { example?: unknown; schema: { allOf: [object, { properties: { error: { enum: string[] } } }] } }
  >
}

let venue: VenueUnderTest
let document: { readonly info: object; readonly servers: object; readonly components: { schemas: object } }
let paths: Record<string, Record<string, Operation>>
let operations: Map<string, Operation>
beforeAll(async () => {
  venue = await startVenue(CONFIGURATION)
  const { body } = await venue.get('/openapi.json', { key: null })
  expect(body.openapi).toBe('3.1.0')
  document = body
  paths = body.paths
  operations = new Map(
    Object.values(paths)
      .flatMap(Object.values)
      .map((o) => [o.operationId, o]),
  )
})
afterAll(() => venue.venue.close())

const BY_LETTERS = {
  GA: ['accounts'],
  GM: ['markets'],
  PO: ['placeOrder'],
  PA: ['editOrder'],
  OL: ['activeOrdersOfMarket', 'orderHistory'],
  OA: ['activeOrders'],
  PL: ['activePositionsOfMarket', 'positionHistory'],
  PP: ['activePositions', 'portfolio'],
  PE: ['positionEvents'],
  PM: ['changeMargin'],
  CA: ['closeAll'],
  RS: ['riskStatus'],
  AK: ['listApiKeys', 'deleteApiKey'],
  AN: ['createApiKey', 'refreshApiKey'],
}
const ALL = Object.keys(BY_LETTERS).join(' ')
const ACCOUNT = 'GM PO PA OL OA PL PP PE PM CA RS'

/** The error catalogue: which operations raise a code (I15). OA and PP are the lists over all markets. */
const CATALOGUE: Record<string, string> = {
  engine_stopped: ALL,
  shard_unavailable: ALL,
  session_expired: ALL,
  api_key_rate_limit_exceeded: ALL,
  validation_failed: ALL,
  api_key_not_allowed: 'AK AN',
  too_many_api_keys: 'AN',
  account_access_denied: ACCOUNT,
  api_trading_not_enabled: ACCOUNT,
  challenge_closed: 'PO PA PM CA',
  account_phase_not_allowed: 'PO PA PM CA',
  funded_limit_trading_locked: 'PO PA PM',
  order_not_active: 'PA',
  market_paused: 'PO PA PM',
  market_close_only: 'PO PA PM',
  market_category_not_allowed: 'PO PA',
  account_not_found: 'GM PO OL OA PL PP CA RS',
  market_not_found: 'PO OL PL',
  order_not_found: 'PA',
  position_not_found: 'PO PE PM',
  idempotency_key_in_flight: 'PO',
  account_not_loaded: 'GM PO PA PM CA RS',
  market_price_stale: 'PO PA PM',
  insufficient_balance: 'PO PA PM',
  too_many_active_orders: 'PO',
  position_changed: 'PM',
  position_not_available: 'PO PM',
  non_positive_margin: 'PM',
  invalid_leverage: 'PO',
  order_not_updatable: 'PA',
  trigger_price_reset_forbidden: 'PA',
  base_size_requires_amount: 'PA',
  market_price_unavailable: 'PO PA PM',
  order_validation_invariant: 'PO',
  order_exceeds_max_open_notional: 'PO PA',
  amount_not_positive: 'PO PA',
  base_size_required: 'PO PA',
  base_size_negative: 'PO PA',
  base_size_not_allowed: 'PO PA',
  leverage_required: 'PO',
  leverage_negative: 'PO',
  trigger_price_required: 'PO',
  trigger_price_negative: 'PO PA',
  stop_trigger_price_negative: 'PO',
  take_trigger_price_negative: 'PO',
  stop_trigger_price_gt_trigger_price: 'PO PA',
  stop_trigger_price_lt_trigger_price: 'PO PA',
  take_trigger_price_gt_trigger_price: 'PO PA',
  take_trigger_price_lt_trigger_price: 'PO PA',
  stop_limit_price_required: 'PO',
  stop_limit_price_negative: 'PO',
  stop_limit_price_gt_trigger_price: 'PO PA',
  stop_limit_price_lt_trigger_price: 'PO PA',
  trailing_stop_activation_price_negative: 'PO',
  trailing_stop_offset_required: 'PO',
  trailing_stop_offset_conflict: 'PO',
  trailing_stop_offset_negative: 'PO',
  trailing_stop_offset_percent_negative: 'PO',
  trailing_stop_offset_percent_gte_one: 'PO',
  position_id_required: 'PO',
  trigger_price_gt_current: 'PO PA',
  trigger_price_lt_current: 'PO PA',
  trigger_price_gt_liquidation: 'PO PA',
  trigger_price_lt_liquidation: 'PO PA',
}

test('the catalogue is the whole table of codes', () => {
  expect(Object.keys(CATALOGUE).sort()).toEqual(Object.keys(ERRORS).sort())
})

test.each(Object.entries(BY_LETTERS))('I15: %s lists exactly the codes it can raise', (letters, ids) => {
  const expected = Object.keys(CATALOGUE).filter((code) => CATALOGUE[code]?.split(' ').includes(letters))
  for (const id of ids) {
    const operation = operations.get(id) as Operation
    expect([...operation['x-error-codes']].sort()).toEqual(expected.sort())
    const inResponses = Object.entries(operation.responses).flatMap(([status, response]) => {
      const codes = Object.values(response.content)[0]?.schema.allOf?.[1].properties.error.enum ?? []
      for (const code of codes) expect(ERRORS[code as keyof typeof ERRORS].status).toBe(Number(status))
      return codes
    })
    expect(inResponses.sort()).toEqual(expected)
  }
})

test('every documented route is described, extensions are marked, nothing else is', () => {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, o]) => `${method.toUpperCase()} ${path}${o['x-extension'] === true ? ' +' : ''}`,
    ),
  )
  expect(routes.sort()).toEqual(
    [
      'GET /accounts/with-risk-status',
      'GET /accounts/{accountId}/risk-status +',
      'GET /v2/markets',
      'POST /orders',
      'PATCH /orders/{orderId}',
      'DELETE /orders/{orderId} +',
      'GET /orders/{accountId}/active +',
      'GET /orders/{accountId}/{asset}/active',
      'GET /orders/{accountId}/{asset}/history',
      'GET /positions/{accountId}/active',
      'GET /positions/{accountId}/{asset}/active',
      'GET /positions/{accountId}/{asset}/history',
      'GET /positions/{accountId}/portfolio/history',
      'GET /positions/{positionId}/history',
      'PATCH /positions/{positionId}/margin',
      'POST /positions/{accountId}/close-all +',
      'POST /user/api-keys',
      'GET /user/api-keys +',
      'POST /user/api-keys/{id}/refresh +',
      'DELETE /user/api-keys/{id} +',
      'POST /operator/commands',
      'GET /operator/commits',
      'GET /operator/health',
      'GET /operator/metrics +',
      'GET /operator/stream +',
      'POST /operator/preview +',
      'GET /operator/accounts +',
      'GET /operator/accounts/{accountId} +',
      'GET /operator/exposure +',
      'GET /operator/markets +',
      'GET /operator/webhooks +',
      'GET /operator/why/{id} +',
      'GET /operator/as-of +',
      'GET /operator/ledger +',
      'GET /stream +',
      'GET /live +',
      'GET /ready +',
    ].sort(),
  )
})

test('every platform command is a schema of its own, by its name', () => {
  const types = Object.keys(COMMAND_ROLES)
  const [one] = PlatformCommands.anyOf as unknown as [
    { anyOf: { title: string; properties: { type: object } }[] },
  ]
  expect(one.anyOf.map(({ title, properties }) => [title, properties.type])).toEqual(
    types.map((type) => [
      type.replace(/^./, (letter) => letter.toUpperCase()),
      expect.objectContaining({ const: type }),
    ]),
  )
})

test('what is counted begins at nothing, and versions at one', () => {
  const least = new Map<string, Set<unknown>>()
  const walk = (name: string, schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return
    if ('type' in schema && schema.type === 'integer' && 'minimum' in schema) {
      least.set(name, (least.get(name) ?? new Set()).add(schema.minimum))
    }
    for (const [key, inner] of Object.entries(schema)) walk(Array.isArray(schema) ? name : key, inner)
  }
  walk('', document.components.schemas)
  expect(Object.fromEntries([...least].map(([name, of]) => [name, [...of]]))).toMatchObject({
    profitableDays: [0],
    minTradingDays: [0],
    scalpingWindowMs: [0],
    totalCount: [0],
    version: [1],
  })
})

test('headers are described: keys that repeat, what is left, how long to wait, what not to keep', () => {
  const of = (id: string) => operations.get(id) as Operation & { parameters?: { in: string; name: string }[] }
  const asked = of('placeOrder').parameters?.filter((parameter) => parameter.in === 'header')
  expect(asked?.map(({ name }) => name).sort()).toEqual(['idempotency-key', 'x-idempotency-key'])
  const given = (id: string, status: string) => Object.keys(of(id).responses[status]?.headers ?? {})
  expect(given('placeOrder', '201')).toEqual([
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'X-Idempotency-Cached',
    'X-Idempotency-Timestamp',
  ])
  expect(given('accounts', '200')).toContain('RateLimit-Remaining')
  expect(given('accounts', '429')).toEqual(['Retry-After'])
  expect(given('createApiKey', '201')).toEqual(['Cache-Control'])
  expect(given('health', '200')).toEqual([])
})

test('pages for people need no key, no network and show no account', async () => {
  for (const path of ['/', '/docs', '/console']) {
    const page = await venue.get(path, { key: null })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).not.toMatch(/(src|href)="https?:/)
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const loaded = await venue.get(`/${file}`, { key: null })
      expect([file, loaded.status, loaded.text.length > 0]).toEqual([file, 200, true])
    }
  }
})

type Json = { readonly [key: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every object below one, with the way there. */
function* objectsIn(value: unknown, at = ''): Generator<[at: string, object: Json]> {
  if (!isObject(value)) return
  yield [at, value]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${key}`)
}

test('every object has a name, and every field of it says what it means', () => {
  const unnamed = [...objectsIn(paths)].flatMap(([at, object]) =>
    'properties' in object && !at.endsWith('/allOf/1') ? [at] : [],
  )
  expect(unnamed).toEqual([])
  const silent = [...objectsIn(document.components)].flatMap(([at, { properties }]) =>
    Object.entries(isObject(properties) ? properties : {})
      .filter(([, field]) => !isObject(field) || !('description' in field || '$ref' in field))
      .map(([name]) => `${at}.${name}`),
  )
  expect(silent).toEqual([])
})

test('nothing that is left out shows in a text, and messages of streams are named for what they tell', () => {
  const texts = [...objectsIn(document)].flatMap(([at, object]) =>
    Object.values(object).flatMap((text) =>
      typeof text === 'string' && text.includes('undefined') ? [`${at}: ${text}`] : [],
    ),
  )
  expect(texts).toEqual([])
  const names = Object.keys(document.components.schemas)
  expect(names).toEqual(
    expect.arrayContaining(['StreamSnapshot', 'StreamOrder', 'StreamPosition', 'StreamPrice', 'StreamEnd']),
  )
})

test('the length of a text is described as it is held', () => {
  const schemas = document.components.schemas as Record<string, Record<string, Json>>
  const ids = Object.values(schemas).flatMap(({ properties }) => properties?.commandId ?? [])
  expect(ids.length).toBeGreaterThan(10)
  for (const id of ids)
    expect(id).toMatchObject({ anyOf: [{ minLength: 1, maxLength: 255 }, { type: 'null' }] })
  const given = (length: number) => () =>
    onePlatformCommand({ type: 'advanceTime', ms: 1, commandId: 'x'.repeat(length) })
  for (const length of [1, 255]) expect(given(length)).not.toThrow()
  for (const length of [0, 256]) expect(given(length)).toThrow()
})

test('a quantity is told with what it counts in', () => {
  const { Order, PlaceOrder, Market } = document.components.schemas as Record<string, Record<string, Json>>
  expect(Order?.properties?.triggerPrice).toEqual({
    $ref: '#/components/schemas/Price',
    description:
      'The index price that fires the order; 0 = no trigger. (fp9, quote per unit of the base asset)',
  })
  expect(PlaceOrder?.properties?.amount).toMatchObject({ $ref: '#/components/schemas/Amount' })
  expect(Market?.properties?.config).toEqual({ $ref: '#/components/schemas/MarketConfig' })
})

/** What the description of a value has to say, by the form of the value; `ONE` and epoch times are none of JSON's. */
const UNITS: readonly (readonly [pattern: RegExp, said: RegExp])[] = [
  [/"\^\(\?:-\?\[1-9\]/, /fp9, /],
  [/T\[0-9\]\{2\}:/, /ISO 8601/],
]

test('every amount, rate and time says what it counts in, and nothing that JSON does not have', () => {
  const schemas = document.components.schemas as Record<string, Json>
  const formOf = ({ $ref, ...own }: Json) =>
    JSON.stringify(typeof $ref === 'string' ? schemas[$ref.slice('#/components/schemas/'.length)] : own)
  let [quantities, durations] = [0, 0]
  for (const [at, { properties }] of objectsIn(schemas))
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
      if (!isObject(field)) continue
      const { description, anyOf } = field as { description?: string; anyOf?: Json[] }
      const where = `${at}.${name}: ${description}`
      for (const form of [field, ...(anyOf ?? [])].filter((one) => !('properties' in one)).map(formOf))
        for (const [pattern, said] of UNITS)
          if (pattern.test(form) && !form.includes('"properties"')) {
            quantities++
            expect(where).toMatch(said)
          }
      if (/^ms$|Ms$/.test(name)) {
        durations++
        expect(where).toMatch(/illiseconds/)
      }
      expect(where).not.toMatch(/`ONE`|epoch ms/)
    }
  expect(quantities).toBeGreaterThan(150)
  expect(durations).toBeGreaterThan(8)
})

test('the version is that of the package; what amount means stands beside every order type', () => {
  expect(document.info).toMatchObject({ version: VERSION })
  expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }])
  const { description, requestBody } = operations.get('placeOrder') as unknown as {
    description: string
    requestBody: { content: Record<string, { examples: object }> }
  }
  for (const type of PLACEABLE_ORDER_TYPES) {
    const unit = isIncreaseType(type) ? 'quote (USD) to spend' : 'base size to close'
    expect(description).toContain(`| \`${type}\` | ${unit} |`)
  }
  const examples = requestBody.content['application/json']?.examples
  expect(Object.keys(examples ?? {}).sort()).toEqual([...PLACEABLE_ORDER_TYPES].sort())
})

test('every answer that is the one asked for has an example, which its schema takes and nothing is missing in', async () => {
  let shown = 0
  for (const { schema, method, path } of await routeTable()) {
    if (schema.operationId === undefined) continue
    const described = operations.get(schema.operationId) as Operation
    const statuses = Object.keys(schema.response ?? {}).filter((status) => status.startsWith('2'))
    expect(statuses, `${method} ${path}`).toHaveLength(1)
    for (const status of statuses)
      for (const [type, media] of Object.entries(schema.response?.[status]?.content ?? {})) {
        const { example } = (described.responses[status] as Response).content[type] as { example?: unknown }
        expect(example, `${method} ${path}`).toBeDefined()
        expect(faultsOf(media.schema, example), `${method} ${path}: ${JSON.stringify(example)}`).toEqual([])
        expect(JSON.stringify(example), `${method} ${path}`).not.toMatch(/"text"|{}/)
        shown += 1
      }
  }
  expect(shown).toBe(operations.size)
})

test('every refusal is shown as what it is: a code of the operation, with its status and its meaning', () => {
  for (const { operationId, responses } of operations.values())
    for (const [status, { content }] of Object.entries(responses)) {
      const [{ schema, example } = {}] = Object.values(content)
      const codes = schema?.allOf?.[1]?.properties.error.enum
      if (codes === undefined) continue
      expect(faultsOf(ErrorResource, example), operationId).toEqual([])
      const { statusCode, error, message } = example as Refusal
      expect([operationId, `${statusCode}`]).toEqual([operationId, status])
      expect(codes).toContain(error)
      const { meaning } = ERRORS[error]
      const faults = error === 'validation_failed' ? ' body: is a list; expected: an object.' : ''
      expect(message).toBe(`${meaning}${faults}`)
    }
})

test('whatever a request may hold, what is expected of it can be said in words', async () => {
  let said = 0
  for (const { schema, method, path } of await routeTable())
    for (const part of [schema.params, schema.querystring, schema.body])
      for (const field of Object.keys((part as { properties?: object } | undefined)?.properties ?? {})) {
        const { message } = faultAt(part as TSchema, { [field]: [] }, [field])
        expect(message, `${method} ${path}`).toMatch(/: is a list; expected: \S.{5,}$/)
        expect(message, `${method} ${path}`).not.toMatch(/undefined|NaN|null/)
        said += 1
      }
  expect(said).toBeGreaterThan(70)
})

interface Refusal {
  readonly statusCode: number
  readonly error: ErrorCode
  readonly message: string
}

/** Where a value is not what its schema says. */
function faultsOf(schema: TSchema, value: unknown): string[] {
  return [...Value.Errors(schema, value)].map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test("Redocly's linter has no error and no warning, of the examples neither", async () => {
  const source = JSON.stringify(document)
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
  const wrong = source.replace('"executed"', '"done"')
  expect(await lintFromString({ source: wrong, config, absoluteRef: 'openapi.json' })).not.toEqual([])
})

test('under a prefix the server is the prefix, and the paths stand below it', async () => {
  const app = Fastify()
  const options = { engine: createEngine({ at: 0 }), prefix: '/trading' }
  await app.register(marginTradingApi, options)
  const described = (await app.inject('/trading/openapi.json')).json()
  expect(described.servers).toMatchObject([{ url: '/trading' }])
  expect(Object.keys(described.paths)).toContain('/orders')
  await app.close()
})
