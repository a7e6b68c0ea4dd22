// What learns comes nearer than chance with the same number of looks, within the bounds, on functions whose best is known.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bayesian } from '../../../../src/backtest/search/bayesian.ts'
import { CmaEs } from '../../../../src/backtest/search/cmaEs.ts'
import { NsgaII } from '../../../../src/backtest/search/nsgaII.ts'
import { NsgaIII } from '../../../../src/backtest/search/nsgaIII.ts'
import { Parzen } from '../../../../src/backtest/search/parzen.ts'
import { axesOf } from '../../../../src/backtest/search/principalAxes.ts'
import type { Sampler, Seen } from '../../../../src/backtest/search/sampler.ts'
import { hasOrder, parseDimension } from '../../../../src/backtest/search/space.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { frontsOf } from '../../../../src/backtest/sweep/fronts.ts'
import { IS_BRIEF } from '../../../atLength.ts'
import {
  byChance,
  type Costs,
  everywhere,
  least,
  looked,
  median,
  rosenbrock,
  seeds,
  sphere,
} from './looking.ts'

/** A sphere that is a thousand times as long along a slanting axis as across. */
const ridge: Costs = ([a = 0, b = 0]) => [(a + b - 1.3) ** 2 * 1e6 + (a - b - 0.2) ** 2]

describe('covariance matrix adaptation', () => {
  const functions: Record<string, [Costs, axes: number, looks: number, times: number]> = {
    sphere: [sphere, 5, 200, 50],
    'a sphere on one axis': [sphere, 1, 60, 5],
    rosenbrock: [rosenbrock, 4, 400, 5],
    ridge: [ridge, 2, 200, 50],
  }
  test.each(Object.entries(functions))(
    '%s: so many times nearer than chance',
    (_, [costs, axes, looks, times]) => {
      const found = seeds.map((seed) => least(looked(new CmaEs(axes), axes, looks, costs, seed)))
      const chance = seeds.map((seed) => least(byChance(axes, looks, costs, seed)))
      expect(median(found)).toBeLessThan(median(chance) / times)
      for (const [index, value] of found.entries()) expect(value).toBeLessThan(chance[index] as number)
    },
  )

  test('it comes to the bottom of the bent valley with time, also where the best is in a corner', () => {
    expect(least(looked(new CmaEs(2), 2, 1_500, rosenbrock, 'valley'))).toBeLessThan(1e-9)
    const corner: Costs = (at) => [at.reduce((sum, u) => sum + u, 0)]
    expect(least(looked(new CmaEs(4), 4, 1_000, corner, 'corner'))).toBeLessThan(1e-3)
  })

  test('it goes along one long axis by its path: a hundred times as long as the others, in each run', () => {
    const cigar: Costs = ([long = 0, ...others]) => [
      (long - 0.35) ** 2 + 1e4 * others.reduce((sum, u) => sum + (u - 0.6) ** 2, 0),
    ]
    for (const seed of seeds) expect(least(looked(new CmaEs(5), 5, 1_500, cigar, seed))).toBeLessThan(1e-6)
  })

  test('it goes by the order alone: a stretched cost leads it the same way', () => {
    const points = (costs: Costs) => looked(new CmaEs(3), 3, 120, costs, 'order').map(({ at }) => at)
    expect(points((at) => sphere(at).map((cost) => Math.sqrt(cost) * 7 - 3))).toEqual(points(sphere))
  })

  test('closed in on a place it begins anew, with twice the points', () => {
    const sampler = new CmaEs(2)
    const { batch } = sampler
    looked(sampler, 2, 3_000, sphere, 'anew')
    expect(sampler.batch % (2 * batch)).toBe(0)
  })
})

