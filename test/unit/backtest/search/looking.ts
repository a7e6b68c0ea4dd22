/** A sampler at work on a function whose best is known, and chance with as many looks. */
import type { Places } from '../../../../src/backtest/search/bayesian.ts'
import { randomPoints } from '../../../../src/backtest/search/designs.ts'
import type { Sampler, Seen } from '../../../../src/backtest/search/sampler.ts'
import { sobolPoints } from '../../../../src/backtest/search/sobol.ts'

export type Costs = (at: readonly number[]) => number[]

/** As a search does: in batches, with an even design first and where it begins anew. */
export function looked(sampler: Sampler, axes: number, looks: number, costs: Costs, seed: string): Seen[] {
  const design = sobolPoints(axes, seed)
  const seen: Seen[] = []
  const look = (at: readonly number[]) => void seen.push({ at, costs: costs(at) })
  for (let first = 0; first < sampler.beginning; first++) look(design.next().value as number[])
  if (sampler.beginning > 0) sampler.learn(seen, sampler.beginning)
  while (seen.length < looks) {
    if (sampler.isSpent) sampler.restart?.(design.next().value as number[])
    const { batch } = sampler
    const proposed = Array.from({ length: batch }, (_, index) =>
      sampler.proposed(`${seed}/${seen.length + index}`),
    )
    for (const at of proposed) look(at)
    sampler.learn(seen, batch)
  }
  return seen.slice(0, looks)
}

export function byChance(axes: number, looks: number, costs: Costs, seed: string): Seen[] {
  const points = randomPoints(axes, seed)
  return Array.from({ length: looks }, () => {
    const at = points.next().value as number[]
    return { at, costs: costs(at) }
  })
}

export const least = (seen: readonly Seen[]) => Math.min(...seen.map(({ costs }) => costs[0] as number))
export const seeds = Array.from({ length: 10 }, (_, index) => `seed ${index}`)
export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number

/** Away from the middle, where a search begins. */
export const sphere: Costs = (at) => [at.reduce((sum, u) => sum + (u - 0.8) ** 2, 0)]
/** H. H. Rosenbrock, Computer Journal 3, 1960, from −2 to 2 on each axis: a bent valley. */
export const rosenbrock: Costs = (at) => {
  const x = at.map((u) => 4 * u - 2)
  const terms = x
    .slice(1)
    .map((next, i) => 100 * (next - (x[i] as number) ** 2) ** 2 + (1 - (x[i] as number)) ** 2)
  return [terms.reduce((sum, term) => sum + term, 0)]
}

/** A space of numbers in order in which each place is a set of its own. */
export function everywhere(axes: number): Places {
  return { choices: new Array<boolean>(axes).fill(false), middle: (at) => at, isAllowed: () => true }
}
