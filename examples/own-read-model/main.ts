/**
 * A read model of your own: what was traded on each market on each day. The engine folds it from the log and serves it.
 */
import { createEngine, formatDecimal, fp9, projection } from 'margin-core'

const volume = projection({
  name: 'volume',
  version: 1, // another one whenever this is changed: it is then folded again from the log
  key: ({ marketId }, { at }) => `${marketId} ${new Date(at).toISOString().slice(0, 10)}`,
  initial: () => ({ trades: 0, quote: 0n }),
  on: {
    increasePosition(day, { notional }) {
      day.trades += 1
      day.quote += notional
    },
    closePosition(day, { exchangedQuote }) {
      day.trades += 1
      day.quote += exchangedQuote
    },
  },
})

const [marketId, accountId, userId] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const engine = createEngine({
  projections: [volume], // with openEngine it goes on from where it was saved
  at: Date.UTC(2026, 0, 5, 12),
  markets: [
    { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('95000') },
  ],
  accounts: [{ id: accountId, userId, balance: fp9('10000') }],
})
const order = { type: 'placeOrder', accountId, marketId, orderType: 'market' } as const
engine.dispatch({ ...order, direction: 'long', amount: fp9('500'), leverage: fp9('3') })
engine.dispatch({ ...order, direction: 'short', amount: fp9('200'), leverage: fp9('5') })
engine.dispatch({ type: 'closeAll', accountId })

for (const [key, { trades, quote }] of engine.projection(volume))
  console.log(key, trades, formatDecimal(quote, 2))
