// What every route answers, field by field, as one text that is kept: a life of two traders on a clock that is set, then what each reads of it.

import { expect, test } from 'vitest'
import { routeTable } from './routeTable.ts'
import {
  ALICE,
  account,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  market,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

/** Pages, streams, what is text of its own, and what measures the process: other tests read those. */
const LEFT_OUT = / \/(?:$|console|docs|openapi\.json$|operator\/metrics$|operator(?:\/\*)?$)|\/stream$/

const CONFIGURED = {
  ...CONFIGURATION,
  rateLimit: { perSecond: 1_000, perMinute: 1_000 },
  markets: [
    market(BTC, 'BTC', 'crypto', { fundingRate: '100000', spread: '200000', scalpingWindowMs: 30_000 }),
    market(GOLD, 'XAU', 'rwa', { indexPrice: '2000000000000' }),
  ],
  accounts: [
    account(ALICE, { maxTotalLoss: '100000000', maxDailyLoss: '50000000', phase: 'active_evaluation' }),
    account(BOB),
  ],
}

/** What differs from run to run. */
const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/"(key|prefix)": "mtk_[\w-]+"/g, '"$1": "<drawn>"'],
  [/"(chain|bytes|eventLoopDelayMs)": [^,\n]+/g, '"$1": <drawn>'],
]
/** Of a connection, of the moment, or drawn. */
const HEADERS_LEFT_OUT =
  /^(?:date|connection|keep-alive|content-length|x-request-id|vary|ratelimit-(?:remaining|reset))$/

class Told {
  readonly #venue: VenueUnderTest
  readonly lines: string[] = []
  readonly #named = new Map<string, string>()
  readonly called = new Set<string>()

  constructor(venue: VenueUnderTest) {
    this.#venue = venue
  }

