import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  averageDrawdown,
  averageDrawdownDuration,
  calmarRatio,
  drawdownsOf,
  longestDrawdownDuration,
  maxDrawdown,
} from '../../../../src/backtest/statistics/drawdown.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { curve, DAY, daily, Exact, exact, expectClose, sum } from './samples.ts'

describe('drawdowns', () => {
  test('by comparing every point with every later one', () => {
    fc.assert(
      fc.property(curve, ({ length, time, equity }) => {
        let deepest = new Exact(0)
        for (let peak = 0; peak < length; peak++) {
          for (let later = peak + 1; later < length; later++) {
            const [high, low] = [exact(equity[peak] as bigint), exact(equity[later] as bigint)]
            deepest = Exact.max(deepest, high.minus(low).div(high))
          }
        }
        const drawdowns = drawdownsOf({ length, time, equity })
        const worst = maxDrawdown(drawdowns)
        if (worst === null) expect(deepest.isZero()).toBe(true)
        else expectClose(worst.depth, deepest)
        for (const { peakAt, troughAt, recoveredAt, amount, durationMs } of drawdowns) {
          const [peak, trough] = [peakAt, troughAt].map((moment) => Array.from(time).indexOf(moment)) as [
            number,
            number,
          ]
          expect((equity[peak] as bigint) - (equity[trough] as bigint)).toBe(amount)
          const end = recoveredAt ?? (time[length - 1] as number)
          expect(durationMs).toBe(end - peakAt)
          for (let point = peak + 1; (time[point] as number) < end; point++)
            expect((equity[point] as bigint) < (equity[peak] as bigint)).toBe(true)
        }
        if (drawdowns.length > 0) {
          expectClose(
            averageDrawdown(drawdowns),
            sum(drawdowns.map(({ depth }) => exact(depth))).div(drawdowns.length),
          )
          const durations = drawdowns.map(({ durationMs }) => durationMs)
          expect(longestDrawdownDuration(drawdowns)).toBe(Math.max(...durations))
          expectClose(averageDrawdownDuration(drawdowns), sum(durations.map(exact)).div(durations.length))
        }
      }),
    )
  })

  // ycharts.com/glossary/terms/max_drawdown: 46.67 %.
  test('a published maximum drawdown', () => {
    const drawdowns = drawdownsOf(daily(100_000, 150_000, 90_000, 120_000, 80_000, 200_000))
    expect(drawdowns).toHaveLength(1)
    expect(maxDrawdown(drawdowns)).toEqual({
      peakAt: DAY,
      troughAt: 4 * DAY,
      recoveredAt: 5 * DAY,
      amount: fp9('70000'),
      depth: 70_000 / 150_000,
      durationMs: 4 * DAY,
    })
    expect(calmarRatio(0.7, maxDrawdown(drawdowns))).toBeCloseTo(1.5, 12)
  })

  test('one that does not end, and one below zero', () => {
    expect(drawdownsOf(daily(100, 90, 95))[0]).toMatchObject({
      recoveredAt: null,
      durationMs: 2 * DAY,
      depth: 0.1,
    })
    expect(maxDrawdown(drawdownsOf(daily(100, -50)))?.depth).toBe(1.5)
    expect(drawdownsOf(daily(-5, -10))).toEqual([])
  })
})
