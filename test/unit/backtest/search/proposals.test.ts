// Where each sampler looks, to nine decimals, is kept: a search that somebody justified with a seed looks at the same places again.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Bayesian } from '../../../../src/backtest/search/bayesian.ts'
import { CmaEs } from '../../../../src/backtest/search/cmaEs.ts'
import { NsgaII } from '../../../../src/backtest/search/nsgaII.ts'
import { NsgaIII } from '../../../../src/backtest/search/nsgaIII.ts'
import { Parzen } from '../../../../src/backtest/search/parzen.ts'
import type { Sampler, Seen } from '../../../../src/backtest/search/sampler.ts'
import { everywhere, looked, rosenbrock, sphere } from './looking.ts'

const choices = (axes: number) => Array.from({ length: axes }, (_, axis) => axis % 3 === 1)
const samplers: Record<string, readonly [looks: number, (axes: number) => Sampler]> = {
  'cma-es': [120, (axes) => new CmaEs(axes)],
  'nsga-ii': [160, (axes) => new NsgaII(choices(axes))],
  'nsga-iii': [200, (axes) => new NsgaIII(choices(axes), 2)],
  gp: [28, (axes) => new Bayesian(everywhere(axes))],
  tpe: [64, () => new Parzen()],
}

/** Two figures, of which the second asks for the other corner. */
const both = (at: readonly number[]) => [
  (at.length === 1 ? sphere : rosenbrock)(at)[0] as number,
  at.reduce((sum, u) => sum + (u - 0.1) ** 2, 0),
]

const text = (places: readonly (readonly number[])[]) =>
  places.map((at) => at.map((u) => u.toFixed(9)).join(' ')).join('\n')

const digest = (places: readonly (readonly number[])[]) =>
  createHash('sha256').update(text(places)).digest('hex').slice(0, 8)

test.each(Object.entries(samplers))('%s looks where it looked', async (name, [looks, sampler]) => {
  const lines = [1, 2, 4].flatMap((axes) => {
    const at = looked(sampler(axes), axes, looks, both, 'where').map((seen) => seen.at)
    return [`${axes}: ${text(at.slice(-1))}`, digest(at.slice(0, looks / 2)), digest(at)]
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`kept/proposed-${name}.txt`)
})

test('of few points the Parzen estimator makes one better than the rest', async () => {
  const lines = [1, 2, 3, 5, 6, 10, 11].map((count) => {
    const sampler = new Parzen()
    const seen = Array.from({ length: count }, (_, index): Seen => {
      const at = [((index + 1) * 0.37) % 1, ((index + 1) * 0.71) % 1]
      return { at, costs: sphere(at) }
    })
    sampler.learn(seen)
    return `${count}: ${text([sampler.proposed('few'), sampler.proposed('others')])}`
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('kept/proposed-few.txt')
})
