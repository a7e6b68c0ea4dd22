// One funding instant over many positions.

import { fundingPayment } from '../src/domain/formulas/funding.ts'
import { type IncreasePosition, inPlace, positionRecipe, unopenedPosition } from '../src/index.ts'
import { compare, type Figure, once } from './figure.ts'
import { benchVenue, marketId, must, open, PRICE, START } from './venue.ts'

const INTERVAL_MS = 28_800_000
const RATE = 100_000n

export const funding: Figure = {
  name: 'funding',
  about: 'a funding instant on open positions, in milliseconds for all of them',
  run({ quick }) {
    const positions = quick ? 10_000 : 100_000
    const engine = benchVenue({ accounts: positions })
    const opened: IncreasePosition[] = []
    for (let n = 0; n < positions; n++) opened.push(open(engine, n, 0, n % 2 === 0 ? 'long' : 'short', false))
    must(engine, { type: 'setFundingRate', marketId: marketId(0), fundingRate: RATE })
    const instants: number[] = []
    for (let round = 0; round < 3; round++) {
      const due = Math.floor(engine.now / INTERVAL_MS + 1) * INTERVAL_MS
      const timed = once(() => {
        const { events } = must(engine, { type: 'advanceTime', ms: due - engine.now })
        if (events.filter(({ type }) => type === 'payFunding').length !== positions)
          throw new Error('not all settled')
        return 1
      })
      instants.push(timed.nsPerOperation / 1e6)
    }
    const value = Math.min(...instants)
    const floor = bareMap(opened)
    return [
      {
        what: `${positions.toLocaleString('en')} positions`,
        value,
        unit: ' ms',
        aim: quick ? '15 ms' : '150 ms',
        floor: { what: 'a bare Map with the same formulas', value: floor, times: value / floor },
      },
    ]
  },
}

/** Positions in a Map, the engine's own payment and reducer, and nothing else; milliseconds for all of them. */
function bareMap(opened: readonly IncreasePosition[]): number {
  const apply = inPlace(positionRecipe)
  const positions = new Map(
    opened.map((event, sequence) => [
      event.positionId,
      apply(unopenedPosition(event, START, { sequence, phaseOrdinal: 1 }), event, START),
    ]),
  )
  const settleAll = () => {
    for (const position of positions.values()) {
      const fundingRate = position.direction === 'long' ? RATE : -RATE
      const { id: positionId, accountId, marketId, direction } = position
      const amount = fundingPayment(position, PRICE, fundingRate)
      const on = { positionId, accountId, marketId: marketId, direction }
      apply(position, { type: 'payFunding', ...on, amount, indexPrice: PRICE, fundingRate }, START)
    }
    return 1
  }
  return compare({ settleAll }).settleAll.nsPerOperation / 1e6
}
