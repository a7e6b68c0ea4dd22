// A walk forward chooses by what was known, tries on what followed, and puts the tests together day by day.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { DAY_MS } from '../../../../src/backtest/statistics/equityCurve.ts'
import { parseConstraint } from '../../../../src/backtest/strategies/constraint.ts'
import { foldsOf } from '../../../../src/backtest/walkForward/folds.ts'
import { stabilityOf } from '../../../../src/backtest/walkForward/stability.ts'
import { walkForward } from '../../../../src/backtest/walkForward/walkForward.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-walk-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('folds: each test follows its training, the tests follow each other to the last day, and all lie in the data', () => {
  const count = fc.integer({ min: 1, max: 12 })
  fc.assert(
    fc.property(
      count,
      count,
      fc.nat(5),
      fc.boolean(),
      fc.nat(DAY_MS * 40),
      fc.integer({ min: 30, max: 400 }),
      (folds, trainTests, embargoDays, isAnchored, from, days) => {
        const period = { from, to: from + days * DAY_MS }
        const parts = foldsOf(period, { folds, trainTests, embargoDays, isAnchored })
        expect(parts).toHaveLength(folds)
        for (const [index, { train, test }] of parts.entries()) {
          expect(train.from).toBeGreaterThanOrEqual(from)
          expect(test.from - train.to).toBe(embargoDays * DAY_MS)
          const [trained, tested] = [train, test].map((part) => part.to - part.from) as [number, number]
          expect(tested).toBe(
            (parts[0] as (typeof parts)[0]).test.to - (parts[0] as (typeof parts)[0]).test.from,
          )
          if (isAnchored) expect(train.from).toBe(Math.ceil(from / DAY_MS) * DAY_MS)
          else expect(trained).toBe(trainTests * tested)
          expect(trained).toBeGreaterThanOrEqual(trainTests * tested)
          expect(parts[index + 1]?.test.from ?? Math.floor(period.to / DAY_MS) * DAY_MS).toBe(test.to)
          for (const time of [train.from, train.to, test.from]) expect(time % DAY_MS).toBe(0)
        }
      },
    ),
  )
})

test('folds of unequal tests have the lengths asked for, and trainings as long as is said', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  const trainDays = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined })
  fc.assert(
    fc.property(lengths, trainDays, fc.boolean(), fc.nat(4), (testDays, train, isAnchored, embargoDays) => {
      const period = { from: 5 * DAY_MS, to: 1_000 * DAY_MS }
      const given = { folds: testDays.length, testDays, isAnchored, embargoDays }
      const parts = foldsOf(period, { ...given, ...(train === undefined ? {} : { trainDays: train }) })
      expect(parts.map(({ test }) => (test.to - test.from) / DAY_MS)).toEqual(testDays)
      expect(parts.at(-1)?.test.to).toBe(period.to)
      for (const [index, part] of parts.entries()) {
        expect(part.test.from - part.train.to).toBe(embargoDays * DAY_MS)
        expect(parts[index + 1]?.test.from ?? period.to).toBe(part.test.to)
        const trained = (part.train.to - part.train.from) / DAY_MS
        if (isAnchored) expect(part.train.from).toBe(period.from)
        else expect(trained).toBe(train ?? 3 * (testDays[index] as number))
      }
    }),
    { numRuns: 60 },
  )
})

test('tests that the data has no training for, and lengths that are none, are refused', () => {
  const period = { from: 0, to: 20 * DAY_MS }
  expect(() => foldsOf(period, { folds: 2, testDays: [2, 6] })).toThrow(/would begin on 1969-12-28/)
  expect(() => foldsOf(period, { folds: 2, testDays: [3, 4], trainDays: 14 })).toThrow(/would begin/)
  expect(foldsOf(period, { folds: 2, testDays: [3, 4], trainDays: 13 })).toHaveLength(2)
  expect(() => foldsOf(period, { folds: 2, testDays: [3] })).toThrow(/as many lengths/)
  expect(() => foldsOf(period, { folds: 1, testDays: [0] })).toThrow(/above zero/)
  expect(() => foldsOf(period, { folds: 6, trainDays: 15 })).toThrow(
    /^6 tests of a day and a training of 15 take 21 whole days; the data has 20$/,
  )
})

test('data that is too short says how long it would have to be', () => {
  expect(() => foldsOf({ from: 0, to: 8 * DAY_MS }, { folds: 6 })).toThrow(
    /^6 tests of a day and a training of 3 take 9 whole days; the data has 8$/,
  )
})

