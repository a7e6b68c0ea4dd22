// The room of resting orders against plain objects in plain lists.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdSpace } from '../../../../../src/domain/state/ids.ts'
import { NO_ROW, type Order, type OrderState, orderState } from '../../../../../src/domain/state/order.ts'
import { OrderList } from '../../../../../src/domain/state/restingOrders/orderList.ts'
import { RestingOrders } from '../../../../../src/domain/state/restingOrders/restingOrders.ts'

const space = new IdSpace('rows')
const OWNERS = 3

/** At the edges of what 63 bits hold, and beyond. */
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0n, 1n, 5n, 1_000_000_000n, 2n ** 53n + 1n, 2n ** 63n - 1n) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 63n, 2n ** 64n, 2n ** 64n + 7n, 10n ** 30n) },
)
const orNone = <T>(drawn: fc.Arbitrary<T>) => fc.option(drawn, { nil: null, freq: 3 })

const opening = fc.record({
  orderType: fc.constantFrom('limit', 'stop_market', 'stop_limit'),
  triggerPrice: amount,
  limitPrice: orNone(amount),
  showsStopPrice: fc.boolean(),
  stopTriggerPrice: amount,
  takeTriggerPrice: amount,
  leverage: orNone(amount),
  amount,
  reserves: fc.boolean(),
  baseSize: orNone(amount),
  expectedAmount: amount,
  hasParent: fc.boolean(),
})
const closing = fc.record({
  orderType: fc.constantFrom('stop', 'take', 'trailing_stop'),
  triggerPrice: amount,
  requestedTriggerPrice: orNone(amount),
  amount,
  trailingStopOffset: fc.constantFrom(0n, 0n, 3n),
  hasParent: fc.boolean(),
})
const placed = fc.record({
  direction: fc.constantFrom('long', 'short'),
  account: fc.nat({ max: OWNERS - 1 }),
  market: fc.nat({ max: OWNERS - 1 }),
  position: fc.nat({ max: 4 }),
  createdAt: fc.constantFrom(0, 1_700_000_000_000, 8.64e15),
  phaseOrdinal: fc.nat({ max: 3 }),
  hasUuid: fc.boolean(),
  odd: fc.nat({ max: 19 }),
  terms: fc.oneof(opening, closing),
})
type Drawn = typeof placed extends fc.Arbitrary<infer T> ? T : never

const move = fc.oneof(
  { weight: 9, arbitrary: fc.record({ what: fc.constant('add' as const), drawn: placed }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('take' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('ask' as const), which: fc.nat() }) },
)

/** Some begin alike, and some are no uuids. */
function idOf(sequence: number, { hasUuid, odd }: Drawn): string {
  const id = space.id(1, sequence)
  if (!hasUuid && odd < 10) return `order ${sequence}`
  return odd % 2 === 0 ? id : `00000000${id.slice(8)}`
}

/** Some begin alike, and one is no uuid. */
function positionIdOf(position: number): string {
  const id = space.id(3, position)
  if (position === 0) return 'position 0'
  return position % 2 === 0 ? `00000000${id.slice(8)}` : id
}

/** A resting order of each kind; a few have what no resting order of the rules has. */
function orderOf(sequence: number, drawn: Drawn): Order {
  const { terms, odd } = drawn
  const opens = !('trailingStopOffset' in terms)
  const parent = terms.hasParent ? (odd === 1 ? 'a parent' : space.id(2, sequence)) : null
  return {
    id: idOf(sequence, drawn),
    accountId: `account ${drawn.account}`,
    marketId: `market ${drawn.market}`,
    status: 'active',
    orderType: terms.orderType as Order['orderType'],
    direction: drawn.direction as Order['direction'],
    triggerPrice: terms.triggerPrice,
    requestedTriggerPrice: opens ? (odd === 2 ? 4n : null) : terms.requestedTriggerPrice,
    stopPrice: opens && terms.showsStopPrice ? terms.triggerPrice : odd === 3 ? 77n : 0n,
    limitPrice: (opens ? terms.limitPrice : null) ?? terms.triggerPrice,
    stopTriggerPrice: opens ? terms.stopTriggerPrice : odd === 4 ? 5n : 0n,
    takeTriggerPrice: opens ? terms.takeTriggerPrice : odd === 5 ? 5n : 0n,
    trailingStopActivationPrice: opens ? 0n : terms.trailingStopOffset * 7n,
    trailingStopOffset: opens ? 0n : terms.trailingStopOffset,
    trailingStopOffsetPercent: odd === 6 ? 9n : 0n,
    leverage: opens ? terms.leverage : odd === 7 ? 5n : null,
    positionId: opens ? null : positionIdOf(drawn.position),
    parentOrderId: parent,
    amount: terms.amount,
    indexPrice: odd === 8 ? 1n : null,
    createdAt: drawn.createdAt,
    realizedPnl: odd === 9 ? -1n : null,
    rawRealizedPnl: odd === 10 ? -1n : null,
    profitAdjustmentApplied: odd === 11,
    sizeMode: opens && terms.baseSize !== null ? 'base' : 'quote',
    baseSize: opens ? terms.baseSize : null,
    reservedAmount: opens && terms.baseSize !== null ? terms.amount : odd === 12 ? 3n : null,
    errorCode: odd === 13 ? 'slippage_tolerance' : null,
    reason: odd === 14 ? 'liquidated' : null,
    sequence,
    phaseOrdinal: drawn.phaseOrdinal,
    reserve: opens && terms.reserves ? terms.amount : odd === 15 ? 3n : 0n,
    expectedAmount: opens ? terms.expectedAmount : 0n,
    peak: null,
    row: NO_ROW,
  } as Order
}

