// Real market data, where it is at hand: MARGIN_CORE_DATA, or ../shared/data beside the repository.

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FeedError } from '../../../../src/backtest/feed/feedError.ts'
import { readFunding } from '../../../../src/backtest/feed/funding.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { readBars, readTicks } from './sampleMarket.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const data = path.resolve(process.env.MARGIN_CORE_DATA ?? path.join(root, 'shared/data'))
const at = (...parts: string[]) => path.join(data, ...parts)
const isThere = existsSync(data)
if (!isThere) console.log(`No market data at ${data}: the tests on real data are skipped.`)

const REFUSED = /\.feather$|README\.md$/
const DISORDERED = /bitfinex_xbtusd_1m/
const FUNDING = /funding|margin_interest/

describe.skipIf(!isThere)('real data', () => {
  test('every file is read to its end, or refused with a reason', async () => {
    const files = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
    const outcomes = new Map<string, string>()
    for (const file of files) outcomes.set(path.relative(data, file), await outcomeOf(file))
    for (const [file, outcome] of outcomes) {
      if (REFUSED.test(file)) expect(outcome, file).toMatch(/^refused: ./)
      else if (DISORDERED.test(file)) expect(outcome, file).toMatch(/^refused: the row is earlier/)
      else if (FUNDING.test(file)) expect(outcome, file).toMatch(/^funding|no line end/)
      else expect(outcome, file).toMatch(/^(bars|ticks) [1-9]/)
    }
    expect(outcomes.size).toBeGreaterThan(100)
  })

  const CSV = at('crypto-perp-binance-usdm-2025/csv/BTC_USDT_USDT-1m-futures.csv.gz')

  test('a month of BTC minutes, to the last row', async () => {
    const rows = await readBars({ path: CSV })
    expect(rows).toHaveLength(43_199)
    expect(rows[0]).toEqual({
      openTime: Date.UTC(2025, 4, 4, 15, 33),
      open: 95_505_400_000_000n,
      high: 95_505_500_000_000n,
      low: 95_502_700_000_000n,
      close: 95_502_700_000_000n,
      volume: 16.536,
    })
    expect(rows.at(-1)).toMatchObject({ openTime: Date.UTC(2025, 5, 3, 15, 31), close: 106_588_400_000_000n })
  })

  test('a week of gold ticks as one feed', async () => {
    const feed = await openFeed({ path: at('lean/cfd/oanda/tick/xauusd') })
    let rows = 0
    let last = 0
    for await (const chunk of feed) {
      rows += chunk.length
      if (feed.kind === 'ticks' && 'time' in chunk) last = chunk.time[chunk.length - 1] as number
    }
    expect(rows).toBe(1_302_746)
    expect(new Date(last).toISOString().slice(0, 10)).toBe('2014-05-09')
  })

  test('shares are in dollars and in UTC', async () => {
    const [first] = await readTicks({ path: at('lean/equity/usa/tick/spy/20131007_trade.zip') })
    expect(first).toEqual({ time: Date.UTC(2013, 9, 7, 8, 0, 0, 464), price: 167_410_000_000n })
  })

  test('disorder is skipped and counted', async () => {
    const feed = await openFeed({
      path: at('crypto-spot-1m-2016/bitfinex_xbtusd_1m.csv.gz'),
      onBadRow: 'skip',
    })
    for await (const _ of feed);
    const { rows, skipped, gaps } = feed.summary()
    expect(rows + skipped).toBe(50_669)
    expect([rows, gaps]).toEqual([49_957, 64])
  })

  test('funding: the caps of 2020, and instants without jitter', async () => {
    const caps = await readFunding({ path: at('funding-extremes-2020/BTCUSDT_funding_excerpt.csv') })
    expect(Array.from(caps.rate)).toEqual(expect.arrayContaining([3_000_000n, -3_000_000n]))
    const rates = await readFunding({
      path: at('crypto-perp-binance-usdm-2025/csv/ETH_USDT_USDT-8h-funding_rate.csv'),
    })
    expect(rates.length).toBe(302)
    expect(Array.from(rates.time).every((time) => time % 28_800_000 === 0)).toBe(true)
  })
})

async function outcomeOf(file: string): Promise<string> {
  try {
    const feed = await openFeed({ path: file })
    for await (const _ of feed);
    return `${feed.kind} ${feed.summary().rows}`
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    if (!/readFunding/.test(error.reason)) return `refused: ${error.reason}`
  }
  return readFunding({ path: file }).then(
    ({ length }) => `funding ${length}`,
    (error: FeedError) => `refused: ${error.reason}`,
  )
}
