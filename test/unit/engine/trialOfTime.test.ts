// How far time may be led ahead is tried as it is done.

import { expect, test } from 'vitest'
import { moveClock } from '../../../src/domain/evolve/clock.ts'
import { createEngine } from '../../../src/index.ts'
import { LAST_INSTANT, LONGEST_ADVANCE_MS } from '../../../src/terms/instants.ts'
import { logOf } from '../../properties/runs.ts'
import { folded, triedOn } from '../../properties/tried.ts'

test('time is tried as far as the engine lets it go, to the millisecond', async () => {
  const engine = createEngine({ seed: 'trial', at: Date.UTC(2026, 0, 5), markets: [], accounts: [] })
  const was = folded()
  for (const commit of await logOf(engine)) was.fold(commit)
  engine.dispatch({ type: 'advanceTime', ms: 0 }, { at: LAST_INSTANT - LONGEST_ADVANCE_MS - 1_000 })
  const taken = [LONGEST_ADVANCE_MS + 1, -1, 0.5, Number.NaN, 0, LONGEST_ADVANCE_MS, 1_001, 1_000].filter(
    (ms) => {
      moveClock(was.world, engine.now)
      const trial = triedOn(was.world, { type: 'advanceTime', ms }, engine.now)
      const outcome = engine.dispatch({ type: 'advanceTime', ms })
      expect(outcome.ok).toBe(trial.rejection === null)
      return outcome.ok
    },
  )
  expect(taken).toEqual([0, LONGEST_ADVANCE_MS, 1_000])
})
