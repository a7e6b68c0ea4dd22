/**
 * A bot: buys one market when its price is below the mean of what it heard, with a stop-loss and a take-profit, and holds one
 * position at a time. It hears prices and its own account over the stream, which comes back by itself.
 *
 *   npm start                                                       on a demo venue of its own, for 20 prices
 *   npm start -- --url http://127.0.0.1:8080 --key mtk_…            on a running one, until Ctrl-C
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatDecimal } from 'margin-core'
import { ApiError, demoVenue, MarginTradingClient, serveVenue } from 'margin-core/host'

const { values: given } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    asset: { type: 'string', default: 'BTC' },
    prices: { type: 'string' }, // ends after so many
  },
})
const own = given.url === undefined ? await ownVenue() : null
const client = new MarginTradingClient(own ?? { baseUrl: given.url as string, token: given.key })
const least = 5 // prices before it trades
const most = Number(given.prices ?? (own === null ? Number.POSITIVE_INFINITY : 20))

const [account] = await client.accounts()
if (account === undefined) throw new Error('this key has no account with API trading on')
const { accountId } = account
const market = (await client.markets(accountId)).find(({ config }) => config.baseAsset === given.asset)
if (market === undefined) throw new Error(`no market of ${given.asset}`)
const marketId = market.id

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())

const heard: bigint[] = []
const stream = client.stream({ accountIds: [accountId], signal: leaving.signal })
for await (const { type, data } of stream) {
  if (type === 'order') console.log(`${data.type} order ${data.status}`, data.errorCode ?? data.reason ?? '')
  if (type !== 'price' || data.marketId !== marketId) continue
  const price = BigInt(data.indexPrice)
  heard.push(price)
  const mean = heard.reduce((sum, each) => sum + each) / BigInt(heard.length)
  if (heard.length >= least && price < mean && stream.positions.size === 0) await buy(price)
  if (heard.length >= most) leaving.abort()
}

const { orders } = await client.closeAll(accountId)
console.log(`${heard.length} prices heard, ${orders.length} positions closed at the end`)
const { currentEquity } = await client.riskStatus(accountId)
console.log(`equity ${formatDecimal(BigInt(currentEquity), 2)}`)
await own?.close()

/** The key makes sending it again harmless: whatever became of the first attempt, the order is placed once. */
async function buy(price: bigint): Promise<void> {
  const idempotencyKey = randomUUID()
  const order = {
    accountId,
    marketId,
    type: 'market',
    direction: 'long',
    amount: '1000000000000', // 1,000 USD
    leverage: '5000000000',
    stopTriggerPrice: String((price * 98n) / 100n),
    takeTriggerPrice: String((price * 101n) / 100n),
  } as const
  for (let attempt = 1; attempt <= 5 && !leaving.signal.aborted; attempt++)
    try {
      await client.placeOrder(order, { idempotencyKey })
      return
    } catch (error) {
      // What the venue refuses it would refuse again; a rate limit and a lost connection pass.
      if (error instanceof ApiError && error.retryAfter === null) return console.log(`refused: ${error.code}`)
      await pause(error instanceof ApiError ? (error.retryAfter ?? 1) * 1_000 : 500)
    }
}

async function ownVenue() {
  const { configuration, apiKey } = demoVenue()
  const feed = { ...configuration.feed, intervalMs: 100 } as typeof configuration.feed
  const venue = await serveVenue({ configuration: { ...configuration, feed }, port: 0 })
  return { baseUrl: venue.url, token: apiKey, close: venue.close }
}
