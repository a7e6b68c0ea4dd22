/**
 * The API as a plugin in a Fastify server of your own: an engine you hold, your own routes beside the documented ones.
 */
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { createEngine, fp9 } from 'margin-core'
import { MarginTradingClient } from 'margin-core/client'
import { marginTradingApi } from 'margin-core/host'

const userId = '00000000-0000-4000-8000-000000000001'
const accountId = '00000000-0000-4000-8000-000000000002'
const marketId = '00000000-0000-4000-8000-000000000003'

const engine = createEngine({
  at: Date.now(),
  markets: [
    { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('95000') },
  ],
  accounts: [{ id: accountId, userId, balance: fp9('10000') }],
})

// A key of your own making: the engine only ever learns its hash.
const key = 'mtk_made-by-my-own-user-service'
await engine.send({
  type: 'registerApiKey',
  keyId: '00000000-0000-4000-8000-000000000004',
  userId,
  name: 'example',
  hash: createHash('sha256').update(key).digest('hex'),
  prefix: key.slice(0, 8),
})

const app = Fastify()
app.get('/healthz', async () => ({ head: engine.head }))
await app.register(marginTradingApi, { engine, rateLimit: { perSecond: 100, perMinute: 1_000 } })

// Watch every commit while traders trade.
engine.subscribe(({ seq, command, events }) =>
  console.log(seq, command.type, events.map(({ type }) => type).join()),
)

const baseUrl = await app.listen({ port: 0 })
const client = new MarginTradingClient({ baseUrl, token: key })
await client.placeOrder({
  accountId,
  marketId,
  type: 'market',
  direction: 'short',
  amount: '500000000000',
  leverage: '3000000000',
})
const flattened = await client.closeAll(accountId)
console.log('closed', flattened.orders.length, await (await fetch(`${baseUrl}/healthz`)).json())
await app.close()
