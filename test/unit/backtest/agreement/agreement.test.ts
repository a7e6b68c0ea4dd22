// One strategy on the same bars here and under the documented fills of two other backtesters: with costs set alike every trade is the
// same, and what differs without that is accounted for trade by trade.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BarColumns } from '../../../../src/backtest/feed/columns.ts'
import { emptyBars, joinBars } from '../../../../src/backtest/feed/columns.ts'
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { toNumber, toPrice } from '../../../../src/backtest/numbers/toNumber.ts'
import type { BacktestResult } from '../../../../src/backtest/run/run.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/index.ts'
import { dataFile, NEEDS_DATA } from '../../../marketData.ts'
import { runAlike } from './alike.ts'
import { atCloseRun, type Candle, crossings, type ModelRun, nextOpenRun, wholeUnits } from './otherEngines.ts'

const CASH = 1_000_000
const FEE = 0.002
const [FAST, SLOW] = [10, 20]
const terms = { cash: CASH, fee: FEE }

interface Sample {
  readonly bars: BarColumns
  readonly feed: BarFeed
  readonly candles: readonly Candle[]
}

async function sampleOf(feed: BarFeed): Promise<Sample> {
  const chunks: BarColumns[] = []
  for await (const chunk of feed) chunks.push(chunk)
  const bars = joinBars(chunks)
  const candles = Array.from({ length: bars.length }, (_, row) => ({
    open: toNumber(bars.open[row] as bigint),
    high: toNumber(bars.high[row] as bigint),
    low: toNumber(bars.low[row] as bigint),
    close: toNumber(bars.close[row] as bigint),
  }))
  return { bars, feed: barFeedOf('the sample', feed.intervalMs ?? 0, () => [bars]), candles }
}

/** Decides at a close by the same crossings as the models; how it acts is given. */
class Crosses implements Strategy {
  readonly name = 'crossing averages'
  readonly #signals: readonly number[]
  readonly #isLate: boolean
  readonly #stop: number
  readonly refused: string[] = []
  /** What is still open at the end, in units. */
  left = 0
  #bar = -1
  #due = 0

  /** @param isLate whether it acts at the next open; at the close it acts with a stop-loss. */
  constructor(signals: readonly number[], isLate: boolean, stop: number) {
    this.#stop = stop
    this.#signals = signals
    this.#isLate = isLate
  }

  async onTick({ price }: { readonly price: bigint }, context: StrategyContext): Promise<void> {
    if (!this.#isLate || this.#due === 0) return
    const side = this.#due
    this.#due = 0
    await context.closeAll()
    await this.#enter(side, price, context, Number(context.equity()) / 1e9)
  }

  async onBar({ close }: Bar, context: StrategyContext): Promise<void> {
    this.#bar += 1
    const signal = this.#signals[this.#bar] as number
    if (this.#isLate) this.#due = signal
    else await this.#actAtClose(signal, close, context)
  }

  onEnd(context: StrategyContext): void {
    this.left = Number(context.positions('X')[0]?.size ?? 0n) / 1e9
  }

  async #actAtClose(signal: number, close: bigint, context: StrategyContext): Promise<void> {
    const [position] = context.positions('X')
    if (position !== undefined) {
      const side = position.direction === 'long' ? 1 : -1
      if (signal !== -side) return
      await context.closeAll()
      this.#due = signal
      return
    }
    const side = signal === 0 ? this.#due : signal
    this.#due = 0
    if (side !== 0) await this.#enter(side, close, context, CASH / 10, this.#stop)
  }

  async #enter(
    side: number,
    price: bigint,
    context: StrategyContext,
    cash: number,
    stop?: number,
  ): Promise<void> {
    const units = wholeUnits(cash, toNumber(price), FEE)
    const stopLoss = stop === undefined ? undefined : toPrice(toNumber(price) * (1 - side * stop))
    const outcome = await context.open({
      asset: 'X',
      direction: side === 1 ? 'long' : 'short',
      sizeBy: { base: String(units) },
      leverage: '1',
      ...(stopLoss === undefined ? {} : { stopLoss }),
    })
    if (!outcome.ok) this.refused.push(outcome.error.code)
  }
}

