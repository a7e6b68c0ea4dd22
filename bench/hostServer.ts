// The server under load, in a process of its own: the API, and beside it the same Fastify answering a constant body.

import Fastify from 'fastify'
import { readConfiguration } from '../src/host/configuration.ts'
import { createServer } from '../src/host/server.ts'
import { openVenue } from '../src/host/venue.ts'

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

if (process.argv[2] === 'run') {
  const { engine, clock } = await openVenue(configuration)
  const api = await createServer({ engine, clock, rateLimit: null })
  const apiUrl = await api.listen({ port: 0 })
  const constant = await executedOrder(apiUrl)
  const ceiling = Fastify()
  ceiling.post('/orders', (_request, reply) =>
    reply.code(201).header('content-type', 'application/json; charset=utf-8').send(constant),
  )
  const ceilingUrl = await ceiling.listen({ port: 0 })
  process.stdout.write(`${JSON.stringify({ api: apiUrl, ceiling: ceilingUrl })}\n`)
  // Whoever writes a line is told what the processor has worked here so far, µs.
  process.stdin.on('data', () => {
    const { user, system } = process.cpuUsage()
    process.stdout.write(`${user + system}\n`)
  })
}
