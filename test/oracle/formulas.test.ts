import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dailyLossFloor, totalLossFloor } from '../../src/domain/formulas/drawdown.ts'
import { executionPrice, limitLevel } from '../../src/domain/formulas/executionPrice.ts'
import { fundingPayment, fundingRateOf } from '../../src/domain/formulas/funding.ts'
import { isLiquidatable, liquidationPrice } from '../../src/domain/formulas/liquidation.ts'
import { atMinimumDistance } from '../../src/domain/formulas/minimumStopDistance.ts'
import { targetBalance } from '../../src/domain/formulas/profitTarget.ts'
import { unrealizedPnl } from '../../src/domain/formulas/profitWindow.ts'
import { rawUnrealizedPnl } from '../../src/domain/formulas/rawUnrealizedPnl.ts'
import { settle, settleLiquidation } from '../../src/domain/formulas/settlement.ts'
import { placementNotional, sizeIncrease } from '../../src/domain/formulas/sizing.ts'
import { trailingTriggerPrice } from '../../src/domain/formulas/trailingStop.ts'
import type { Account } from '../../src/domain/state/account.ts'
import type { Market } from '../../src/domain/state/market.ts'
import type { Position } from '../../src/domain/state/position.ts'
import { runs } from '../properties/runs.ts'
import { fp9Of, units } from './exact.ts'
import * as oracle from './formulas.ts'

const ONE = 10n ** 9n
const RUNS = { numRuns: process.env.MARGIN_CORE_NIGHTLY ? 20_000 : runs(1_500).numRuns }

/** Tiny, ordinary and huge, leaning on the edges of the scale. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 12n }),
  fc.constantFrom(ONE - 1n, ONE, ONE + 1n, 333_333_333n, 999_999_999_999n),
  fc.bigInt({ min: 1n, max: 10n ** 15n }),
  fc.bigInt({ min: 1n, max: 10n ** 24n }),
)
const fraction = fc.oneof(
  fc.constantFrom(0n, 1n, 300_000n, 1_000_000n, ONE / 3n),
  fc.bigInt({ min: 0n, max: ONE / 10n }),
)
const leverage = fc.oneof(fc.constantFrom(ONE, 3n * ONE, 100n * ONE), fc.bigInt({ min: 1n, max: 200n * ONE }))
const side = fc.constantFrom<oracle.Side>('long', 'short')
const coefficient = fc.oneof(fc.constant(ONE), fc.bigInt({ min: ONE, max: 5n * ONE }))
/** Around the window of the profit cap. */
const held = fc.oneof(fc.constantFrom(0, 59_999, 60_000, 60_001), fc.nat(200_000))
const signed = fc.oneof(fc.constantFrom(0n, 1n, -1n), fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }))

const marketOf = (indexPrice: bigint, parameters: Partial<Market['parameters']>) =>
  ({ indexPrice, parameters: { spread: 0n, feeRate: 0n, ...parameters } }) as Market

/** A position as the engine keeps it, and as the oracle sees it, `heldMs` after its last increase. */
const position = fc
  .record({
    direction: side,
    size: amount,
    notional: amount,
    share: fraction,
    extra: signed,
    reference: signed,
    heldMs: held,
  })
  .map(({ direction, size, notional, share, extra, reference, heldMs }) => {
    const margin = (notional * share) / ONE + (extra < 0n ? -extra : extra)
    const engine = {
      direction,
      size,
      notional,
      margin,
      profitReference: reference,
      lastIncreaseAt: 1_000_000,
    } as Position
    const holding: oracle.Holding = {
      side: direction,
      size: units(size),
      notional: units(notional),
      margin: units(margin),
      reference: units(reference),
      heldMs,
    }
    return { engine, holding, at: 1_000_000 + heldMs }
  })

/** An index near a position's entry or its liquidation price, or anywhere. */
const near = ({ engine }: { engine: Position }) =>
  fc.oneof(
    fc.tuple(fc.integer({ min: -3, max: 3 }), fraction).map(([steps, rate]) => {
      const entry = (engine.notional * ONE) / engine.size
      return max(1n, entry + ((entry * rate) / ONE) * BigInt(steps) + BigInt(steps))
    }),
    fc
      .integer({ min: -2, max: 2 })
      .map((steps) => max(1n, liquidationPrice(engine, 5_000_000n) + BigInt(steps))),
    amount,
  )
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const positionAndIndex = position.chain((held) => near(held).map((index) => ({ ...held, index })))