/** Every trade is the other's: side, size, both prices, and the result to a millionth of it. */
function expectSameTrades(own: BacktestResult, other: ModelRun): void {
  expect(own.trades.length).toBe(other.trades.length)
  for (const [index, trade] of own.trades.entries()) {
    const model = other.trades[index] as (typeof other.trades)[number]
    expect(trade.side === 'long' ? 1 : -1).toBe(model.side)
    expect(Number(trade.size) / 1e9).toBe(model.size)
    expect(toNumber(trade.entryPrice)).toBeCloseTo(model.entry, 6)
    expect(toNumber(trade.exitPrice)).toBeCloseTo(model.exit, 6)
    expect(Number(trade.pnl) / 1e9).toBeCloseTo(model.pnl, 6)
  }
  expect(Number(own.account.riskStatus.currentEquity) / 1e9).toBeCloseTo(other.equity, 4)
}

/** What it is, the distance of its stops as a fraction of the entry, and its bars. */
type Source = [name: string, stop: number, open: () => Promise<BarFeed | null>]

const samples: Source[] = [
  ['simulated minutes', 0.001, async () => demoFeed('agreement', 2)],
  ...(['aapl', 'spy'] as const).map(
    (name): Source => [
      `${name}, daily from 1998`,
      0.03,
      async () => {
        const file = dataFile('lean/equity/usa/daily', `${name}.zip`)
        return file === null ? null : ((await openFeed({ path: file })) as BarFeed)
      },
    ],
  ),
]

describe.each(samples)('%s', (_, stopAway, open) => {
  test('filled at the next open, all of the equity and both ways: every trade and the equity are the same', async ({
    skip,
  }) => {
    const feed = await open()
    if (feed === null) return skip(NEEDS_DATA)
    const sample = await sampleOf(feed)
    const signals = crossings(
      sample.candles.map(({ close }) => close),
      FAST,
      SLOW,
    )
    const strategy = new Crosses(signals, true, stopAway)
    const own = await runAlike(sample.feed, strategy, terms)
    const other = nextOpenRun(sample.candles, signals, terms)
    expect(strategy.refused).toEqual([])
    expect(other.trades.length).toBeGreaterThan(50)
    expectSameTrades(own, other)
  })

  test('filled at the close with a stop-loss: the same trades, and a stop costs what its bar went beyond it', async ({
    skip,
  }) => {
    const feed = await open()
    if (feed === null) return skip(NEEDS_DATA)
    const sample = await sampleOf(feed)
    const signals = crossings(
      sample.candles.map(({ close }) => close),
      FAST,
      SLOW,
    )
    const strategy = new Crosses(signals, false, stopAway)
    const own = await runAlike(sample.feed, strategy, terms)
    expect(strategy.refused).toEqual([])
    const other = atCloseRun(sample.candles, signals, { ...terms, stop: stopAway })
    expect(other.stops.size).toBeGreaterThan(5)
    expect(own.trades.length).toBe(other.trades.length)
    let beyond = 0
    for (const [index, trade] of own.trades.entries()) {
      const model = other.trades[index] as (typeof other.trades)[number]
      expect([trade.side === 'long' ? 1 : -1, Number(trade.size) / 1e9]).toEqual([model.side, model.size])
      expect(toNumber(trade.entryPrice)).toBeCloseTo(model.entry, 6)
      const stop = other.stops.get(index)
      if (stop === undefined) {
        expect(toNumber(trade.exitPrice)).toBeCloseTo(model.exit, 6)
        expect(Number(trade.pnl) / 1e9).toBeCloseTo(model.pnl, 6)
        continue
      }
      // Here it is filled at the first of the bar's four prices that reaches it: the open, or the extreme.
      const { open: first, high, low } = sample.candles[model.exitBar] as Candle
      const reached = (price: number) => (model.side === 1 ? price <= stop : price >= stop)
      const filled = reached(first) ? first : model.side === 1 ? low : high
      expect(toNumber(trade.exitPrice)).toBeCloseTo(filled, 6)
      const difference = model.size * (filled - stop) * (model.side - FEE)
      expect(Number(trade.pnl) / 1e9 - model.pnl).toBeCloseTo(difference, 3)
      beyond += difference
    }
    expect(beyond).toBeLessThan(0)
    expect(Number(own.account.riskStatus.currentEquity) / 1e9 - other.equity).toBeCloseTo(beyond, 2)
  })
})

