/**
 * A market follower: one limit order a little below the market, moved along as the price moves, with a take-profit and a
 * stop-loss. What it does follows from what it holds, as the stream tells it, here over a WebSocket.
 *
 *   npm start                                                       on a demo venue of its own, for 20 prices
 *   npm start -- --url http://127.0.0.1:8080 --key mtk_…            on a running one, until Ctrl-C
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { formatDecimal } from 'margin-core'
import { ApiError, MarginTradingClient, VenueUnreachable } from 'margin-core/client'
import { demoVenue, serveVenue } from 'margin-core/host'
import { WebSocket } from 'ws'

const { values: given } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    asset: { type: 'string', default: 'BTC' },
    prices: { type: 'string' }, // ends after so many
  },
})
const own = given.url === undefined ? await ownVenue() : null
const client = new MarginTradingClient({
  ...(own ?? { baseUrl: given.url as string, token: given.key }),
  retry: { attempts: 10, onWait: (ms, why) => console.log(`${why}: waiting ${ms / 1_000} s`) },
  newIdempotencyKey: randomUUID,
  webSocket: WebSocket,
})
const most = Number(given.prices ?? (own === null ? Number.POSITIVE_INFINITY : 20))
const BELOW = 999n // thousandths of the price
const SLACK = 2_000n // it moves the order once it is off by more than the price by this
const REST_MS = 10_000 // after a refusal

const [account] = await client.accounts()
if (account === undefined) throw new Error('this key has no account with API trading on')
const { accountId } = account
const market = (await client.markets(accountId)).find(({ config }) => config.baseAsset === given.asset)
if (market === undefined) throw new Error(`no market of ${given.asset}`)
const marketId = market.id

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())

let [heard, restUntil] = [0, 0]
const stream = client.stream({ accountIds: [accountId], signal: leaving.signal })
/** The order that an answer named, until it is told: so long the copy does not show what was done. */
let untold: string | null = null
for await (const { type, data } of stream) {
  if (type === 'order') {
    console.log(`${data.type} order ${data.status}`, data.errorCode ?? data.reason ?? '')
    if (data.id === untold) untold = null
  }
  if (type === 'snapshot') untold = null
  if (type !== 'price' || data.marketId !== marketId) continue
  heard += 1
  if (untold === null && Date.now() >= restUntil) await follow(BigInt(data.indexPrice))
  if (heard >= most) leaving.abort()
}

for (const { id } of await client.activeOrders(accountId, given.asset)) await cancel(id)
const { orders } = await closeAll()
console.log(`${heard} prices heard, ${orders.length} positions closed at the end`)
const { currentEquity } = await client.riskStatus(accountId)
console.log(`equity ${formatDecimal(BigInt(currentEquity), 2)}`)
await own?.close()

/** A step towards one order below the market, or none while a position is open. */
async function follow(price: bigint): Promise<void> {
  if ([...stream.positions.values()].some((position) => position.market === marketId)) return
  const resting = [...stream.orders.values()].find(
    (order) => order.market === marketId && order.type === 'limit',
  )
  const level = (price * BELOW) / 1_000n
  try {
    if (resting === undefined) untold = (await place(level)).id
    else if (distance(BigInt(resting.triggerPrice ?? '0'), level) > price / SLACK)
      untold = (await client.cancelOrder(resting.id)).id
  } catch (error) {
    // What the venue refuses it would refuse again at once, and what it has not answered the stream will tell.
    if (!(error instanceof ApiError || error instanceof VenueUnreachable)) throw error
    console.log(error.message)
    restUntil = Date.now() + REST_MS
  }
}

function place(level: bigint) {
  return client.placeOrder({
    accountId,
    marketId,
    type: 'limit',
    direction: 'long',
    amount: '1000000000000', // 1,000 USD
    leverage: '5000000000',
    triggerPrice: String(level),
    stopTriggerPrice: String((level * 98n) / 100n),
    takeTriggerPrice: String((level * 1_002n) / 1_000n),
  })
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

async function ownVenue() {
  const { configuration, apiKey } = demoVenue()
  const feed = { ...configuration.feed, intervalMs: 100 } as typeof configuration.feed
  const venue = await serveVenue({ configuration: { ...configuration, feed }, port: 0 })
  return { baseUrl: venue.url, token: apiKey, close: venue.close }
}

/** Repeated until it is answered: what has been cancelled or filled meanwhile is refused, and cancels nothing. */
async function cancel(id: string): Promise<void> {
  for (;;)
    try {
      await client.cancelOrder(id)
      return
    } catch (error) {
      if (error instanceof ApiError) return console.log(error.message)
      if (!(error instanceof VenueUnreachable)) throw error
    }
}

/** Repeated until it is answered: what is closed already is not closed twice. */
async function closeAll(): ReturnType<typeof client.closeAll> {
  for (;;)
    try {
      return await client.closeAll(accountId)
    } catch (error) {
      if (!(error instanceof VenueUnreachable)) throw error
    }
}
