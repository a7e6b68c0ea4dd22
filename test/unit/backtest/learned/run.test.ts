// In a run: what can be learned is, a coin is not, and neither the future, the workers nor another run has a part in it.

import { describe, expect, test } from 'vitest'
import type { LearnedResult } from '../../../../src/backtest/learned/learnedResult.ts'
import type { Learning } from '../../../../src/backtest/learned/learning.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import { correlation } from '../../../../src/backtest/learned/scores.ts'
import { lookAhead } from '../../../../src/backtest/lookAhead/lookAhead.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import { portfolio } from '../../../../src/backtest/portfolio/portfolio.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { createStrategy, strategyKind } from '../../../../src/backtest/strategies/catalogue.ts'
import type { Bar, Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { runSweep } from '../../../../src/backtest/sweep/sweep.ts'
import { barsOf } from './bars.ts'

const DAYS = 6
const MINUTES = DAYS * 1_440

/** Changes of which each keeps so much of the one before: 0 is a coin. */
function market(kept: number, seed: string, minutes = MINUTES): BacktestOptions['markets'] {
  const random = new Random(seed)
  let [price, change] = [20_000, 0]
  const closes = Array.from({ length: minutes }, () => {
    change = kept * change + (random.uniform() - 0.5) * 20
    price += change
    return price
  })
  return [{ asset: 'BTC', feed: barsOf(closes) }]
}

const change = (from: bigint, to: bigint) => toNumber(to) / toNumber(from) - 1

/** Learns what the next bars do from the last change. */
function learning(more: Partial<Learning> = {}): Learning {
  return {
    ...{ horizon: 3, window: '3d', every: '12h', atLeast: 300, fit: ridge() },
    features: ({ open, close }) => [change(open, close)],
    label: (ahead, { close }) => change(close, (ahead.at(-1) as Bar).close),
    ...more,
  }
}

const learner = (own = learning(), name = 'learns'): Strategy => ({
  name,
  onStart(context) {
    context.learn('BTC', 'change', own)
  },
  onBar() {},
})

async function learned(options: Omit<BacktestOptions, 'strategy'>, own = learning()): Promise<LearnedResult> {
  const { learned: found } = await runBacktest({ ...options, strategy: learner(own) })
  return found?.[0] as LearnedResult
}

describe('what is learned', () => {
  test('is what was planted', async () => {
    const { scores, fits } = await learned({ markets: market(0.6, 'planted') })
    expect(scores.correlation?.outOfSample).toBeGreaterThan(0.4)
    expect(scores.skill?.outOfSample).toBeGreaterThan(0.1)
    expect(fits.length).toBe(2 * DAYS)
  })

  test('of a coin is nothing', async () => {
    for (const seed of ['one', 'two', 'three']) {
      const { correlation: found, skill } = (await learned({ markets: market(0, seed) })).scores
      expect(Math.abs(found?.outOfSample ?? 1)).toBeLessThan(4 * (found?.error ?? 0))
      expect(Math.abs(found?.outOfSample ?? 1)).toBeLessThan(0.06)
      expect(skill?.outOfSample).toBeLessThan(0.01)
    }
  })

  test('is nothing either where the features are whatever labels are known: that of their own bar is not', async () => {
    let known = 0
    const own = learning()
    const label: Learning['label'] = (ahead, bar) => {
      known = own.label(ahead, bar) ?? 0
      return known
    }
    // With the label itself this would be 1.
    const { scores } = await learned(
      { markets: market(0, 'label') },
      { ...own, label, features: () => [known] },
    )
    expect(Math.abs(scores.correlation?.outOfSample ?? 1)).toBeLessThan(0.1)
  })
})

describe('a run', () => {
  test('has the same fits twice, and up to any moment whatever comes after it', async () => {
    const [whole, again] = [
      await learned({ markets: market(0.3, 'cut') }),
      await learned({ markets: market(0.3, 'cut') }),
    ]
    expect(again).toEqual(whole)
    const cut = await learned({ markets: market(0.3, 'cut', 4_000) })
    const past = ({ at, rows, from, to, knownTo, inSample }: LearnedResult['fits'][number]) => ({
      ...{ at, rows, from, to, knownTo, inSample },
    })
    expect(cut.fits.length).toBe(5)
    expect(cut.fits.map(past)).toEqual(whole.fits.slice(0, 5).map(past))
  })

  test('that is warmed up begins with the model that it would have had', async () => {
    const whole = await learned({ markets: market(0.3, 'warm') })
    const from = (whole.fits[4]?.at ?? 0) + 1
    const warmed = await learned({ markets: market(0.3, 'warm'), from, warmUpMs: 3 * 86_400_000 })
    expect(warmed.fits).toEqual(whole.fits)
  })

  test('draws predictions as an indicator of its own', async () => {
    const recorder = new Recording()
    await runBacktest({ markets: market(0.3, 'drawn'), strategy: learner(), recorder })
    const [line] = recorder.indicators
    expect([line?.line.name, line?.chart]).toEqual(['change', 'apart'])
  })

  test('tells the models of each part of a portfolio, and nothing of one that learns nothing', async () => {
    const parts = [
      { name: 'one', strategy: learner() },
      { name: 'two', strategy: learner() },
    ]
    const markets = market(0.3, 'parts', 2_000)
    const { learned: found } = await runBacktest({ markets, strategy: portfolio(parts) })
    expect(found?.map(({ name }) => name)).toEqual(['one: change', 'two: change'])
    const idle: Strategy = { name: 'idle', onBar() {} }
    expect(await runBacktest({ markets, strategy: idle })).not.toHaveProperty('learned')
  })

  test('says whose model failed, in which function, at which bar and in which line', async () => {
    const own = learning({
      label() {
        throw new TypeError('on purpose')
      },
    })
    const run = runBacktest({
      markets: market(0, 'fails', 100),
      strategy: learner(),
      others: [{ name: 'second', strategy: learner(own, 'the second') }],
    })
    await expect(run).rejects.toThrow(
      /^the strategy "the second" failed in label of "change" at 2026-01-05 00:03:59 UTC: TypeError: on purpose \(test\/unit\/backtest\/learned\/run\.test\.ts:\d+:\d+\)$/,
    )
  })

  test('of the strategy of the package trades what it learns', async () => {
    const kind = strategyKind('learned-direction')
    if (kind === undefined) throw new Error('unknown')
    const made = createStrategy(kind, 'BTC', { horizon: '5', every: '1', threshold: '0.01%' })
    const { fills } = await runBacktest({
      markets: market(0.9, 'made'),
      strategy: made,
      afterVerdict: 'go-on',
    })
    expect(fills).toBeGreaterThan(4)
  })
})

const PLAN = {
  strategy: 'learned-direction',
  parameters: { horizon: 20, threshold: '0.02%' },
  markets: [{ asset: 'BTC', days: 3 }],
  account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
} as const

test('no decision changes with what comes after it', async () => {
  const found = await lookAhead({ plan: PLAN, cuts: 2 })
  expect(found.decisions).toBeGreaterThan(10)
  expect([found.seesNothingAhead, found.repeats]).toEqual([true, true])
})

test('a sweep over the horizon is the same with workers', async () => {
  const options = { plan: PLAN, vary: { horizon: [20, 40] } }
  const [alone, shared] = [
    await runSweep({ ...options, workers: 1 }),
    await runSweep({ ...options, workers: 2 }),
  ]
  expect(shared).toEqual(alone)
  expect(new Set(alone.rows.map(({ figures }) => figures.trades)).size).toBe(2)
})

test('what is scored as nothing by chance is told so: predictions of a slow feature on a coin', async () => {
  // The mean of a few days would have to be known for a score to show a link here.
  let slow = 0
  const features: Learning['features'] = ({ open, close }) => {
    slow = slow * 0.995 + change(open, close)
    return [slow]
  }
  const found: number[] = []
  for (let seed = 0; seed < 8; seed++) {
    const { scores } = await learned(
      { markets: market(0, `slow ${seed}`) },
      learning({ features, horizon: 60, every: '1d', scores: { correlation } }),
    )
    found.push(scores.correlation?.outOfSample ?? 1)
  }
  expect(Math.abs(found.reduce((sum, one) => sum + one, 0) / found.length)).toBeLessThan(0.08)
})
