import { expect, test } from 'vitest'
import type { TickColumns } from '../../../../src/backtest/feed/columns.ts'
import { Lane } from '../../../../src/backtest/odds/lane.ts'
import { ONE } from '../../../../src/quantity/fp9.ts'

test.each(['long', 'short'] as const)(
  'a %s is made on its side: its gains are moves of the price in its favour',
  async (side) => {
    const held = {
      ...{ trade: 0, day: 0, lane: 0, from: 0, wasOpen: false, staysOpen: false, least: -0.01 },
      ...{
        at: Float64Array.of(30_000),
        gains: Float64Array.of(-0.01),
        margin: { side, notional: 0.5, leverage: 2 },
      },
    }
    const days = [[{ opens: 1_000, closes: 60_000, gain: 0.02, worst: -0.01, held }]]
    const lane = new Lane({ number: 0, count: 1, scale: 1, balance: 10_000, days, begin: 0 })
    const told: TickColumns[] = []
    for await (const ticks of lane.feed()) told.push(ticks as TickColumns)
    expect(lane.acts).toEqual([
      { time: 1_000, place: 0, action: { direction: side, leverage: '2', sizeBy: { base: '50.000000' } } },
      { time: 60_000, place: 0, action: 'close' },
    ])
    const prices = told.flatMap(({ price }) =>
      [...(price as BigInt64Array)].map((each) => Number(each / (ONE / 100n)) / 100),
    )
    expect(prices).toEqual(side === 'long' ? [100, 100, 98, 104, 100] : [100, 100, 102, 96, 100])
  },
)

test.each([
  // A lane of four has an eighth of the balance; more where that would not cover the worst half as much again.
  [-0.01, 1, 0.125],
  [-0.01, 10, 0.15],
  [-0.1, 2, 0.3],
  [-0.1, 0.5, 0.125],
  [-0.9, 4, 0.5],
])(
  'a trade of unknown margin that was at %d, at %d times its size, has %d of the balance',
  async (least, scale, share) => {
    const at = Float64Array.of(30_000)
    const held = {
      trade: 0,
      day: 0,
      lane: 0,
      from: 0,
      wasOpen: false,
      staysOpen: false,
      margin: null,
      least,
      at,
    }
    const own = { ...held, gains: Float64Array.of(least) }
    const days = [[{ opens: 1_000, closes: 60_000, gain: 0.02, worst: least, held: own }]]
    const lane = new Lane({ number: 0, count: 4, scale, balance: 10_000, days, begin: 0 })
    for await (const _ of lane.feed());
    const [{ action } = {}] = lane.acts
    expect(action).toMatchObject({
      direction: 'long',
      leverage: '1',
      sizeBy: { base: (share * 100).toFixed(6) },
    })
  },
)
