// Rows into columns: which are kept, what is said of the others, and what is counted of gaps, as a plain model has it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ColumnWriter } from '../../../../src/backtest/feed/columnWriter.ts'
import { RowReport } from '../../../../src/backtest/feed/rowReport.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const written = (kind: 'bars' | 'trades' | 'quotes', intervalMs: number | null = null, capacity = 100) => {
  const report = new RowReport('skip')
  return { report, writer: new ColumnWriter(kind, capacity, report, intervalMs) }
}
const reasons = ({ report }: { readonly report: RowReport }) =>
  report.summary().firstSkipped.map(({ reason }) => reason)

test('prices are kept to the last unit, whichever way they are set, and each chunk is its own', () => {
  const price = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
  fc.assert(
    fc.property(fc.array(fc.tuple(price, fc.boolean()), { minLength: 1, maxLength: 10 }), (prices) => {
      const { writer, report } = written('trades', null, 4)
      const chunks: bigint[][] = []
      for (const [row, [value, isWide]] of prices.entries()) {
        expect(writer.length).toBe(row % 4)
        if (isWide) writer.setWidePrice(0, BigInt(value))
        else writer.setPrice(0, value)
        writer.addTick(row, 'file', row + 1)
        if (writer.full || row === prices.length - 1) {
          const taken = writer.takeTicks()
          expect([...taken.time]).toEqual(
            Array.from({ length: taken.length }, (_, at) => row - taken.length + 1 + at),
          )
          chunks.push([...taken.price])
          expect([writer.length, writer.full]).toEqual([0, false])
        }
      }
      expect(chunks.flat()).toEqual(prices.map(([value]) => BigInt(value)))
      expect(chunks.slice(0, -1).every((chunk) => chunk.length === 4)).toBe(true)
      expect(report.summary().rows).toBe(prices.length)
    }),
  )
})

describe('a bar', () => {
  type Bar = readonly [open: bigint, high: bigint, low: bigint, close: bigint, volume?: number]
  const add = (writer: ColumnWriter, time: number, [open, high, low, close, volume = 0]: Bar, line = 1) => {
    for (const [slot, value] of [open, high, low, close].entries()) writer.setWidePrice(slot, value)
    writer.addBar(time, volume, 'file', line)
  }
  const FLAT: Bar = [2n, 2n, 2n, 2n]

  test.each<[Bar, string | null]>([
    [[2n, 3n, 1n, 2n], null],
    [[1n, 3n, 1n, 3n], null],
    [[3n, 3n, 1n, 1n, 0.5], null],
    [[0n, 3n, 0n, 2n], 'a price is not above zero'],
    [[2n, 3n, 0n, 2n], 'a price is not above zero'],
    [[2n, 0n, 1n, 2n], 'a price is not above zero'],
    [[2n, 3n, 1n, 0n], 'a price is not above zero'],
    [[-1n, 3n, 1n, 2n], 'a price is not above zero'],
    [[2n, 1n, 3n, 2n], 'the high is below the low'],
    [[4n, 3n, 1n, 2n], 'the open lies outside low and high'],
    [[1n, 3n, 2n, 2n], 'the open lies outside low and high'],
    [[2n, 3n, 1n, 4n], 'the close lies outside low and high'],
    [[2n, 3n, 2n, 1n], 'the close lies outside low and high'],
    [[2n, 3n, 1n, 2n, -1], 'the volume is not a number from zero up'],
    [[2n, 3n, 1n, 2n, Number.NaN], 'the volume is not a number from zero up'],
    [[2n, 3n, 1n, 2n, Number.POSITIVE_INFINITY], 'the volume is not a number from zero up'],
  ])('of %s is kept, or left out with the reason %j', (bar, reason) => {
    const set = written('bars')
    add(set.writer, 5, bar)
    expect(reasons(set)).toEqual(reason === null ? [] : [reason])
    const { length, openTime, open, high, low, close, volume } = set.writer.takeBars()
    expect(length).toBe(reason === null ? 1 : 0)
    if (reason === null)
      expect([...openTime, ...open, ...high, ...low, ...close, ...volume]).toEqual([
        5,
        ...bar.slice(0, 4),
        bar[4] ?? 0,
      ])
  })

  const EARLY = 'the bar opens before the one before it has ended'
  test.each([
    [null, 1, null],
    [null, 0, 'the row has the time of the one before it'],
    [null, -1, 'the row is earlier than the one before it'],
    [HOUR, HOUR, null],
    [HOUR, HOUR - 1, EARLY],
    // A day of local time may be an hour short.
    [DAY, 23 * HOUR, null],
    [DAY, 23 * HOUR - 1, EARLY],
    [7 * DAY, 7 * DAY - HOUR, null],
    [7 * DAY, 7 * DAY - HOUR - 1, EARLY],
  ])('of an interval of %j, %i ms behind the one before: %j', (intervalMs, step, reason) => {
    const set = written('bars', intervalMs)
    add(set.writer, 10 * DAY, FLAT)
    add(set.writer, 10 * DAY + step, FLAT, 2)
    expect(reasons(set)).toEqual(reason === null ? [] : [reason])
    // What was left out is not what the next is held against.
    add(set.writer, 30 * DAY, FLAT, 3)
    expect(set.writer.length).toBe(reason === null ? 3 : 2)
  })

  test('that comes late tells of a gap, and of how many are missing', () => {
    const { writer, report } = written('bars', HOUR)
    for (const hour of [0, 1, 3, 3 + 1.5, 10, 11]) add(writer, hour * HOUR, FLAT)
    // Two hours, one and a half, and five and a half.
    expect(report.summary()).toMatchObject({
      gaps: 3,
      missingBars: 1 + 1 + 5,
      largestGap: { from: 4.5 * HOUR, to: 10 * HOUR },
    })
  })

  test('without an interval tells of none', () => {
    const { writer, report } = written('bars')
    for (const hour of [0, 1, 30]) add(writer, hour * HOUR, FLAT)
    expect(report.summary()).toMatchObject({ gaps: 0, missingBars: 0, largestGap: null })
  })
})

