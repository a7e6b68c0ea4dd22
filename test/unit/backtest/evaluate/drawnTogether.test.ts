// Blocks of several markets are the same blocks, and regimes last as long as they did.

import { describe, expect, test } from 'vitest'
import { evaluate, strategyOdds } from '../../../../src/backtest/evaluate/evaluate.ts'
import { pathMarkets, pathSample } from '../../../../src/backtest/evaluate/pathMarkets.ts'
import type { BarColumns } from '../../../../src/backtest/feed/columns.ts'
import { joinBars } from '../../../../src/backtest/feed/columns.ts'
import { preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { MarketPlan, RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { blockLengthOf } from '../../../../src/backtest/simulated/barSample.ts'
import { BlockRows } from '../../../../src/backtest/simulated/blockRows.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { type Regimes, volatilityRegimes } from '../../../../src/backtest/simulated/regimes.ts'
import { barRows, priceFields, scratchFile } from '../feed/sampleMarket.ts'
import { wildBars } from '../run/venue.ts'

const BARS = 600

/** A file of the rows of a market that are kept, each price so many times as high. */
function marketFile(name: string, bars: BarColumns, times = 1n, isKept = (_row: number) => true): string {
  const rows = barRows(bars)
    .filter((_, row) => isKept(row))
    .map((bar) => ({
      ...bar,
      open: bar.open * times,
      high: bar.high * times,
      low: bar.low * times,
      close: bar.close * times,
    }))
  const lines = rows.map((bar) => [bar.openTime, ...priceFields(bar)].join())
  return scratchFile(`${name}.csv`, `time,open,high,low,close,volume\n${lines.join('\n')}\n`)
}

const planOf = (...markets: MarketPlan[]): RunPlan => ({ strategy: 'ema-cross', markets })

async function drawn(plan: RunPlan, number = 0): Promise<BarColumns[]> {
  const drawnBy = await pathMarkets(plan, await preparePlan(plan), {
    days: 1,
    meanBlock: 20,
    seed: 'together',
  })
  const markets: BarColumns[] = []
  for (const { feed } of drawnBy(number)) {
    const chunks: BarColumns[] = []
    for await (const chunk of feed) chunks.push(chunk)
    markets.push(joinBars(chunks))
  }
  return markets
}

describe('several markets', () => {
  const bars = wildBars('together', BARS)
  const one = marketFile('one', bars)

  test('that move as one do so on every path', async () => {
    const twin = marketFile('twin', bars, 4n)
    const plan = planOf({ asset: 'BTC', data: one }, { asset: 'ETH', data: twin })
    for (const number of [0, 1]) {
      const [btc, eth] = (await drawn(plan, number)) as [BarColumns, BarColumns]
      expect(btc.length).toBe(1_440)
      expect([...btc.openTime]).toEqual([...eth.openTime])
      expect([...eth.close]).toEqual([...btc.close].map((price) => price * 4n))
    }
  })

  test('are drawn from the bars that all have, and the rest is counted', async () => {
    const gappy = marketFile('gappy', bars, 4n, (row) => row % 7 !== 3)
    const plan = planOf({ asset: 'BTC', data: one }, { asset: 'ETH', data: gappy })
    const sample = await pathSample(plan, await preparePlan(plan))
    const missing = Array.from({ length: BARS }, (_, row) => row).filter((row) => row % 7 === 3).length
    expect(sample?.unmatched).toBe(missing)
    const [btc, eth] = (sample?.markets ?? []) as [BarColumns, BarColumns]
    expect([...btc.openTime]).toEqual([...eth.openTime])
    expect([...eth.close]).toEqual([...btc.close].map((price) => price * 4n))
  })

  test('of one path alone are as they are beside others', async () => {
    const [alone] = await drawn(planOf({ asset: 'BTC', data: one }))
    const [beside] = await drawn(
      planOf({ asset: 'BTC', data: one }, { asset: 'ETH', data: marketFile('other', bars, 2n) }),
    )
    expect([...(beside?.close ?? [])]).toEqual([...(alone?.close ?? [])])
  })

  test('simulated ones move together as asked, and mixed ones are refused', async () => {
    const plan = { ...planOf({ asset: 'BTC', days: 1 }, { asset: 'ETH' }), correlation: 0.9 }
    const evaluation = await evaluate({ plan, paths: 2, days: 1, workers: 1 })
    expect(evaluation.passed.of).toBe(2)
    const mixed = planOf({ asset: 'BTC', data: one }, { asset: 'ETH' })
    await expect(evaluate({ plan: mixed, paths: 1, workers: 1 })).rejects.toThrow(/for all or for none/)
    await expect(evaluate({ plan, blocks: 'regimes', workers: 1 })).rejects.toThrow(/not drawn in blocks/)
  })

  test('every case is played on the same paths', async () => {
    const plan = planOf({ asset: 'BTC', data: one })
    const same = { name: 'same', account: {} }
    const { odds, notes } = await strategyOdds({
      plan,
      rules: [same, { ...same, name: 'again' }],
      sets: [{ margin: '5%' }, { margin: '20%' }],
      paths: 3,
      days: 1,
      workers: 1,
    })
    expect(odds.map(({ rules, parameters }) => [rules, parameters.margin])).toEqual([
      ['same', '5%'],
      ['same', '20%'],
      ['again', '5%'],
      ['again', '20%'],
    ])
    expect(odds[2]?.totalReturn).toEqual(odds[0]?.totalReturn)
    expect(odds[1]?.totalReturn).not.toEqual(odds[0]?.totalReturn)
    expect(notes.some((note) => note.includes('together'))).toBe(false)
  })
})

describe('regimes', () => {
  /** Calm for the first half, wild for the second. */
  const halves = Float64Array.from(
    { length: 1_200 },
    (_, row) => (row < 600 ? 1 : 20) * (row % 2 === 0 ? 1 : -1),
  )

  test('are of equal size and told by what came before', () => {
    const regimes = volatilityRegimes([halves], 10)
    expect(regimes.rows.map(({ length }) => length)).toEqual([399, 400, 400])
    for (const [regime, rows] of regimes.rows.entries())
      for (const row of rows) expect(regimes.of[row]).toBe(regime)
    // A row at which the wild half begins has seen nothing of it.
    expect(regimes.of[600]).toBeLessThan(2)
    expect(regimes.of[1_100]).toBeGreaterThan(0)
    const turns = Float64Array.from({ length: 41 }, (_, row) => (row % 2 === 0 ? 5 : 1))
    const told = volatilityRegimes([turns], 1, 2)
    for (let row = 3; row < 39; row++) expect(told.of[row]).toBe((row - 1) % 2 === 0 ? 1 : 0)
    expect(volatilityRegimes([new Float64Array(5)], 10).rows.map(({ length }) => length)).toEqual([1, 1, 2])
  })

  test('a block begins in the regime that the one before it came to, and only then', () => {
    const regimes = volatilityRegimes([halves], 10)
    const broken = breaks(regimes)
    expect(broken.length).toBeGreaterThan(100)
    for (const [from, to] of broken) expect(regimes.of[to]).toBe(regimes.of[following(from)])
    const any = breaks(null).filter(([from, to]) => regimes.of[to] !== regimes.of[following(from)])
    expect(any.length).toBeGreaterThan(50)
  })

  test('so that a storm lasts', () => {
    const lengths = [null, volatilityRegimes([halves], 10)].map((regimes) => {
      const wild = rows(regimes).map((row) => row >= 600)
      return wild.length / (1 + wild.filter((now, at) => at > 0 && now !== wild[at - 1]).length)
    }) as [number, number]
    expect(lengths[1]).toBeGreaterThan(3 * lengths[0])
  })

  test('of several markets count each by its own ordinary change', () => {
    const loud = halves.map((change) => change * 1_000)
    expect([...volatilityRegimes([halves, loud], 10).of]).toEqual([...volatilityRegimes([halves], 10).of])
  })

  const following = (row: number) => (row === 1_199 ? 1 : row + 1)
  function rows(regimes: Regimes | null): number[] {
    const draw = new BlockRows({ rows: 1_200, meanBlock: 20, regimes }, new Random('regimes'))
    return Array.from({ length: 6_000 }, () => draw.next())
  }
  function breaks(regimes: Regimes | null): [number, number][] {
    const all = rows(regimes)
    return all.slice(1).flatMap((to, at): [number, number][] => {
      const from = all[at] as number
      return to === following(from) ? [] : [[from, to]]
    })
  }
})

test('the length of blocks is found from how calm and storm follow each other', async () => {
  const steady = wildBars('steady', BARS)
  const found = async (data: string) => {
    const plan = planOf({ asset: 'BTC', data })
    return blockLengthOf(
      (await pathSample(plan, await preparePlan(plan))) as NonNullable<
        Awaited<ReturnType<typeof pathSample>>
      >,
    )
  }
  const length = await found(marketFile('steady', steady))
  expect(length).toBeGreaterThanOrEqual(1)
  const plan = planOf({ asset: 'BTC', data: marketFile('again', steady) })
  const { meanBlock } = await evaluate({ plan, paths: 1, days: 1, meanBlock: 'auto', workers: 1 })
  expect(meanBlock).toBe(length)
})
