// The length of blocks, against the formulas of Politis and White as they are printed, over series that hang together more or less.

import { expect, test } from 'vitest'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { stationaryBlockLength } from '../../../../src/backtest/statistics/blockLength.ts'

/** Each term by itself, over both signs of the lag. */
function byHand(x: readonly number[]): number {
  const n = x.length
  const mean = x.reduce((a, b) => a + b, 0) / n
  const R = (lag: number) => {
    const k = Math.abs(lag)
    if (k >= n) return 0
    let sum = 0
    for (let i = 0; i + k < n; i++) sum += ((x[i] as number) - mean) * ((x[i + k] as number) - mean)
    return sum / n
  }
  const KN = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))))
  const mMax = Math.min(n - 1, Math.ceil(Math.sqrt(n)) + KN)
  const isNegligible = (k: number) => Math.abs(R(k) / R(0)) < 2 * Math.sqrt(Math.log10(n) / n)
  let m: number | null = null
  for (let from = 0; from <= mMax && m === null; from++)
    if (Array.from({ length: KN }, (_, i) => from + 1 + i).every(isNegligible)) m = Math.max(1, from)
  if (m === null) {
    m = 1
    for (let k = 2; k <= mMax; k++) if (!isNegligible(k)) m = k
  }
  const M = Math.min(2 * m, mMax)
  const window = (t: number) => (Math.abs(t) <= 0.5 ? 1 : Math.abs(t) <= 1 ? 2 * (1 - Math.abs(t)) : 0)
  let [G, g] = [0, 0]
  for (let k = -M; k <= M; k++) {
    G += window(k / M) * Math.abs(k) * R(k)
    g += window(k / M) * R(k)
  }
  const D = 2 * g * g
  const length = ((2 * G * G) / D) ** (1 / 3) * n ** (1 / 3)
  return Math.min(Math.max(1, length), Math.ceil(Math.min(3 * Math.sqrt(n), n / 3)))
}

test('is what the formulas say', () => {
  const lengths: number[] = []
  for (const size of [10, 11, 20, 37, 60, 100, 365])
    for (const memory of [-0.8, -0.3, 0, 0.2, 0.4, 0.6, 0.8, 0.95])
      for (let draw = 0; draw < 4; draw++) {
        const random = new Random(`${size} ${memory} ${draw}`)
        let value = 0
        const series = Array.from({ length: size }, () => {
          value = memory * value + normal(random)
          return value
        })
        const length = stationaryBlockLength(series)
        expect(length).toBeCloseTo(byHand(series), 6)
        lengths.push(length)
      }
  // Short, long, bounded and in between: all were reached.
  expect(lengths.filter((length) => length === 1).length).toBeGreaterThan(2)
  expect(lengths.filter((length) => length > 1 && !Number.isInteger(length)).length).toBeGreaterThan(80)
  expect(lengths.filter((length) => length > 1 && Number.isInteger(length)).length).toBeGreaterThan(10)
})

test('is one for too few, and where nothing changes', () => {
  expect(stationaryBlockLength([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(1)
  expect(stationaryBlockLength(Array<number>(50).fill(3))).toBe(1)
})
