// Candles of a chart: of lengths that people use, and the next of them where they grow too many; no extreme and no volume is lost.

import { expect, test } from 'vitest'
import { CandleRecorder } from '../../../../src/backtest/recording/candles.ts'

const MINUTE = 60_000
const LENGTHS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1_440, 2_880, 10_080].map(
  (minutes) => minutes * MINUTE,
)

test('where they are too many become of the next length that holds whole ones', () => {
  const after = (length: number) => {
    const recorder = new CandleRecorder(length, 1)
    for (const time of [0, length]) recorder.add(time, 5n, 5n, 5n, 5n, 1)
    return recorder.candles().intervalMs
  }
  const next = (length: number) => LENGTHS.find((one) => one > length && one % length === 0)
  for (const length of LENGTHS.filter((one) => next(one) !== undefined))
    expect(after(length)).toBe(next(length))
})

test('of ticks begin at a second', () => {
  const seconds: number[] = []
  const recorder = new CandleRecorder(null, 1)
  for (const time of [0, 999, 1_000, 5_000, 15_000, 30_000, 60_000]) {
    recorder.add(time, 5n, 5n, 5n, 5n, 1)
    seconds.push(recorder.candles().intervalMs / 1_000)
  }
  expect(seconds).toEqual([1, 1, 5, 15, 30, 60, 120])
})

test('keep the first open, the last close, both extremes and all of the volume', () => {
  const recorder = new CandleRecorder(MINUTE, 2)
  const rows = [
    [10n, 12n, 9n, 11n],
    [11n, 20n, 10n, 15n],
    [15n, 16n, 2n, 3n],
    [3n, 4n, 3n, 4n],
  ] as const
  for (const [at, [open, high, low, close]] of rows.entries())
    recorder.add(at * MINUTE, open, high, low, close, at + 1)
  expect(recorder.candles()).toEqual({
    ...{ intervalMs: 2 * MINUTE, time: [0, 2 * MINUTE], columns: [] },
    ...{ open: [10n, 15n], high: [20n, 16n], low: [9n, 2n], close: [15n, 4n], volume: [3, 7] },
  })
})
