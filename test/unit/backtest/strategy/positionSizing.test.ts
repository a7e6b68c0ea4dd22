// How much an order asks for: what is asked by margin, notional, risk or base is what comes of it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryFields, exitFields } from '../../../../src/backtest/strategy/orderFields.ts'
import type { EntryOrder } from '../../../../src/backtest/strategy/strategy.ts'
import { uncheckedOrder } from '../../../../src/events/placeOrder.ts'
import {
  createEngine,
  type Engine,
  formatDecimal,
  fp9,
  type MarketRecord,
  ONE,
} from '../../../../src/index.ts'

const MARKET = '00000000-0000-4000-8000-000000000001'
const ACCOUNT = '00000000-0000-4000-8000-0000000000a1'
const START = Date.UTC(2026, 0, 5, 12)

function engineAt(
  price: bigint,
  parameters: { feeRate: bigint; spread: bigint; minStopDistance: bigint },
): Engine {
  const engine = createEngine({
    seed: 'sizing',
    markets: [
      { id: MARKET, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', minNotional: 0n, ...parameters },
    ],
    accounts: [
      {
        id: ACCOUNT,
        userId: '00000000-0000-4000-8000-0000000000b1',
        balance: fp9('1000000'),
        maxLeverage: fp9('100'),
        maxDailyLoss: ONE,
        maxTotalLoss: ONE,
      },
    ],
  })
  engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: price }, { at: START })
  return engine
}

function place(engine: Engine, order: EntryOrder) {
  const market = engine.read.market(MARKET) as MarketRecord
  const outcome = engine.dispatch(
    uncheckedOrder({
      type: 'placeOrder',
      accountId: ACCOUNT,
      marketId: MARKET,
      ...entryFields(order, market, engine.read.equity(ACCOUNT) ?? 0n),
    }),
  )
  return outcome
}

const venue = fc.record({
  price: fc.bigInt({ min: fp9('0.5'), max: fp9('90000') }),
  feeRate: fc.bigInt({ min: 0n, max: fp9('0.2%') }),
  spread: fc.bigInt({ min: 0n, max: fp9('0.1%') }),
  leverage: fc.integer({ min: 1, max: 20 }),
  direction: fc.constantFrom('long' as const, 'short' as const),
})

