// The tables of months and of rolling figures: each row under its own date, UTC.

import { expect, test } from 'vitest'
import { monthRows, rollingRows } from '../../../../src/backtest/export/tables.ts'
import { rollingFigures } from '../../../../src/backtest/statistics/rolling.ts'

const DAY = 86_400
const days = Array.from({ length: 120 }, (_, day) => Date.UTC(2026, 0, 1) / 1_000 + day * DAY)
const returns = days.map((_, day) => Math.sin(day) / 100)
const daily = { days, returns } as unknown as Parameters<typeof rollingRows>[0]

test('a row of rolling figures has the date of its last day, and its figures', () => {
  const rows = [...rollingRows(daily)]
  const figures = rollingFigures(daily)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.at(-1)?.day).toBe('2026-04-30')
  for (const [index, row] of rows.entries()) {
    const { day, totalReturn, annualVolatility, sharpeRatio, maxDrawdown } = figures[
      index
    ] as (typeof figures)[0]
    expect(Date.parse(String(row.day))).toBe(day * 1_000)
    expect(row).toMatchObject({ totalReturn, annualVolatility, sharpeRatio, maxDrawdown })
  }
})

test('a month has the returns of its days, compounded', () => {
  const rows = monthRows(daily)
  expect(rows.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04'])
  const january = returns.slice(0, 31).reduce((all, value) => all * (1 + value), 1) - 1
  expect(rows[0]?.return).toBeCloseTo(january, 12)
})
