/**
 * A trend follower: long while a fast mean of the price is above a slow one, short while it is below, with a stop-loss. What it
 * does follows from what it holds, as the stream tells it.
 *
 *   npm start                                                       on a demo venue of its own, for 20 prices
 *   npm start -- --url http://127.0.0.1:8080 --key mtk_…            on a running one, until Ctrl-C
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { formatDecimal } from 'margin-core'
import { ApiError, MarginTradingClient, VenueUnreachable } from 'margin-core/client'
import { demoVenue, serveVenue } from 'margin-core/host'

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
})
const most = Number(given.prices ?? (own === null ? Number.POSITIVE_INFINITY : 20))
const [FAST, SLOW] = [4n, 16n] // prices that the means look back
const REST_MS = 10_000 // after a refusal

const [account] = await client.accounts()
if (account === undefined) throw new Error('this key has no account with API trading on')
const { accountId } = account
const market = (await client.markets(accountId)).find(({ config }) => config.baseAsset === given.asset)
if (market === undefined) throw new Error(`no market of ${given.asset}`)
const marketId = market.id

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())

let [heard, fast, slow, restUntil] = [0, 0n, 0n, 0]
/** Orders that were answered and are not told yet: until then the copy does not show what they did. */
const untold = new Set<string>()
const stream = client.stream({ accountIds: [accountId], signal: leaving.signal })
for await (const { type, data } of stream) {
  if (type === 'snapshot') untold.clear()
  if (type === 'order') {
    console.log(`${data.type} order ${data.status}`, data.errorCode ?? data.reason ?? '')
    if (data.status !== 'active') untold.delete(data.id)
  }
  if (type !== 'price' || data.marketId !== marketId) continue
  const price = BigInt(data.indexPrice)
  heard += 1
  fast = heard === 1 ? price : fast + (price - fast) / FAST
  slow = heard === 1 ? price : slow + (price - slow) / SLOW
  if (untold.size === 0 && Date.now() >= restUntil) await follow(fast < slow ? 'short' : 'long', price)
  if (heard >= most) leaving.abort()
}

const { orders } = await closeAll()
console.log(`${heard} prices heard, ${orders.length} positions closed at the end`)
const { currentEquity } = await client.riskStatus(accountId)
console.log(`equity ${formatDecimal(BigInt(currentEquity), 2)}`)
await own?.close()

/** A step towards holding one position in this direction and none in the other. */
async function follow(direction: 'long' | 'short', price: bigint): Promise<void> {
  const held = [...stream.positions.values()].filter((position) => position.market === marketId)
  const against = held.find((position) => position.direction !== direction)
  try {
    if (against !== undefined) untold.add((await close(against)).id)
    else if (held.length === 0) untold.add((await open(direction, price)).id)
  } catch (error) {
    // What the venue refuses it would refuse again at once, and what it has not answered the stream will tell.
    if (!(error instanceof ApiError || error instanceof VenueUnreachable)) throw error
    console.log(error.message)
    restUntil = Date.now() + REST_MS
  }
}

function open(direction: 'long' | 'short', price: bigint) {
  const stop = (price * (direction === 'long' ? 98n : 102n)) / 100n
  const size = { amount: '1000000000000', leverage: '5000000000' } // 1,000 USD at 5x
  return client.placeOrder({
    accountId,
    marketId,
    type: 'market',
    direction,
    ...size,
    stopTriggerPrice: String(stop),
  })
}

/** At market: a take without a trigger. */
function close({ idx, direction, size }: { idx: string | null; direction: 'long' | 'short'; size: string }) {
  const position = { positionId: idx ?? '', direction, amount: size }
  return client.placeOrder({ accountId, marketId, type: 'take', triggerPrice: '0', ...position })
}

async function ownVenue() {
  const { configuration, apiKey } = demoVenue()
  const feed = { ...configuration.feed, intervalMs: 100 } as typeof configuration.feed
  const venue = await serveVenue({ configuration: { ...configuration, feed }, port: 0 })
  return { baseUrl: venue.url, token: apiKey, close: venue.close }
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
