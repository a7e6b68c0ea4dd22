// A cluster under delays, losses, pauses, kills and a database that goes away, checked from outside. One number repeats a run.
import { expect, test } from 'vitest'
import { ALL_RUNS, runs, SEED } from '../properties/runs.ts'
import { brokenPromises } from './checker.ts'
import { type Outcome, simulate } from './simulation.ts'

const only = process.env.MARGIN_CORE_SIMULATION

test('whatever fails, what was acknowledged is kept once, and no read goes back', async () => {
  const sums = {
    takeovers: 0,
    handOvers: 0,
    fencedAppends: 0,
    unknown: 0,
    forwarded: 0,
    acknowledged: 0,
    reads: 0,
    servedAtTheEnd: 0,
  }
  const seeds =
    only === undefined ? Array.from({ length: runs(60).numRuns }, (_, run) => SEED + run) : [Number(only)]
  for (const seed of seeds) {
    const { asked, logs, reached } = await simulate(seed)
    expect(brokenPromises(asked, logs), `MARGIN_CORE_SIMULATION=${seed} repeats it`).toEqual([])
    expect(
      reached.servedAtTheEnd,
      `nothing is served any more: MARGIN_CORE_SIMULATION=${seed}`,
    ).toBeGreaterThan(0)
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += reached[key]
  }

  if (!ALL_RUNS || only !== undefined) return
  for (const [what, count] of Object.entries(sums)) expect(count, what).toBeGreaterThan(seeds.length / 10)
})

test('one number repeats a run', async () => {
  expect(await simulate(7)).toEqual(await simulate(7))
})

test('appends that ignore the epoch do not pass the checker', async () => {
  const broken: string[] = []
  for (let seed = SEED; broken.length === 0 && seed < SEED + 60; seed++) {
    const { asked, logs }: Outcome = await simulate(seed, { fenced: false })
    broken.push(...brokenPromises(asked, logs))
  }
  expect(broken).not.toEqual([])
})
