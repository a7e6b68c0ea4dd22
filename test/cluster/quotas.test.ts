// Quotas of a limit that several shards share, under everything that can come between giving and taking. One number repeats a run.
import { expect, test } from 'vitest'
import { NIGHTLY, SEED } from '../properties/runs.ts'
import { type QuotaOutcome, simulateQuotas } from './quotaSimulation.ts'

const only = process.env.MARGIN_CORE_SIMULATION
const RUNS = NIGHTLY ? 10_000 : 100
/** What has found something. The first: a smaller maximum that the ledger had was undone before the log of the first shard had it. */
const KEPT = [305_500_519]

test('quotas never sum up to more than the maximum, and no order is accepted past it', async () => {
  const sums: Partial<Record<keyof QuotaOutcome['reached'], number>> = {}
  const seeds =
    only === undefined ? [...KEPT, ...Array.from({ length: RUNS }, (_, run) => SEED + run)] : [Number(only)]
  for (const seed of seeds) {
    const { broken, reached } = await simulateQuotas(seed)
    expect(broken, `MARGIN_CORE_SIMULATION=${seed} repeats it`).toEqual([])
    for (const [what, count] of Object.entries(reached))
      sums[what as keyof typeof reached] = (sums[what as keyof typeof reached] ?? 0) + count
    // Others of this process have their turn between two runs.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }

  if (only !== undefined) return
  for (const [what, count] of Object.entries(sums)) expect(count, what).toBeGreaterThan(seeds.length / 10)
})

test('one number repeats a run, byte for byte', async () => {
  const first = JSON.stringify(await simulateQuotas(SEED))
  await simulateQuotas(SEED + 1)
  expect(JSON.stringify(await simulateQuotas(SEED))).toBe(first)
})

test('a quota raised before that of the giver is durable does not pass', async () => {
  const broken: string[] = []
  for (let seed = SEED; broken.length === 0 && seed < SEED + 40; seed++)
    broken.push(...(await simulateQuotas(seed, { givesEarly: true })).broken)
  expect(broken).not.toEqual([])
})