// What backtesting.py's page publishes of its first example: averages of 10 and 20 days of Google's share from 19 August 2004 to 1 March
// 2013, 10,000, a commission of 0.2%. The file has all closes, and the opens of the days on which something is filled: no other price counts.
describe("backtesting.py's own example", async () => {
  const cash = 10_000
  const sample = await sampleOf(googleDays())
  const signals = crossings(
    sample.candles.map(({ close }) => close),
    FAST,
    SLOW,
  )
  const published = nextOpenRun(sample.candles, signals, { cash, fee: FEE, isFeeOfEntries: true })

  test('comes to the figures it publishes, which charge entries only', () => {
    const { trades, equity } = published
    // A share of the price that was paid, commission included.
    const returns = trades.map(({ side, entry, exit }) => side * (exit / (entry * (1 + side * FEE)) - 1))
    const share = (value: number) => (100 * value).toFixed(2)
    expect(trades.length).toBe(93)
    expect(equity.toFixed(2)).toBe('68935.12')
    expect(share(trades.filter(({ pnl }) => pnl > 0).length / trades.length)).toBe('53.76')
    expect([share(Math.max(...returns)), share(Math.min(...returns))]).toEqual(['57.12', '-16.63'])
  })

  test('has the same trades here, and fees of exits and the smaller sizes after them are all of the difference', async () => {
    const strategy = new Crosses(signals, true, 0)
    const own = await runAlike(sample.feed, strategy, { cash, fee: FEE })
    expect(strategy.refused).toEqual([])
    expectSameTrades(own, nextOpenRun(sample.candles, signals, { cash, fee: FEE }))
    expect(own.trades.length).toBe(published.trades.length)
    expect(own.trades.filter(({ pnl }) => pnl > 0n).length).toBe(49)
    let [ofExits, ofSizes] = [0, 0]
    for (const [index, trade] of own.trades.entries()) {
      const there = published.trades[index] as (typeof published.trades)[number]
      const size = Number(trade.size) / 1e9
      expect([trade.side === 'long' ? 1 : -1, toNumber(trade.entryPrice), toNumber(trade.exitPrice)]).toEqual(
        [there.side, there.entry, there.exit],
      )
      ofExits -= size * there.exit * FEE
      ofSizes += (size - there.size) * (there.side * (there.exit - there.entry) - FEE * there.entry)
    }
    const { size, entry } = published.open as NonNullable<typeof published.open>
    ofSizes += (strategy.left - size) * ((sample.candles.at(-1) as Candle).close - entry * (1 + FEE))
    const equity = Number(own.account.riskStatus.currentEquity) / 1e9
    expect([equity, ofExits, ofSizes].map((amount) => amount.toFixed(2))).toEqual([
      '56244.33',
      '-5316.77',
      '-7374.02',
    ])
    expect(equity - published.equity).toBeCloseTo(ofExits + ofSizes, 4)
  })
})

function googleDays(): BarFeed {
  const rows = readFileSync(new URL('google.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  const bars = emptyBars(rows.length)
  for (const [day, row] of rows.entries()) {
    const [close = '', open = ''] = row.split(',')
    bars.openTime[day] = Date.UTC(2004, 7, 19 + day)
    bars.close[day] = fp9(close)
    bars.open[day] = open === '' ? (bars.close[Math.max(0, day - 1)] as bigint) : fp9(open)
    const [one, other] = [bars.open[day] as bigint, bars.close[day] as bigint]
    bars.high[day] = one > other ? one : other
    bars.low[day] = one > other ? other : one
  }
  return barFeedOf('days of Google', 86_400_000, () => [bars])
}
