// The levels of rows against orders that are looked at one by one, whatever comes, leaves, is reached and stays.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyMarket, type Market, type MarketState } from '../../../../src/domain/state/market.ts'
import { NO_ROW, type Order } from '../../../../src/domain/state/order.ts'
import { OrderList } from '../../../../src/domain/state/restingOrders/orderList.ts'
import { RestingOrders } from '../../../../src/domain/state/restingOrders/restingOrders.ts'
import { Path } from '../../../../src/domain/triggers/firingSequence.ts'
import { orderLevel, reached } from '../../../../src/domain/triggers/level.ts'
import { RestingLevels } from '../../../../src/domain/triggers/restingLevels.ts'
import { fp9 } from '../../../../src/index.ts'
import { firingSide } from '../../../../src/terms/orderTypes.ts'

/** Prices that collide, and prices that no double is exact about. */
const price = fc.oneof(
  fc.bigInt(1n, 9n).map((units) => fp9(String(units))),
  fc.bigInt(2n ** 60n, 2n ** 60n + 9n),
  fc.bigInt(10n ** 30n, 10n ** 30n + 9n),
)
const placed = fc.record({
  what: fc.constant('add' as const),
  orderType: fc.constantFrom('limit' as const, 'stop_market' as const, 'stop' as const),
  direction: fc.constantFrom('long' as const, 'short' as const),
  price,
})
const step = fc.oneof(
  { weight: 12, arbitrary: placed },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('arrange' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('tick' as const), price, ends: fc.nat({ max: 3 }), placed }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('spread' as const), percent: fc.nat({ max: 3 }) }) },
)

class Venue {
  readonly market: Market
  readonly orders = new RestingOrders()
  readonly levels: RestingLevels
  readonly account = OrderList.ofAccount('account')
  readonly plain: Order[] = []
  #sequence = 0

  constructor() {
    this.market = emptyMarket({ id: 'market', parameters: { spread: 0n } } as MarketState)
    this.levels = new RestingLevels(this.market, this.orders)
  }

  add({
    orderType,
    direction,
    price: triggerPrice,
  }: Omit<typeof placed extends fc.Arbitrary<infer T> ? T : never, 'what'>): void {
    this.#sequence += 1
    const order = restingOrder(this.#sequence, {
      orderType,
      direction,
      triggerPrice,
      limitPrice: triggerPrice,
    })
    this.orders.add(order, { ofAccount: this.account, ofMarket: this.market.orders })
    this.levels.add(order)
    this.plain.push(order)
  }

  remove(order: Order): void {
    const asked = this.orders.known(order.id)
    this.levels.remove(asked)
    this.orders.remove(asked)
    this.plain.splice(this.plain.indexOf(order), 1)
  }

  reachedAt(indexPrice: bigint): Order[] {
    return this.plain.filter((order) =>
      reached(firingSide(order), orderLevel(order, this.market) as bigint, indexPrice),
    )
  }

  nearest(side: 'below' | 'above'): bigint | null {
    const levels = this.plain
      .filter((order) => firingSide(order) === side)
      .map((order) => orderLevel(order, this.market) as bigint)
      .sort((a, b) => (a === b ? 0 : a < b === (side === 'above') ? -1 : 1))
    return levels[0] ?? null
  }
}

function restingOrder(sequence: number, terms: Partial<Order>): Order {
  const zero = Object.fromEntries(
    ['stopPrice', 'stopTriggerPrice', 'takeTriggerPrice', 'expectedAmount', 'reserve'].map((name) => [
      name,
      0n,
    ]),
  )
  const trailing = {
    trailingStopActivationPrice: 0n,
    trailingStopOffset: 0n,
    trailingStopOffsetPercent: 0n,
    peak: null,
  }
  const ended = { indexPrice: null, realizedPnl: null, rawRealizedPnl: null, errorCode: null, reason: null }
  return {
    ...{ id: `order ${sequence}`, accountId: 'account', marketId: 'market', status: 'active', amount: 1n },
    ...{ ...zero, ...trailing, ...ended, requestedTriggerPrice: null, leverage: null, positionId: null },
    ...{ parentOrderId: null, createdAt: 0, profitAdjustmentApplied: false, sizeMode: 'quote' },
    ...{ baseSize: null, reservedAmount: null, sequence, phaseOrdinal: 0, row: NO_ROW },
    ...terms,
  } as unknown as Order
}

test('what is reached is what waits there, and what stays waits on', () => {
  let [met, stayed, reused, leftEarly] = [0, 0, 0, 0]
  fc.assert(
    fc.property(fc.array(step, { size: 'max', maxLength: 80 }), (script) => {
      const venue = new Venue()
      for (const one of script) {
        if (one.what === 'add') venue.add(one)
        else if (one.what === 'arrange') {
          venue.levels.putBack()
          venue.levels.arrange()
        } else if (one.what === 'spread') {
          venue.market.parameters = { ...venue.market.parameters, spread: fp9(`${one.percent}%`) }
          venue.levels.reconfigure()
        } else if (one.what === 'remove') {
          const chosen = venue.plain[one.which % Math.max(venue.plain.length, 1)]
          if (chosen === undefined) continue
          if (venue.orders.leafOf(venue.orders.known(chosen.id).row) < 0) leftEarly += 1
          venue.remove(chosen)
        } else {
          venue.levels.putBack()
          venue.levels.arrange()
          expect([venue.levels.nearestBelow, venue.levels.nearestAbove]).toEqual([
            venue.nearest('below'),
            venue.nearest('above'),
          ])
          const due = venue.reachedAt(one.price)
          const path = new Path(0n)
          venue.levels.meet(path, one.price)
          const found = path
            .inOrder()
            .map(({ kind, ...of }) => ('row' in of ? [of.row, of.sequence] : [kind]))
          const expected = due.map(({ id, sequence }) => [venue.orders.known(id).row, sequence])
          const bySequence = (a: (string | number)[], b: (string | number)[]) => Number(a[1]) - Number(b[1])
          expect(found.sort(bySequence)).toEqual(expected.sort(bySequence))
          met += due.length
          for (const [n, order] of due.entries()) {
            if (n % 4 < one.ends) {
              venue.remove(order)
              // Its row goes to another before what stays is put back.
              if (n % 2 === 0) {
                venue.add(one.placed)
                reused += 1
              }
            } else stayed += 1
          }
        }
      }
      venue.levels.putBack()
      venue.levels.arrange()
      expect(venue.levels.nearestBelow).toBe(venue.nearest('below'))
      expect(venue.levels.nearestAbove).toBe(venue.nearest('above'))
      for (const order of [...venue.plain]) venue.remove(order)
      expect([venue.levels.nearestBelow, venue.levels.nearestAbove]).toEqual([null, null])
    }),
    { numRuns: 300, endOnFailure: true },
  )
  for (const reach of [met, stayed, reused, leftEarly]) expect(reach).toBeGreaterThan(100)
})
