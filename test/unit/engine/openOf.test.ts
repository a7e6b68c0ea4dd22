// What begins a stream is copied whole, in whatever form it rests: every field is the copy's own, and says what a read says.

import { expect, test } from 'vitest'
import { openOf } from '../../../src/engine/internals.ts'
import { createEngine } from '../../../src/index.ts'
import { orderRecord } from '../../../src/projections/records.ts'
import { ACCOUNTS, Chance, GENESIS, nextCommand } from '../../store/traffic.ts'

test('a copy of a resting order has every field as its own', () => {
  const engine = createEngine(GENESIS)
  const chance = new Chance(7)
  const types = new Set<string>()
  for (let turn = 0; turn < 40; turn++) {
    for (let each = 0; each < 25; each++) {
      const { command, at } = nextCommand(chance, engine)
      engine.dispatch(command, { at })
    }
    for (const accountId of ACCOUNTS)
      for (const order of openOf(engine, accountId).orders) {
        types.add(order.orderType)
        // The level of a trailing stop follows from its peak, which stays behind.
        if (order.orderType !== 'trailing_stop')
          expect(orderRecord({ ...order })).toEqual(engine.read.order(order.id))
        expect(Object.values(order)).not.toContain(undefined)
        expect(Object.keys(order)).toEqual(expect.arrayContaining(['reserve', 'expectedAmount', 'peak']))
      }
  }
  expect([...types]).toEqual(expect.arrayContaining(['stop', 'take', 'limit']))
})
