// Curves, trades and returns that are drawn, and a reckoning of their figures that loses no digits.

import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { EquityCurve } from '../../../../src/backtest/statistics/equityCurve.ts'
import type { ClosedTrade } from '../../../../src/backtest/statistics/tradeStatistics.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

export const DAY = 86_400_000
export const Exact = Decimal.clone({ precision: 60 })
export const exact = (value: bigint | number) => new Exact(value.toString())
export const sum = (values: readonly Decimal[]) =>
  values.reduce((total, value) => total.plus(value), new Exact(0))

/** The result is the independent one to ten digits; more are lost where returns hardly differ from their mean. */
export function expectClose(value: number | null, expected: Decimal): void {
  const off = exact(value as number)
    .minus(expected)
    .abs()
  expect(off.lessThanOrEqualTo(expected.abs().times(1e-10).plus(1e-15)), `${value} for ${expected}`).toBe(
    true,
  )
}

/** One equity a day, from the epoch on. */
export const daily = (...units: number[]): EquityCurve => ({
  length: units.length,
  time: units.map((_, index) => index * DAY),
  equity: BigInt64Array.from(units, (unit) => fp9(String(unit))),
})

const equity = fc.bigInt(fp9('1'), fp9('1000000'))
export const curve: fc.Arbitrary<EquityCurve> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 * DAY }), equity), { minLength: 2, maxLength: 40 })
  .map((points) => {
    let now = 1_700_000_000_000
    const time = points.map(([step]) => {
      now += step
      return now
    })
    return { length: points.length, time, equity: BigInt64Array.from(points, ([, value]) => value) }
  })
export const trade: fc.Arbitrary<ClosedTrade> = fc
  .record({
    side: fc.constantFrom('long' as const, 'short' as const),
    openedAt: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 20 * DAY }),
    held: fc.nat(3 * DAY),
    pnl: fc.oneof(fc.constant(0n), fc.bigInt(-fp9('1000'), fp9('1000'))),
    traded: fc.bigInt(0n, fp9('100000')),
  })
  .map(({ held, ...rest }) => ({ ...rest, closedAt: rest.openedAt + held }))
export const returnsOf = fc.array(
  fc.integer({ min: -900, max: 900 }).map((points) => points / 1000),
  { minLength: 2, maxLength: 60 },
)
