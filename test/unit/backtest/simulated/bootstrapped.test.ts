// A bootstrapped market is another course of the one its data tells: every bar follows the one it followed there, but where a block begins.

import { describe, expect, test } from 'vitest'
import { type BarColumns, joinBars } from '../../../../src/backtest/feed/columns.ts'
import type { BarFeed } from '../../../../src/backtest/feed/feed.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { MarketPlan, RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { planFacts } from '../../../../src/backtest/report/planFacts.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { barSample, blockLengthOf } from '../../../../src/backtest/simulated/barSample.ts'
import { barRows, priceFields, scratchFile } from '../feed/sampleMarket.ts'
import { wildBars } from '../run/venue.ts'

const BARS = 900
const MINUTE_MS = 60_000
const bars = wildBars('bootstrapped', BARS)
const opened = bars.openTime[0] as number

/** Each bar's volume is its row, so that a drawn bar says where it comes from. */
function marketFile(name: string, times = 1n): string {
  const rows = barRows(bars).map((bar, row) => {
    const { open, high, low, close, ...rest } = bar
    const priced = { open: open * times, high: high * times, low: low * times, close: close * times }
    return [bar.openTime, ...priceFields({ ...rest, ...priced, volume: row })].join()
  })
  return scratchFile(`${name}.csv`, `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
}

const data = marketFile('one')
const drawnFrom = (fields: Partial<MarketPlan> = {}): MarketPlan => ({
  ...{ asset: 'BTC', data, simulate: 'bootstrapped:block=30' },
  ...fields,
})
const planOf = (...markets: MarketPlan[]): RunPlan => ({ strategy: 'ema-cross', seed: 'mine', markets })

async function barsOf(feed: unknown): Promise<BarColumns> {
  const chunks: BarColumns[] = []
  for await (const chunk of feed as BarFeed) chunks.push(chunk)
  return joinBars(chunks)
}

async function drawn(plan: RunPlan): Promise<BarColumns[]> {
  return Promise.all((await preparePlan(plan)).markets.map(({ feed }) => barsOf(feed)))
}

const following = (row: number) => (row === BARS - 1 ? 1 : row + 1)

describe('a bootstrapped market', () => {
  test('is made of the steps of its data, block by block, on its dates', async () => {
    const [path] = (await drawn(planOf(drawnFrom()))) as [BarColumns]
    expect([...path.openTime]).toEqual([...bars.openTime])
    let before = bars.close[0] as bigint
    let blocks = 1
    for (let row = 0; row < BARS; row++) {
      const source = path.volume[row] as number
      const from = bars.close[source - 1] as bigint
      for (const price of ['open', 'high', 'low', 'close'] as const) {
        const exact = (Number(bars[price][source]) / Number(from)) * Number(before)
        expect(Math.abs(Number(path[price][row]) - exact)).toBeLessThan(1e8)
      }
      before = path.close[row] as bigint
      if (row > 0 && source !== following(path.volume[row - 1] as number)) blocks += 1
    }
    // 30 on average, of which the deviation is that of a binomial.
    expect(Math.abs(blocks - BARS / 30)).toBeLessThan(5 * Math.sqrt(BARS / 30))
  })

  test('is its data from some bar on where a block is longer than it', async () => {
    const [path] = (await drawn(planOf(drawnFrom({ simulate: 'bootstrapped:block=1e9' })))) as [BarColumns]
    for (let row = 1; row < BARS; row++)
      expect(path.volume[row]).toBe(following(path.volume[row - 1] as number))
  })

  test('has blocks as long as its data asks for where none is said', async () => {
    const { markets } = await preparePlan(planOf({ asset: 'BTC', data }))
    const length = blockLengthOf(await barSample(markets))
    const found = await drawn(planOf(drawnFrom({ simulate: 'bootstrapped' })))
    expect(found).toEqual(await drawn(planOf(drawnFrom({ simulate: `bootstrapped:block=${length}` }))))
  })

  test('is the same for the same seed, run and all; another for another, and within regimes', async () => {
    const plan = planOf(drawnFrom())
    const run = async (own: RunPlan) => (await runBacktest(optionsOf(own, await preparePlan(own)))).stateHash
    expect(await run(plan)).toEqual(await run(plan))
    const [path] = await drawn(plan)
    expect((await drawn({ ...plan, seed: 'other' }))[0]?.volume).not.toEqual(path?.volume)
    const within = planOf(drawnFrom({ simulate: 'bootstrapped:block=30,regimes=3' }))
    expect((await drawn(within))[0]?.volume).not.toEqual(path?.volume)
  })

  test('is as long as asked, and a period takes a part of it', async () => {
    const [whole] = (await drawn(planOf(drawnFrom({ days: 2 })))) as [BarColumns]
    expect(whole.length).toBe(2_880)
    expect([...whole.openTime.slice(0, BARS)]).toEqual([...bars.openTime])
    const [usual] = (await drawn(planOf(drawnFrom()))) as [BarColumns]
    expect([...whole.close.slice(0, BARS)]).toEqual([...usual.close])
    const plan = { ...planOf(drawnFrom()), from: opened + 100 * MINUTE_MS, to: opened + 200 * MINUTE_MS }
    const { rows } = await runBacktest(optionsOf(plan, await preparePlan(plan)))
    expect(rows).toBe(100)
  })

  test('moves with another as their data did', async () => {
    const plan = planOf(drawnFrom(), drawnFrom({ asset: 'ETH', data: marketFile('four', 4n) }))
    const [btc, eth] = (await drawn(plan)) as [BarColumns, BarColumns]
    expect([...eth.close]).toEqual([...btc.close].map((price) => price * 4n))
    expect(eth.volume).toEqual(btc.volume)
  })

  test('takes its funding along, and its costs are those of the plan', async () => {
    const rates = Array.from({ length: 20 }, (_, hour) => [
      Math.ceil(opened / 3_600_000) * 3_600_000 + hour * 3_600_000,
      (hour + 1) / 1e6,
    ])
    const funding = scratchFile('rates.csv', `fundingTime,fundingRate\n${rates.map(String).join('\n')}\n`)
    const plan = planOf(drawnFrom({ funding, parameters: { spread: '0.02%' } }))
    const [market] = optionsOf(plan, await preparePlan(plan)).markets
    expect(market?.parameters).toEqual({ spread: 200_000n })
    const path = await barsOf(market?.feed)
    if (market?.funding == null) throw new Error('no funding')
    const { time, rate, length } = market.funding
    expect(length).toBeGreaterThan(10)
    for (let index = 0; index < length; index++) {
      const before = path.openTime.indexOf((time[index] as number) - MINUTE_MS)
      const closed = (bars.openTime[path.volume[before] as number] as number) + MINUTE_MS
      const next = rates.findIndex(([instant]) => (instant as number) >= closed)
      expect(Number(rate[index])).toBe((next + 1) * 1_000)
    }
  })

  test('says in the result and on pages what it is drawn from', async () => {
    const plan = planOf(drawnFrom())
    const [market] = (await preparePlan(plan)).markets
    expect(market?.feed.sources).toEqual([
      `drawn with seed mine from 900 bars of ${data}, in blocks of 30 on average`,
    ])
    expect(planFacts(plan, [])[0]).toEqual(['Data', `BTC: drawn in blocks from ${data}`])
    const { notes } = await runBacktest(optionsOf(plan, await preparePlan(plan)))
    expect(notes.join()).toContain('BTC: prices are no history, but drawn with seed mine from 900 bars of ')
  })

  const ticks = scratchFile('ticks.csv', 'time,price\n1767225600000,100\n1767225600500,101\n')
  test.each<[string, Partial<RunPlan>, string]>([
    ['without data', { markets: [{ asset: 'BTC', simulate: 'bootstrapped' }] }, 'With --data there is'],
    ['beside a market that is not', { markets: [drawnFrom(), { asset: 'ETH', data }] }, 'drawn together'],
    ['beside a simulated one', { markets: [drawnFrom(), { asset: 'ETH' }] }, 'drawn together'],
    ['of other blocks', { markets: [drawnFrom(), drawnFrom({ simulate: 'bootstrapped' })] }, 'same numbers'],
    [
      'of a correlation',
      { correlation: 0.5, markets: [drawnFrom(), drawnFrom({ asset: 'ETH' })] },
      'as their',
    ],
    ['of ticks', { markets: [drawnFrom({ data: ticks })] }, 'data convert --interval'],
    ['of no block', { markets: [drawnFrom({ simulate: 'bootstrapped:block=0' })] }, 'at least 1, not 0'],
    ['of half a regime', { markets: [drawnFrom({ simulate: 'bootstrapped:regimes=1.5' })] }, 'whole number'],
    ['of other numbers', { markets: [drawnFrom({ simulate: 'bootstrapped:days=3' })] }, 'it has: block, reg'],
  ])('%s is refused', async (_, fields, sentence) => {
    await expect(preparePlan({ ...planOf(), ...fields })).rejects.toThrow(sentence)
  })
})
