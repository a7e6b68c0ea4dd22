// What the history lists say of whatever has ended is what the state said of it at that moment, under the same creation
// sequence and phase, and what its own events come to by themselves; and they say the same when they go on from a snapshot.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apply } from '../../src/domain/evolve/apply.ts'
import { moveClock } from '../../src/domain/evolve/clock.ts'
import { endOrder, endsOrder, placedOrder } from '../../src/domain/evolve/orderReducers.ts'
import { activeOrder } from '../../src/domain/evolve/resting.ts'
import type { Account } from '../../src/domain/state/account.ts'
import type { Order } from '../../src/domain/state/order.ts'
import type { Position } from '../../src/domain/state/position.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { StoredHistory } from '../../src/history/storedHistory.ts'
import type { Commit } from '../../src/index.ts'
import { endedOrderRecord, positionRecord } from '../../src/projections/records.ts'
import { aProgram } from '../../src/testing/index.ts'
import { foldedOver } from '../foldedOver.ts'
import { NothingKept } from '../nothingKept.ts'
import { ALL_RUNS, run, runs } from './runs.ts'

const inMemory = () => new Folded((world) => new LevelTriggers(world))
const inDirectory = () => foldedOver(new StoredHistory(new NothingKept()))

/** The engine's own records of whatever was there once, by id, each as it is now or as it ended. */
interface Own {
  readonly orders: Map<string, Order>
  /** The orders as nothing but their own events say they are. */
  readonly byEvents: Map<string, Order>
  readonly positions: Map<string, Position>
}

/** As {@link Folded.fold}, keeping hold of the records that come. */
function fold(folded: Folded, commit: Commit, own: Own): void {
  const { world } = folded
  moveClock(world, commit.at)
  let placed: Order | null = null
  for (const event of commit.events) {
    const position = apply(world, event, commit.at)
    if (position !== null) own.positions.set(position.id, position)
    if (endsOrder(event)) endOrder(own.byEvents.get(event.orderId) as Order, event)
    if (event.type !== 'orderPlaced') continue
    const { phaseOrdinal } = world.accounts.get(event.accountId) as Account
    own.byEvents.set(event.orderId, placedOrder(event, commit.at, { sequence: world.created, phaseOrdinal }))
    const order = activeOrder(world, event.orderId) as Order
    placed ??= order
    own.orders.set(order.id, order)
  }
  folded.complete(commit, placed)
}

function isAsItEnded(folded: Folded, { orders, byEvents, positions }: Own): void {
  const { history, world } = folded
  const isCurrent = ({ accountId, phaseOrdinal }: Order | Position) =>
    world.accounts.get(accountId)?.phaseOrdinal === phaseOrdinal
  for (const order of orders.values()) {
    if (order.status === 'active') continue
    const { id, accountId, phaseOrdinal } = order
    ended += 1
    if (order.orderType === 'trailing_stop') trailing += 1
    expect(history.endedOrder(id)).toEqual({ accountId, phaseOrdinal })
    expect(history.order(id)).toEqual(isCurrent(order) ? endedOrderRecord(order) : undefined)
    expect(endedOrderRecord(byEvents.get(id) as Order)).toEqual(endedOrderRecord(order))
  }
  for (const position of positions.values()) {
    const { id, accountId, phaseOrdinal } = position
    const isEnded = position.status !== 'opened'
    if (!isCurrent(position)) earlier += 1
    expect(history.endedPosition(id)).toEqual(isEnded ? { accountId, phaseOrdinal } : undefined)
    expect(history.position(id)).toEqual(isCurrent(position) ? positionRecord(position) : undefined)
    const [newest] = [...(history.positionEvents(id) ?? [])].flat()
    if (isCurrent(position) && newest !== undefined && newest.version === position.version)
      expect({ ...newest, order: null }).toEqual({ ...positionRecord(position), order: null })
  }
  for (const accountId of world.accounts.keys()) {
    const { data } = history.portfolio(accountId, { limit: 100, offset: 0 })
    const sequences = data.map(({ id }) => (positions.get(id) as Position).sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a))
  }
}

let [ended, trailing, earlier, restored] = [0, 0, 0, 0]

test.each([
  ['in memory', inMemory],
  ['in a directory', inDirectory],
])('lists folded from commits say what the state said, %s', async (_, fresh) => {
  await fc.assert(
    fc.asyncProperty(aProgram(150, 300), fc.nat({ max: 19 }), async (program, cut) => {
      const { commits } = (await run(program)).watched
      const folded = fresh()
      const own: Own = { orders: new Map(), byEvents: new Map(), positions: new Map() }
      const half = Math.floor((cut * commits.length) / 20)
      for (const commit of commits.slice(0, half)) fold(folded, commit, own)
      isAsItEnded(folded, own)
      // What goes on from a snapshot shares nothing with what it was taken of, and comes to the same.
      const other = fresh()
      if (half > 0) restoreSnapshot(other, takeSnapshot(folded))
      for (const commit of commits.slice(half)) {
        fold(folded, commit, own)
        other.fold(commit)
      }
      isAsItEnded(folded, own)
      expect(takeSnapshot(other).bytes).toEqual(takeSnapshot(folded).bytes)
      for (const order of own.orders.values()) {
        const was = folded.history.order(order.id)
        if (was === undefined || fresh === inDirectory) continue
        expect(other.history.order(order.id)).toEqual(was)
        restored += 1
      }
    }),
    runs(12),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(ended).toBeGreaterThan(500)
  expect(trailing).toBeGreaterThan(10)
  expect(earlier).toBeGreaterThan(5)
  expect(restored).toBeGreaterThan(100)
})