describe('the engine against the formulas in exact decimals', () => {
  test('B1, B2: execution prices', () => {
    fc.assert(
      fc.property(side, amount, fraction, coefficient, (direction, index, spread, coef) => {
        const market = marketOf(index, { spread })
        for (const act of ['open', 'close'] as const) {
          const buys = (direction === 'long') === (act === 'open')
          expect(executionPrice(market, buys ? 'buy' : 'sell', coef)).toBe(
            fp9Of(oracle.executionPrice(direction, act, units(index), units(spread), units(coef))),
          )
        }
      }),
      RUNS,
    )
  })

  test('F3, J12: the level of a limit is the first index at which it would get its price', () => {
    fc.assert(
      fc.property(side, amount, fraction, (direction, price, spread) => {
        const level = limitLevel(marketOf(1n, { spread }), direction, price)
        expect(level).toBe(fp9Of(oracle.limitLevel(direction, units(price), units(spread))))
        const holds = (index: bigint) => {
          const executed = oracle.executionPrice(direction, 'open', units(index), units(spread))
          return direction === 'long' ? executed.lte(units(price)) : executed.gte(units(price))
        }
        expect([holds(level), holds(direction === 'long' ? level + 1n : level - 1n)]).toEqual([true, false])
      }),
      RUNS,
    )
  })

  test('C1, C2: fills', () => {
    const sizing = fc.record({
      direction: side,
      sizeMode: fc.constantFrom<'quote' | 'base'>('quote', 'base'),
      amount,
      baseSize: amount,
      leverage,
    })
    fc.assert(
      fc.property(sizing, amount, fraction, fraction, (terms, index, spread, feeRate) => {
        const price = oracle.executionPrice(terms.direction, 'open', units(index), units(spread))
        const fill = sizeIncrease(marketOf(index, { spread, feeRate }), terms)
        const { direction, sizeMode } = terms
        const [lev, rate] = [units(terms.leverage), units(feeRate)]
        const expected = price.isZero()
          ? null
          : sizeMode === 'quote'
            ? oracle.quoteFill(direction, units(terms.amount), lev, price, rate)
            : oracle.baseFill(direction, units(terms.baseSize), lev, price, rate)
        if (expected === null || expected.margin.lte(0) || expected.size.lte(0)) expect(fill).toBeNull()
        else expect(fill).toEqual(Object.fromEntries(Object.entries(expected).map(([k, v]) => [k, fp9Of(v)])))
      }),
      RUNS,
    )
  })

  test('POST 7: the notional a placement may reach', () => {
    fc.assert(
      fc.property(amount, leverage, fraction, (reserve, lev, feeRate) => {
        expect(placementNotional(reserve, lev, feeRate)).toBe(
          fp9Of(oracle.placementNotional(units(reserve), units(lev), units(feeRate))),
        )
      }),
      RUNS,
    )
  })

  test('C11, D7: unrealized pnl', () => {
    fc.assert(
      fc.property(positionAndIndex, ({ engine, holding, at, index }) => {
        expect(rawUnrealizedPnl(engine, index)).toBe(fp9Of(oracle.rawUnrealized(holding, units(index))))
        expect(unrealizedPnl(engine, index, at)).toBe(fp9Of(oracle.unrealized(holding, units(index))))
      }),
      RUNS,
    )
  })

  test('E1: liquidation prices, and on which side of them a position is liquidated', () => {
    fc.assert(
      fc.property(positionAndIndex, fraction, ({ engine, holding, index }, rate) => {
        expect(liquidationPrice(engine, rate)).toBe(fp9Of(oracle.liquidationPrice(holding, units(rate))))
        expect(isLiquidatable(engine, rate, index)).toBe(
          oracle.liquidatable(holding, units(rate), units(index)),
        )
      }),
      RUNS,
    )
  })

  test('E1: the closed form says what M + u ≤ mmr·q·index says, but for the rounding of the price', () => {
    fc.assert(
      fc.property(positionAndIndex, fraction, ({ engine, holding, index }, rate) => {
        const { side: held, size, notional, margin } = holding
        const under = (at: bigint) => {
          const value = size.times(units(at))
          const pnl = held === 'long' ? value.minus(notional) : notional.minus(value)
          return margin.plus(pnl).lte(value.times(units(rate)))
        }
        // Rounding moves the price by less than one unit toward the market.
        const away = held === 'long' ? index - 1n : index + 1n
        const fires = isLiquidatable(engine, rate, index)
        if (fires && away > 0n) expect(under(away)).toBe(true)
        if (!fires) expect(under(index) && margin.lessThan(notional)).toBe(false)
      }),
      RUNS,
    )
  })

  test('C7–C10, D1–D8, J3: closing a part or all', () => {
    const part = fc.oneof(fc.constant(ONE), fraction)
    fc.assert(
      fc.property(
        positionAndIndex,
        part,
        fraction,
        fraction,
        ({ engine, holding, at, index }, share, spread, feeRate) => {
          const size = max(1n, (engine.size * share) / ONE)
          const price = oracle.executionPrice(engine.direction, 'close', units(index), units(spread))
          const expected = oracle.close(holding, units(size), price, units(feeRate))
          const actual = settle(engine, size, fp9Of(price), feeRate, at)
          expect(actual).toEqual(settlementOf(expected, holding.heldMs))
          // C9 and C11: what leaves the margin, the pnl and the fee make up the credit.
          expect(actual.marginReleased + actual.pnl - actual.fee).toBe(actual.credit)
          expect(actual.marginReleased).toBeLessThanOrEqual(engine.margin)
        },
      ),
      RUNS,
    )
  })

  test('E2: liquidation', () => {
    fc.assert(
      fc.property(positionAndIndex, fraction, ({ engine, holding, at, index }, spread) => {
        const price = oracle.executionPrice(engine.direction, 'close', units(index), units(spread))
        const actual = settleLiquidation(engine, fp9Of(price), at)
        expect(actual).toEqual(settlementOf(oracle.liquidation(holding, price), holding.heldMs))
        expect(engine.margin + actual.pnl - actual.fee).toBe(0n)
        expect(actual.fee).toBeGreaterThanOrEqual(0n)
      }),
      RUNS,
    )
  })

  test('E4, E5, J2: funding', () => {
    fc.assert(
      fc.property(positionAndIndex, signed, fc.option(signed), ({ engine, holding, index }, rate, short) => {
        const parameters = { fundingRate: rate, fundingRateShort: short } as Market['parameters']
        const due = fundingRateOf(parameters, engine.direction)
        const expected = oracle.fundingRateOf(holding.side, units(rate), short === null ? null : units(short))
        expect(due).toBe(fp9Of(expected))
        expect(fundingPayment(engine, index, due)).toBe(
          fp9Of(oracle.funding(holding, units(index), expected)),
        )
      }),
      RUNS,
    )
  })

  test('F8, F9: trailing triggers and the minimum distance', () => {
    fc.assert(
      fc.property(side, amount, amount, fraction, (direction, price, index, distance) => {
        const market = marketOf(index, { minStopDistance: distance })
        const pushed = fp9Of(oracle.pushedStop(direction, units(price), units(index), units(distance)))
        expect(atMinimumDistance(market, direction, price)).toEqual({
          triggerPrice: pushed,
          requestedTriggerPrice: pushed === price ? null : price,
        })
        for (const [offset, percent] of [
          [price, 0n],
          [0n, distance],
        ] as const) {
          const terms = {
            direction,
            trailingStopActivationPrice: 0n,
            trailingStopOffset: offset,
            trailingStopOffsetPercent: percent,
          }
          expect(trailingTriggerPrice(terms, index)).toBe(
            fp9Of(oracle.trailingTrigger(direction, units(index), units(offset), units(percent))),
          )
        }
      }),
      RUNS,
    )
  })

  test('H5–H7: floors and targets', () => {
    const share = fc.oneof(fraction, fc.bigInt({ min: 0n, max: ONE - 1n }))
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        share,
        fc.boolean(),
        (initial, dayStart, highWater, rate, trailing) => {
          const account = {
            initialBalance: initial,
            dayStartEquity: dayStart,
            highWater,
            parameters: {
              maxDailyLoss: rate,
              dailyLossBase: 'equity',
              dailyLossOf: 'base',
              maxTotalLoss: rate,
              drawdownMode: trailing ? 'trailing_eod' : 'static',
              profitTarget: rate,
            },
          } as Account
          expect(dailyLossFloor(account)).toBe(fp9Of(oracle.dailyFloor(units(dayStart), units(rate))))
          expect(totalLossFloor(account)).toBe(
            fp9Of(oracle.totalFloor(units(initial), units(highWater), units(rate), trailing)),
          )
          expect(targetBalance(account)).toBe(fp9Of(oracle.targetBalance(units(initial), units(rate))))
        },
      ),
      RUNS,
    )
  })
})

/** The oracle's close in the engine's words. */
function settlementOf(closed: oracle.Closed, holdingTimeMs: number) {
  return {
    size: fp9Of(closed.size),
    exchangedQuote: fp9Of(closed.exchanged),
    cost: fp9Of(closed.cost),
    rawPnl: fp9Of(closed.raw),
    pnl: fp9Of(closed.pnl),
    fee: fp9Of(closed.fee),
    marginReleased: fp9Of(closed.released),
    credit: fp9Of(closed.credit),
    profitReferenceUsed: fp9Of(closed.referenceUsed),
    holdingTimeMs,
  }
}
