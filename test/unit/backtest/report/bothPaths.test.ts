// What the order of prices inside bars decides is found, counted and told.

import { describe, expect, test } from 'vitest'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { summary } from '../../../../src/backtest/output/summary.ts'
import { ambiguitySection } from '../../../../src/backtest/report/ambiguity.ts'
import { runBothPaths } from '../../../../src/backtest/run/bothPaths.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import {
  AMBIGUOUS,
  ambiguousStrategy,
  type Candle,
  HOUR_MS,
  hours,
  liquidatedRun,
  opensOnce,
  optionsFor,
  START,
} from './runs.ts'

const QUIET: Candle = [100, 100.5, 99.5, 100]

describe('a bar with the stop-loss and the take-profit of a position in its range', () => {
  const compared = () => runBothPaths(() => optionsFor(AMBIGUOUS, ambiguousStrategy()))

  test('ends in the stop-loss on the adverse path and in the take-profit on the optimistic one', async () => {
    const { adverse, optimistic, divergences, commonTrades } = await compared()
    expect(commonTrades).toBe(1)
    expect(divergences).toMatchObject([
      { openTime: START + HOUR_MS, side: 'long', adverse: 'stop-loss', optimistic: 'take-profit' },
    ])
    const [divergence] = divergences
    expect(divergence?.difference).toBe((optimistic.trades[0]?.pnl ?? 0n) - (adverse.trades[0]?.pnl ?? 0n))
    expect(divergence?.difference).toBeGreaterThan(0n)
  })

  test('is recorded as ambiguous, with both levels and what happened', async () => {
    const { adverseRecording, optimisticRecording } = await compared()
    const bar = { openTime: START + HOUR_MS, stopPrice: fp9('98'), takePrice: fp9('102') }
    expect(adverseRecording.ambiguousBars).toMatchObject([{ ...bar, outcome: 'stop-loss' }])
    expect(optimisticRecording.ambiguousBars).toMatchObject([{ ...bar, outcome: 'take-profit' }])
  })

  test('is told by the report and by the summary', async () => {
    const comparison = await compared()
    const section = ambiguitySection(comparison.adverseRecording, comparison)
    expect(section).toMatchObject({ total: 1, bars: [{ stop: '98.00', take: '102.00' }] })
    expect(section.comparison).toMatchObject({ total: 1, divergences: [{ time: '2026-01-05 01:00:00' }] })
    expect(section.comparison?.sentence).toBe(
      'Trades that both paths opened in the same bar: 1; ended differently: 1.',
    )
    expect(summary(comparison.adverse, { comparison }).join('\n')).toContain(
      'bars that decided       1 trade(s)',
    )
  })
})

test.each<[string, Candle]>([
  ['only the stop-loss', [100, 101, 97, 98]],
  ['only the take-profit', [100, 103, 99, 102]],
])('a bar with %s in its range is not ambiguous', async (_, second) => {
  const comparison = await runBothPaths(() => optionsFor([QUIET, second, QUIET], ambiguousStrategy()))
  const { adverseRecording, divergences } = comparison
  expect(adverseRecording.ambiguousBars).toEqual([])
  expect(divergences).toEqual([])
  expect(ambiguitySection(adverseRecording, comparison).comparison?.sentence).toMatch(
    /^Both paths end in the same state:/,
  )
})

test('a trade that ended the same but for less than a cent is counted and not listed', async () => {
  const comparison = await runBothPaths(() =>
    optionsFor([QUIET, [100, 103, 97, 98], QUIET], ambiguousStrategy()),
  )
  const [first] = comparison.divergences
  if (first === undefined) throw new Error('the paths do not part')
  const alike = { ...first, optimistic: first.adverse, difference: 4_999_999n }
  const cent = { ...alike, difference: 5_000_000n }
  const told = ambiguitySection(comparison.adverseRecording, {
    ...comparison,
    divergences: [first, alike, alike, cent],
  }).comparison
  expect(told?.divergences.map(({ difference }) => difference)).toEqual([expect.any(String), '+0.01'])
  expect(told?.total).toBe(2)
  expect(told?.sentence).toMatch(/ended differently: 4, 2 of them by less than a cent\.$/)
})

test('a liquidation price counts as a stop', async () => {
  const order = { direction: 'long', sizeBy: { margin: '1000' }, leverage: '10' } as const
  const candles: Candle[] = [QUIET, [100, 103, 88, 101], QUIET]
  const { adverse, divergences, adverseRecording } = await runBothPaths(() =>
    optionsFor(candles, opensOnce({ ...order, takeProfit: fp9('102') })),
  )
  expect(adverse.liquidations).toBe(1)
  expect(adverseRecording.ambiguousBars).toMatchObject([{ outcome: 'liquidation' }])
  expect(divergences).toMatchObject([{ adverse: 'liquidation', optimistic: 'take-profit' }])
})

test('levels stand as long as their orders and positions', async () => {
  const { recording } = await liquidatedRun()
  const opened = recording.fills[0]?.at as number
  const ended = recording.fills[1]?.at as number
  expect(recording.fills.map(({ action, reason }) => [action, reason])).toEqual([
    ['open', 'market'],
    ['liquidation', 'liquidation'],
  ])
  expect(recording.levels).toMatchObject([{ kind: 'liquidation', from: opened, to: ended }])
})

