/**
 * The API below a path of an Express server. It is a Fastify plugin, so a Fastify that never listens answers for it: what
 * Express routes to the path is handed over as it came, ahead of any body parser.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { createEngine, formatDecimal, fp9 } from 'margin-core'
import { MarginTradingClient } from 'margin-core/client'
import { marginTradingApi } from 'margin-core/host'

const userId = '00000000-0000-4000-8000-000000000001'
const accountId = '00000000-0000-4000-8000-000000000002'
const marketId = '00000000-0000-4000-8000-000000000003'
const keyId = '00000000-0000-4000-8000-000000000004'
const prefix = '/trading'

const engine = createEngine({
  at: Date.now(),
  markets: [
    { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('95000') },
  ],
  accounts: [{ id: accountId, userId, balance: fp9('10000') }],
})

// A key of your own making: the engine only ever learns its hash.
const key = 'mtk_made-by-my-own-user-service'
const hash = createHash('sha256').update(key).digest('hex')
await engine.send({ type: 'registerApiKey', keyId, userId, name: 'example', hash, prefix: key.slice(0, 8) })

const api = Fastify()
await api.register(marginTradingApi, { engine, prefix })
await api.ready()

const app = express()
app.use((request, response, next) => {
  if (request.path.startsWith(`${prefix}/`)) api.routing(request, response)
  else next()
})
app.use(express.json()) // for the routes of yours
app.get('/equity', (_request, response) => {
  response.json({ equity: formatDecimal(engine.read.equity(accountId) ?? 0n, 2) })
})

const server = app.listen(0)
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const client = new MarginTradingClient({ baseUrl: `${url}${prefix}`, token: key })
const order = await client.placeOrder({
  accountId,
  marketId,
  type: 'market',
  direction: 'long',
  amount: '500000000000',
  leverage: '3000000000',
})
console.log(`order ${order.status}`, await (await fetch(`${url}/equity`)).json())

server.close()
await api.close()
