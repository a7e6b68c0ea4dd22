// K5, K6: what any client was told is explained by the log, whenever the venue dies.

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { hashOf } from '../../src/host/secret.ts'
import { createServer } from '../../src/host/server.ts'
import { type Engine, openEngine } from '../../src/index.ts'
import { ALL_RUNS, runs } from '../properties/runs.ts'
import { engineOn, type HeldEngine } from './slowStore.ts'
import {
  ALICE,
  BTC,
  CONFIGURATION,
  type Answer as HttpAnswer,
  limitOrder,
  marketOrder,
  OPERATOR,
} from './venue.ts'

const KEYS = ['mtk_one', 'mtk_two'] as const
const keyIdOf = (key: string) => `d0000000-0000-4000-8000-00000000000${KEYS.indexOf(key as never)}`

interface Given extends HeldEngine {
  readonly app: FastifyInstance
  call(method: 'GET' | 'POST' | 'DELETE', url: string, more?: Call): Promise<Answer>
}
interface Call {
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly payload?: object
}
interface Answer extends Pick<HttpAnswer, 'status' | 'body' | 'text'> {
  readonly headers: Record<string, unknown>
}

let apps: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()))
  apps = []
})

/** A venue whose disk waits; with two keys of Alice's on it. */
async function given(): Promise<Given> {
  const held = await engineOn(CONFIGURATION)
  const { engine, store } = held
  store.held = false
  for (const key of KEYS)
    await engine.send({
      type: 'registerApiKey',
      keyId: keyIdOf(key),
      userId: ALICE.userId,
      name: key,
      hash: hashOf(key),
      prefix: 'mtk',
    })
  store.held = true
  const app = await createServer({
    engine,
    sessions: [{ userId: ALICE.userId, token: ALICE.session }],
    operatorToken: OPERATOR,
    rateLimit: null,
  })
  apps.push(app)
  const call: Given['call'] = async (method, url, { key = ALICE.session, headers = {}, payload } = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const { statusCode: status, body: text } = response
    return { status, text, headers: response.headers, body: safely(text) }
  }
  return { ...held, app, call }
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Lets everything happen that waits for no disk. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Whether it has been answered by now. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let answered = false
  answer.then(() => {
    answered = true
  })
  await turns()
  return answered
}

const keyed = { 'x-idempotency-key': 'k' }

describe('an answer waits for what it rests on', () => {
  test('a rejection because of a cancel that is being written', async () => {
    const { call, store, release } = await given()
    store.held = false
    const { body: order } = await call('POST', '/orders', { payload: limitOrder() })
    store.held = true
    const first = call('DELETE', `/orders/${order.id}`)
    const second = call('DELETE', `/orders/${order.id}`)
    expect(await isAnswered(first)).toBe(false)
    expect(await isAnswered(second)).toBe(false)
    release()
    expect((await first).status).toBe(200)
    expect((await second).body.error).toBe('order_not_active')
  })

  test('a 401 for a key whose revocation is being written, and a 404 and a validation beside it', async () => {
    const { call, release } = await given()
    const revoking = call('DELETE', `/user/api-keys/${keyIdOf(KEYS[0])}`)
    await turns()
    const refused = call('GET', '/accounts/with-risk-status', { key: KEYS[0] })
    const unlisted = call('GET', '/nowhere')
    const malformed = call('POST', '/orders', { payload: { amount: 5 } })
    for (const answer of [revoking, refused, unlisted, malformed])
      expect(await isAnswered(answer)).toBe(false)
    release()
    expect([(await revoking).status, (await refused).status]).toEqual([200, 401])
    expect([(await unlisted).status, (await malformed).status]).toEqual([401, 400])
  })

  test('a read, a list of keys and the log', async () => {
    const { call, release } = await given()
    const placing = call('POST', '/orders', { payload: limitOrder() })
    await turns()
    const reads = [
      call('GET', `/orders/${ALICE.accountId}/active`),
      call('GET', '/user/api-keys'),
      call('GET', '/operator/commits', { key: OPERATOR }),
    ]
    for (const read of reads) expect(await isAnswered(read)).toBe(false)
    release()
    const [orders, , log] = await Promise.all(reads)
    expect(orders?.body).toHaveLength(1)
    expect(log?.body.data.at(-1).command.type).toBe('placeOrder')
    await placing
  })

  test('and for nothing else: rejections, health and metrics with nothing being written', async () => {
    const { call, release } = await given()
    expect((await call('GET', '/nowhere', { key: 'mtk_wrong' })).status).toBe(401)
    expect((await call('POST', '/orders', { payload: limitOrder({ leverage: '0' }) })).status).toBe(400)
    const placing = call('POST', '/orders', { payload: limitOrder() })
    await turns()
    expect((await call('GET', '/operator/health', { key: OPERATOR })).status).toBe(200)
    expect((await call('GET', '/operator/metrics', { key: OPERATOR })).status).toBe(200)
    const later = call('POST', '/orders', { payload: limitOrder() })
    await turns()
    release()
    await Promise.all([placing, later])
  })

  test('an answer waits for its own commit, not for those that came after it', async () => {
    const { call, store, release } = await given()
    const first = call('POST', '/orders', { payload: limitOrder() })
    await turns()
    const second = call('POST', '/orders', { payload: limitOrder() })
    await turns()
    store.write()
    expect((await first).status).toBe(201)
    expect(await isAnswered(second)).toBe(false)
    release()
    await second
  })
})

