// A state remembers what has ended, once each: every position and every order that was there and is there no more.

import { expect, test } from 'vitest'
import { createEngine, evolveCommit, initialState } from '../../../../src/index.ts'
import { Chance, drive, GENESIS } from '../../../store/traffic.ts'

test.each([1, 2, 3])('of random traffic (%i)', async (seed) => {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(seed), 300)
  let state = initialState
  const opened = { orders: new Set<string>(), positions: new Set<string>() }
  for await (const commit of engine.commits({ from: 1 })) {
    state = evolveCommit(state, commit)
    for (const event of commit.events) {
      if (event.type === 'orderPlaced') opened.orders.add(event.orderId)
      if (event.type === 'increasePosition') opened.positions.add(event.positionId)
    }
  }
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id).sort()
  for (const [all, there, ended] of [
    [opened.orders, state.orders, state.endedOrders],
    [opened.positions, state.positions, state.endedPositions],
  ] as const) {
    const live = new Set(ids(there))
    expect(ids(ended)).toEqual([...all].filter((id) => !live.has(id)).sort())
    expect(ended.length).toBeGreaterThan(0)
  }
})
