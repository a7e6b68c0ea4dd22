/** What chance may change of entries, and what stays; and that chance alone is never found to be more than chance. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceTest } from '../../../../src/backtest/entries/chanceTest.ts'
import {
  dealtSides,
  drawnShifts,
  type EntryPattern,
  hasBothSides,
  type LanedEntry,
  type PlacedEntry,
  patternOf,
  shifted,
} from '../../../../src/backtest/entries/pattern.ts'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const entryArb = fc.record({
  bar: fc.nat(199),
  market: fc.nat(1),
  side: fc.constantFrom('long' as const, 'short' as const),
})
const placedArb = fc
  .uniqueArray(entryArb, { selector: ({ bar, market, side }) => `${bar} ${market} ${side}`, maxLength: 40 })
  .map((entries) => entries.sort((a, b) => a.bar - b.bar))
const holdArb = fc.integer({ min: 1, max: 230 })

const tally = (entries: readonly PlacedEntry[]) =>
  entries.map(({ market, side }) => `${market} ${side}`).sort()

describe('a pattern', () => {
  test('holds every entry to its end wherever it is moved, one at a time in an account and a market', () => {
    fc.assert(
      fc.property(placedArb, holdArb, fc.nat(400), (placed, hold, by) => {
        const pattern = patternOf(placed, 200, hold)
        const { ring, lanes, leftOut } = pattern
        const moved = shifted(pattern, by)
        expect(moved.length + leftOut).toBe(placed.length)
        for (const entry of moved) {
          expect(entry.bar + hold).toBeLessThan(200)
          expect(entry.lane).toBeLessThan(lanes)
          const beside = moved.filter(
            (other) => other !== entry && other.lane === entry.lane && other.market === entry.market,
          )
          for (const { bar } of beside) expect(Math.abs(bar - entry.bar)).toBeGreaterThanOrEqual(hold)
        }
        if (ring === 0) expect(moved).toEqual([])
      }),
    )
  })

  test('leaves out the ninth of a market at once, and what the data ends before, and nothing else', () => {
    const at = (bar: number): PlacedEntry => ({ bar, market: 0, side: 'long' })
    const crowd = Array.from({ length: 9 }, (_, bar) => at(bar))
    expect(patternOf(crowd, 100, 50)).toMatchObject({ lanes: 8, leftOut: 1, ring: 50 })
    expect(patternOf(crowd, 100, 1)).toMatchObject({ lanes: 1, leftOut: 0 })
    expect(patternOf([at(0), at(49), at(50), at(99)], 100, 50)).toMatchObject({ lanes: 2, leftOut: 2 })
    expect(patternOf(crowd, 40, 50)).toMatchObject({ entries: [], ring: 0, leftOut: 9 })
  })

  test('keeps sides, markets and the distances between entries when it is moved', () => {
    fc.assert(
      fc.property(placedArb, holdArb, fc.integer({ min: 1, max: 150 }), (placed, hold, by) => {
        const pattern = patternOf(placed, 200, hold)
        const distances = (entries: readonly LanedEntry[]) =>
          entries.map(({ bar }) => (bar - (entries[0]?.bar ?? 0) + pattern.ring) % pattern.ring)
        expect(distances(shifted(pattern, by))).toEqual(distances(pattern.entries))
        expect(tally(shifted(pattern, by))).toEqual(tally(pattern.entries))
      }),
    )
  })

  test('is moved by different distances, by each where there are no more', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 100 }), fc.string(), (ring, count, seed) => {
        const shifts = drawnShifts(ring, count, seed)
        expect(new Set(shifts).size).toBe(Math.min(count, Math.max(0, ring - 1)))
        expect(shifts).toHaveLength(new Set(shifts).size)
        for (const by of shifts) expect(by > 0 && by < ring).toBe(true)
        expect(drawnShifts(ring, count, seed)).toEqual(shifts)
      }),
    )
  })

  test('has as many long entries in each market however sides are dealt', () => {
    fc.assert(
      fc.property(placedArb, fc.nat(50), (placed, draw) => {
        const { entries } = patternOf(placed, 200, 1)
        const dealt = dealtSides(entries, draw, 'seed')
        expect(tally(dealt)).toEqual(tally(entries))
        expect(dealt.map(({ side: _side, ...rest }) => rest)).toEqual(
          entries.map(({ side: _side, ...rest }) => rest),
        )
        if (!hasBothSides(entries)) expect(dealt).toEqual(entries)
      }),
    )
  })
})

const [BARS, HOLD, DRAWS] = [120, 10, 19]

/** Prices without drift, in whole numbers. */
function walk(random: Random): bigint[] {
  const prices = [1_000_000n]
  while (prices.length < BARS)
    prices.push((prices.at(-1) as bigint) + BigInt(Math.round(1_000 * normal(random))))
  return prices
}

