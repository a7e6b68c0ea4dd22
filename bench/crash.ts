// One tick that fires a stop on each of many positions and liquidates as many others.

import type { MemoryEngineOptions } from '../src/index.ts'
import { SimpleTriggers } from '../src/testing/index.ts'
import { type Figure, type Line, once, type Timing } from './figure.ts'
import { benchVenue, marketId, must, open, PRICE } from './venue.ts'

export const crash: Figure = {
  name: 'crash',
  about: 'one tick over stops and liquidations, per firing with all its events and read models',
  run({ quick }) {
    const each = quick ? 10_000 : 100_000
    const naive = fall(each, { triggers: (world) => new SimpleTriggers(world) })
    const levels = fall(each, {})
    const line: Line = {
      what: `${each.toLocaleString('en')} stops and ${each.toLocaleString('en')} liquidations in one tick`,
      value: levels.nsPerOperation / 1_000,
      unit: ' µs',
      aim: '6 µs',
      floor: {
        what: 'the naive triggers',
        value: naive.nsPerOperation / 1_000,
        times: levels.nsPerOperation / naive.nsPerOperation,
      },
    }
    return [line]
  },
}

function fall(each: number, options: MemoryEngineOptions): Timing {
  const engine = benchVenue({ accounts: 2 * each }, options)
  for (let n = 0; n < 2 * each; n++) open(engine, n, 0, 'long', n % 2 === 0)
  return once(() => {
    const outcome = must(engine, {
      type: 'updatePrice',
      marketId: marketId(0),
      indexPrice: (PRICE * 3n) / 4n,
    })
    const firings = outcome.events.filter(
      ({ type }) => type === 'liquidate' || type === 'closePosition',
    ).length
    if (firings !== 2 * each) throw new Error(`${firings} firings`)
    return firings
  })
}
