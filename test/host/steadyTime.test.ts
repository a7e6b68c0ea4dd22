// K12: the time of a host, against every way in which a wall clock can go wrong.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEPT_PACE_MS, type Reading, SLEWED_MS, SteadyTime } from '../../src/host/steadyTime.ts'
import { ALL_RUNS, runs } from '../properties/runs.ts'

const START = Date.UTC(2026, 0, 5)
const YEAR = 365 * 86_400_000

/** What the machine's clocks show, `truth` ms after the start; `error` is how far the wall clock is wrong. */
const reading = (truth: number, error: number, suspended = 0): Reading => ({
  wall: START + truth + error,
  monotonic: 77 + truth - suspended,
})

const anyStep = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 0, max: 1_500 }),
  fc.constant(1_000),
)
const anyError = fc.oneof(
  fc.integer({ min: -SLEWED_MS, max: SLEWED_MS }),
  fc.constantFrom(-SLEWED_MS - 1, SLEWED_MS + 1, -3_600_000, 3_600_000, YEAR, -YEAR, -START),
  fc.integer({ min: -YEAR, max: YEAR }),
)

/** Most errors last for a while: null leaves it as it is. */
const lastingError = fc.oneof(
  { weight: 30, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: anyError },
)

describe('whatever the wall clock does', () => {
  test('time never goes back, runs by a tenth off at most, and steps only to where the wall clock has kept pace', () => {
    let steps = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(anyStep, lastingError), { minLength: 60, maxLength: 120 }), (moves) => {
        const steady = new SteadyTime(reading(0, 0), 0)
        const seen: Reading[] = [reading(0, 0)]
        let [truth, error] = [0, 0]
        for (const [step, jump] of moves) {
          truth += step
          if (jump !== null) error = jump
          const now = reading(truth, error)
          const before = steady.time
          seen.push(now)
          const adjustment = steady.read(now)
          const moved = steady.time - before
          if (adjustment?.kind === 'stepped') {
            steps += 1
            expect(steady.time).toBe(now.wall)
            const lead = now.wall - now.monotonic
            const lately = seen.filter(({ monotonic }) => monotonic > now.monotonic - KEPT_PACE_MS)
            for (const { wall, monotonic } of lately)
              expect(Math.abs(wall - monotonic - lead)).toBeLessThanOrEqual(500)
          } else {
            expect(moved).toBeGreaterThanOrEqual(0.9 * step - 0.001)
            expect(moved).toBeLessThanOrEqual(1.1 * step + 0.001)
          }
        }
      }),
      runs(200),
    )
    if (ALL_RUNS) expect(steps).toBeGreaterThan(50)
  })

  test('while it is never wrong by more than 5 s, neither is the time', () => {
    const small = fc.integer({ min: -SLEWED_MS, max: SLEWED_MS })
    fc.assert(
      fc.property(fc.array(fc.tuple(anyStep, small), { maxLength: 200 }), (moves) => {
        const steady = new SteadyTime(reading(0, 0), 0)
        let truth = 0
        for (const [step, error] of moves) {
          truth += step
          expect(steady.read(reading(truth, error))).toBeNull()
          expect(Math.abs(steady.time - START - truth)).toBeLessThanOrEqual(SLEWED_MS + 0.001)
        }
      }),
      runs(500),
    )
  })
})

test('glitches, however far, as long as they end within 10 s, do nothing at all', () => {
  const far = fc.oneof(
    fc.integer({ min: SLEWED_MS + 1, max: YEAR }),
    fc.integer({ min: -YEAR, max: -SLEWED_MS - 1 }),
  )
  const glitch = fc.record({
    error: far,
    readings: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 10 }),
    rest: fc.integer({ min: 1, max: 5_000 }),
  })
  fc.assert(
    fc.property(fc.array(glitch, { maxLength: 20 }), (glitches) => {
      const steady = new SteadyTime(reading(0, 0), 0)
      let truth = 0
      for (const { error, readings, rest } of glitches) {
        for (const step of readings) {
          truth += step
          expect(steady.read(reading(truth, error))).toBeNull()
          expect(steady.time).toBe(START + truth)
        }
        truth += rest
        steady.read(reading(truth, 0))
        expect(steady.time).toBe(START + truth)
      }
    }),
    runs(500),
  )
})

