// An evaluation counts what its paths decided, with intervals that keep their promise.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../../src/backtest/evaluate/evaluate.ts'
import type { PathOutcome } from '../../../../src/backtest/evaluate/life.ts'
import { oddsOf } from '../../../../src/backtest/evaluate/odds.ts'
import { pathRunner } from '../../../../src/backtest/evaluate/paths.ts'
import { proportion, quantile } from '../../../../src/backtest/evaluate/proportion.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { variantRunner } from '../../../../src/backtest/sweep/variant.ts'
import { barRows, priceFields, scratchFile } from '../feed/sampleMarket.ts'
import { wildBars } from '../run/venue.ts'

describe('proportion', () => {
  test('the interval holds the share and lies within 0 and 1', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (a, b) => {
        const { share, low, high } = proportion(a, a + b)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        if (a + b > 0) expect(low <= share && share <= high).toBe(true)
      }),
    )
  })

  // E. B. Wilson's interval for 81 of 263 and 15 of 148, as R. G. Newcombe (1998, table I, method 3) prints it.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i', (count, of, low, high) => {
    const interval = proportion(count, of)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  test('95 of 100 intervals hold the true share', () => {
    const random = new Random('coverage')
    let holds = 0
    for (let trial = 0; trial < 2_000; trial++) {
      let count = 0
      for (let path = 0; path < 200; path++) if (random.uniform() < 0.07) count += 1
      const { low, high } = proportion(count, 200)
      if (low <= 0.07 && 0.07 <= high) holds += 1
    }
    expect(holds / 2_000).toBeGreaterThan(0.93)
    expect(holds / 2_000).toBeLessThan(0.975)
  })
})

describe('quantile', () => {
  test('at least its share of the sample is at or below it, and less than that below it', () => {
    const samples = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(samples, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (values, probability) => {
        const sorted = [...values].sort((a, b) => a - b)
        const found = quantile(sorted, probability)
        if (found === null) throw new Error('no quantile')
        const share = (belongs: (value: number) => boolean) => sorted.filter(belongs).length / sorted.length
        expect(share((value) => value <= found.value)).toBeGreaterThanOrEqual(probability - 1e-12)
        expect(share((value) => value < found.value)).toBeLessThan(probability)
        expect(found.low <= found.value && found.value <= found.high).toBe(true)
      }),
    )
  })

  test('where the share of the sample is whole, it is the last of that share', () => {
    for (let size = 1; size <= 200; size++) {
      const sorted = Array.from({ length: size }, (_, rank) => rank + 1)
      for (let rank = 1; rank < size; rank++) expect(quantile(sorted, rank / size)?.value).toBe(rank)
      for (const probability of [0.1, 0.25, 0.5, 0.75, 0.9])
        if (Number.isInteger(size * probability))
          expect(quantile(sorted, probability)?.value).toBe(size * probability)
    }
  })

  // Ranks of 100 for the median: 50 ± 9.8, outwards to 40 and 60, the upper end being the value after it.
  test('the interval of a median of a hundred', () => {
    const sorted = Array.from({ length: 100 }, (_, rank) => rank + 1)
    expect(quantile(sorted, 0.5)).toEqual({ probability: 0.5, value: 50, low: 40, high: 61 })
    expect(quantile([7], 0.5)).toEqual({ probability: 0.5, value: 7, low: 7, high: 7 })
  })

  test('no sample, no quantile', () => expect(quantile([], 0.5)).toBeNull())
})

