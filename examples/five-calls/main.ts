/**
 * The typical flow of the Margin Trading API: five calls from nothing to a closed position.
 *
 *   npm start                                       on a demo venue of its own
 *   npm start -- http://127.0.0.1:8080 mtk_…        on a running one, with the key it printed
 */

import { formatDecimal } from 'margin-core'
import { MarginTradingClient } from 'margin-core/client'
import { demoVenue, serveVenue } from 'margin-core/host'

const [baseUrl, token] = process.argv.slice(2)
const own = baseUrl === undefined ? await ownVenue() : null
const client = new MarginTradingClient(own ?? { baseUrl: baseUrl as string, token: token ?? '' })

// 1. Which account to trade on.
const [account] = await client.accounts()
if (account === undefined) throw new Error('this key has no account with API trading on')
console.log(`account ${account.accountId}, equity ${people(account.riskStatus.currentEquity)}`)

// 2. Which market.
const markets = await client.markets(account.accountId)
const market = markets.find(({ config }) => config.baseAsset === 'BTC')
if (market === undefined) throw new Error('no BTC market')
console.log(`${market.config.ticker} at ${people(market.state.indexPrice)}`)

// 3. Open: 1,000 USD at 5x. The key makes a repetition harmless.
const opened = await client.placeOrder(
  {
    accountId: account.accountId,
    marketId: market.id,
    type: 'market',
    direction: 'long',
    amount: '1000000000000',
    leverage: '5000000000',
  },
  { idempotencyKey: crypto.randomUUID() },
)
console.log(`order ${opened.status} at ${people(opened.indexPrice ?? '0')}`)

// 4. The order carries no position: read it.
const positions = await client.activePositions(account.accountId, 'BTC')
const position = positions.find(({ direction }) => direction === 'long')
if (position?.idx == null) throw new Error(`nothing opened: ${opened.errorCode}`)
console.log(`position of ${people(position.size)} BTC, margin ${people(position.margin)}`)

// 5. Close at market: a take without trigger.
const closed = await client.placeOrder({
  accountId: account.accountId,
  marketId: market.id,
  type: 'take',
  direction: 'long',
  amount: position.size,
  positionId: position.idx,
  triggerPrice: '0',
})
console.log(`closed, realized ${people(closed.realizedPnl ?? '0')} USD before fees`)

await own?.close()

function people(fp9: string): string {
  return formatDecimal(BigInt(fp9), 4)
}

async function ownVenue() {
  const { configuration, apiKey } = demoVenue()
  const venue = await serveVenue({ configuration, port: 0 })
  return { baseUrl: venue.url, token: apiKey, close: venue.close }
}
