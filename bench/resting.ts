// Limit orders that are placed, edited and cancelled while a million others rest.

import { type Engine, ONE } from '../src/index.ts'
import { compare, type Figure, rate } from './figure.ts'
import { accountId, away, benchVenue, marketId, must, restOn, scatter } from './venue.ts'

const MARKET = marketId(0)
const accountIds = Array.from({ length: 1_000 }, (_, n) => accountId(n))

export const resting: Figure = {
  name: 'resting',
  about: 'a limit order placed and cancelled among resting ones, per second',
  run({ quick }) {
    const size = quick ? 20_000 : 1_000_000
    const engine = benchVenue({ accounts: Math.ceil(size / 8) + 1 })
    const empty = benchVenue({})
    restOn(engine, size)
    const pairs = quick ? 10_000 : 50_000
    const timed = compare({
      empty: () => placeAndCancel(empty, pairs, 1),
      full: () => placeAndCancel(engine, pairs, 1_000),
      emptyEdited: () => placeAndCancel(empty, pairs, 1, true),
      edited: () => placeAndCancel(engine, pairs, 1_000, true),
    })
    const among = `among ${size.toLocaleString('en')}`
    return [
      rate(
        `place and cancel ${among}`,
        timed.full,
        'an empty market',
        timed.empty,
        '150k/s, 1.3× of its floor',
      ),
      rate(`place, edit and cancel ${among}`, timed.edited, 'an empty market', timed.emptyEdited),
    ]
  },
}

export function placeAndCancel(engine: Engine, pairs: number, accounts: number, edits = false): number {
  for (let n = 0; n < pairs; n++) {
    const placed = must(engine, {
      type: 'placeOrder',
      accountId: accountIds[n % accounts] as string,
      marketId: MARKET,
      orderType: 'limit',
      direction: 'long',
      amount: 1_000n * ONE,
      leverage: 2n * ONE,
      triggerPrice: away(-200 - scatter(n, 2_000)),
    })
    const { value } = edits
      ? must(engine, {
          type: 'editOrder',
          orderId: placed.value.id,
          triggerPrice: away(-200 - scatter(n + 1, 2_000)),
        })
      : placed
    must(engine, { type: 'cancelOrder', orderId: value.id })
  }
  return pairs
}
