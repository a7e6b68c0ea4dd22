// NSGA-III spreads what it finds over all directions between three objectives and more.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nichesOf } from '../../../../src/backtest/search/niches.ts'
import { NsgaII } from '../../../../src/backtest/search/nsgaII.ts'
import { NsgaIII } from '../../../../src/backtest/search/nsgaIII.ts'
import { referencePoints } from '../../../../src/backtest/search/referencePoints.ts'
import type { Seen } from '../../../../src/backtest/search/sampler.ts'
import { frontsOf } from '../../../../src/backtest/sweep/fronts.ts'
import { byChance, type Costs, least, looked, median, seeds, sphere } from './looking.ts'

/** K. Deb, L. Thiele, M. Laumanns, E. Zitzler, 2005: the front is the part of the unit sphere where no cost is negative. */
function dtlz2(objectives: number, widths: readonly number[] = []): Costs {
  return (at) => {
    const g = at.slice(objectives - 1).reduce((sum, u) => sum + (u - 0.5) ** 2, 0)
    return Array.from({ length: objectives }, (_, objective) => {
      const turns = at.slice(0, objectives - 1 - objective).map((u) => Math.cos((u * Math.PI) / 2))
      const last = objective === 0 ? 1 : Math.sin(((at[objectives - 1 - objective] as number) * Math.PI) / 2)
      return turns.reduce((product, turn) => product * turn, 1 + g) * last * (widths[objective] ?? 1)
    })
  }
}

/** How far the place where each direction meets the true front lies from the nearest that was found. */
function away(seen: readonly Seen[], objectives: number, widths: readonly number[] = []): number[] {
  const costs = seen.map((one) => one.costs.map((cost, objective) => cost / (widths[objective] ?? 1)))
  return referencePoints(objectives).map((direction) => {
    const length = Math.hypot(...direction)
    return Math.min(
      ...costs.map((cost) =>
        Math.hypot(...cost.map((value, axis) => value - (direction[axis] as number) / length)),
      ),
    )
  })
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const plain = (axes: number) => new Array<boolean>(axes).fill(false)

describe('the front of DTLZ2', () => {
  test.each([
    [3, 7, 1_080],
    [5, 9, 1_500],
  ])(
    'of %i objectives over %i axes: near every direction, nearer than chance and than by room',
    (m, axes, looks) => {
      for (const seed of seeds.slice(0, 2)) {
        const found = away(looked(new NsgaIII(plain(axes), m), axes, looks, dtlz2(m), seed), m)
        expect(mean(found)).toBeLessThan(mean(away(byChance(axes, looks, dtlz2(m), seed), m)) / 2)
        expect(Math.max(...found)).toBeLessThan(0.35)
        if (m > 3)
          expect(mean(found)).toBeLessThan(
            mean(away(looked(new NsgaII(plain(axes)), axes, looks, dtlz2(m), seed), m)) / 2,
          )
      }
    },
  )

  test('in whatever units its objectives are', () => {
    const widths = [1_000, 1, 0.01]
    const found = away(looked(new NsgaIII(plain(7), 3), 7, 1_080, dtlz2(3, widths), 'units'), 3, widths)
    expect(mean(found)).toBeLessThan(0.08)
  })
})

test('with one objective it comes nearer than chance too, and a choice keeps to its values', () => {
  const found = seeds.map((seed) => least(looked(new NsgaIII(plain(3), 1), 3, 400, sphere, seed)))
  expect(median(found)).toBeLessThan(median(seeds.map((seed) => least(byChance(3, 400, sphere, seed)))) / 5)
  const choice: Costs = ([u = 0, v = 0]) => [([1, 3, 0, 3][Math.floor(4 * u)] as number) + Math.abs(v - 0.3)]
  expect(least(looked(new NsgaIII([true, false], 1), 2, 320, choice, 'choice'))).toBeLessThan(0.01)
})

test('what lacks a figure is behind what has it, in whatever figure', () => {
  const costs: Costs = ([a = 0, b = 0]) => [a < 0.5 ? Number.POSITIVE_INFINITY : a, b, 1 - b]
  const found = looked(new NsgaIII(plain(2), 3), 2, 324, costs, 'lack')
  expect(found.slice(-72).filter(({ at: [a = 0] }) => a < 0.5).length).toBeLessThan(36)
})

test('directions add up to one, are spread evenly, and none comes twice', () => {
  for (const [objectives, count] of [
    [1, 1],
    [2, 40],
    [3, 36],
    [4, 35],
    [5, 50],
    [8, 44],
    [13, 26],
  ] as const) {
    const points = referencePoints(objectives)
    expect(points).toHaveLength(count)
    expect(new Set(points.map((point) => point.map((u) => u.toFixed(9)).join())).size).toBe(count)
    for (const point of points) expect(point.reduce((sum, u) => sum + u, 0)).toBeCloseTo(1, 12)
    for (const axis of points[0]?.keys() ?? [])
      expect(mean(points.map((point) => point[axis] as number))).toBeCloseTo(1 / objectives, 12)
  }
})

test('a cost lies along the direction that it is a multiple of, in whatever units', () => {
  const directions = referencePoints(3)
  fc.assert(
    fc.property(
      fc.nat(directions.length - 1),
      fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0.01, max: 1_000, noNaN: true }))),
      (number, units) => {
        const inUnits = (cost: readonly number[]) =>
          cost.map((value, axis) => value * (units[axis] as number) + 7)
        // The corners of the front, and its best, say what the units are.
        const corners = [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ]
        const costs = [...corners, (directions[number] as number[]).map((u) => u * 1.5)].map(inUnits)
        const niches = nichesOf(costs, [true, true, true, false], directions)
        expect(niches[3]?.direction).toBe(number)
        expect(niches[3]?.away).toBeCloseTo(0, 6)
      },
    ),
    { numRuns: 50 },
  )
})

test('survivors are spread: no direction is crowded while another that has a point of the front has none', () => {
  const costs = dtlz2(3)
  const seen = looked(new NsgaIII(plain(3), 3), 3, 1_080, costs, 'crowd')
  const fronts = frontsOf(seen.map((one) => one.costs))
  const first = seen.filter((_, index) => fronts[index] === 1).map((one) => one.costs)
  const reached = new Set(
    nichesOf(
      first,
      first.map(() => true),
      referencePoints(3),
    ).map(({ direction }) => direction),
  )
  expect(reached.size).toBeGreaterThan(30)
})