test('stability: the same choice again moves nothing, random choices as far as is said', () => {
  const grid = { a: [1, 2, 3, 4, 5], b: [7], c: ['x', 'y'] }
  const choices = [1, 5, 5, 2].map((a) => ({ a, b: 7, c: 'x' }))
  expect(stabilityOf(choices, grid)).toEqual([
    { name: 'a', chosen: [1, 5, 5, 2], step: (1 + 0 + 0.75) / 3, stepByChance: 0.4 },
    { name: 'c', chosen: ['x', 'x', 'x', 'x'], step: 0, stepByChance: 0.5 },
  ])
  const pairs = grid.a.flatMap((a) =>
    grid.a.map((other) => stabilityOf([{ a }, { a: other }], { a: grid.a })[0]),
  )
  const mean = pairs.reduce((sum, pair) => sum + (pair?.step ?? 0), 0) / pairs.length
  expect(mean).toBeCloseTo(0.4, 12)
  expect(stabilityOf([{ a: 1 }], grid)).toEqual([])
})

/** Opens once, long or short, and keeps it. */
const strategy = path.join(folder, 'days.mjs')
writeFileSync(
  strategy,
  `export const parameters = { side: 1, size: 1 }
  export default ({ asset, side, size }) => {
    let opened = false
    return {
      name: 'one side',
      async onBar(bar, context) {
        if (opened || size === 0) return
        opened = true
        const direction = side > 0 ? 'long' : 'short'
        await context.open({ asset, direction, sizeBy: { margin: size * 10 + '%' }, leverage: '1' })
      },
    }
  }`,
)

/** Rises for 12 days and falls for 12; bars of an hour. */
const data = path.join(folder, 'hill.csv')
const BEGIN = Date.UTC(2025, 0, 1)
const priceAt = (hour: number) => 100 + (hour <= 288 ? hour : 576 - hour) / 10
const lines = Array.from({ length: 576 }, (_, hour) => {
  const [open, close] = [priceAt(hour), priceAt(hour + 1)]
  return [BEGIN + hour * 3_600_000, open, Math.max(open, close), Math.min(open, close), close, 1].join()
})
writeFileSync(data, `time,open,high,low,close,volume\n${lines.join('\n')}\n`)

const plan: RunPlan = {
  markets: [{ asset: 'BTC', data, parameters: { spread: '0', feeRate: '0', fundingRate: '0' } }],
  strategy,
  account: { maxDailyLoss: '100%', maxTotalLoss: '100%', profitTarget: '90%' },
}
const vary = { side: [-1, 1], size: [1, 2] }
const given = { plan, vary, by: 'totalReturn', folds: 6, trainTests: 2, workers: 1 } as const

