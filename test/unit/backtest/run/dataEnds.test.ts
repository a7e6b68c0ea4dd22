// A market whose data ends before that of others is not carried on at its last price without a word.

import { describe, expect, test } from 'vitest'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { DataEnds } from '../../../../src/backtest/run/dataEnds.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { type Candle, HOUR_MS, hours, START } from '../report/runs.ts'

const flat = (price: number): Candle => [price, price, price, price]

function bars(first: number, prices: readonly number[]) {
  const columns = hours(prices.map(flat))
  return { ...columns, openTime: columns.openTime.map((time) => time + first * HOUR_MS) }
}

/** BTC ends in the middle, ETH goes on; a long of each is opened at the first close. */
function optionsOf(btc: readonly number[], eth: readonly number[], ethFrom = 0): BacktestOptions {
  const opened = new Set<string>()
  return {
    markets: [
      { asset: 'BTC', feed: barFeedOf('btc', HOUR_MS, () => [bars(0, btc)]) },
      { asset: 'ETH', feed: barFeedOf('eth', HOUR_MS, () => [bars(ethFrom, eth)]) },
    ],
    strategy: {
      name: 'holds',
      async onBar({ asset, close }, context) {
        if (opened.has(asset)) return
        opened.add(asset)
        await context.open({ asset, direction: 'long', sizeBy: { margin: '500' }, leverage: '2' })
        await context.open({
          ...{ asset, direction: 'long', sizeBy: { margin: '100' }, leverage: '2' },
          type: 'limit',
          triggerPrice: close / 2n,
        })
      },
    },
    account: { maxDailyLoss: fp9('100%'), maxTotalLoss: fp9('100%') },
  }
}

describe('a market whose data ends early', () => {
  const early = () => optionsOf([100, 110, 120], Array(30).fill(50))

  test('is ended there: positions closed at the last price, orders cancelled, the market paused', async () => {
    const recording = new Recording()
    const result = await runBacktest({ ...early(), recorder: recording })
    const [trade] = result.trades
    expect(result.trades).toHaveLength(1)
    expect(trade?.exitPrice).toBeLessThanOrEqual(fp9('120'))
    expect(trade?.exitPrice).toBeGreaterThan(fp9('119'))
    // One interval after its last price, as soon as another market says what time it is.
    expect(trade?.closedAt).toBeGreaterThanOrEqual(START + 4 * HOUR_MS - 1)
    expect(trade?.closedAt).toBeLessThan(START + 5 * HOUR_MS)
    expect(result.openPositions).toBe(1)
    const ended = recording.commits.flatMap(({ events }) => events)
    expect(ended.filter(({ type }) => type === 'orderCanceled')).toHaveLength(1)
    expect(ended.filter((event) => event.type === 'marketStatusChanged')).toMatchObject([
      { status: 'paused' },
    ])
    expect(result.notes.join('\n')).toMatch(
      /BTC: its data ends at 2026-01-05 02:59:59 UTC, 1\.1 days before the run; its market was ended there, 1 position\(s\) closed/,
    )
  })

  test('may be held, and that is told', async () => {
    const result = await runBacktest({ ...early(), atDataEnd: 'hold' })
    expect(result.trades).toHaveLength(0)
    expect(result.openPositions).toBe(2)
    expect(result.notes.join('\n')).toMatch(/BTC: its data ends .* its price stands still from there on/)
  })

  test('is none that ends within one interval of the others', async () => {
    for (const [btc, eth] of [
      [[100, 110, 120], Array(3).fill(50)],
      [[100, 110, 120], Array(4).fill(50)],
    ] as const) {
      const result = await runBacktest(optionsOf(btc, eth))
      expect(result.trades).toHaveLength(0)
      expect(result.notes.join('\n')).not.toMatch(/data ends/)
    }
  })

  test('a market whose data begins late is told', async () => {
    const { notes } = await runBacktest(optionsOf(Array(30).fill(100), Array(25).fill(50), 5))
    expect(notes.join('\n')).toMatch(
      /ETH: its data begins at 2026-01-05 05:00:00 UTC, 5\.0 hours after the run/,
    )
  })
})

test('a market counts as ended after its patience, not with it, and is told once', () => {
  const ends = new DataEnds([60_000, 60_000])
  ends.priced(0, 1_000)
  ends.priced(1, 1_000)
  ends.exhausted(0)
  expect(ends.nextDue).toBe(61_000)
  expect(ends.endedBefore(61_000)).toEqual([])
  expect(ends.endedBefore(61_001)).toEqual([0])
  expect(ends.endedBefore(999_999)).toEqual([])
  expect(ends.nextDue).toBe(Number.POSITIVE_INFINITY)
  expect(ends.spanOf(0)).toEqual({ from: 1_000, to: 1_000 })
})
