// One funding instant over many positions.

import { type Figure, once } from './figure.ts'
import { benchVenue, marketId, must, open } from './venue.ts'

const INTERVAL_MS = 28_800_000

export const funding: Figure = {
  name: 'funding',
  about: 'a funding instant on open positions, in milliseconds for all of them',
  run({ quick }) {
    const positions = quick ? 10_000 : 100_000
    const engine = benchVenue({ accounts: positions })
    for (let n = 0; n < positions; n++) open(engine, n, 0, n % 2 === 0 ? 'long' : 'short', false)
    must(engine, { type: 'setFundingRate', marketId: marketId(0), fundingRate: 100_000n })
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
    return [
      { what: `${positions.toLocaleString('en')} positions`, value: Math.min(...instants), unit: ' ms' },
    ]
  },
}
