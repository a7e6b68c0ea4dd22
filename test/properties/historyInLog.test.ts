// An engine that reads its history lists from its log answers as one without a log does, which keeps records of its own.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine } from '../../src/index.ts'
import { Chance, everythingReadable, GENESIS, nextCommand } from '../store/traffic.ts'
import { ALL_RUNS, runs } from './runs.ts'

const reached = { phases: 0, inRuns: 0, longLives: 0, replaced: 0, failed: 0, refused: 0, past: 0 }

test('lists from the log are those of an engine that keeps none, now and as of then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
      const [logged, unlogged] = [createEngine(GENESIS), createEngine({ ...GENESIS, log: false })]
      const chance = new Chance(seed + 1)
      const lives = new Map<string, number>()
      let then = { seq: 0, readable: {} }
      for (let count = 0; count < 250; count++) {
        const { command, at } = nextCommand(chance, logged)
        const outcome = logged.dispatch(command, { at })
        expect(unlogged.dispatch(structuredClone(command), { at })).toEqual(outcome)
        if (chance.below(40) === 0) {
          then = { seq: logged.head, readable: everythingReadable(logged) }
          expect(then.readable).toEqual(everythingReadable(unlogged))
        }
        if (!outcome.ok) reached.refused += 1
        else reach(outcome.events, lives)
      }
      expect(everythingReadable(logged)).toEqual(everythingReadable(unlogged))
      expect(logged.stateHash()).toBe(unlogged.stateHash())
      if (then.seq === 0) return
      const past = await logged.asOf(then.seq)
      expect(everythingReadable(past)).toEqual(then.readable)
      reached.past += 1
    }),
    runs(15),
  )
})

function reach(events: readonly { readonly type: string }[], lives: Map<string, number>): void {
  if (events.length > 8) reached.inRuns += 1
  for (const event of events) {
    if (event.type === 'accountPromoted') reached.phases += 1
    if (event.type === 'orderReplaced') reached.replaced += 1
    if (event.type === 'orderFailed') reached.failed += 1
    if (!('positionId' in event) || event.type === 'orderPlaced') continue
    const happened = (lives.get(event.positionId as string) ?? 0) + 1
    lives.set(event.positionId as string, happened)
    if (happened === 9) reached.longLives += 1
  }
}

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(3)
})
