// The server under load, in a process of its own: the API, beside it the same Fastify answering a constant body, and the same
// Fastify with an engine behind it and nothing of the host around that.

import Fastify, { type FastifyInstance } from 'fastify'
import { readConfiguration } from '../src/host/configuration.ts'
import { orderJson } from '../src/host/orderJson.ts'
import { createServer } from '../src/host/server.ts'
import { openVenue } from '../src/host/venue.ts'
import type { PlaceOrder } from '../src/index.ts'

export const LOAD = {
  key: 'mtk_load',
  accountId: 'a0000000-0000-4000-8000-0000000000a1',
  marketId: 'b0000000-0000-4000-8000-000000000001',
}

const userId = 'a0000000-0000-4000-8000-000000000001'
const configuration = readConfiguration(
  Buffer.from(
    JSON.stringify({
      seed: 'load',
      rateLimit: null,
      markets: [
        {
          id: LOAD.marketId,
          baseAsset: 'BTC',
          ticker: 'BTC/USD',
          category: 'crypto',
          indexPrice: '50000000000000',
          maxPriceAgeMs: 86_400_000,
        },
      ],
      users: [{ id: userId, apiKeys: [{ key: LOAD.key }] }],
      accounts: [{ id: LOAD.accountId, userId, balance: '1000000000000000000000' }],
    }),
  ),
)

export const ORDER = {
  accountId: LOAD.accountId,
  marketId: LOAD.marketId,
  type: 'market',
  direction: 'long',
  amount: '10000000000',
  leverage: '5000000000',
}

/** What the API answers an order that fills: the same bytes are the constant answer. */
async function executedOrder(url: string): Promise<string> {
  const answer = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${LOAD.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ORDER),
  })
  const body = await answer.text()
  if (answer.status !== 201 || !body.includes('"executed"')) throw new Error(`not filled: ${body}`)
  return body
}

const JSON_TYPE = 'application/json; charset=utf-8'

function constantBody(body: string): FastifyInstance {
  const app = Fastify()
  app.post('/orders', (_request, reply) => reply.code(201).header('content-type', JSON_TYPE).send(body))
  return app
}

/** Asks nobody who they are, checks, bounds and counts nothing: what the engine takes alone. */
async function engineAlone(): Promise<FastifyInstance> {
  const { engine, clock } = await openVenue(configuration)
  const app = Fastify()
  app.post<{ Body: typeof ORDER }>('/orders', async ({ body }, reply) => {
    const { type, accountId, marketId, direction, amount, leverage } = body
    const order = { type: 'placeOrder', accountId, marketId, orderType: type, direction } as PlaceOrder
    const command = { ...order, amount: BigInt(amount), leverage: BigInt(leverage) } as PlaceOrder
    const caller = { userId, apiKey: true }
    const outcome = await engine.send(command, { at: clock.now(), caller })
    if (!outcome.ok) throw new Error(outcome.error.code)
    return reply.code(201).header('content-type', JSON_TYPE).send(orderJson(outcome.value))
  })
  return app
}

if (process.argv[2] === 'run') {
  const { engine, clock } = await openVenue(configuration)
  const apiUrl = await (await createServer({ engine, clock, rateLimit: null })).listen({ port: 0 })
  const ceilingUrl = await constantBody(await executedOrder(apiUrl)).listen({ port: 0 })
  const engineUrl = await (await engineAlone()).listen({ port: 0 })
  process.stdout.write(`${JSON.stringify({ api: apiUrl, ceiling: ceilingUrl, engine: engineUrl })}\n`)
  // Whoever writes a line is told what the processor has worked here so far, µs.
  process.stdin.on('data', () => {
    const { user, system } = process.cpuUsage()
    process.stdout.write(`${user + system}\n`)
  })
}
