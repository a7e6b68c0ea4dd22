// A price that rises through the peaks of many trailing stops, each placed at a peak of its own.

import { ONE } from '../src/index.ts'
import { type Figure, once, type Timing } from './figure.ts'
import { accountId, benchVenue, marketId, must, open, PRICE } from './venue.ts'

export const peaks: Figure = {
  name: 'peaks',
  about: 'a price making new highs over trailing stops, per tick',
  run({ quick }) {
    const stops = quick ? 10_000 : 100_000
    const passing = risingOver(stops)
    return [
      {
        what: `passing ${stops.toLocaleString('en')} peaks, one a tick, each merging`,
        value: passing.merging.nsPerOperation / 1_000,
        unit: ' µs',
      },
      {
        what: `new highs with all of them in one segment`,
        value: passing.running.nsPerOperation / 1_000,
        unit: ' µs',
      },
    ]
  },
}

function risingOver(stops: number): { merging: Timing; running: Timing } {
  const engine = benchVenue({})
  const { positionId } = open(engine, 0, 0, 'long', false)
  const step = PRICE / 10_000_000n
  const [market, account] = [marketId(0), accountId(0)]
  const tick = (indexPrice: bigint) => must(engine, { type: 'updatePrice', marketId: market, indexPrice })
  for (let n = 0; n < stops; n++) {
    tick(PRICE - BigInt(n) * step)
    must(engine, {
      type: 'placeOrder',
      accountId: account,
      marketId: market,
      orderType: 'trailing_stop',
      direction: 'long',
      positionId,
      amount: ONE,
      ...(n % 2 === 0
        ? { trailingStopOffset: PRICE / 10n }
        : { trailingStopOffsetPercent: ONE / 10n + BigInt(n) }),
    })
  }
  const lowest = PRICE - BigInt(stops - 1) * step
  const rise = (from: bigint) => () => {
    for (let n = 0; n < stops; n++) tick(from + BigInt(n) * step)
    return stops
  }
  return { merging: once(rise(lowest + 1n)), running: once(rise(PRICE + step)) }
}
