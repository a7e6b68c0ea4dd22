import { expect, test } from 'vitest'
import { combinationAt, gridSize } from '../../../../src/backtest/sweep/grid.ts'

const values = (count: number) => Array.from({ length: count }, (_, at) => at)

test('a grid has four billion combinations at most, and each of them its place', () => {
  const most = { slow: values(2 ** 16), fast: values(2 ** 16) }
  expect(gridSize(most)).toBe(2 ** 32)
  expect(combinationAt(most, 2 ** 32 - 1)).toEqual({ slow: 65_535, fast: 65_535 })
  expect(combinationAt(most, 65_536)).toEqual({ slow: 1, fast: 0 })
  expect(() => gridSize({ ...most, fast: values(2 ** 16 + 1) })).toThrow(/more than 4 billion/)
})
