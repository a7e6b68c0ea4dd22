// A path takes its funding along with its blocks: what is paid at an instant belongs to the bar that was drawn before it.

import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../../src/backtest/evaluate/evaluate.ts'
import { pathMarkets } from '../../../../src/backtest/evaluate/pathMarkets.ts'
import { pathRunner } from '../../../../src/backtest/evaluate/paths.ts'
import { joinBars } from '../../../../src/backtest/feed/columns.ts'
import { type FundingRates, readFunding } from '../../../../src/backtest/feed/funding.ts'
import { preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import type { DrawnMarket } from '../../../../src/backtest/simulated/drawnMarkets.ts'
import { pathFunding, sampleFunding } from '../../../../src/backtest/simulated/pathFunding.ts'
import { barRows, priceFields, scratchFile } from '../feed/sampleMarket.ts'
import { wildBars } from '../run/venue.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const BARS = 3_000
const bars = wildBars('funded', BARS)
const opened = bars.openTime[0] as number

/** Each bar's volume is its row, so that a path says where it comes from. */
const data = scratchFile(
  'funded.csv',
  `time,open,high,low,close,volume\n${barRows(bars)
    .map((bar, row) => [bar.openTime, ...priceFields({ ...bar, volume: row })].join())
    .join('\n')}\n`,
)

/** A rate an hour, another for each; two are missing. */
const isMissing = (hour: number) => hour === 20 || hour === 21
const rateOf = (hour: number) => ((hour % 7) - 3) * 100_000
const hours = Array.from({ length: BARS / 60 + 1 }, (_, hour) => hour).filter((hour) => !isMissing(hour))
const instantOf = (hour: number) => Math.ceil(opened / HOUR_MS) * HOUR_MS + hour * HOUR_MS
const fundingFile = (rate: (hour: number) => number) =>
  scratchFile(
    'rates.csv',
    `fundingTime,fundingRate\n${hours.map((hour) => `${instantOf(hour)},${(rate(hour) / 1e9).toFixed(9)}`).join('\n')}\n`,
  )
const funding = fundingFile(rateOf)

const strategy = scratchFile(
  'holder.mjs',
  `export default () => ({
  name: 'holder',
  async onBar({ asset }, context) {
    if (context.positions(asset).length === 0)
      await context.open({ asset, direction: 'long', sizeBy: { margin: '50%' }, leverage: '1' })
  },
})
`,
)
const account = { maxDailyLoss: '100%', maxTotalLoss: '100%', profitTarget: '900%' }
const plan: RunPlan = { strategy, account, markets: [{ asset: 'BTC', data, funding }] }

/** The rate of the first instant at or after a moment, looked for one by one. */
function nextRate(moment: number): number {
  const hour = Array.from({ length: 200 }, (_, at) => at).find((at) => instantOf(at) >= moment) as number
  return isMissing(hour) || hour > (hours.at(-1) as number) ? 0 : rateOf(hour)
}

describe('funding of a path', () => {
  test.each(['any', 'regimes'] as const)('is that of its bars (%s)', async (blocks) => {
    const drawnBy = await pathMarkets(plan, await preparePlan(plan), {
      ...{ days: 2, meanBlock: 90, seed: 'funded', blocks },
    })
    const reached = new Set<number>()
    for (const number of [0, 1, 2]) {
      const [market] = drawnBy(number) as [DrawnMarket]
      const chunks = []
      for await (const chunk of market.feed) chunks.push(chunk)
      const path = joinBars(chunks)
      const { time, rate, length } = market.funding as FundingRates
      expect(length).toBe(48)
      for (let index = 0; index < length; index++) {
        const instant = time[index] as number
        const before = path.openTime.indexOf(instant - MINUTE_MS)
        const source = path.volume[before] as number
        const closed = (bars.openTime[source] as number) + MINUTE_MS
        expect(Number(rate[index])).toBe(nextRate(closed))
        reached.add(Number(rate[index]))
      }
    }
    expect(reached.size).toBe(7)
  })

  test('where a path is the data itself, it is the file', async () => {
    const rates = await readFunding({ path: funding })
    const sample = sampleFunding(bars.openTime, MINUTE_MS, rates)
    if (sample === null) throw new Error('no interval')
    const rows = Uint32Array.from({ length: BARS }, (_, row) => row)
    const { time, rate } = pathFunding(sample, rows, opened, MINUTE_MS)
    const told = Array.from(time, (instant, index) => [instant, Number(rate[index])])
    const within = Array.from({ length: told.length }, (_, at) => (told[0]?.[0] as number) + at * HOUR_MS)
    expect(told.map(([instant]) => instant)).toEqual(within)
    for (const [instant, paid] of told) {
      const hour = ((instant as number) - instantOf(0)) / HOUR_MS
      expect(paid).toBe(isMissing(hour) ? 0 : rateOf(hour))
    }
    expect(
      sampleFunding(bars.openTime, MINUTE_MS, { ...rates, length: 1, time: rates.time.slice(0, 1) }),
    ).toBeNull()
  })

  test('is paid: a long on the same paths earns what the rates take less', async () => {
    const setup = { days: 1, meanBlock: 90, seed: 'paid' }
    const returns = async (own: RunPlan, change?: string) => {
      const run = await pathRunner({ plan: own, ...setup })
      const outcomes = await run({ numbers: [0, 1, 2], ...(change === undefined ? {} : { change }) })
      return outcomes.map(({ totalReturn }) => totalReturn)
    }
    const free = { ...plan, markets: [{ asset: 'BTC', data, parameters: { fundingRate: '0' } }] }
    const dear = { ...plan, markets: [{ asset: 'BTC', data, funding: fundingFile(() => 1_000_000) }] }
    const [unpaid, paid] = [await returns(free), await returns(dear)]
    for (const [path, without] of unpaid.entries()) expect(paid[path]).toBeLessThan(without)
    // A changed rule puts a constant rate in the place of the file.
    expect(await returns(dear, 'funding=off')).toEqual(unpaid)
  })

  test('is told', async () => {
    const { notes } = await evaluate({ plan, paths: 1, days: 1, workers: 1 })
    expect(notes.some((note) => note.startsWith('BTC: blocks take their funding along'))).toBe(true)
    const simulated = { ...plan, markets: [{ asset: 'BTC', funding }] }
    const told = await evaluate({ plan: simulated, paths: 1, days: 1, workers: 1 })
    expect(told.notes.some((note) => note.includes('simulated prices have no dates'))).toBe(true)
  })
})
