import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exposure, turnover } from '../../../../src/backtest/statistics/marketTime.ts'
import { curve, DAY, exact, expectClose, sum, trade } from './samples.ts'

describe('time in the market', () => {
  test('exposure, minute by minute', () => {
    const minutes = fc.array(fc.tuple(fc.nat(100), fc.nat(30)), { maxLength: 12 })
    fc.assert(
      fc.property(minutes, (held) => {
        const trades = held.map(([openedAt, length]) => ({
          side: 'long' as const,
          openedAt,
          closedAt: openedAt + length,
          pnl: 0n,
          traded: 0n,
        }))
        let covered = 0
        for (let minute = 10; minute < 90; minute++)
          if (trades.some(({ openedAt, closedAt }) => openedAt <= minute && minute < closedAt)) covered += 1
        expect(exposure({ length: 2, time: [10, 90], equity: BigInt64Array.of(1n, 1n) }, trades)).toBe(
          covered / 80,
        )
      }),
    )
  })

  test('turnover over the equity weighted by time', () => {
    fc.assert(
      fc.property(curve, fc.array(trade, { maxLength: 10 }), (sample, trades) => {
        const span = (sample.time[sample.length - 1] as number) - (sample.time[0] as number)
        const parts = Array.from({ length: sample.length - 1 }, (_, point) =>
          exact(sample.equity[point] as bigint).times(
            (sample.time[point + 1] as number) - (sample.time[point] as number),
          ),
        )
        expectClose(
          turnover(sample, trades),
          sum(trades.map(({ traded }) => exact(traded)))
            .times(span)
            .div(sum(parts)),
        )
      }),
    )
  })
})

test('there is no turnover of a mean that is not above zero, or of no time', () => {
  const turnoverOf = (time: readonly number[], equity: readonly bigint[]) =>
    turnover({ length: time.length, time: Float64Array.from(time), equity: BigInt64Array.from(equity) }, [])
  expect([turnoverOf([0, DAY], [0n, 5n]), turnoverOf([0, DAY], [-5n, 5n])]).toEqual([null, null])
  expect([turnoverOf([], []), turnoverOf([DAY], [5n]), turnoverOf([0, DAY], [1n, 0n])]).toEqual([
    null,
    null,
    0,
  ])
})