  /** @param route as the table has it; what stands for its parameters comes in order. */
  async call(
    route: string,
    given: {
      readonly at?: readonly string[]
      readonly query?: string
      readonly body?: unknown
      readonly key?: string
    } = {},
  ) {
    const { at = [], query = '', body, key } = given
    const [method = '', pattern = ''] = route.split(' ')
    let index = 0
    const path = `${pattern.replace(/:\w+/g, () => at[index++] ?? '')}${query}`
    const answer = await this.#venue.call(method, path, { ...(key !== undefined && { key }), body })
    this.called.add(route)
    const headers = [...answer.headers]
      .filter(([name]) => !HEADERS_LEFT_OUT.test(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    const text = answer.body === undefined ? answer.text : JSON.stringify(answer.body, null, 1)
    this.lines.push(`> ${method} ${path}${sent}\n${answer.status}\n${headers}\n${text}\n`)
    return answer.body
  }

  /** An id that is drawn has this name from now on. */
  name(id: string, name: string): void {
    this.#named.set(id, name)
  }

  text(): string {
    const named = [...this.#named].map(([id, name]) => [new RegExp(id, 'g'), `<${name}>`] as const)
    return [...DRAWN, ...named].reduce(
      (text, [drawn, name]) => text.replace(drawn, name),
      this.lines.join('\n'),
    )
  }
}

async function life(told: Told): Promise<void> {
  const bob = { key: BOB.key }
  const operator = { key: OPERATOR }
  const command = (body: unknown) => told.call('POST /operator/commands', { ...operator, body })
  const tick = (indexPrice: string, marketId = BTC) => command({ type: 'updatePrice', marketId, indexPrice })
  await told.call('GET /live', { key: '' })
  await told.call('GET /ready', { key: '' })
  await told.call('GET /v2/markets')
  await told.call('GET /v2/markets', { query: `?accountId=${ALICE.accountId}` })

  const opened = await told.call('POST /orders', {
    body: marketOrder({ stopTriggerPrice: '48000000000000', takeTriggerPrice: '60000000000000' }),
  })
  const resting = await told.call('POST /orders', { body: limitOrder() })
  const later = await told.call('POST /orders', { body: limitOrder({ triggerPrice: '41000000000000' }) })
  await told.call('POST /orders', {
    body: marketOrder({ marketId: GOLD, direction: 'short', leverage: '2000000000' }),
  })
  await told.call('POST /orders', {
    ...bob,
    body: marketOrder({ accountId: BOB.accountId, leverage: '10000000000' }),
  })
  await told.call('POST /orders', { body: marketOrder({ amount: '1' }) })
  await told.call('POST /orders', { body: marketOrder({ leverage: '99000000000' }) })
  await told.call('POST /orders', { body: marketOrder({ accountId: BOB.accountId }) })
  await told.call('POST /orders', { body: { ...marketOrder(), direction: 'up' } })
  await told.call('PATCH /orders/:orderId', { at: [resting.id], body: { triggerPrice: '39000000000000' } })
  await told.call('PATCH /orders/:orderId', { at: [resting.id], body: {} })
  await told.call('DELETE /orders/:orderId', { at: [later.id] })
  await told.call('DELETE /orders/:orderId', { at: [later.id] })

  const positions = await told.call('GET /positions/:accountId/active', { at: [ALICE.accountId] })
  const [{ idx: first }, { idx: second }] = positions
  await told.call('PATCH /positions/:positionId/margin', {
    at: [first],
    body: { marginChange: '50000000000' },
  })
  await told.call('PATCH /positions/:positionId/margin', {
    at: [first],
    body: { marginChange: '-10000000000' },
  })
  await told.call('PATCH /positions/:positionId/margin', { at: [first], body: { marginChange: '0' } })
  await command({ type: 'advanceTime', ms: 61_000 })
  await tick('51000000000000')
  await tick('2010000000000', GOLD)
  await told.call('POST /orders', {
    body: {
      positionId: second,
      type: 'take',
      direction: 'long',
      accountId: ALICE.accountId,
      marketId: BTC,
      triggerPrice: '0',
      amount: '5000000',
    },
  })
  for (const asset of ['BTC', 'XAU']) {
    await told.call('GET /positions/:accountId/:asset/active', { at: [ALICE.accountId, asset] })
    await told.call('GET /orders/:accountId/:asset/active', { at: [ALICE.accountId, asset] })
  }
  await command({ type: 'advanceTime', ms: 28_800_000 })
  await tick('45500000000000')
  await command([
    { type: 'adjustBalance', accountId: BOB.accountId, amount: '250000000', commandId: 'a deposit' },
    { type: 'adjustBalance', accountId: BOB.accountId, amount: '-90000000000000' },
    { type: 'stopAccount', accountId: BOB.accountId, reason: 'freeze' },
  ])

  await told.call('GET /accounts/with-risk-status')
  await told.call('GET /accounts/with-risk-status', bob)
  await told.call('GET /accounts/:accountId/risk-status', { at: [ALICE.accountId] })
  await told.call('GET /accounts/:accountId/risk-status', { at: [BOB.accountId] })
  await told.call('GET /orders/:accountId/active', { at: [ALICE.accountId] })
  await told.call('GET /orders/:accountId/:asset/history', { at: [ALICE.accountId, 'BTC'] })
  await told.call('GET /orders/:accountId/:asset/history', {
    at: [ALICE.accountId, 'BTC'],
    query: '?offset=1&limit=2',
  })
  await told.call('GET /positions/:accountId/:asset/history', { at: [ALICE.accountId, 'BTC'] })
  await told.call('GET /positions/:accountId/portfolio/history', { at: [ALICE.accountId] })
  await told.call('GET /positions/:positionId/history', { at: [first] })
  await told.call('GET /positions/:positionId/history', { at: [second] })
  await told.call('GET /positions/:positionId/history', { at: [first], key: BOB.key })

  const session = { key: ALICE.session }
  const key = await told.call('POST /user/api-keys', {
    ...session,
    body: { name: 'a bot', expiresAt: '2026-02-01T00:00:00.000Z' },
  })
  told.name(key.id, 'id of the key')
  await told.call('GET /user/api-keys', session)
  await told.call('POST /user/api-keys/:id/refresh', { ...session, at: [key.id] })
  await told.call('DELETE /user/api-keys/:id', { ...session, at: [key.id] })
  await told.call('DELETE /user/api-keys/:id', { ...session, at: [key.id] })
  await told.call('GET /user/api-keys')

  await told.call('POST /positions/:accountId/close-all', { at: [ALICE.accountId] })
  await told.call('POST /operator/preview', {
    ...operator,
    body: { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1000000000' },
  })
  await told.call('GET /operator/health', operator)
  await told.call('GET /operator/markets', operator)
  await told.call('GET /operator/accounts', { ...operator, query: '?sort=pnl&limit=1' })
  await told.call('GET /operator/accounts', operator)
  await told.call('GET /operator/accounts/:accountId', { ...operator, at: [ALICE.accountId] })
  await told.call('GET /operator/accounts/:accountId', { ...operator, at: [BOB.accountId] })
  await told.call('GET /operator/exposure', operator)
  await told.call('GET /operator/ledger', operator)
  await told.call('GET /operator/why/:id', { ...operator, at: [opened.id] })
  await told.call('GET /operator/why/:id', { ...operator, at: [first] })
  await told.call('GET /operator/as-of', { ...operator, query: `?seq=20&accountId=${ALICE.accountId}` })
  await told.call('GET /operator/commits', { ...operator, query: '?from=3&limit=12' })
  await told.call('GET /operator/webhooks', operator)
  await told.call('GET /operator/health', { key: ALICE.key })
}

test('every route answers as it did, to the last field', async () => {
  const venue = await startVenue(CONFIGURED)
  const told = new Told(venue)
  try {
    await life(told)
  } finally {
    await venue.venue.close()
  }
  const routes = (await routeTable()).map(({ method, path }) => `${method} ${path}`)
  expect([...told.called].sort()).toEqual(routes.filter((route) => !LEFT_OUT.test(route)).sort())
  await expect(told.text()).toMatchFileSnapshot('kept/everyAnswer.txt')
})
