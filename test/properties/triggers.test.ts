// The engine's triggers against the obviously right ones: the same commands give the same events and the same state.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Commit, Engine } from '../../src/index.ts'
import { SimpleTriggers } from '../../src/testing/index.ts'
import { ALL_RUNS, NIGHTLY, runs, SEED } from './runs.ts'
import { Scenario, type Turn, venue } from './triggersScenario.ts'

const TURNS = 1_000
const RUNS = NIGHTLY ? 2_000 : runs(100).numRuns

const choice = fc.nat({ max: 0xffff })
const turns: fc.Arbitrary<Turn[]> = fc.array(fc.tuple(choice, choice, choice, choice), {
  minLength: TURNS / 2,
  maxLength: (TURNS * 3) / 2,
  size: 'max',
})

const seen = new Map<string, number>()

describe('triggers', () => {
  test('the level triggers and the model agree on every event and every state', async () => {
    await fc.assert(fc.asyncProperty(turns, agree), { numRuns: RUNS, seed: SEED, endOnFailure: true })
  })

  test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
    for (const name of [
      'limit executed',
      'stop_market executed',
      'stop_limit executed',
      'stop executed',
      'take executed',
      'trailing_stop executed',
      'liquidate',
      'payFunding',
      'stopped: total_loss',
      'stopped: daily_loss',
      'accountPromoted',
      'dayStarted',
      'orderReplaced',
      'marketConfigured',
    ])
      expect([name, seen.get(name) ?? 0]).toEqual([name, expect.toSatisfy((count) => count > 20)])
  })
})

async function agree(script: Turn[]): Promise<void> {
  const fast = new Scenario(venue())
  const model = venue({ triggers: (world) => new SimpleTriggers(world) })
  const [given, expected] = [commitsOf(fast.engine), commitsOf(model)]
  for (const [n, turn] of script.entries()) {
    const { command, at } = fast.command(turn)
    fast.engine.dispatch(command, { at })
    model.dispatch(command, { at })
    if (!isDeepStrictEqual(given, expected)) expect({ n, commits: given }).toEqual({ n, commits: expected })
    given.length = 0
    expected.length = 0
    if (n % 100 === 0) expect(fast.engine.stateHash()).toBe(model.stateHash())
  }
  expect(fast.engine.stateHash()).toBe(model.stateHash())
  const { engine } = fast
  expect((await engine.asOf(engine.head)).stateHash()).toBe(engine.stateHash())
  for (const [name, count] of fast.seen) seen.set(name, (seen.get(name) ?? 0) + count)
}

/** The commits of an engine from now on. */
function commitsOf(engine: Engine): Commit[] {
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  return commits
}