describe('evaluation', () => {
  const plan: RunPlan = {
    markets: [{ asset: 'BTC' }],
    strategy: 'ema-cross',
    parameters: { fast: 30, slow: 90, leverage: '10', margin: '25%' },
    account: { profitTarget: '1%', minProfitableDays: 0, maxTotalLoss: '2%', maxDailyLoss: '1.5%' },
  }
  const small = { plan, paths: 24, days: 3 }

  test('any number of workers gives the same', async () => {
    const alone = await evaluate({ ...small, workers: 1 })
    expect(await evaluate({ ...small, workers: 2 })).toEqual(alone)
    expect(alone.passed.count + alone.failed.count + alone.undecided.count).toBe(24)
    expect(alone.failedBy.totalLoss.count + alone.failedBy.dailyLoss.count).toBe(alone.failed.count)
    expect(alone.failed.count).toBeGreaterThan(0)
  })

  test('the first paths do not depend on how many follow, and another seed gives other paths', async () => {
    const some = await evaluate({ ...small, paths: 8, workers: 1 })
    const other = await evaluate({ ...small, paths: 8, workers: 1, seed: 'other' })
    expect(other.totalReturn).not.toEqual(some.totalReturn)
    expect(some.totalReturn.map(({ probability }) => probability)).toEqual([0.1, 0.25, 0.5, 0.75, 0.9])
    expect(await evaluate({ ...small, paths: 8, workers: 1 })).toEqual(some)
  })

  const early: RunPlan = {
    ...plan,
    strategy: 'breakout',
    parameters: { lookback: 60, width: 3 },
    account: { profitTarget: '0.2%', minProfitableDays: 0, maxTotalLoss: '5%', maxDailyLoss: '3%' },
  }

  test('a set of a sweep is worth what its paths come to: how many pass, and after how many days', async () => {
    const setup = { days: 1, meanBlock: 240, seed: 'evaluate' }
    const outcomes = await (await pathRunner({ plan: early, ...setup }))({ numbers: [0, 1, 2, 3, 4] })
    const passed = outcomes.filter(({ outcome }) => outcome === 'passed').map(({ days }) => days ?? 0)
    expect(passed.length > 1 && passed.length < 5).toBe(true)
    const { probabilityOfPassing, expectedDaysToPass } = await (
      await variantRunner(early, { ...setup, count: 5 })
    )({ parameters: {} })
    expect(probabilityOfPassing).toBe(passed.length / 5)
    expect(expectedDaysToPass).toBeCloseTo(passed.reduce((sum, days) => sum + days, 0) / passed.length, 12)
  })

  test('what a verdict ends, the days after it do not change', async () => {
    const outcomes = async (days: number) =>
      (await pathRunner({ plan: early, days, meanBlock: 240, seed: 'evaluate' }))({ numbers: [0, 1, 4] })
    const short = await outcomes(1)
    const long = await outcomes(2)
    const decided = short.flatMap(({ outcome }, path) => (outcome === 'undecided' ? [] : [path]))
    expect(new Set(decided.map((path) => short[path]?.outcome))).toEqual(new Set(['passed', 'failed']))
    for (const path of decided) expect(long[path]).toEqual(short[path])
  })

  test('paths resampled from data differ from each other, and each is its own again', async () => {
    const bars = wildBars('resampled', 600)
    const rows = barRows(bars).map((bar) => [bar.openTime, ...priceFields(bar)].join())
    const data = scratchFile('bars.csv', `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
    const setup = {
      plan: { ...plan, markets: [{ asset: 'BTC', data }] },
      days: 1,
      meanBlock: 30,
      seed: 'resampled',
    }
    const run = await pathRunner(setup)
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7]
    const outcomes = await run({ numbers })
    const returns = outcomes.map(({ totalReturn }) => totalReturn)
    expect(new Set(returns).size).toBe(numbers.length)
    expect(await run({ numbers: [5, 2] })).toEqual([outcomes[5], outcomes[2]])
    const other = await (await pathRunner({ ...setup, seed: 'other' }))({ numbers })
    expect(other.filter(({ totalReturn }) => returns.includes(totalReturn))).toEqual([])
  })

  test('a summary counts every path once', () => {
    const path = fc.record<PathOutcome>({
      outcome: fc.constantFrom('passed', 'failed', 'undecided'),
      rule: fc.constant(null),
      days: fc.double({ min: 0, max: 30, noNaN: true }),
      totalReturn: fc.double({ min: -1, max: 1, noNaN: true }),
      phases: fc.constant([]),
      funded: fc.constant(null),
    })
    fc.assert(
      fc.property(fc.array(path), (paths) => {
        const { passed, failed, undecided } = oddsOf(paths, { name: 'rules', account: {} })
        expect(passed.count + failed.count + undecided.count).toBe(paths.length)
      }),
    )
  })
})
