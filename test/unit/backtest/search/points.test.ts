// Where a search looks: evenly spread points, and points that follow what was good.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latinHypercube, randomPoints } from '../../../../src/backtest/search/designs.ts'
import { proposedPoint } from '../../../../src/backtest/search/parzen.ts'
import { SOBOL_AXES, sobolPoints } from '../../../../src/backtest/search/sobol.ts'
import { parametersAt, parseDimension } from '../../../../src/backtest/search/space.ts'

function first(points: Iterator<readonly number[]>, count: number): (readonly number[])[] {
  return Array.from({ length: count }, () => points.next().value as readonly number[])
}

const partOf = (u: number, parts: number) => Math.floor(u * parts)

describe('Sobol points', () => {
  test('every stretch of 2^k has one point in each of 2^k equal parts of every axis, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), fc.nat(3), fc.string(), (k, stretch, seed) => {
        const size = 2 ** k
        const points = first(sobolPoints(SOBOL_AXES, seed), size * (stretch + 1)).slice(size * stretch)
        for (let axis = 0; axis < SOBOL_AXES; axis++)
          expect(new Set(points.map((point) => partOf(point[axis] as number, size))).size).toBe(size)
      }),
      { numRuns: 40 },
    )
  })

  test('the first two axes share 2^k points evenly among all boxes of equal area', () => {
    const points = first(sobolPoints(2, 'boxes'), 64)
    for (let across = 0; across <= 6; across++) {
      const boxes = points.map(
        ([x, y]) => partOf(x as number, 2 ** across) * 64 + partOf(y as number, 2 ** (6 - across)),
      )
      expect(new Set(boxes).size).toBe(64)
    }
  })

  test('without a shift they are the published ones', () => {
    const [shift, ...points] = first(sobolPoints(4, 'published'), 8)
    const bits = (u: number | undefined) => Math.round((u as number) * 2 ** 32)
    const plain = points.map((point) =>
      point.map((u, axis) => ((bits(u) ^ bits(shift?.[axis])) >>> 0) / 2 ** 32),
    )
    expect(plain).toEqual([
      [0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25],
      [0.25, 0.75, 0.75, 0.75],
      [0.375, 0.375, 0.625, 0.875],
      [0.875, 0.875, 0.125, 0.375],
      [0.625, 0.125, 0.875, 0.625],
      [0.125, 0.625, 0.375, 0.125],
    ])
  })

  test('too many axes are refused', () =>
    expect(() => sobolPoints(SOBOL_AXES + 1, '').next()).toThrow(RangeError))
})

test('a Latin hypercube has one point in each part of every axis', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 40 }),
      fc.string(),
      (axes, count, seed) => {
        const points = latinHypercube(axes, count, seed)
        expect(points).toEqual(latinHypercube(axes, count, seed))
        for (let axis = 0; axis < axes; axis++)
          expect(new Set(points.map((point) => partOf(point[axis] as number, count))).size).toBe(count)
      },
    ),
  )
})

test('random points are the same for the same seed, and others for another', () => {
  const points = first(randomPoints(3, 'a'), 5)
  expect(first(randomPoints(3, 'a'), 5)).toEqual(points)
  expect(first(randomPoints(3, 'b'), 5)).not.toEqual(points)
})

test('proposals gather where the better points are', () => {
  const seen = first(sobolPoints(2, 'valley'), 60)
  const distance = (point: readonly number[]) =>
    Math.hypot((point[0] as number) - 0.3, (point[1] as number) - 0.8)
  const ordered = [...seen].sort((a, b) => distance(a) - distance(b))
  const proposals = Array.from({ length: 40 }, (_, number) => proposedPoint(ordered, `p/${number}`))
  for (const u of proposals.flat()) expect(u >= 0 && u < 1).toBe(true)
  const mean = (points: readonly (readonly number[])[]) =>
    points.reduce((sum, point) => sum + distance(point), 0) / points.length
  expect(mean(proposals)).toBeLessThan(mean(seen) / 2)
  expect(proposedPoint(ordered, 'p/0')).toEqual(proposals[0])
})

describe('a space', () => {
  test('whole numbers are all reached, equally, and no others', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 9 }), (low, span) => {
        const space = [parseDimension('n', `${low}:${low + span}`)]
        const values = Array.from({ length: (span + 1) * 4 }, (_, part) =>
          Number(parametersAt(space, [(part + 0.5) / ((span + 1) * 4)]).n),
        )
        for (let value = low; value <= low + span; value++)
          expect(values.filter((other) => other === value)).toHaveLength(4)
      }),
    )
  })

  test.each([
    ['0.5:3', 0.5, 1.75],
    ['0.1%:2%', 0.5, '1.05%'],
    ['1:10000:log', 0.5, 100],
    ['1.0:100.0:log', 0.25, 3.16228],
    ['10,20,30%', 0.9, '30%'],
    ['10,20,30%', 0.4, 20],
  ])('%s at %d is %s', (text, u, value) => {
    expect(parametersAt([parseDimension('x', text)], [u]).x).toBe(value)
  })

  test.each(['5:5', '9:1', '1%:2', '0:9:log'])('%s is no range', (text) =>
    expect(() => parseDimension('x', text)).toThrow(RangeError),
  )
})

test('the first good point is gone on from with a kernel of 0.15, half of the draws, and evenly with the others', () => {
  const kernel = 1 / (0.15 * Math.sqrt(2 * Math.PI))
  const density = (kernel + 1) / 2
  const distances = Array.from({ length: 2_000 }, (_, seed) => {
    const [u] = proposedPoint([[0.5]], `draw ${seed}`)
    return Math.abs((u as number) - 0.5)
  })
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length
  // The nearest of 32 points whose density at the middle is known.
  expect(mean * 2 * 32 * density).toBeGreaterThan(0.9)
  expect(mean * 2 * 32 * density).toBeLessThan(1.1)
})