describe('NSGA-II', () => {
  /** E. Zitzler, K. Deb, L. Thiele, Evolutionary Computation 8, 2000: the front is f₂ = 1 − √f₁, where all but the first are 0. */
  const zdt1: Costs = ([f1 = 0, ...others]) => {
    const g = 1 + (9 * others.reduce((sum, u) => sum + u, 0)) / others.length
    return [f1, g * (1 - Math.sqrt(f1 / g))]
  }
  const first = (seen: readonly Seen[]) => {
    const fronts = frontsOf(seen.map(({ costs }) => costs))
    return seen.filter((_, index) => fronts[index] === 1)
  }
  /** How far the points of the front that was found lie above the true one, in the mean. */
  const above = (seen: readonly Seen[]) => {
    const front = first(seen).map(({ costs: [f1 = 0, f2 = 0] }) => f2 - (1 - Math.sqrt(f1)))
    return front.reduce((sum, one) => sum + one, 0) / front.length
  }
  /** The widest place of the true front without a point that was found near it, along f₁. */
  const gap = (seen: readonly Seen[]) => {
    const along = [0, ...first(seen).map(({ costs: [f1 = 0] }) => f1), 1].sort((a, b) => a - b)
    return Math.max(...along.slice(1).map((f1, index) => f1 - (along[index] as number)))
  }

  test.each([[6], [12]])(
    'the front of ZDT1 over %i axes: ten times nearer than chance, and spread over it',
    (axes) => {
      const plain = new Array<boolean>(axes).fill(false)
      for (const seed of seeds.slice(0, 5)) {
        const found = looked(new NsgaII(plain), axes, 1_600, zdt1, seed)
        expect(above(found)).toBeLessThan(above(byChance(axes, 1_600, zdt1, seed)) / 10)
        expect(gap(found)).toBeLessThan(0.35)
      }
    },
  )

  test('with one objective it comes nearer than chance too, and a choice keeps to its values', () => {
    const found = seeds.map((seed) => least(looked(new NsgaII([false, false, false]), 3, 400, sphere, seed)))
    expect(median(found)).toBeLessThan(median(seeds.map((seed) => least(byChance(3, 400, sphere, seed)))) / 5)
    /** Only the third of four values is good, its neighbours are the worst. */
    const choice: Costs = ([u = 0, v = 0]) => [
      ([1, 3, 0, 3][Math.floor(4 * u)] as number) + Math.abs(v - 0.3),
    ]
    expect(least(looked(new NsgaII([true, false]), 2, 320, choice, 'choice'))).toBeLessThan(0.01)
  })

  test('what lacks a figure is behind what has it, in whatever figure', () => {
    const costs: Costs = ([a = 0, b = 0]) => [a < 0.5 ? Number.POSITIVE_INFINITY : a, b]
    const found = looked(new NsgaII([false, false]), 2, 320, costs, 'lack')
    expect(found.slice(-64).filter(({ at: [a = 0] }) => a < 0.5).length).toBeLessThan(32)
  })
})

const samplers: Record<string, (axes: number) => Sampler> = {
  'cma-es': (axes) => new CmaEs(axes),
  'nsga-ii': (axes) => new NsgaII(Array.from({ length: axes }, (_, axis) => axis % 3 === 1)),
  'nsga-iii': (axes) =>
    new NsgaIII(
      Array.from({ length: axes }, (_, axis) => axis % 3 === 1),
      2,
    ),
  gp: (axes) => new Bayesian(everywhere(axes)),
  tpe: () => new Parzen(),
}
/** Runs of Gaussian processes in brief: each takes more than a second. */
const BRIEF_PROCESSES = 4

test.each(Object.entries(samplers))(
  '%s: every point lies within the bounds, and the same seed draws the same',
  (name, sampler) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.string(),
        fc.array(fc.double({ min: -1, max: 2, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (axes, seed, best) => {
          // The best may lie beyond the bounds, so that the points are drawn to them.
          const costs: Costs = (at) => [
            at.reduce((sum, u, axis) => sum + Math.abs(u - (best[axis] as number)), 0),
            at[0] as number,
          ]
          const seen = looked(sampler(axes), axes, 70, costs, seed)
          for (const { at } of seen) {
            expect(at).toHaveLength(axes)
            for (const u of at) expect(u >= 0 && u < 1).toBe(true)
          }
          expect(looked(sampler(axes), axes, 70, costs, seed)).toEqual(seen)
        },
      ),
      { numRuns: IS_BRIEF && name === 'gp' ? BRIEF_PROCESSES : 12 },
    )
  },
)

test('principal axes are those of the matrix: A·v = λ·v, and v are orthogonal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.string(), (n, seed) => {
      const random = new Random(seed)
      const half = Array.from({ length: n }, () => Array.from({ length: n }, () => random.uniform() - 0.5))
      const a = half.map((row, i) => row.map((value, j) => value + (half[j]?.[i] as number)))
      const { values, vectors } = axesOf(a)
      const column = (j: number) => vectors.map((row) => row[j] as number)
      const dot = (x: readonly number[], y: readonly number[]) =>
        x.reduce((sum, v, i) => sum + v * (y[i] as number), 0)
      for (let j = 0; j < n; j++) {
        for (const [i, row] of a.entries())
          expect(dot(row, column(j))).toBeCloseTo((values[j] as number) * (column(j)[i] as number), 10)
        for (let k = 0; k < n; k++) expect(dot(column(j), column(k))).toBeCloseTo(Number(j === k), 10)
      }
    }),
    { numRuns: 50 },
  )
})

test('ranges and choices of numbers by size have an order, other choices have none', () => {
  const of = (text: string) => hasOrder(parseDimension('x', text))
  expect(['5:60', '0.1%:2%', '5:500:log', '10,20,50', '50,20', '1%,2%', '7'].map(of)).not.toContain(false)
  expect(['both,long,short', '10,50,20', '1,a', '2,2'].map(of)).not.toContain(true)
})
