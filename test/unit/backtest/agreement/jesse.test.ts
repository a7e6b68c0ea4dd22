// jesse's regression example: first under its fills, to the figures that it publishes, then here, every difference accounted for.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { emptyBars } from '../../../../src/backtest/feed/columns.ts'
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { toNumber, toPrice } from '../../../../src/backtest/numbers/toNumber.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { runAlike } from './alike.ts'
import {
  type Decide,
  type ExampleTrade,
  exampleMinutes,
  exampleRun,
  exampleStrategy,
  exampleUnits,
  FIRST_MINUTE,
  TERMS,
  WARM_UP,
} from './jesseExample.ts'
import type { Candle } from './otherEngines.ts'

describe("jesse's own example", () => {
  const minutes = exampleMinutes()
  const decide = exampleStrategy(minutes)
  const published = exampleRun(minutes, decide)

  test('comes to the figures it publishes, and to the hash of every trade', () => {
    const { trades, balance } = published
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0).toFixed(6)
    const pnls = trades.map(({ pnl }) => pnl)
    expect(trades.length).toBe(69)
    expect(pnls.filter((pnl) => pnl > 0).length).toBe(36)
    expect(trades.filter(({ side }) => side === 1).length).toBe(32)
    expect(balance.toFixed(6)).toBe('8828.765864')
    expect(sum(trades.map(({ fees }) => fees))).toBe('2344.801137')
    expect(sum(pnls.filter((pnl) => pnl > 0))).toBe('11184.834972')
    expect(sum(pnls.filter((pnl) => pnl < 0))).toBe('-12356.069108')
    expect(hashOf(trades)).toBe('048ce3b5dc049429')
  })

  test('has the same trades here, and what levels are filled at and the sizes after it are all of the difference', async () => {
    const strategy = new Example(decide)
    const own = await runAlike(tradedMinutes(minutes), strategy, TERMS)
    expect(strategy.refused).toEqual([])
    expect(own.trades.length).toBe(published.trades.length)
    let [beyondStops, beyondTargets, ofSizes] = [0, 0, 0]
    for (const [index, trade] of own.trades.entries()) {
      const there = published.trades[index] as ExampleTrade
      const size = Number(trade.size) / 1e9
      const { high, low } = minutes[WARM_UP + there.closed] as Candle
      // The open is on the other side of the level in every minute here, so the extreme is the first price that has reached it.
      const filled = there.isStop === (there.side === 1) ? low : high
      const begin = FIRST_MINUTE + WARM_UP * 60_000
      expect([trade.side, minuteOf(trade.openedAt, begin), minuteOf(trade.closedAt, begin)]).toEqual([
        there.side === 1 ? 'long' : 'short',
        there.opened,
        there.closed,
      ])
      expect(toNumber(trade.entryPrice)).toBeCloseTo(there.entry, 8)
      expect(toNumber(trade.exitPrice)).toBeCloseTo(filled, 8)
      const beyond = size * (filled - there.exit) * (there.side - TERMS.fee)
      const bySize = (size - there.size) * (there.pnl / there.size)
      expect(Number(trade.pnl) / 1e9 - there.pnl).toBeCloseTo(beyond + bySize, 6)
      if (there.isStop) beyondStops += beyond
      else beyondTargets += beyond
      ofSizes += bySize
    }
    const balance = Number(own.account.riskStatus.currentEquity) / 1e9
    expect(balance - published.balance).toBeCloseTo(beyondStops + beyondTargets + ofSizes, 5)
    expect([balance, beyondStops, beyondTargets, ofSizes].map((amount) => amount.toFixed(2))).toEqual([
      '8874.97',
      '-257.39',
      '334.67',
      '-31.08',
    ])
  })
})

const minuteOf = (time: number, begin: number) => Math.floor((time - begin) / 60_000)

/** As there: the first digits of the SHA-256 of every trade, six decimals each. Fills are told at the end of their minute. */
function hashOf(trades: readonly ExampleTrade[]): string {
  const hash = createHash('sha256')
  const endOf = (minute: number) => FIRST_MINUTE + (WARM_UP + minute + 1) * 60_000
  for (const { side, entry, exit, size, fees, pnl, opened, closed } of trades) {
    const numbers = {
      entry_price: entry,
      exit_price: exit,
      qty: size,
      fee: fees,
      PNL: pnl,
      opened_at: endOf(opened),
      closed_at: endOf(closed),
      holding_period: (closed - opened) * 60,
    }
    hash.update(`symbol=BTC-USDT;type=${side === 1 ? 'long' : 'short'};`)
    for (const [name, value] of Object.entries(numbers)) hash.update(`${name}=${value.toFixed(6)};`)
    hash.update('orders=2;')
  }
  return hash.digest('hex').slice(0, 16)
}

/** The same decisions, sizes of the equity that is here. */
class Example implements Strategy {
  readonly name = "jesse's example"
  readonly refused: string[] = []
  readonly #decide: Decide
  #minute = WARM_UP - 1

  constructor(decide: Decide) {
    this.#decide = decide
  }

  async onBar({ close }: Bar, context: StrategyContext): Promise<void> {
    this.#minute += 1
    if ((this.#minute + 1) % 60 !== 0 || context.positions('X').length > 0) return
    const decision = this.#decide(this.#minute)
    if (decision === null) return
    const { side, away } = decision
    const price = toNumber(close)
    const outcome = await context.open({
      asset: 'X',
      direction: side === 1 ? 'long' : 'short',
      sizeBy: { base: String(exampleUnits(Number(context.equity()) / 1e9, price)) },
      leverage: String(TERMS.leverage),
      stopLoss: toPrice(price - side * away),
      takeProfit: toPrice(price + side * away),
    })
    if (!outcome.ok) this.refused.push(outcome.error.code)
  }
}

function tradedMinutes(minutes: readonly Candle[]): BarFeed {
  const traded = minutes.slice(WARM_UP)
  const bars = emptyBars(traded.length)
  for (const [row, { open, high, low, close }] of traded.entries()) {
    bars.openTime[row] = FIRST_MINUTE + (WARM_UP + row) * 60_000
    bars.open[row] = toPrice(open)
    bars.high[row] = toPrice(high)
    bars.low[row] = toPrice(low)
    bars.close[row] = toPrice(close)
  }
  return barFeedOf("the example's minutes", 60_000, () => [bars])
}
