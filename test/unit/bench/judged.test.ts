// By how many pairs of processes a speed is judged.
import { expect, test } from 'vitest'
import { judged } from '../../../bench/against/judged.ts'

/** The middles after one pair, three and seven. */
test.each([
  { middles: [0.92], atLeast: 0.7, pairs: [1] },
  { middles: [0.9, 0.71], atLeast: 0.7, pairs: [1, 2] },
  { middles: [0.3, 0.69, 0.95], atLeast: 0.7, pairs: [1, 2, 4] },
  { middles: [0.3, 0.69, 0.6], atLeast: 0.7, pairs: [1, 2, 4] },
  { middles: [0.2], atLeast: 0, pairs: [3] },
])('$middles against $atLeast takes $pairs', ({ middles, atLeast, pairs }) => {
  const asked: number[] = []
  const measure = (count: number) => middles[asked.push(count) - 1] as number
  expect(judged(measure, atLeast)).toBe(middles.at(-1))
  expect(asked).toEqual(pairs)
})