describe('a tick', () => {
  test('is kept where its price is above zero and time does not go back', () => {
    const set = written('trades')
    for (const [time, price] of [
      [5, 1n],
      [5, 2n],
      [4, 3n],
      [9, 0n],
      [8, 4n],
      [20, 5n],
    ] as const) {
      set.writer.setWidePrice(0, price)
      set.writer.addTick(time, 'file', 1)
    }
    expect(reasons(set)).toEqual(['the row is earlier than the one before it', 'the price is not above zero'])
    expect([...set.writer.takeTicks().price]).toEqual([1n, 2n, 4n, 5n])
    expect(set.report.summary()).toMatchObject({ gaps: 0, largestGap: { from: 8, to: 20 } })
  })

  test('of a quote is the middle, rounded down', () => {
    const set = written('quotes')
    for (const [time, bid, ask] of [
      [1, 2n, 5n],
      [2, 0n, 5n],
      [3, 5n, 0n],
      [4, 6n, 6n],
      [3, 1n, 1n],
    ] as const) {
      set.writer.setWidePrice(0, bid)
      set.writer.setWidePrice(1, ask)
      set.writer.addTick(time, 'file', 1)
    }
    const taken = set.writer.takeTicks()
    expect([...taken.price]).toEqual([3n, 6n])
    expect([taken.bid, taken.ask].map((column) => [...(column ?? [])])).toEqual([
      [2n, 6n],
      [5n, 6n],
    ])
    expect(reasons(set)).toEqual([
      'bid or ask is not above zero',
      'bid or ask is not above zero',
      'the row is earlier than the one before it',
    ])
  })
})

test('rows that are left out are counted, the first ten with their reasons, and none is where they may not be', () => {
  const report = new RowReport('skip')
  for (let line = 1; line <= 12; line++) report.refuse('file', line, `reason ${line}`)
  expect(report.summary()).toMatchObject({ rows: 0, skipped: 12 })
  expect(report.summary().firstSkipped).toEqual(
    Array.from({ length: 10 }, (_, at) => ({ file: 'file', line: at + 1, reason: `reason ${at + 1}` })),
  )
  const strict = new RowReport('fail')
  expect(() => strict.refuse('file', 7, 'no')).toThrow(/file.*7.*no/s)
  strict.setAside('file', 8, 'suspicious')
  expect(strict.summary().skipped).toBe(1)
})
