// What an open position with its stop-loss and take-profit takes on the heap.

import { setImmediate } from 'node:timers/promises'
import type { Engine } from '../src/index.ts'
import { collect, type Figure, type Line } from './figure.ts'
import { accountId, benchVenue, open } from './venue.ts'

const MARKETS = 10

export const memory: Figure = {
  name: 'memory',
  about: 'bytes per open position with stop and take, its events and history lists included',
  async run({ quick }) {
    const positions = quick ? 20_000 : 1_000_000
    return [
      {
        what: `${positions.toLocaleString('en')} positions, their log included`,
        ...(await perPosition(positions, true)),
        aim: '1,200 B',
      },
      ...(quick ? [{ what: 'the same without a log', ...(await perPosition(positions, false)) }] : []),
    ]
  },
}

type Measured = Pick<Line, 'value' | 'unit' | 'floor'>

async function perPosition(positions: number, log: boolean): Promise<Measured> {
  // What was measured before is only garbage once the stack has been left.
  collect()
  await setImmediate()

  const accounts = Math.ceil(positions / MARKETS / 2)
  const engine = benchVenue({ markets: MARKETS, accounts }, { log })
  const value = heapOf(() => {
    for (let n = 0; n < positions; n++)
      open(
        engine,
        Math.floor(n / MARKETS / 2),
        n % MARKETS,
        Math.floor(n / MARKETS) % 2 === 0 ? 'long' : 'short',
        true,
      )
    return engine
  })
  const floor = heapOf(() => recordsOf(engine, accounts))
  return {
    value: value / positions,
    unit: ' B',
    floor: {
      what: 'the same positions and resting orders as plain records in Maps',
      value: floor / positions,
      times: value / floor,
    },
  }
}

function recordsOf({ read }: Engine, accounts: number): readonly Map<string, object>[] {
  const positions = new Map<string, object>()
  const orders = new Map<string, object>()
  for (let n = 0; n < accounts; n++) {
    for (const position of read.activePositions(accountId(n))) positions.set(position.id, position)
    for (const order of read.activeOrders(accountId(n))) orders.set(order.id, order)
  }
  return [positions, orders]
}

/** Bytes that `work` left on the heap and in buffers beside it, as long as its result is held. */
function heapOf(work: () => object): number {
  collect()
  const before = inUse()
  const held = new Set([work()])
  collect()
  const used = inUse() - before
  held.clear()
  return used
}

function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
