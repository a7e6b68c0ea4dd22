// A cluster under delays, losses, pauses, kills and a database that goes away or fails over, checked from outside. One
// number repeats a run.
import { expect, test } from 'vitest'
import { IS_BRIEF } from '../atLength.ts'
import { NIGHTLY, SEED } from '../properties/runs.ts'
import { brokenPromises } from './checker.ts'
import { type Calm, simulate, simulateCalm } from './simulation.ts'

const only = process.env.MARGIN_CORE_SIMULATION
const RUNS = NIGHTLY ? 10_000 : IS_BRIEF ? 100 : 300
/** Of those in which one thing happens, each kind. */
const CALM_RUNS = NIGHTLY ? 300 : 8
/** What a kill comes to depends on when it comes most. */
const KILLS = NIGHTLY ? 300 : IS_BRIEF ? 8 : 24
const LEASE_MS = 3_000

/** Others of this process have their turn between two runs. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('whatever fails, what was acknowledged is kept once, and no read goes back', async () => {
  const sums = new Map<string, number>()
  const seeds = only === undefined ? Array.from({ length: RUNS }, (_, run) => SEED + run) : [Number(only)]
  for (const seed of seeds) {
    const { asked, logs, reached } = await simulate(seed)
    const again = `MARGIN_CORE_SIMULATION=${seed} repeats it`
    expect(brokenPromises(asked, logs), again).toEqual([])
    expect(reached.servedAtTheEnd, `nothing is served any more: ${again}`).toBeGreaterThan(0)
    for (const [what, count] of Object.entries(reached)) sums.set(what, (sums.get(what) ?? 0) + count)
    await turn()
  }

  if (only !== undefined) return
  for (const [what, count] of sums) expect(count, what).toBeGreaterThan(RUNS / (IS_BRIEF ? 25 : 20))
})

test('one number repeats a run, byte for byte', async () => {
  const first = JSON.stringify(await simulate(SEED))
  await simulate(SEED + 1)
  expect(JSON.stringify(await simulate(SEED))).toBe(first)
})

/** After the lease: a renewal was seen when the next look was due, and statements take their time. */
const SEEN_LATE_MS = LEASE_MS / 6
/** What was planned is over in that. */
const PLANNED = { gap: 300, longest: 300 }

/**
 * How long a shard may be without an owner, and anybody without an answer, ms. Whoever waits for one that is frozen hears a
 * moment later than others that it has lost the shard.
 */
const BOUNDS: Readonly<Record<Calm, { readonly gap: number; readonly longest: number }>> = {
  kill: { gap: LEASE_MS + SEEN_LATE_MS, longest: LEASE_MS + SEEN_LATE_MS },
  freeze: { gap: 1.2 * LEASE_MS + 2_000, longest: 1.2 * LEASE_MS + 2_000 },
  restart: PLANNED,
  move: PLANNED,
  drain: PLANNED,
  join: PLANNED,
}

test.each(Object.keys(BOUNDS) as Calm[])(
  'one thing that happens, %s: shards are served again in time, and where it was planned nobody notices',
  async (what) => {
    let lost = 0
    const runs = what === 'kill' ? KILLS : CALM_RUNS
    for (let seed = SEED; seed < SEED + runs; seed++) {
      const run = await simulateCalm(seed, what, LEASE_MS)
      expect(brokenPromises(run.asked, run.logs)).toEqual([])
      expect(run.gap, `seed ${seed}`).toBeLessThan(BOUNDS[what].gap)
      expect(run.longest, `seed ${seed}`).toBeLessThan(BOUNDS[what].longest)
      // What is handed over is nobody's at no time.
      if (what !== 'kill' && what !== 'freeze')
        expect({ failed: run.failed, takeovers: run.takeovers }, `seed ${seed}`).toEqual({
          failed: 0,
          takeovers: 0,
        })
      if (what === 'drain' || what === 'move') {
        expect(run.kept).toBe(0)
        // Whoever asked for it by hand looks ten times a second.
        expect(run.told, `seed ${seed}`).toBeLessThan(LEASE_MS / 6 + PLANNED.gap + 100)
      } else if (what === 'join') expect(run.kept).toBe(1)
      lost += run.lost
      await turn()
    }
    expect(lost).toBeGreaterThan(runs / 2)
  },
)

test.each([
  ['appends that ignore the epoch', 'unfenced'],
  ['a second group that is written though the first is lost', 'headless'],
  ['a failover to a standby that nobody waited for', 'asynchronous'],
] as const)('%s: the checker notices', async (_, mistake) => {
  const broken: string[] = []
  for (let seed = SEED; broken.length === 0 && seed < SEED + 60; seed++) {
    const { asked, logs } = await simulate(seed, mistake)
    broken.push(...brokenPromises(asked, logs))
  }
  expect(broken).not.toEqual([])
})