function coins(random: Random): PlacedEntry[] {
  return Array.from({ length: BARS }, (_, bar) => bar).flatMap((bar) =>
    random.below(8) > 0 ? [] : [{ bar, market: 0, side: random.below(2) === 0 ? 'long' : 'short' } as const],
  )
}

const worth = (prices: readonly bigint[], entries: readonly PlacedEntry[]) =>
  entries.reduce((sum, { bar, side }) => {
    const change = (prices[bar + HOLD] as bigint) - (prices[bar] as bigint)
    return sum + (side === 'long' ? change : -change)
  }, 0n)

function tested(prices: readonly bigint[], pattern: EntryPattern, seed: string) {
  const value = (entries: readonly PlacedEntry[]) => worth(prices, entries)
  const own = value(pattern.entries)
  const moved = drawnShifts(pattern.ring, DRAWS, seed).map((by) => value(shifted(pattern, by)))
  const dealt = Array.from({ length: DRAWS }, (_, draw) => value(dealtSides(pattern.entries, draw, seed)))
  return { times: chanceTest(own, moved, Number), sides: chanceTest(own, dealt, Number) }
}

/** The largest distance between how values are spread and how equally likely ones would be (Kolmogorov, Smirnov). */
function distanceFromUniform(values: readonly number[]): number {
  const steps = Array.from({ length: DRAWS + 1 }, (_, index) => (index + 1) / (DRAWS + 1))
  return Math.max(
    ...steps.map((step) => Math.abs(values.filter((p) => p <= step).length / values.length - step)),
  )
}

describe('entries by the toss of a coin', () => {
  const ps = Array.from({ length: 2_000 }, (_, seed) => {
    const random = new Random(`coins ${seed}`)
    return tested(walk(random), patternOf(coins(random), BARS, HOLD), String(seed))
  })

  test.each(['times', 'sides'] as const)('have each p as often as the others: %s', (chance) => {
    // 1 % of samples this large are further away.
    expect(distanceFromUniform(ps.map((found) => found[chance].p))).toBeLessThan(1.63 / Math.sqrt(ps.length))
  })

  test('on one side have the same p in a market with a drift of any strength', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: -5_000, max: 5_000 }), (seed, drift) => {
        const random = new Random(`drift ${seed}`)
        const prices = walk(random)
        const long = coins(random).map((entry) => ({ ...entry, side: 'long' as const }))
        const pattern = patternOf(long, BARS, HOLD)
        const drifting = prices.map((price, bar) => price + BigInt(bar * drift))
        const p = (of: readonly bigint[]) => tested(of, pattern, 'drift').times.p
        expect(p(drifting)).toBe(p(prices))
      }),
    )
  })
})

test('a draw that comes to as much counts against the entries', () => {
  expect(chanceTest(5n, [5n, 4n, 6n, 5n], Number)).toEqual({
    ...{ draws: 4, mean: 5, asGood: 3, p: 4 / 5, drawn: [5, 4, 6, 5] },
  })
  expect(chanceTest(7n, [5n, 4n, 6n], Number).p).toBe(1 / 4)
})