describe('sizing', () => {
  test('by notional: the position has it, to a few parts in 10⁹', () => {
    fc.assert(
      fc.property(
        venue,
        fc.integer({ min: 50, max: 200_000 }),
        ({ leverage, direction, price, ...rates }, wanted) => {
          const engine = engineAt(price, { ...rates, minStopDistance: 0n })
          place(engine, {
            asset: 'BTC',
            direction,
            sizeBy: { notional: String(wanted) },
            leverage: String(leverage),
          })
          const [position] = engine.read.activePositions(ACCOUNT)
          const off = (position?.notional ?? 0n) - BigInt(wanted) * ONE
          expect(off >= -10n && off <= 100n, `off by ${off}`).toBe(true)
        },
      ),
    )
  })

  test.each(['margin', 'notional', 'risk'] as const)('by %s: a percentage is taken of equity', (by) => {
    const market = engineAt(fp9('100'), { feeRate: 0n, spread: 0n, minStopDistance: 0n }).read.market(
      MARKET,
    ) as MarketRecord
    const order = { asset: 'BTC', direction: 'long', leverage: '2', stopLoss: fp9('90') } as const
    const sized = (text: string) =>
      entryFields({ ...order, sizeBy: { [by]: text } as EntryOrder['sizeBy'] }, market, fp9('40000'))
    expect(sized('2.5%')).toEqual(sized('1000'))
    expect(sized('1000').amount).not.toEqual(sized('2000').amount)
  })

  test('by risk: the stop-loss at its price loses that in all, never more', () => {
    fc.assert(
      fc.property(
        venue,
        fc.integer({ min: 10, max: 5_000 }),
        fc.integer({ min: 15, max: 300 }),
        ({ leverage, direction, price, ...rates }, risk, distance) => {
          const engine = engineAt(price, { ...rates, minStopDistance: fp9('0.1%') })
          const away = (price * BigInt(distance)) / 10_000n
          const stopLoss = direction === 'long' ? price - away : price + away
          const before = engine.read.equity(ACCOUNT) ?? 0n
          const order: EntryOrder = {
            asset: 'BTC',
            direction,
            sizeBy: { risk: String(risk) },
            leverage: String(leverage),
            stopLoss,
          }
          const placed = place(engine, order)
          fc.pre(placed.ok && placed.value.status === 'executed')
          // Far enough that the stop comes before the liquidation.
          fc.pre(engine.read.activeOrders(ACCOUNT)[0]?.orderType === 'stop')
          engine.dispatch(
            { type: 'updatePrice', marketId: MARKET, indexPrice: stopLoss },
            { at: START + 3_600_000 },
          )
          fc.pre(engine.read.positionHistory(ACCOUNT, MARKET).data[0]?.status === 'closed')
          const lost = before - (engine.read.equity(ACCOUNT) ?? 0n)
          const wanted = BigInt(risk) * ONE
          expect(lost <= wanted + (2n * price) / ONE + 20n, `${formatDecimal(lost)} of ${risk}`).toBe(true)
          // A size counts in 10⁻⁹ of the base: on dear assets that is the finest step there is.
          expect(
            wanted - lost <= wanted / 100_000n + price / ONE + 1_000n,
            `${formatDecimal(lost)} of ${risk}`,
          ).toBe(true)
        },
      ),
    )
  })

  test('by base, waiting for a price: two hundredths more is reserved than the same costs at once', () => {
    fc.assert(
      fc.property(venue, ({ leverage, direction, price, ...rates }) => {
        const market = engineAt(price, { ...rates, spread: 0n, minStopDistance: 0n }).read.market(
          MARKET,
        ) as MarketRecord
        const order = {
          asset: 'BTC',
          direction,
          sizeBy: { base: '0.5' },
          leverage: String(leverage),
        } as const
        const [atOnce, waiting] = [order, { ...order, type: 'limit', triggerPrice: price } as const].map(
          (one) => entryFields(one, market, fp9('1000000')).amount,
        ) as [bigint, bigint]
        const more = waiting - atOnce
        expect(50n * more >= atOnce && 50n * (more - 1n) < atOnce).toBe(true)
      }),
    )
  })

  test('by base: exactly that size, and what is not spent returns', () => {
    fc.assert(
      fc.property(
        venue,
        fc.bigInt({ min: fp9('0.001'), max: fp9('9') }),
        ({ leverage, direction, price, ...rates }, size) => {
          const engine = engineAt(price, { ...rates, minStopDistance: 0n })
          const order: EntryOrder = {
            asset: 'BTC',
            direction,
            sizeBy: { base: formatDecimal(size) },
            leverage: String(leverage),
          }
          const placed = place(engine, order)
          fc.pre(placed.ok)
          expect(engine.read.activePositions(ACCOUNT)[0]?.size).toBe(size)
          expect(engine.read.ledger().reserve).toBe(0n)
        },
      ),
    )
  })

  test('a tolerated slippage never refuses what fills at the price expected', () => {
    fc.assert(
      fc.property(venue, ({ leverage, direction, price, ...rates }) => {
        const engine = engineAt(price, { ...rates, minStopDistance: 0n })
        const placed = place(engine, {
          asset: 'BTC',
          direction,
          sizeBy: { margin: '1000' },
          leverage: String(leverage),
          maxSlippage: '0.001%',
        })
        expect(placed.ok && placed.value.status).toBe('executed')
      }),
    )
  })

  test('a size by risk needs a stop-loss, and the engine refuses one on the winning side', () => {
    const engine = engineAt(fp9('100'), { feeRate: 0n, spread: 0n, minStopDistance: 0n })
    const order = { asset: 'BTC', direction: 'long', sizeBy: { risk: '10' }, leverage: '2' } as const
    expect(() => place(engine, order)).toThrow(RangeError)
    expect(place(engine, { ...order, stopLoss: fp9('101') })).toMatchObject({
      error: { code: 'trigger_price_gt_current' },
    })
  })

  const said = { asset: 'BTC', direction: 'long', leverage: '2', sizeBy: { margin: '10%' } }
  const SIZE = "an entry needs sizeBy, such as { margin: '10%' }"
  test.each([
    [{ sizeBy: undefined }, SIZE],
    [{ sizeBy: null }, SIZE],
    [{ sizeBy: '10%' }, SIZE],
    [{ sizeBy: { amount: '10' } }, SIZE],
    [{ leverage: undefined }, "an entry needs leverage, such as '5'"],
  ])('an order that lacks something is told what to write: %j', (otherwise, told) => {
    const engine = engineAt(fp9('100'), { feeRate: 0n, spread: 0n, minStopDistance: 0n })
    expect(() => place(engine, { ...said, ...otherwise } as unknown as EntryOrder)).toThrow(told)
  })

  test('a close asks for the whole position unless told otherwise', () => {
    const engine = engineAt(fp9('100'), { feeRate: 0n, spread: 0n, minStopDistance: 0n })
    place(engine, { asset: 'BTC', direction: 'long', sizeBy: { margin: '100' }, leverage: '2' })
    const [position] = engine.read.activePositions(ACCOUNT)
    if (position === undefined) throw new Error('no position')
    expect(exitFields({ position })).toMatchObject({
      orderType: 'take',
      triggerPrice: 0n,
      amount: position.size,
    })
  })
})