describe('mixed orders inside bars', () => {
  /** The outcome after which a trader bets five times as much. */
  type RaisedAfter = 'a loss' | 'a win'

  /** Opens at the close of every third bar, with the levels of the day at ±2%. */
  function trader(raisedAfter?: RaisedAfter): Strategy {
    let bars = 0
    let equityBefore: bigint | undefined
    const margin = (equity: bigint): string => {
      const gained = equity - (equityBefore ?? equity)
      equityBefore = equity
      return (gained < 0n && raisedAfter === 'a loss') || (gained > 0n && raisedAfter === 'a win')
        ? '500'
        : '100'
    }
    return {
      name: 'every third bar',
      async onBar({ asset, close }, context) {
        bars += 1
        if (bars % 3 !== 1 || context.positions().length > 0) return
        const levels = { stopLoss: (close * 98n) / 100n, takeProfit: (close * 102n) / 100n }
        await context.open({
          asset,
          direction: bars % 2 === 0 ? 'short' : 'long',
          sizeBy: { margin: raisedAfter === undefined ? '1000' : margin(context.equity()) },
          leverage: '5',
          ...levels,
          ...(bars % 2 === 0 ? { stopLoss: levels.takeProfit, takeProfit: levels.stopLoss } : {}),
        })
      },
    }
  }
  const WILD: Candle = [100, 103, 97, 100]
  const day = (bars: number) => Array.from({ length: bars }, (_, bar) => (bar % 3 === 1 ? WILD : QUIET))

  /** Every assignment of orders to the first bars of a run, by brute force. */
  async function everyAssignment(candles: readonly Candle[], raisedAfter?: RaisedAfter): Promise<bigint[]> {
    const wild = candles.flatMap((candle, bar) => (candle === WILD ? [START + bar * HOUR_MS] : []))
    const ends: bigint[] = []
    for (let mask = 0; mask < 2 ** wild.length; mask++) {
      const turnedBars = [new Set(wild.filter((_, bar) => (mask >> bar) & 1))]
      ends.push(
        (await runBacktest({ ...optionsFor(candles, trader(raisedAfter)), turnedBars })).statistics.netProfit,
      )
    }
    return ends.sort((a, b) => (a < b ? -1 : 1))
  }

  test('where few bars matter, all orders are played: no assignment goes further', async () => {
    const candles = day(13)
    const { bounds } = await runBothPaths(() => optionsFor(candles, trader()))
    const ends = await everyAssignment(candles)
    expect(bounds).toMatchObject({ complete: true, bars: 4, tried: 4 })
    expect(bounds.worst.netProfit).toBe(ends[0])
    expect(bounds.best.netProfit).toBe(ends.at(-1))
    expect(bounds.deciding).toHaveLength(4)
  })

  test.each<[RaisedAfter, 'best' | 'worst']>([
    ['a loss', 'best'],
    ['a win', 'worst'],
  ])(
    'a trader who bets more after %s does %s in an order that neither plain path takes, with several bars turned',
    async (raisedAfter, mixed) => {
      const candles = day(13)
      const { bounds, adverse, optimistic } = await runBothPaths(() =>
        optionsFor(candles, trader(raisedAfter)),
      )
      const ends = await everyAssignment(candles, raisedAfter)
      expect(bounds.complete).toBe(true)
      expect(bounds.worst.netProfit).toBe(ends[0])
      expect(bounds.best.netProfit).toBe(ends.at(-1))
      const plain = [adverse, optimistic].map(({ statistics }) => statistics.netProfit)
      expect(plain).not.toContain(bounds[mixed].netProfit)
      expect(bounds[mixed].turned).toBe(2)
    },
  )

  test('where many do, the furthest reached is no nearer than either plain path, and what was not tried is told', async () => {
    const candles = day(240)
    const account = { maxDailyLoss: fp9('100%'), maxTotalLoss: fp9('100%') }
    const { bounds, adverse, optimistic } = await runBothPaths(() => ({
      ...optionsFor(candles, trader()),
      account,
    }))
    expect(bounds.complete).toBe(false)
    expect(bounds.runs).toBeLessThan(70)
    expect(bounds.tried).toBeLessThan(bounds.bars)
    for (const { statistics } of [adverse, optimistic]) {
      expect(bounds.worst.netProfit).toBeLessThanOrEqual(statistics.netProfit)
      expect(bounds.best.netProfit).toBeGreaterThanOrEqual(statistics.netProfit)
    }
  })

  test('bars that open at odd times are turned as well', async () => {
    const candles = day(7)
    const options = optionsFor(candles, trader())
    const shifted = hours(candles)
    for (let bar = 0; bar < shifted.length; bar++) shifted.openTime[bar] = START + bar * HOUR_MS + 600_000
    const odd = barFeedOf('odd', HOUR_MS, () => [shifted])
    const { bounds } = await runBothPaths(() => ({
      ...options,
      strategy: trader(),
      markets: [{ asset: 'BTC', feed: odd }],
    }))
    expect(bounds.deciding.map(({ openTime }) => openTime)).toEqual(
      [1, 4].map((bar) => shifted.openTime[bar]),
    )
  })

  test('the table of ambiguous bars holds those whose order changed the result, and no others', async () => {
    const comparison = await runBothPaths(() => optionsFor(day(13), trader()))
    const deciding = comparison.bounds.deciding.slice(1)
    const section = ambiguitySection(comparison.adverseRecording, {
      ...comparison,
      bounds: { ...comparison.bounds, deciding },
    })
    expect(comparison.adverseRecording.ambiguousBars).toHaveLength(4)
    expect(section.total).toBe(3)
    expect(section.bars.map(({ asset }) => asset)).toEqual(Array(3).fill('BTC'))
    expect(section.comparison?.bounds?.deciding.map(([, asset]) => asset)).toEqual(Array(3).fill('BTC'))
  })
})
