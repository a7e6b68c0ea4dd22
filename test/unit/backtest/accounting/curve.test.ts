// The curve keeps every point, however it grows and however the equity is given.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CurveRecorder } from '../../../../src/backtest/accounting/curve.ts'

describe('the curve recorder', () => {
  // The point with which the columns grow is one like any other.
  test('keeps points beyond its first capacity', () => {
    const recorder = new CurveRecorder()
    const length = 20_000
    for (let point = 0; point < length; point++) {
      if (point % 3 === 0) recorder.add(point, BigInt(point + 1), 5n, 7n)
      else recorder.addSafe(point, point + 1, 5n, 7n)
    }
    const { time, equity, balance, exposure } = recorder.curve()
    expect(time).toEqual(Float64Array.from({ length }, (_, point) => point))
    expect(equity).toEqual(BigInt64Array.from({ length }, (_, point) => BigInt(point + 1)))
    expect(balance).toEqual(new BigInt64Array(length).fill(5n))
    expect(exposure).toEqual(new BigInt64Array(length).fill(7n))
  })

  test('a second point at the same time replaces the first, in doubles or bigints', () => {
    const point = fc.record({ step: fc.nat(1), equity: fc.maxSafeInteger(), isSafe: fc.boolean() })
    fc.assert(
      fc.property(fc.array(point), (points) => {
        const recorder = new CurveRecorder()
        const kept = new Map<number, bigint>()
        let time = 0
        for (const { step, equity, isSafe } of points) {
          time += step
          kept.set(time, BigInt(equity))
          if (isSafe) recorder.addSafe(time, equity, 0n, 0n)
          else recorder.add(time, BigInt(equity), 0n, 0n)
        }
        const curve = recorder.curve()
        expect([...curve.time]).toEqual([...kept.keys()])
        expect([...curve.equity]).toEqual([...kept.values()])
      }),
    )
  })

  test('holds what 64 bits hold, and refuses more', () => {
    const most = 2n ** 63n - 1n
    const recorder = new CurveRecorder()
    recorder.add(0, most, 0n, most)
    recorder.add(1, -most, 0n, 0n)
    expect([...recorder.curve().equity]).toEqual([most, -most])
    for (const [equity, exposure] of [
      [most + 1n, 0n],
      [-most - 1n, 0n],
      [0n, most + 1n],
    ] as const)
      expect(() => recorder.add(2, equity, 0n, exposure)).toThrow(RangeError)
  })
})