/** Reads once a second for so many seconds. */
function live(steady: SteadyTime, from: number, seconds: number, error: (truth: number) => number) {
  const adjustments: { truth: number; kind: string; byMs: number }[] = []
  for (let truth = from + 1_000; truth <= from + seconds * 1_000; truth += 1_000) {
    const adjustment = steady.read(reading(truth, error(truth)))
    if (adjustment !== null) adjustments.push({ truth, ...adjustment })
  }
  return adjustments
}

describe('a wall clock that has been set', () => {
  test('forward is followed in one step once it has kept pace for 10 s, and not a moment earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: SLEWED_MS + 1, max: YEAR }), (byMs) => {
        const steady = new SteadyTime(reading(0, 0), 0)
        expect(live(steady, 0, 10, () => byMs)).toEqual([])
        expect(steady.time).toBe(START + 10_000)
        expect(live(steady, 10_000, 1, () => byMs)).toEqual([{ truth: 11_000, kind: 'stepped', byMs }])
        expect(steady.time).toBe(START + 11_000 + byMs)
        expect(live(steady, 11_000, 60, () => byMs)).toEqual([])
        expect(steady.offset).toBe(0)
      }),
      runs(100),
    )
  })

  test('what lies far ahead right after a step is given its 10 s as well', () => {
    const steady = new SteadyTime(reading(0, 0), 0)
    expect(live(steady, 0, 11, () => YEAR)).toHaveLength(1)
    // Somebody has seen an hour later: the wall clock, which has kept its pace for long, is now far behind.
    steady.atLeast(steady.time + 3_600_000)
    const { time } = steady
    expect(live(steady, 11_000, 10, () => YEAR)).toEqual([])
    expect(steady.time).toBe(time + 10_000)
    expect(live(steady, 21_000, 1, () => YEAR)).toMatchObject([{ kind: 'slowed' }])
  })

  test('back is waited for, a tenth slower, and told once', () => {
    const back = -3_600_000
    const steady = new SteadyTime(reading(0, 0), 0)
    expect(live(steady, 0, 11, () => back)).toEqual([{ truth: 11_000, kind: 'slowed', byMs: back }])
    const tenHours = 36_000
    expect(live(steady, 11_000, tenHours - 100, () => back)).toEqual([])
    expect(steady.offset).toBeLessThan(0)
    live(steady, 11_000 + (tenHours - 100) * 1_000, 200, () => back)
    expect(steady.offset).toBe(0)
  })

  test('by up to 5 s is slewed away within ten times that', () => {
    for (const error of [5_000, -5_000, 700, -1]) {
      const steady = new SteadyTime(reading(0, 0), 0)
      expect(live(steady, 0, Math.ceil(Math.abs(error) / 100), () => error)).toEqual([])
      expect(Math.abs(steady.offset)).toBeLessThan(0.001)
    }
  })

  test('again and again is not followed before it rests', () => {
    const steady = new SteadyTime(reading(0, 0), 0)
    expect(live(steady, 0, 600, (truth) => 60_000 * (1 + Math.floor(truth / 9_000)))).toEqual([])
    expect(steady.time).toBe(START + 600_000)
  })
})

test('a wall clock that drifts by 500 parts in a million is followed to the millisecond', () => {
  for (const drift of [0.0005, -0.0005]) {
    const steady = new SteadyTime(reading(0, 0), 0)
    expect(live(steady, 0, 86_400, (truth) => truth * drift)).toEqual([])
    expect(Math.abs(steady.offset)).toBeLessThan(1)
  }
})

test('after a suspend, which the monotonic clock sleeps through, the time is right again in 10 s', () => {
  const asleep = 8 * 3_600_000
  const steady = new SteadyTime(reading(0, 0), 0)
  for (let truth = asleep; truth <= asleep + 9_000; truth += 1_000) steady.read(reading(truth, 0, asleep))
  expect(steady.time).toBe(START + 9_000)
  expect(steady.read(reading(asleep + 10_000, 0, asleep))).toEqual({ kind: 'stepped', byMs: asleep })
  expect(steady.time).toBe(START + asleep + 10_000)
})

test('it begins where the log ends when the wall clock is behind, and runs from there', () => {
  const steady = new SteadyTime(reading(0, -3_600_000), START)
  live(steady, 0, 60, () => -3_600_000)
  expect(steady.time).toBeGreaterThan(START + 53_999)
  expect(steady.time).toBeLessThanOrEqual(START + 60_000)
  steady.atLeast(START + 100_000)
  expect(steady.time).toBe(START + 100_000)
  steady.atLeast(START)
  expect(steady.time).toBe(START + 100_000)
})
