// What a context shows of longer bars is what its strategy could have made of the bars it was told, and nothing more.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import { LongerBars } from '../../../../src/backtest/strategy/longerBars.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { wildMarket } from './venue.ts'

const INTERVALS = ['5m', '1h']

function optionsOf(strategy: Strategy, markets = ['BTC']): BacktestOptions {
  return {
    markets: markets.map((asset, index) => wildMarket(asset, `${asset} of bars`, 200 + 37 * index)),
    strategy,
  }
}

/** Asks for bars whenever it is told one, and counts where the answer is not what it makes of those it was told. */
class Resampling implements Strategy {
  readonly name = 'resamples'
  readonly own = new Map(INTERVALS.map((interval) => [interval, new LongerBars(interval)]))
  readonly assets = new Set<string>()
  compared = 0
  closed = 0

  onBar(bar: Bar, context: StrategyContext) {
    this.assets.add(bar.asset)
    for (const [interval, longer] of this.own) {
      longer.add(bar)
      for (const asset of this.assets) {
        const shown = context.bars(asset, interval)
        expect(shown).toEqual(longer.of(asset))
        for (const { closeTime } of shown.slice(-1)) expect(closeTime).toBeLessThanOrEqual(bar.closeTime)
        this.compared += 1
        this.closed = Math.max(this.closed, shown.length)
      }
    }
  }
}

describe('the bars of a context', () => {
  test.each([[['BTC']], [['BTC', 'ETH']]])('are those of the bars that were told, on %j', async (assets) => {
    const strategy = new Resampling()
    await runBacktest(optionsOf(strategy, assets))
    expect([...strategy.assets].sort()).toEqual(assets)
    expect(strategy.compared).toBeGreaterThanOrEqual(400)
    expect(strategy.closed).toBeGreaterThan(30)
  })

  test('are late where the strategy hears late', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (late) => {
        const strategy = new Resampling()
        await runBacktest(optionsOf(delayed(strategy, late)))
        expect(strategy.compared).toBe(INTERVALS.length * (200 - late))
      }),
      { numRuns: 3 },
    ))

  test('are the same for every account of a run', async () => {
    const [first, second] = [new Resampling(), new Resampling()]
    await runBacktest({ ...optionsOf(first), others: [{ name: 'second', strategy: second }] })
    expect([first.compared, second.compared]).toEqual([400, 400])
  })

  test('asked for before the first price, and left alone until later, lack nothing', async () => {
    let shown: readonly Bar[] = []
    const own = new LongerBars('15m')
    await runBacktest(
      optionsOf({
        name: 'asks at once',
        onStart: (context) => {
          expect(context.bars('BTC', '15m')).toEqual([])
        },
        onBar: (bar) => {
          own.add(bar)
        },
        onEnd: (context) => {
          shown = context.bars('BTC', '15m')
        },
      }),
    )
    expect(shown.length).toBeGreaterThan(10)
    expect(shown).toEqual(own.of('BTC'))
  })

  const asking = (from: number, asset: string, interval: string): Strategy => {
    let told = 0
    return {
      name: 'asks',
      onBar(_, context) {
        told += 1
        if (told >= from) context.bars(asset, interval)
      },
    }
  }

  test.each<[string, Strategy, RegExp]>([
    [
      'first asked for at the second bar',
      asking(2, 'BTC', '5m'),
      /"asks" failed in onBar.*ask for them in onStart/,
    ],
    ['of a market that is not there', asking(1, 'XRP', '5m'), /has no market XRP/],
    ['of no interval', asking(1, 'BTC', '5 minutes'), /such as 15m, 4h or 1d, not 5 minutes/],
  ])('%s are refused in words', async (_, strategy, words) => {
    await expect(runBacktest(optionsOf(strategy))).rejects.toThrow(words)
  })
})
