// Models of prices by name, and markets that are simulated together.

import { describe, expect, test } from 'vitest'
import { type BarColumns, joinBars } from '../../../../src/backtest/feed/columns.ts'
import type { BarFeed } from '../../../../src/backtest/feed/feed.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import { PRICE_MODELS, priceModelOf } from '../../../../src/backtest/simulated/marketModel.ts'

async function barsOf(feed: BarFeed | undefined): Promise<BarColumns> {
  const chunks: BarColumns[] = []
  for await (const chunk of feed as BarFeed) chunks.push(chunk)
  return joinBars(chunks)
}

async function feedsOf(plan: Partial<RunPlan>): Promise<BarColumns[]> {
  const whole: RunPlan = { strategy: 'ema-cross', seed: 'models', markets: [], ...plan }
  const { markets } = optionsOf(whole, await preparePlan(whole))
  return Promise.all(markets.map(({ feed }) => barsOf(feed as BarFeed)))
}

/** Correlation of the changes of the logarithms of two closes. */
function correlation(a: BarColumns, b: BarColumns): number {
  const changes = ({ close }: BarColumns) =>
    Array.from(close.slice(1), (price, row) => Math.log(Number(price) / Number(close[row])))
  const centred = [a, b].map((bars) => {
    const all = changes(bars)
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length
    return all.map((value) => value - mean)
  }) as [number[], number[]]
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0)
  const [x, y] = centred
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))
}

describe('models of prices', () => {
  test.each(PRICE_MODELS)(
    '%s gives other prices than the rest, and the same for the same seed',
    async (name) => {
      const market = (simulate: string) => ({ markets: [{ asset: 'BTC', days: 1, simulate }] })
      const [own] = await feedsOf(market(name))
      expect(await feedsOf(market(name))).toEqual([own])
      for (const other of PRICE_MODELS.filter((known) => known !== name))
        expect((await feedsOf(market(other)))[0]?.close).not.toEqual(own?.close)
    },
  )

  test('numbers change a model, and what there is not is refused with what there is', async () => {
    const range = ({ high, low }: BarColumns) =>
      Number(high.reduce((a, b) => (a > b ? a : b)) - low.reduce((a, b) => (a < b ? a : b)))
    const days = { asset: 'BTC', days: 3 }
    const [usual] = await feedsOf({ markets: [{ ...days, simulate: 'brownian' }] })
    const [wild] = await feedsOf({ markets: [{ ...days, simulate: 'brownian:volatility=6' }] })
    expect(range(wild as BarColumns)).toBeGreaterThan(4 * range(usual as BarColumns))
    expect(() => priceModelOf('tea-leaves')).toThrow(
      'there is no model of prices tea-leaves; there are: jumps, brownian, mean-reverting, regimes',
    )
    for (const simulated of ['bootstrapped', 'correlated'])
      expect(() => priceModelOf(simulated)).toThrow(
        /With --data there is bootstrapped.*--asset BTC,ETH with --correlation/,
      )
    expect(() => priceModelOf('brownian:vol=1')).toThrow(
      'the model brownian has no vol; it has: drift, volatility',
    )
    expect(() => priceModelOf('brownian:drift=')).toThrow('drift must be a number, not nothing')
    expect(() => priceModelOf('brownian:volatility=-1')).toThrow(RangeError)
    await expect(feedsOf({ markets: [{ asset: 'BTC', data: 'a.csv', simulate: 'jumps' }] })).rejects.toThrow(
      'market BTC: data and a model of prices exclude each other',
    )
  })
})

describe('markets that are simulated together', () => {
  const markets = ['BTC', 'ETH'].map((asset) => ({ asset, days: 2, simulate: 'brownian' }))

  test.each([0, 0.8, -0.5])('are correlated by %d as asked', async (asked) => {
    const [btc, eth] = (await feedsOf({ markets, correlation: asked })) as [BarColumns, BarColumns]
    expect(Math.abs(correlation(btc, eth) - asked)).toBeLessThan(0.08)
  })

  test('leave the first as it is alone', async () => {
    const [btc] = await feedsOf({ markets: [{ asset: 'BTC', days: 2 }, { asset: 'ETH' }], correlation: 0.8 })
    expect(btc).toEqual(await barsOf(demoFeed('models', 2)))
  })
})
