import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merged } from '../../../src/collections/merged.ts'

const byNumber = (a: number, b: number) => a - b

test('runs are given as one, in order, with everything that is in them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 9 }), { maxLength: 20 }),
      (drawn) => {
        const runs = drawn.map((run) => run.sort(byNumber))
        expect([...merged(runs, byNumber)]).toEqual(runs.flat().sort(byNumber))
      },
    ),
  )
})

test('what comes next is found with few comparisons, however many runs there are', () => {
  const runs = Array.from({ length: 256 }, (_, at) => [at, at + 256, at + 512])
  let compared = 0
  const counted = (a: number, b: number) => {
    compared += 1
    return a - b
  }
  expect([...merged(runs, counted)]).toEqual(Array.from({ length: 768 }, (_, at) => at))
  expect(compared).toBeLessThan(768 * 2 * 8 + 512)
})
