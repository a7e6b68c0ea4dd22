import { expect, test } from 'vitest'
import { equityChart } from '../../../../src/backtest/output/equityChart.ts'

const curve = (...equity: bigint[]) => ({
  length: equity.length,
  time: equity.map((_, at) => at),
  equity: BigInt64Array.from(equity),
})

test('a line needs two points; it is as high as what it spans, in whole units', () => {
  expect(equityChart(curve())).toEqual([])
  expect(equityChart(curve(10n ** 13n))).toEqual([])
  const lines = equityChart(curve(10n ** 13n, 12n * 10n ** 12n))
  expect(lines).toHaveLength(9)
  expect(lines.at(0)).toContain('12,000')
  expect(lines.at(-1)).toContain('10,000')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('it is as wide as a terminal allows, however long the run, and ends where the run does', () => {
  const lines = equityChart(curve(...Array.from({ length: 1_000 }, (_, at) => BigInt(at) * 10n ** 9n)))
  expect(Math.max(...lines.map((line) => line.length))).toBe(77)
  expect(lines.at(0)).toContain('999')
  expect(lines.at(-1)).toContain(' 0 ')
})
