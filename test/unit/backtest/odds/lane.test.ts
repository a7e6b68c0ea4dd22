import { expect, test } from 'vitest'
import type { TickColumns } from '../../../../src/backtest/feed/columns.ts'
import { Lane } from '../../../../src/backtest/odds/lane.ts'
import { ONE } from '../../../../src/quantity/fp9.ts'

test.each(['long', 'short'] as const)(
  'a %s is made on its side: its gains are moves of the price in its favour',
  async (side) => {
    const lane = new Lane(1, 10_000, 1)
    const held = {
      ...{ trade: 0, day: 0, lane: 0, from: 0, wasOpen: false, staysOpen: false, least: -0.01 },
      ...{
        at: Float64Array.of(30_000),
        gains: Float64Array.of(-0.01),
        margin: { side, notional: 0.5, leverage: 2 },
      },
    }
    lane.hold({ opens: 0, closes: 60_000, gain: 0.02, worst: -0.01 }, held, 0)
    expect(lane.actions).toEqual([
      { direction: side, leverage: '2', sizeBy: { base: '50.000000' } },
      'wait',
      'close',
    ])
    const told: TickColumns[] = []
    for await (const ticks of lane.feed()) told.push(ticks as TickColumns)
    const prices = told.flatMap(({ price }) =>
      [...(price as BigInt64Array)].map((each) => Number(each / (ONE / 100n)) / 100),
    )
    expect(prices).toEqual(side === 'long' ? [100, 98, 104] : [100, 102, 96])
  },
)