/** The room, and the same as plain as can be. */
class Both {
  readonly orders = new RestingOrders()
  readonly plain = new Map<string, OrderState>()
  readonly accounts = lists((n) => OrderList.ofAccount(`account ${n}`))
  readonly markets = lists((n) => OrderList.ofMarket(`market ${n}`))
  #sequence = 0

  add(drawn: Drawn): Order {
    this.#sequence += 1
    const order = orderOf(this.#sequence, drawn)
    this.plain.set(order.id, orderState(order))
    this.orders.add(order, {
      ofAccount: this.accounts[drawn.account] as OrderList,
      ofMarket: this.markets[drawn.market] as OrderList,
    })
    return order
  }

  remove({ id }: OrderState): void {
    const order = this.orders.known(id)
    this.orders.remove(order)
    expect(order.row).toBe(NO_ROW)
    this.plain.delete(id)
  }

  chosen(which: number): OrderState | undefined {
    return [...this.plain.values()][which % Math.max(this.plain.size, 1)]
  }

  expectSame(): void {
    const plain = [...this.plain.values()]
    expect(this.orders.size).toBe(plain.length)
    expect(Array.from(this.orders.values(), orderState)).toEqual(plain)
    for (const one of plain) {
      const order = this.orders.known(one.id)
      expect(orderState(order)).toEqual(one)
      expect(this.orders.at(order.row, order.sequence)?.id).toBe(one.id)
      expect(this.orders.typeOf(order.row)).toBe(one.orderType)
      expect(this.orders.directionOf(order.row)).toBe(one.direction)
    }
    for (const [field, owned] of [
      ['accountId', this.accounts],
      ['marketId', this.markets],
    ] as const)
      for (const list of owned) {
        const own = plain.filter((one) => one[field] === list.ownerId)
        expect(list.size).toBe(own.length)
        expect(Array.from(list, orderState)).toEqual(own)
      }
    const closed = new Map<string | null, OrderState[]>()
    for (const one of plain) closed.set(one.positionId, [...(closed.get(one.positionId) ?? []), one])
    for (const positionId of [...closed.keys(), positionIdOf(0), positionIdOf(1)])
      if (positionId !== null)
        expect(this.orders.closing(positionId).map(orderState)).toEqual(closed.get(positionId) ?? [])
  }
}

function lists(make: (n: number) => OrderList): readonly OrderList[] {
  return Array.from({ length: OWNERS }, (_, n) => make(n))
}

test('holds what plain objects would, whatever came and went', () => {
  let [whole, rows, reused, asked] = [0, 0, 0, 0]
  fc.assert(
    fc.property(fc.array(move, { size: 'max', maxLength: 90 }), (moves) => {
      const both = new Both()
      const gone: { id: string; row: number; sequence: number }[] = []
      const seen = new Set<number>()
      for (const one of moves) {
        if (one.what === 'add') {
          const order = both.add(one.drawn)
          if (seen.has(order.row)) reused += 1
          seen.add(order.row)
          const other = both.add({ ...one.drawn, account: 0 })
          if (both.orders.order(order.row) === order) whole += 1
          else rows += 1
          expect(both.orders.order(other.row).id).toBe(other.id)
        } else {
          const chosen = both.chosen(one.which)
          if (chosen === undefined) continue
          const { row, sequence } = both.orders.known(chosen.id)
          if (one.what === 'remove') {
            both.remove(chosen)
            gone.push({ id: chosen.id, row, sequence })
          } else if (one.what === 'take') {
            both.orders.reserveTaken(chosen.id)
            both.plain.set(chosen.id, { ...chosen, reserve: 0n })
          } else {
            expect(orderState(both.orders.order(row))).toEqual(chosen)
            asked += 1
          }
        }
      }
      both.expectSame()
      for (const { id, row, sequence } of gone) {
        expect(both.orders.get(id)).toBeUndefined()
        expect(both.orders.at(row, sequence)).toBeUndefined()
      }
      for (const chosen of [...both.plain.values()]) both.remove(chosen)
      both.expectSame()
      expect(both.orders.room.objects).toBe(0)
    }),
  )
  for (const reached of [whole, rows, reused, asked]) expect(reached).toBeGreaterThan(100)
})

test('an order that has no row, or another one’s, is not removed', () => {
  const [both, drawn] = [new Both(), fc.sample(placed, 1)[0] as Drawn]
  const order = both.add(drawn)
  const { row } = order
  both.orders.remove(order)
  expect(() => both.orders.remove(order)).toThrow(ReferenceError)
  expect(both.add(drawn).row).toBe(row)
  expect(() => both.orders.remove({ ...order, row })).toThrow(ReferenceError)
  expect(() => both.orders.known(order.id)).toThrow(ReferenceError)
})

test('a walk meets everything that stays, whatever leaves on the way', () => {
  let left = 0
  const leaving = fc.array(fc.record({ which: fc.nat(), adds: fc.boolean() }), { size: 'max', maxLength: 60 })
  fc.assert(
    fc.property(fc.array(placed, { size: 'max', minLength: 5, maxLength: 60 }), leaving, (drawn, steps) => {
      const both = new Both()
      for (const one of drawn) both.add(one)
      const stays = new Set(both.plain.keys())
      const met: number[] = []
      const script = [...steps]
      for (const { id, sequence } of both.orders.values()) {
        met.push(sequence)
        stays.delete(id)
        const step = script.pop()
        const chosen = step && both.chosen(step.which)
        if (step === undefined || chosen === undefined) continue
        both.remove(chosen)
        if (stays.delete(chosen.id)) left += 1
        if (step.adds) both.add(drawn[0] as Drawn)
      }
      expect([...stays]).toEqual([])
      expect(met).toEqual([...new Set(met)].sort((a, b) => a - b))
      both.expectSame()
    }),
  )
  expect(left).toBeGreaterThan(100)
})

test('a walk that was broken off is forgotten', () => {
  const both = new Both()
  for (const drawn of fc.sample(placed, { numRuns: 9, seed: 1 })) both.add(drawn)
  for (const { id } of both.orders.values()) {
    both.remove(both.plain.get(id) as OrderState)
    break
  }
  both.expectSame()
})

test('many come and go, and give their room back', () => {
  const both = new Both()
  const drawn = fc.sample(placed, { numRuns: 50, seed: 7 }).map((one) => ({ ...one, hasUuid: true, odd: 16 }))
  const added: Order[] = []
  for (let n = 0; n < 9_000; n++)
    added.push(both.add({ ...(drawn[n % drawn.length] as Drawn), position: 1 + (n % 4_500) }))
  both.expectSame()
  const positions = new Set(Array.from(both.plain.values(), ({ positionId }) => positionId)).size
  expect(positions).toBeGreaterThan(2 * 1_024)
  expect(both.orders.room.rows).toBeLessThan(9_000 + 1_024)
  expect(both.orders.room.lists).toBeLessThan(positions + 1_024)
  expect(new Set(added.map(({ row }) => row)).size).toBe(added.length)
  const leaving = [...both.plain.values()].filter((_, n) => n % 3_000 !== 1)
  for (const one of leaving) both.remove(one)
  both.expectSame()
  expect(both.orders.room.rows).toBeLessThanOrEqual(5 * 1_024)
  expect(both.orders.room.lists).toBeLessThanOrEqual(5 * 1_024)
  expect(both.orders.room.words).toBeLessThanOrEqual(2 * 1_024)
  for (const one of [...both.plain.values()]) both.remove(one)
  both.expectSame()
  expect(both.orders.room.lists).toBeLessThanOrEqual(2 * 1_024)
  for (let n = 0; n < 3_000; n++) both.add(drawn[n % drawn.length] as Drawn)
  both.expectSame()
})
