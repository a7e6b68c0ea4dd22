// A warm-up tells strategies what lies before the run, and changes nothing of what the venue does.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { WarmUp } from '../../../../src/backtest/run/warmUp.ts'
import type { Bar, Strategy, StrategyContext, Tick } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/index.ts'
import { wildMarket } from './venue.ts'

const MINUTE_MS = 60_000
const BARS = 240
const START = Date.UTC(2026, 0, 5, 23)
const at = (minute: number) => START + minute * MINUTE_MS

/** Trades by the clock alone, and notes what it is told. */
class ByTheClock implements Strategy {
  readonly name = 'trades by the clock'
  readonly bars: Bar[] = []
  readonly ticks: Tick[] = []
  readonly answers = new Map<number, string>()
  readonly hours: number[] = []
  starts = 0

  onStart(context: StrategyContext) {
    this.starts += 1
    context.bars('BTC', '1h')
  }

  onTick(tick: Tick, context: StrategyContext) {
    this.ticks.push(tick)
    expect(context.now).toBe(tick.time)
    expect(context.market(tick.asset).state.indexPrice).toBe(tick.price)
  }

  async onBar(bar: Bar, context: StrategyContext) {
    const { asset } = bar
    this.bars.push(bar)
    this.hours.push(context.bars(asset, '1h').length)
    expect(context.now).toBe(bar.closeTime)
    expect(context.account().riskStatus.currentEquity).toBeGreaterThan(0n)
    if ((bar.openTime / MINUTE_MS) % 5 !== 0) return
    const [position] = context.positions(asset)
    const answer = position
      ? await context.close({ position })
      : await context.open({ asset, direction: 'long', sizeBy: { margin: '1%' }, leverage: '2' })
    this.answers.set(bar.openTime, answer.ok ? 'ok' : answer.error.code)
  }
}

function optionsOf(strategy: Strategy, from?: number, warmUpMs?: number, assets = ['BTC']): BacktestOptions {
  return {
    markets: assets.map((asset) => wildMarket(asset, `${asset} to warm up on`, BARS)),
    strategy,
    account: { balance: fp9('10000'), maxDailyLoss: fp9('90%'), maxTotalLoss: fp9('90%') },
    ...(from === undefined ? {} : { from }),
    ...(warmUpMs === undefined ? {} : { warmUpMs }),
  }
}

test('a market has no price before its first', () => {
  const warmUp = new WarmUp()
  expect(warmUp.priceOf('BTC')).toBe(0n)
  warmUp.priced('ETH', fp9('3000'), START)
  expect([warmUp.priceOf('BTC'), warmUp.priceOf('ETH')]).toEqual([0n, fp9('3000')])
})

describe('a warm-up', () => {
  test.each([[['BTC']], [['BTC', 'ETH']]])(
    'on %j: the run is the one without, and the strategy hears all of it',
    (assets) =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 61, max: BARS - 30 }),
          fc.integer({ min: 1, max: 60 }),
          async (first, told) => {
            const [cold, warm, whole] = [new ByTheClock(), new ByTheClock(), new ByTheClock()]
            const { notes: coldNotes, ...without } = await runBacktest(
              optionsOf(cold, at(first), undefined, assets),
            )
            const { notes, ...run } = await runBacktest(optionsOf(warm, at(first), told * MINUTE_MS, assets))
            await runBacktest(optionsOf(whole, at(first - told), undefined, assets))

            expect(run).toEqual(without)
            expect(run.fills).toBeGreaterThan(2)
            expect(run.rejections.warming_up).toBeUndefined()
            expect(notes.filter((note) => !coldNotes.includes(note))).toEqual([
              `strategies were told ${told * assets.length} row(s) from ${new Date(at(first - told)).toISOString()} on before the run began, and traded on none`,
            ])

            expect(warm.starts).toBe(1)
            expect(warm.bars).toEqual(whole.bars)
            expect(warm.hours).toEqual(whole.hours)
            expect(warm.ticks.map(({ time }) => time)).toEqual(whole.ticks.map(({ time }) => time))
            for (const [openTime, answer] of warm.answers)
              expect(answer === 'warming_up').toBe(openTime < at(first))
          },
        ),
        { numRuns: 4 },
      ),
  )

  test('of ticks: the bar that is open when the run begins is told whole', async () => {
    const ticks = Array.from({ length: 300 }, (_, index) => ({
      time: START + index * 7_000,
      price: fp9(`${100 + (index % 9)}`),
    }))
    const feed: TickFeed = {
      kind: 'ticks',
      sources: ['written by hand'],
      format: null,
      summary: () => ({ rows: 300, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null }),
      async *[Symbol.asyncIterator]() {
        yield {
          length: ticks.length,
          time: Float64Array.from(ticks, ({ time }) => time),
          price: BigInt64Array.from(ticks, ({ price }) => price),
        }
      },
    }
    const told = async (from?: number, warmUpMs?: number) => {
      const strategy = new ByTheClock()
      await runBacktest({ ...optionsOf(strategy, from, warmUpMs), markets: [{ asset: 'BTC', feed }] })
      return strategy
    }
    const whole = await told()
    expect(whole.bars.length).toBeGreaterThan(30)
    for (const minutes of [10, 10.5, 11]) {
      const warm = await told(START + minutes * MINUTE_MS, minutes * MINUTE_MS)
      expect(warm.bars).toEqual(whole.bars)
      expect(warm.ticks).toEqual(whole.ticks)
      for (const [openTime, answer] of warm.answers)
        expect(answer === 'warming_up').toBe(openTime + MINUTE_MS <= START + minutes * MINUTE_MS)
    }
  })

  test('where nothing lies before the run is said to be none', async () => {
    const strategy = new ByTheClock()
    const { notes } = await runBacktest(optionsOf(strategy, START, MINUTE_MS))
    expect(notes).toContain(
      'no warm-up: the data has no row between 2026-01-05T22:59:00.000Z and the begin of the run',
    )
    expect(strategy.starts).toBe(1)
  })

  test('without a begin of the run is refused', async () => {
    await expect(runBacktest(optionsOf(new ByTheClock(), undefined, MINUTE_MS))).rejects.toThrow(
      /say from when/,
    )
  })

  test('blames the strategy for what it throws, at the time of the price', async () => {
    const strategy: Strategy = {
      name: 'breaks',
      onBar() {
        throw new TypeError('no such thing')
      },
    }
    await expect(runBacktest(optionsOf(strategy, at(60), 5 * MINUTE_MS))).rejects.toThrow(
      /"breaks" failed in onBar at 2026-01-05 23:55:59/,
    )
  })
})