describe('a stopped engine', () => {
  const routes = [
    ['GET', '/accounts/with-risk-status'],
    ['GET', `/v2/markets?accountId=${ALICE.accountId}`],
    ['GET', `/orders/${ALICE.accountId}/active`],
    ['POST', '/orders'],
    ['POST', `/positions/${ALICE.accountId}/close-all`],
    ['GET', '/user/api-keys'],
    ['POST', '/user/api-keys'],
    ['GET', '/nowhere'],
    ['GET', '/operator/commits'],
    ['GET', '/operator/metrics'],
    ['POST', '/operator/commands'],
  ] as const

  test('answers 503 whoever asks, replays of what was and was not durable included', async () => {
    const { call, store, engine } = await given()
    store.held = false
    const good = await call('POST', '/orders', { payload: limitOrder(), headers: keyed })
    expect(good.status).toBe(201)
    store.held = true
    const lostKey = { 'x-idempotency-key': 'lost' }
    const lost = call('POST', '/orders', { payload: limitOrder(), headers: lostKey })
    await turns()
    store.fail()
    expect((await lost).body).toEqual({
      statusCode: 503,
      error: 'engine_stopped',
      message: expect.any(String),
    })
    expect(engine.failure).not.toBeNull()
    for (const headers of [lostKey, keyed]) {
      const replay = await call('POST', '/orders', { payload: limitOrder(), headers })
      expect(replay).toMatchObject({ status: 503, body: { error: 'engine_stopped' } })
      expect(replay.headers).not.toHaveProperty('x-idempotency-cached')
    }
    for (const [method, url] of routes)
      for (const key of [ALICE.session, KEYS[0], OPERATOR, 'mtk_wrong'])
        expect(await call(method, url, { key, payload: {} }), `${method} ${url}`).toMatchObject({
          status: 503,
          body: { error: 'engine_stopped' },
        })
    const health = await call('GET', '/operator/health', { key: OPERATOR })
    expect(health).toMatchObject({ status: 503, body: { status: 'failed' } })
    expect((await call('GET', '/docs')).status).toBe(200)
  })

  test('a replay that waits for its commit is 503 when that is lost', async () => {
    const { call, store } = await given()
    const first = call('POST', '/orders', { payload: limitOrder(), headers: keyed })
    await turns()
    const second = await call('POST', '/orders', { payload: limitOrder(), headers: keyed })
    expect(second.body.error).toBe('idempotency_key_in_flight')
    const read = call('GET', `/orders/${ALICE.accountId}/active`)
    await turns()
    store.fail()
    expect([(await first).status, (await read).status]).toEqual([503, 503])
  })
})

/** What a client concludes from answers; true of the log that is left, or the venue has lied. */
class Claims {
  readonly placed = new Set<string>()
  readonly ended = new Set<string>()
  readonly revoked = new Set<string>()
  readonly failures: string[] = []
  #stopped = false
  count = 0

