// Each call of the client: what it asks, word for word.

import { expect, test } from 'vitest'
import { MarginTradingClient } from '../../../src/client/client.ts'

interface Sent {
  readonly url: string
  readonly method: string
  readonly body: unknown
  readonly headers: Record<string, string>
}

/** What a call sends; everything is answered with `{}`. */
async function sentBy(call: (client: MarginTradingClient) => Promise<unknown>): Promise<Sent> {
  const sent: Sent[] = []
  const client = new MarginTradingClient({
    baseUrl: 'https://venue//',
    token: 'secret',
    newIdempotencyKey: () => 'made',
    fetch: async (url, init) => {
      const { method = 'GET', headers, body } = init ?? {}
      sent.push({
        url: String(url),
        method,
        headers: headers as Record<string, string>,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      })
      return new Response('{}')
    },
  })
  await call(client)
  expect(sent.length).toBe(1)
  return sent[0] as Sent
}

const ORDER = { accountId: 'a' } as Parameters<MarginTradingClient['placeOrder']>[0]
const EDIT = { triggerPrice: '1' } as Parameters<MarginTradingClient['editOrder']>[1]
const KEY = { name: 'bot' } as Parameters<MarginTradingClient['createApiKey']>[0]

test.each<[string, string, (client: MarginTradingClient) => Promise<unknown>, body?: object]>([
  ['GET', '/accounts/with-risk-status', (client) => client.accounts()],
  ['GET', '/accounts/a%2Fb/risk-status', (client) => client.riskStatus('a/b')],
  ['GET', '/v2/markets?accountId=a%26b', (client) => client.markets('a&b')],
  ['POST', '/orders', (client) => client.placeOrder(ORDER), ORDER],
  ['PATCH', '/orders/o', (client) => client.editOrder('o', EDIT), EDIT],
  ['DELETE', '/orders/o', (client) => client.cancelOrder('o')],
  ['GET', '/orders/a/active', (client) => client.activeOrders('a')],
  ['GET', '/orders/a/BTC/active', (client) => client.activeOrders('a', 'BTC')],
  ['GET', '/orders/a/BTC/history', (client) => client.orderHistory('a', 'BTC')],
  ['GET', '/orders/a/BTC/history?limit=0', (client) => client.orderHistory('a', 'BTC', { limit: 0 })],
  ['GET', '/orders/a/BTC/history?offset=0', (client) => client.orderHistory('a', 'BTC', { offset: 0 })],
  ['GET', '/positions/a/active', (client) => client.activePositions('a')],
  ['GET', '/positions/a/BTC/active', (client) => client.activePositions('a', 'BTC')],
  ['GET', '/positions/a/BTC/history', (client) => client.positionHistory('a', 'BTC')],
  [
    'GET',
    '/positions/a/BTC/history?limit=2&offset=3',
    (client) => client.positionHistory('a', 'BTC', { limit: 2, offset: 3 }),
  ],
  ['GET', '/positions/a/portfolio/history?limit=7', (client) => client.portfolio('a', { limit: 7 })],
  ['GET', '/positions/p/history', (client) => client.positionEvents('p')],
  ['PATCH', '/positions/p/margin', (client) => client.changeMargin('p', '-1'), { marginChange: '-1' }],
  ['POST', '/positions/a/close-all', (client) => client.closeAll('a')],
  ['POST', '/user/api-keys', (client) => client.createApiKey(KEY), KEY],
  ['GET', '/user/api-keys', (client) => client.apiKeys()],
  ['POST', '/user/api-keys/k/refresh', (client) => client.refreshApiKey('k')],
  ['DELETE', '/user/api-keys/k', (client) => client.deleteApiKey('k')],
])('%s %s', async (method, at, call, body) => {
  const sent = await sentBy(call)
  expect([sent.method, sent.url, sent.body]).toEqual([method, `https://venue${at}`, body])
  expect(sent.headers).toEqual({
    authorization: 'Bearer secret',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(at === '/orders' && { 'x-idempotency-key': 'made' }),
  })
})

test('an order goes under the key it was given, before one that is made', async () => {
  const { headers } = await sentBy((client) => client.placeOrder(ORDER, { idempotencyKey: 'given' }))
  expect(headers['x-idempotency-key']).toBe('given')
})

test.each([
  [{}, '/stream'],
  [{ from: 0 }, '/stream?from=0'],
  [{ accountIds: ['a', 'b&c'] }, '/stream?accountId=a&accountId=b%26c'],
  [{ accountIds: ['a'], from: 7 }, '/stream?accountId=a&from=7'],
])('a stream of %j is asked for at %s', async (options, at) => {
  const stop = new AbortController()
  const asked: string[] = []
  const client = new MarginTradingClient({
    baseUrl: 'https://venue',
    token: 'secret',
    fetch: async (url, init) => {
      asked.push(String(url), new Headers(init?.headers).get('authorization') as string)
      stop.abort()
      return new Response('')
    },
  })
  for await (const _ of client.stream({ ...options, signal: stop.signal }));
  expect(asked).toEqual([`https://venue${at}`, 'Bearer secret'])
})

test('an answer that is none is quoted as far as 200 characters go', async () => {
  const text = `<html>${'x'.repeat(300)}`
  const client = new MarginTradingClient({
    baseUrl: 'https://venue',
    token: 'secret',
    fetch: async () => new Response(text, { status: 502 }),
  })
  await expect(client.accounts()).rejects.toMatchObject({
    message: `unexpected_answer: ${text.slice(0, 200)}`,
  })
})

test('a request without an answer says after how many seconds it was given up', async () => {
  const client = new MarginTradingClient({
    baseUrl: 'https://venue',
    token: 'secret',
    retry: { answerMs: 5 },
    fetch: (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  await expect(client.accounts()).rejects.toMatchObject({ cause: { message: 'no answer within 0.005 s' } })
})
