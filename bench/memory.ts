// What an open position with its stop-loss and take-profit takes on the heap.

import { setImmediate } from 'node:timers/promises'
import { collect, type Figure } from './figure.ts'
import { benchVenue, open } from './venue.ts'

const MARKETS = 10

export const memory: Figure = {
  name: 'memory',
  about: 'bytes per open position with stop and take, its events and history lists included',
  async run({ quick }) {
    const positions = quick ? 20_000 : 1_000_000
    return [
      {
        what: `${positions.toLocaleString('en')} positions, without a log`,
        value: await perPosition(positions, false),
        unit: ' B',
      },
      ...(quick
        ? [{ what: 'the same with its log', value: await perPosition(positions, true), unit: ' B' }]
        : []),
    ]
  },
}

async function perPosition(positions: number, log: boolean): Promise<number> {
  // What was measured before is only garbage once the stack has been left.
  collect()
  await setImmediate()

  const accounts = Math.ceil(positions / MARKETS / 2)
  const engine = benchVenue({ markets: MARKETS, accounts }, { log })
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < positions; n++)
    open(
      engine,
      Math.floor(n / MARKETS / 2),
      n % MARKETS,
      Math.floor(n / MARKETS) % 2 === 0 ? 'long' : 'short',
      true,
    )
  collect()
  const used = process.memoryUsage().heapUsed - before
  if (engine.head === 0) throw new Error('nothing happened')
  return used / positions
}
