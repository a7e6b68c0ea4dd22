// Limit orders that are placed and cancelled while a million others rest.

import { type Engine, ONE } from '../src/index.ts'
import { compare, type Figure, rate } from './figure.ts'
import { accountId, away, benchVenue, marketId, must, restOn, scatter } from './venue.ts'

const MARKET = marketId(0)
const accountIds = Array.from({ length: 1_000 }, (_, n) => accountId(n))

export const resting: Figure = {
  name: 'resting',
  about: 'a limit order placed and cancelled among resting ones, pairs per second',
  run({ quick }) {
    const size = quick ? 20_000 : 1_000_000
    const engine = benchVenue({ accounts: Math.ceil(size / 8) + 1 })
    const empty = benchVenue({})
    restOn(engine, size)
    const pairs = quick ? 10_000 : 50_000
    const timed = compare({
      empty: () => placeAndCancel(empty, pairs, 1),
      full: () => placeAndCancel(engine, pairs, 1_000),
    })
    return [
      rate(`place and cancel among ${size.toLocaleString('en')}`, timed.full, 'an empty market', timed.empty),
    ]
  },
}

function placeAndCancel(engine: Engine, pairs: number, accounts: number): number {
  for (let n = 0; n < pairs; n++) {
    const { value } = must(engine, {
      type: 'placeOrder',
      accountId: accountIds[n % accounts] as string,
      marketId: MARKET,
      orderType: 'limit',
      direction: 'long',
      amount: 1_000n * ONE,
      leverage: 2n * ONE,
      triggerPrice: away(-200 - scatter(n, 2_000)),
    })
    must(engine, { type: 'cancelOrder', orderId: value.id })
  }
  return pairs
}