  hear(step: Step, { status, body }: Answer, subject: string | undefined): void {
    this.count += 1
    if (status === 503) {
      this.#stopped = true
      return
    }
    if (this.#stopped) this.failures.push(`${step.does}: ${status} after a 503`)
    if (step.does === 'place' && status === 201) this.placed.add(body.id)
    if (step.does === 'cancel' && (status === 200 || body.error === 'order_not_active'))
      this.ended.add(subject as string)
    if (step.does === 'revoke' && status === 200) this.revoked.add(subject as string)
    if (step.does === 'keyed read' && status === 401) this.revoked.add(subject as string)
    if (step.does === 'read' && status === 200) {
      const active = new Set<string>(body.map(({ id }: { id: string }) => id))
      for (const id of active) this.placed.add(id)
      if (subject !== undefined && this.placed.has(subject) && !active.has(subject)) this.ended.add(subject)
    }
  }

  /** What of it a venue that has nothing but the log knows nothing of. */
  unexplained({ read }: Engine): string[] {
    return [
      ...this.failures,
      ...[...this.placed].filter((id) => read.order(id) === undefined).map((id) => `placed ${id}`),
      ...[...this.ended].filter((id) => read.order(id)?.status === 'active').map((id) => `ended ${id}`),
      ...[...this.revoked].filter((key) => read.apiKey(keyIdOf(key))?.revoked === false),
    ]
  }
}

type Step =
  | { readonly does: 'place'; readonly key: string | null; readonly market: boolean }
  | { readonly does: 'cancel' | 'read'; readonly order: number }
  | { readonly does: 'revoke' | 'keyed read'; readonly key: (typeof KEYS)[number] }
  | { readonly does: 'write' | 'tick' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('place' as const),
    key: fc.constantFrom('a', 'b', null),
    market: fc.boolean(),
  }),
  fc.record({
    does: fc.constantFrom('cancel' as const, 'cancel' as const, 'read' as const),
    order: fc.nat(3),
  }),
  fc.record({
    does: fc.constantFrom('revoke' as const, 'keyed read' as const),
    key: fc.constantFrom(...KEYS),
  }),
  fc.record({ does: fc.constantFrom('write' as const, 'write' as const, 'tick' as const) }),
)

test('whatever was told before a crash at any instant is explained by the log that is left', async () => {
  let [told, lostGroups, after503] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      fc.array(anyStep, { maxLength: 5 }),
      async (before, fails, after) => {
        const venue = await given()
        const { engine, store, call } = venue
        const claims = new Claims()
        let heard = true
        const orders: string[] = []
        engine.subscribe(() => {})
        const take = async (step: Step) => {
          if (step.does === 'write') store.write()
          else if (step.does === 'tick' && engine.failure === null)
            engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: 50_000_000_000_000n })
          else if (step.does !== 'tick') {
            for (const order of engine.failure === null ? engine.read.activeOrders(ALICE.accountId) : [])
              if (!orders.includes(order.id)) orders.push(order.id)
            const subject = 'order' in step ? orders[step.order] : (step as { key: string }).key
            void send(call, step, subject).then((answer) => {
              if (answer !== null && heard) claims.hear(step, answer, subject)
            })
          }
          await turns()
        }
        for (const step of before) await take(step)
        if (fails && store.fail()) {
          await turns()
          after503 += 1
          for (const step of after) await take(step)
        }
        heard = false
        if (engine.durableHead < engine.head) lostGroups += 1
        told += claims.count
        const left = await openEngine({ store })
        expect(claims.unexplained(left)).toEqual([])
        if (!fails) store.fail()
        await turns()
      },
    ),
    runs(60),
  )
  if (!ALL_RUNS) return
  expect(told).toBeGreaterThan(150)
  expect(lostGroups).toBeGreaterThan(20)
  expect(after503).toBeGreaterThan(10)
})

async function send(call: Given['call'], step: Step, subject: string | undefined): Promise<Answer | null> {
  switch (step.does) {
    case 'place':
      return call('POST', '/orders', {
        payload: step.market ? marketOrder() : limitOrder(),
        headers: step.key === null ? {} : { 'x-idempotency-key': step.key },
      })
    case 'cancel':
      return subject === undefined ? null : call('DELETE', `/orders/${subject}`)
    case 'read':
      return call('GET', `/orders/${ALICE.accountId}/active`)
    case 'revoke':
      return call('DELETE', `/user/api-keys/${keyIdOf(subject as string)}`)
    case 'keyed read':
      return call('GET', '/accounts/with-risk-status', { key: subject as string })
    default:
      return null
  }
}
