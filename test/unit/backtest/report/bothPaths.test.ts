// What the order of prices inside bars decides is found, counted and told.

import { describe, expect, test } from 'vitest'
import { summary } from '../../../../src/backtest/output/summary.ts'
import { ambiguitySection } from '../../../../src/backtest/report/ambiguity.ts'
import { runBothPaths } from '../../../../src/backtest/run/bothPaths.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import {
  AMBIGUOUS,
  ambiguousStrategy,
  type Candle,
  HOUR_MS,
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
