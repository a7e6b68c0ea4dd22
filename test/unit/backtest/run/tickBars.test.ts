// Ticks make bars for strategies that think in bars: the same as grouping them afterwards, told when they are complete and
// never before, and every strategy of the package trades on them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import {
  createStrategy,
  STRATEGY_NAMES,
  strategyKind,
} from '../../../../src/backtest/strategies/catalogue.ts'
import type { Bar, Tick } from '../../../../src/backtest/strategy/strategy.ts'
import { START } from '../report/runs.ts'

const MINUTE_MS = 60_000

interface Row {
  readonly time: number
  readonly price: bigint
}

function tickFeed(rows: readonly Row[]): TickFeed {
  return {
    kind: 'ticks',
    sources: ['written by hand'],
    format: null,
    summary: () => ({
      rows: rows.length,
      skipped: 0,
      firstSkipped: [],
      gaps: 0,
      missingBars: 0,
      largestGap: null,
    }),
    async *[Symbol.asyncIterator]() {
      yield {
        length: rows.length,
        time: Float64Array.from(rows, ({ time }) => time),
        price: BigInt64Array.from(rows, ({ price }) => price),
      }
    },
  }
}

/** The bars that are complete by a time, by grouping all ticks by the minute they lie in. */
function grouped(
  rows: readonly Row[],
  lengthMs: number,
  by = (rows.at(-1) as Row).time,
  asset = 'BTC',
): Bar[] {
  const minutes = new Map<number, bigint[]>()
  for (const { time, price } of rows) {
    const openTime = time - (time % lengthMs)
    minutes.set(openTime, [...(minutes.get(openTime) ?? []), price])
  }
  return [...minutes]
    .filter(([openTime]) => by >= openTime + lengthMs)
    .map(([openTime, prices]) => ({
      asset,
      openTime,
      closeTime: openTime + lengthMs - 1,
      open: prices[0] as bigint,
      high: prices.reduce((a, b) => (a > b ? a : b)),
      low: prices.reduce((a, b) => (a < b ? a : b)),
      close: prices.at(-1) as bigint,
      volume: 0,
    }))
}

const rows = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(59_999, 60_000, 60_001, 200_000)),
      price: fc.bigInt({ min: 90_000_000_000n, max: 110_000_000_000n }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let time = START
    return steps.map(({ wait, price }): Row => {
      time += wait
      return { time, price }
    })
  })

describe('ticks as bars', () => {
  test('are the ticks grouped by time, each bar told when it is complete', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(1_000, MINUTE_MS, 5 * MINUTE_MS), async (ticks, tickBarMs) => {
        const bars: Bar[] = []
        let heard: Tick | null = null
        await runBacktest({
          markets: [{ asset: 'BTC', feed: tickFeed(ticks) }],
          tickBarMs,
          strategy: {
            name: 'listens',
            onTick: (tick) => {
              heard = tick
            },
            onBar: (bar, context) => {
              bars.push(bar)
              expect((heard as Tick | null)?.time).toBeLessThanOrEqual(bar.closeTime)
              expect(context.now).toBe(bar.closeTime)
              expect(context.market('BTC').state.indexPrice).toBe(bar.close)
            },
          },
        })
        expect(bars).toEqual(grouped(ticks, tickBarMs))
      }),
      { numRuns: 60 },
    )
  })

  test('of several markets are told when their time is over, also of one that is seldom priced', async () => {
    const later = fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(rows, rows, later, async (btc, eth, more) => {
        const bars: Bar[] = []
        const last = Math.max(...[btc, eth].map((ticks) => (ticks.at(-1) as Row).time))
        const to = more === undefined ? undefined : last + more
        await runBacktest({
          markets: [
            { asset: 'BTC', feed: tickFeed(btc) },
            { asset: 'ETH', feed: tickFeed(eth) },
          ],
          tickBarMs: MINUTE_MS,
          ...(to === undefined ? {} : { to }),
          strategy: {
            name: 'listens',
            onBar: (bar, context) => {
              bars.push(bar)
              expect(context.now).toBe(bar.closeTime)
              expect(context.market(bar.asset).state.indexPrice).toBe(bar.close)
            },
          },
        })
        const [first, second] = [
          grouped(btc, MINUTE_MS, to ?? last),
          grouped(eth, MINUTE_MS, to ?? last, 'ETH'),
        ]
        expect(bars).toEqual([...first, ...second].toSorted((a, b) => a.closeTime - b.closeTime))
      }),
      { numRuns: 60 },
    )
  })

  test('who takes time over each hears no more until it is done', async () => {
    const ticks = Array.from({ length: 40 }, (_, at) => ({
      time: START + at * 20_000,
      price: 100_000_000_000n + BigInt(at) * 1_000_000n,
    }))
    const heard: string[] = []
    await runBacktest({
      markets: [{ asset: 'BTC', feed: tickFeed(ticks) }],
      tickBarMs: MINUTE_MS,
      strategy: {
        name: 'takes its time',
        onTick: ({ time }) => {
          heard.push(`tick ${time}`)
        },
        onBar: async ({ closeTime }, context) => {
          heard.push(`begins ${closeTime}`)
          for (let turn = 0; turn < 20; turn++) await null
          expect(context.now).toBe(closeTime)
          heard.push(`ends ${closeTime}`)
        },
      },
    })
    const begun = heard.flatMap((what, at) => (what.startsWith('begins') ? [at] : []))
    expect(begun.length).toBe(13)
    for (const at of begun) expect(heard[at + 1]).toBe(heard[at]?.replace('begins', 'ends'))
  })

  test('whoever fails in one is blamed at its end, and not at its last tick', async () => {
    const ticks = [0, 10_000, 70_000].map((wait) => ({ time: START + wait, price: 100_000_000_000n }))
    const run = runBacktest({
      markets: [{ asset: 'BTC', feed: tickFeed(ticks) }],
      tickBarMs: MINUTE_MS,
      strategy: {
        name: 'fails',
        onBar: () => {
          throw new Error('on purpose')
        },
      },
    })
    await expect(run).rejects.toMatchObject({ name: 'StrategyFailure', at: START + MINUTE_MS - 1 })
  })

  test('are the same run for whoever hears only bars', async () => {
    const random = new Random('ticks')
    let [time, price] = [START, 100_000_000_000n]
    const ticks = Array.from({ length: 20_000 }, () => {
      time += 100 + random.below(8_000)
      price += BigInt(random.below(400_001) - 200_000) * 1_000n
      return { time, price }
    })
    // One of the others waits for a rate, the other for days to learn from.
    const idle = ['funding-carry', 'learned-direction']
    for (const name of STRATEGY_NAMES.filter((known) => !idle.includes(known))) {
      const kind = strategyKind(name)
      if (kind === undefined) throw new Error(name)
      const { trades, notes } = await runBacktest({
        markets: [{ asset: 'BTC', feed: tickFeed(ticks) }],
        strategy: createStrategy(kind, 'BTC', {}),
        afterVerdict: 'go-on',
      })
      expect(trades.length, name).toBeGreaterThan(0)
      expect(notes.filter((note) => note.includes('counts as current'))).toEqual([])
    }
  })
})

test('a plan says how long the bars of ticks are, and may leave it to the run', async () => {
  const plan = { markets: [{ asset: 'BTC', days: 1 }], strategy: 'breakout' } as const
  const prepared = await preparePlan(plan)
  expect(optionsOf({ ...plan, tickBarMs: 5_000 }, prepared).tickBarMs).toBe(5_000)
  expect(optionsOf(plan, prepared)).not.toHaveProperty('tickBarMs')
})
