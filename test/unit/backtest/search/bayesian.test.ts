// A Gaussian process is what the book says, and finds what is best in a few dozen looks.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bayesian } from '../../../../src/backtest/search/bayesian.ts'
import { logExpectedImprovement } from '../../../../src/backtest/search/expectedImprovement.ts'
import { fitted, GaussianProcess } from '../../../../src/backtest/search/gaussianProcess.ts'
import { GrowingFactor } from '../../../../src/backtest/search/growingFactor.ts'
import { sobolPoints } from '../../../../src/backtest/search/sobol.ts'
import { middleAt, parametersAt, parseDimension } from '../../../../src/backtest/search/space.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
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

/** L. C. W. Dixon, G. P. Szegő, 1978: three places are the best, at 0.397887. */
const branin: Costs = ([a = 0, b = 0]) => {
  const [x, y] = [15 * a - 5, 15 * b]
  const bent = y - (5.1 / (4 * Math.PI ** 2)) * x * x + (5 / Math.PI) * x - 6
  return [bent ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10 - 0.397887]
}

describe('a search by a Gaussian process', () => {
  const functions: Record<string, [Costs, axes: number, looks: number, times: number]> = {
    sphere: [sphere, 4, 40, 500],
    'a sphere on one axis': [sphere, 1, 20, 100],
    branin: [branin, 2, 36, 20],
    rosenbrock: [rosenbrock, 3, 48, 3],
  }
  test.each(Object.entries(functions))(
    '%s: so many times nearer than chance, in a few dozen looks',
    (_, [costs, axes, looks, times]) => {
      const some = seeds.slice(0, 3)
      const found = some.map((seed) =>
        least(looked(new Bayesian(everywhere(axes)), axes, looks, costs, seed)),
      )
      const chance = some.map((seed) => least(byChance(axes, looks, costs, seed)))
      expect(median(found)).toBeLessThan(median(chance) / times)
      for (const [index, value] of found.entries()) expect(value).toBeLessThan(chance[index] as number)
    },
  )

  test('a missing figure, and runs that lost everything, are kept away from and lead nobody astray', () => {
    const costs: Costs = ([a = 0, b = 0]) => [
      a < 0.3 ? Number.POSITIVE_INFINITY : b < 0.3 ? 1e9 : (a - 0.6) ** 2 + (b - 0.7) ** 2,
    ]
    const seen = looked(new Bayesian(everywhere(2)), 2, 48, costs, 'cliffs')
    expect(least(seen)).toBeLessThan(1e-3)
    expect(seen.slice(-24).filter(({ costs: [cost = 0] }) => cost > 1).length).toBeLessThan(12)
  })

  test('proposes only sets that may be run, and none twice', () => {
    const space = [parseDimension('x', '0:15'), parseDimension('y', 'up,down,none')]
    const middle = (at: readonly number[]) =>
      space.map((dimension, axis) => middleAt(dimension, at[axis] as number))
    const x = (at: readonly number[]) => Number(parametersAt(space, at).x)
    const sampler = new Bayesian({ choices: [false, true], middle, isAllowed: (at) => x(at) % 2 === 1 })
    const seen = looked(sampler, 2, 20, (at) => [Math.abs(x(at) - 4)], 'few')
    const learnt = seen.slice(sampler.beginning).map(({ at }) => JSON.stringify(parametersAt(space, at)))
    expect(new Set(learnt).size).toBe(learnt.length)
    for (const { at } of seen.slice(sampler.beginning)) expect(x(at) % 2).toBe(1)
  })
})

test('the middle of a set comes to the same set, and is the same for all that do', () => {
  const texts = ['0:9', '5:500:log', '1:3:log', '0.5:3', '10,20,50', 'up,down']
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (text, u) => {
        const dimension = parseDimension('x', text)
        const middle = middleAt(dimension, u)
        expect(parametersAt([dimension], [middle])).toEqual(parametersAt([dimension], [u]))
        expect(middleAt(dimension, middle)).toBe(middle)
      },
    ),
  )
})

