import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortPart } from '../../../src/collections/sortedPart.ts'

/** The part that was asked for, how many comparisons it took, and how many of them there were at most without giving way. */
function partOf(values: readonly number[], from: number, to: number, stride = 64) {
  const items = Uint32Array.from(values.keys())
  let [compared, longest, last] = [0, 0, 0]
  const inOrder = (a: number, b: number) => {
    compared += 1
    longest = Math.max(longest, compared - last)
    return (values[a] as number) - (values[b] as number) || a - b
  }
  for (const _ of sortPart(items, from, to, inOrder, stride)) last = compared
  expect([...items].sort((a, b) => a - b)).toEqual([...values.keys()])
  return { part: Array.from(items.subarray(from, to), (at) => values[at]), compared, longest }
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)

test('a part is that of everything sorted, and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 200 }),
      fc.nat(220),
      fc.nat(60),
      (values, from, many) => {
        expect(partOf(values, from, from + many, 7).part).toEqual(sorted(values).slice(from, from + many))
      },
    ),
  )
})

const MANY = 20_000
test.each([
  ['mixed', (at: number) => (at * 7_919) % 10_007],
  ['rising', (at: number) => at],
  ['falling', (at: number) => -at],
  ['all the same', () => 1],
  ['rising and falling', (at: number) => Math.min(at, MANY - at)],
])('a page of many, %s, takes a few looks at each, and gives way', (_, valueAt) => {
  const values = Array.from({ length: MANY }, (_, at) => valueAt(at))
  for (const from of [0, MANY / 2, MANY - 100]) {
    const { part, compared, longest } = partOf(values, from, from + 100)
    expect(part).toEqual(sorted(values).slice(from, from + 100))
    expect(compared).toBeLessThan(6 * MANY)
    // Few are put in their places in one go, and what divides the next stretch is chosen in one.
    expect(longest).toBeLessThan(2_000)
  }
})

test('what divides a stretch is the middle one of the middle ones of three threes', () => {
  const middle = (three: readonly number[]) => sorted(three)[1] as number
  const permutation = (length: number) => {
    const all = Array.from({ length }, (_, at) => at)
    return fc.shuffledSubarray(all, { minLength: length, maxLength: length })
  }
  fc.assert(
    fc.property(fc.integer({ min: 25, max: 60 }).chain(permutation), (values) => {
      const others: number[] = []
      const inOrder = (a: number, b: number) => {
        others.push(values[b] as number)
        return (values[a] as number) - (values[b] as number)
      }
      expect([...sortPart(Uint32Array.from(values.keys()), 0, values.length, inOrder, 1_000)]).toEqual([])
      const step = Math.floor((values.length - 1) / 8)
      const nine = Array.from({ length: 9 }, (_, at) => values[at * step] as number)
      const threes = [nine.slice(0, 3), nine.slice(3, 6), nine.slice(6)]
      // It is found with a dozen looks at most; what follows is compared with it.
      expect(others[12]).toBe(middle(threes.map(middle)))
    }),
  )
})
