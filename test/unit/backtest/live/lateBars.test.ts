import { expect, test } from 'vitest'
import { LateBars } from '../../../../src/backtest/live/lateBars.ts'

test('a bar is late more than an interval after its end; that is told as it begins, as it doubles, and once it is over', () => {
  const bars = new LateBars(1_000)
  const told = [0, 1_000, 1_001, 2_001, 2_002, 4_000, 4_004, 3_000, 1_000, 900, 1_001].map((ms) =>
    bars.heard(ms),
  )
  expect(told).toEqual([null, null, 1_001, null, 2_002, null, 4_004, null, 0, null, 1_001])
})