describe('a Gaussian process', () => {
  const scales = { lengths: [0.4, 0.7], noise: 1e-6 }
  const points = [...Array(12)].map(
    (
      (design) => () =>
        design.next().value as number[]
    )(sobolPoints(2, 'points')),
  )
  const costs = points.map(([a = 0, b = 0]) => Math.sin(3 * a) + b)

  test('knows what it was told, and less the farther away', () => {
    const process = new GaussianProcess([false, false], scales, points, costs)
    for (const [index, point] of points.entries()) {
      expect(process.at(point).mean).toBeCloseTo(costs[index] as number, 4)
      expect(process.at(point).deviation).toBeLessThan(0.01)
    }
    const far = new GaussianProcess([false, false], scales, [[0, 0]], [1])
    const deviations = [0.1, 0.4, 0.9].map((u) => far.at([u, u]).deviation)
    expect([...deviations].sort((a, b) => a - b)).toEqual(deviations)
  })

  test('what it believes changes nothing where it is what was expected, but is known from then on', () => {
    const process = new GaussianProcess([false, false], scales, points, costs)
    const [here, there] = [
      [0.31, 0.62],
      [0.8, 0.15],
    ] as const
    const before = process.at(there)
    process.believe(here, process.at(here).mean)
    expect(process.at(there).mean).toBeCloseTo(before.mean, 6)
    expect(process.at(there).deviation).toBeLessThanOrEqual(before.deviation)
    expect(process.at(here).deviation).toBeLessThan(0.01)
  })

  test('finds that one axis matters and the other does not', () => {
    const along = points.map(([a = 0]) => Math.sin(6 * a))
    const { lengths } = fitted([false, false], scales, points, along)
    expect(lengths[1]).toBeGreaterThan(3 * (lengths[0] as number))
  })
})

test('a factor that grows is that of the whole matrix, and solves it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.string(), (size, seed) => {
      const random = new Random(seed)
      const half = Array.from({ length: size }, () =>
        Array.from({ length: size }, () => random.uniform() - 0.5),
      )
      const a = half.map((row, i) =>
        half.map((other, j) =>
          row.reduce((sum, value, k) => sum + value * (other[k] as number), i === j ? 1 : 0),
        ),
      )
      const factor = new GrowingFactor()
      for (const [i, row] of a.entries()) factor.append(row, row[i] as number)
      const b = a.map(() => random.uniform())
      const x = factor.backward(factor.forward(b))
      for (const [i, row] of a.entries())
        expect(row.reduce((sum, value, j) => sum + value * (x[j] as number), 0)).toBeCloseTo(
          b[i] as number,
          9,
        )
    }),
    { numRuns: 30 },
  )
})

test('the improvement that is expected is its integral, also far out', () => {
  for (const z of [-30, -12, -6.001, -5.999, -1, 0, 0.5, 3, 9]) {
    // ∫ max(0, z − x)·φ(x) dx, from z down, by the trapezoidal rule.
    const step = 1e-4
    let sum = 0
    for (let x = z - step; x > Math.min(z, 0) - 12; x -= step)
      sum += (z - x) * Math.exp((z * z - x * x) / 2) * step
    const expected = Math.log(sum) - (z * z) / 2 - Math.log(2 * Math.PI) / 2
    expect(logExpectedImprovement({ mean: 0, deviation: 1 }, z)).toBeCloseTo(expected, 3)
  }
  expect(logExpectedImprovement({ mean: -1, deviation: 0 }, 0)).toBe(Number.NEGATIVE_INFINITY)
  expect(logExpectedImprovement({ mean: 2, deviation: 4 }, 6)).toBeCloseTo(
    logExpectedImprovement({ mean: 0, deviation: 1 }, 1) + Math.log(4),
    9,
  )
})
