// The server under load, in a process of its own: the API, and beside it the same Fastify answering a constant body.

import Fastify from 'fastify'
import { readConfiguration } from '../src/host/configuration.ts'
import { createServer } from '../src/host/server.ts'
import { openVenue } from '../src/host/venue.ts'
import { wireOrder } from '../src/projections/wire.ts'

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

if (process.argv[2] === 'run') {
  const { engine, clock } = await openVenue(configuration)
  const api = await createServer({ engine, clock, rateLimit: null })
  const placed = engine.dispatch({
    type: 'placeOrder',
    ...LOAD,
    orderType: 'market',
    direction: 'long',
    amount: 10_000_000_000n,
    leverage: 5_000_000_000n,
  } as never)
  const constant = JSON.stringify(placed.ok ? wireOrder(placed.value as never) : placed)
  const ceiling = Fastify()
  ceiling.post('/orders', (_request, reply) =>
    reply.code(201).header('content-type', 'application/json; charset=utf-8').send(constant),
  )
  const [apiUrl, ceilingUrl] = [await api.listen({ port: 0 }), await ceiling.listen({ port: 0 })]
  process.stdout.write(`${JSON.stringify({ api: apiUrl, ceiling: ceilingUrl })}\n`)
}
