// What falls due by time alone is run at its instant, neither before it nor at the next look at the clock.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runSchedule } from '../../../src/host/schedule.ts'
import { createEngine } from '../../../src/index.ts'

const START = Date.UTC(2026, 0, 5)

beforeEach(() => void vi.useFakeTimers({ now: START }))
afterEach(() => void vi.useRealTimers())

test.each([1, 2, 400, 999, 1_000, 1_001, 5_250])('an instant %d ms ahead', (ahead) => {
  const engine = createEngine({ at: START })
  const due = engine.nextDueAt
  const clock = { mode: 'system', now: () => due - ahead + (Date.now() - START), offset: () => 0 } as const
  engine.dispatch({ type: 'advanceTime', ms: due - ahead - 1 - engine.now })
  expect(engine.nextDueAt).toBe(due)
  const schedule = runSchedule(engine, clock)
  vi.advanceTimersByTime(ahead - 1)
  expect(engine.nextDueAt, 'before it').toBe(due)
  vi.advanceTimersByTime(1)
  expect(engine.nextDueAt, 'at it').toBeGreaterThan(due)
  schedule.stop()
  const { nextDueAt } = engine
  vi.advanceTimersByTime(nextDueAt - due + 5_000)
  expect(engine.nextDueAt, 'after it was stopped').toBe(nextDueAt)
})