describe('a walk', () => {
  test('chooses by the training alone, and is caught by what turns', async () => {
    const { folds, stability, sets } = await walkForward(given)
    expect(sets).toBe(4)
    // 3 days a test: trainings [0, 6), [3, 9), [6, 12), [9, 15), [12, 18), [15, 21); the price turns on day 12.
    const sides = folds.map(({ chosen }) => chosen?.side)
    expect([...sides.slice(0, 3), ...sides.slice(4)]).toEqual([1, 1, 1, -1, -1])
    expect(folds.map(({ chosen }) => chosen?.size).slice(0, 3)).toEqual([2, 2, 2])
    const signs = folds.map(({ outOfSample }) => Math.sign(outOfSample?.totalReturn ?? 0))
    expect(signs[0]).toBe(1)
    expect(signs[2]).toBe(-1)
    expect(signs[5]).toBe(1)
    expect(stability.find(({ name }) => name === 'side')?.step).toBe(1 / 5)
  })

  test('its curve is that of the tests, one after the other', async () => {
    const { folds, days, outOfSample } = await walkForward(given)
    expect(days.map(({ day }) => day)).toEqual(
      Array.from({ length: 18 }, (_, day) => BEGIN + (6 + day) * DAY_MS),
    )
    const product = folds.reduce((all, fold) => all * (1 + (fold.outOfSample?.totalReturn ?? 0)), 1)
    expect(days.at(-1)?.equity).toBeCloseTo(product, 7)
    expect(outOfSample.totalReturn).toBeCloseTo(product - 1, 7)
    expect(outOfSample.days).toBe(18)
    expect(outOfSample.sharpeRatio).toBeNull()
    const equities = [1, ...days.map(({ equity }) => equity)]
    const depths = equities.map((equity, at) => 1 - equity / Math.max(...equities.slice(0, at + 1)))
    expect(outOfSample.maxDrawdown).toBeCloseTo(Math.max(...depths), 12)
    expect(outOfSample.profitableFolds).toBe(
      folds.filter((fold) => (fold.outOfSample?.totalReturn ?? 0) > 0).length,
    )
  })

  test('what comes after a training changes neither the choice nor the training', async () => {
    const changed = path.join(folder, 'changed.csv')
    const rows = readFileSync(data, 'utf8').trimEnd().split('\n')
    const flat = rows.map((line, row) => {
      const [time, ...prices] = line.split(',')
      return row > 18 * 24 ? [time, ...prices.map(() => '100')].join() : line
    })
    writeFileSync(changed, `${flat.join('\n')}\n`)
    const market = { ...plan.markets[0], asset: 'BTC', data: changed }
    const other = await walkForward({ ...given, plan: { ...plan, markets: [market] } })
    const { folds } = await walkForward(given)
    for (const fold of [0, 1, 2, 3, 4]) {
      expect(other.folds[fold]?.chosen).toEqual(folds[fold]?.chosen)
      expect(other.folds[fold]?.inSample?.totalReturn).toBe(folds[fold]?.inSample?.totalReturn)
    }
    expect(other.folds[5]?.inSample).not.toEqual(folds[5]?.inSample)
  })

  test('where no set keeps the conditions in a training, its test stands still', async () => {
    const constraints = [parseConstraint('totalReturn>0'), parseConstraint('side>0')]
    const { folds, days } = await walkForward({ ...given, constraints })
    expect(folds[5]).toMatchObject({ chosen: null, inSample: null, outOfSample: null })
    expect(days.slice(15).map((day) => day.return)).toEqual([0, 0, 0])
    const falling = [parseConstraint('totalReturn>0'), parseConstraint('side<0')]
    const late = (await walkForward({ ...given, constraints: falling })).folds
    expect(late[0]).toMatchObject({ chosen: null, outOfSample: null })
    expect(late[5]?.outOfSample).toEqual((await walkForward(given)).folds[5]?.outOfSample)
  })

  test('folds with too few bars are not traded, and tests with few trades are told', async () => {
    const rows = readFileSync(data, 'utf8').trimEnd().split('\n')
    const gappy = path.join(folder, 'gappy.csv')
    // Of day 7, in the first test, six hours are left.
    writeFileSync(gappy, `${rows.filter((_, row) => row <= 7 * 24 + 6 || row > 8 * 24).join('\n')}\n`)
    const market = { ...plan.markets[0], asset: 'BTC', data: gappy }
    const walked = await walkForward({ ...given, plan: { ...plan, markets: [market] }, leastBars: 70 })
    expect(walked.folds.map(({ bars }) => bars.test)).toEqual([54, 72, 72, 72, 72, 72])
    expect(walked.folds.map(({ bars }) => bars.train)).toEqual([144, 126, 126, 144, 144, 144])
    expect(walked.folds.map(({ chosen }) => chosen === null)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(walked.untraded).toBe(1)
    expect(walked.days.slice(0, 3).map((day) => day.return)).toEqual([0, 0, 0])
    const whole = await walkForward(given)
    expect([whole.untraded, whole.thin]).toEqual([0, 0])
    expect(walked.folds[3]).toEqual(whole.folds[3])
    // One position is kept to the end, so no trade is closed in a training.
    expect((await walkForward({ ...given, leastTrades: 1 })).untraded).toBe(6)
  })

  test('is gone on with from a folder, with two workers as with one', async () => {
    const study = path.join(folder, 'study')
    const first = await walkForward({ ...given, study })
    const bytes = readFileSync(path.join(study, 'runs.jsonl'))
    writeFileSync(path.join(study, 'runs.jsonl'), bytes.subarray(0, bytes.length / 2))
    const { reused, ...again } = await walkForward({ ...given, study, workers: 2 })
    expect(again).toEqual({ ...first, reused: undefined })
    expect(reused).toBeGreaterThan(0)
    expect(readFileSync(path.join(study, 'runs.jsonl')).equals(bytes)).toBe(true)
    await expect(walkForward({ ...given, study, folds: 5 })).rejects.toThrow(
      'this study was begun otherwise: folds was 6 and is 5.',
    )
  })

  test('what a training is too short for is refused', async () => {
    await expect(walkForward({ ...given, by: 'sharpeRatio' })).rejects.toThrow(
      /trainings of 20 days; these have 6/,
    )
  })
})
