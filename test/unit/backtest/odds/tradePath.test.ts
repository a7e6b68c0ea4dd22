// Trades with the prices they saw: what a straight way comes to is what the result alone does, and what happened on the way counts.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lifeOf, type PathOutcome } from '../../../../src/backtest/evaluate/life.ts'
import { emptyBars } from '../../../../src/backtest/feed/columns.ts'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { heldDays } from '../../../../src/backtest/odds/heldDays.ts'
import type { OwnTrade } from '../../../../src/backtest/odds/ownTrade.ts'
import { replayOf } from '../../../../src/backtest/odds/replay.ts'
import { dayGains, tradeDays } from '../../../../src/backtest/odds/tradeDays.ts'
import { readTradeList } from '../../../../src/backtest/odds/tradeList.ts'
import { tradeOdds } from '../../../../src/backtest/odds/tradeOdds.ts'
import { type PricedAsset, tradePathsOf } from '../../../../src/backtest/odds/tradePath.ts'
import { accountOf } from '../../../../src/backtest/plan/options.ts'
import { type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const open = { maxDailyLoss: '100%', maxTotalLoss: '100%', profitTarget: '900%', minProfitableDays: 0 }

/** Bars of a minute, each as wide as its move, whose closes are told by the minute. */
function pricesOf(asset: string, days: number, closeAt: (minute: number) => number): PricedAsset {
  const bars = emptyBars(days * 1_440)
  for (let row = 0; row < bars.length; row++) {
    const [from, to] = [closeAt(row - 1), closeAt(row)].map((price) => fp9(price.toFixed(4))) as [
      bigint,
      bigint,
    ]
    bars.openTime[row] = row * MINUTE_MS
    bars.open[row] = from
    bars.close[row] = to
    bars.high[row] = from > to ? from : to
    bars.low[row] = from > to ? to : from
  }
  return { asset, feed: barFeedOf(asset, MINUTE_MS, () => [bars]) }
}

/** One coin of BTC, entered and left at the prices there were. */
function tradeOf(
  prices: (minute: number) => number,
  from: number,
  to: number,
  side: 'long' | 'short' = 'long',
  size = 1,
): OwnTrade {
  const [entryPrice, exitPrice] = [prices(from - 1), prices(to - 1)]
  return {
    openedAt: from * MINUTE_MS,
    closedAt: to * MINUTE_MS,
    pnl: (side === 'long' ? 1 : -1) * size * (exitPrice - entryPrice),
    worst: null,
    traded: { symbol: 'BTCUSDT', side, size, entryPrice, exitPrice },
  }
}

async function held(
  trades: readonly OwnTrade[],
  prices: readonly PricedAsset[],
  leverage: number | null = null,
) {
  const found = await tradePathsOf(trades, prices)
  const paths = found.map((own) => ('path' in own ? own.path : null))
  expect(paths.every((path) => path !== null)).toBe(true)
  return heldDays(trades, paths, 10_000, leverage)
}

const run = (days: Parameters<typeof replayOf>[0], rules = {}, scale = 1): Promise<BacktestResult> =>
  runBacktest(replayOf(days, scale, 10_000, accountOf({ ...open, ...rules })))
const lived = (days: Parameters<typeof replayOf>[0], rules: Record<string, string>): Promise<PathOutcome> =>
  lifeOf(
    (_, from) => replayOf(days, 1, 10_000, accountOf({ ...open, ...rules }), from),
    { name: 'rules', account: {} },
    days.length,
  )

test('prices that go straight from entry to exit come to what the results alone do, to the last unit', async () => {
  const move = fc.integer({ min: -300, max: 500 })
  let [moves, failures] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 4 }), async (amounts) => {
      const levels = [20_000]
      for (const amount of amounts) levels.push((levels.at(-1) as number) + amount)
      const at = (minute: number) => {
        const day = Math.floor(minute / 1_440)
        const level = levels[Math.max(0, day)] ?? (levels.at(-1) as number)
        const part = Math.min(1, Math.max(0, ((minute % 1_440) - 59) / 120))
        return minute < 0 ? level : level + (amounts[day] ?? 0) * part
      }
      const trades = amounts.map((_, day) => tradeOf(at, day * 1_440 + 60, day * 1_440 + 180))
      const priced = await held(trades, [pricesOf('BTC', amounts.length, at)])
      expect(priced.flat().some(({ held: own }) => (own?.at.length ?? 0) > 400)).toBe(true)
      const rules = { maxDailyLoss: '2.5%' }
      const [straight, alone] = [await run(priced, rules), await run(tradeDays(trades, 10_000), rules)]
      expect(straight.verdict.outcome).toBe(alone.verdict.outcome)
      moves += amounts.length
      failures += alone.verdict.outcome === 'failed' ? 1 : 0
      // Where a floor lies on the way, the account ends there and not at the exit.
      if (alone.verdict.outcome !== 'failed')
        expect(straight.account.riskStatus).toEqual(alone.account.riskStatus)
    }),
    { numRuns: 12, seed: 4 },
  )
  expect(moves).toBeGreaterThan(15)
  expect(failures).toBeGreaterThan(0)
})

describe('what happens on the way', () => {
  const dip = (depth: number) => (minute: number) =>
    20_000 + (minute >= 179 ? 100 : -depth * Math.max(0, 1 - Math.abs(minute - 120) / 50))
  const outcomeOf = async (depth: number, rules: Record<string, string> = { maxDailyLoss: '3%' }) =>
    (await lived(await held([tradeOf(dip(depth), 60, 181)], [pricesOf('BTC', 1, dip(depth))]), rules)).rule

  test('a dip beneath the daily floor fails, though the trade ends in profit', async () => {
    expect(await outcomeOf(299)).toBeNull()
    expect(await outcomeOf(301)).toBe('daily_loss')
    expect(await outcomeOf(301, { maxTotalLoss: '3%' })).toBe('total_loss')
  })

  test('a position with a margin of its own is liquidated there, and one without is not', async () => {
    const at = dip(1_200)
    const one = (leverage: number | null) =>
      held([tradeOf(at, 60, 181, 'long', 0.1)], [pricesOf('BTC', 1, at)], leverage).then((days) => run(days))
    expect(Number((await one(null)).account.riskStatus.currentEquity) / 1e9).toBeCloseTo(10_010, 6)
    // Twenty times: the margin is a twentieth of 2,000.
    const liquidated = Number((await one(20)).account.riskStatus.currentEquity) / 1e9
    expect(liquidated).toBeLessThan(9_915)
    expect(liquidated).toBeGreaterThanOrEqual(9_900)
    expect(Number((await one(10)).account.riskStatus.currentEquity) / 1e9).toBeCloseTo(10_010, 6)
  })

  test('trades that are open at once stay so: what they lose together fails', async () => {
    const at = dip(200)
    const trades = [tradeOf(at, 60, 181), tradeOf(at, 70, 182)]
    const days = await held(trades, [pricesOf('BTC', 1, at)])
    expect((await lived(days, { maxDailyLoss: '3%' })).rule).toBe('daily_loss')
    expect(
      (await lived(await held(trades.slice(0, 1), [pricesOf('BTC', 1, at)]), { maxDailyLoss: '3%' })).rule,
    ).toBeNull()
    expect((await lived(tradeDays(trades, 10_000), { maxDailyLoss: '3%' })).rule).toBeNull()
  })

  test('both sides of a market at once lose nothing by its moves', async () => {
    // Still at first: the profits of a position's first minute do not count in full.
    const at = (minute: number) => 20_000 + 600 * Math.sin(Math.max(0, minute - 65) / 20)
    const days = await held([tradeOf(at, 60, 700), tradeOf(at, 60, 700, 'short')], [pricesOf('BTC', 1, at)])
    const { rule, totalReturn } = await lived(days, { maxDailyLoss: '0.1%' })
    expect(rule).toBeNull()
    expect(totalReturn).toBeCloseTo(0, 8)
  })

  test('a trade of three days loses what each day lost on that day, and is held over midnight', async () => {
    const at = (minute: number) => 20_000 - (200 * Math.max(0, minute - 720)) / 1_440
    const trades = [tradeOf(at, 720, 720 + 2 * 1_440 + 400)]
    const days = await held(trades, [pricesOf('BTC', 4, at)])
    expect(dayGains(days).map((gain) => Math.round(gain * 1e4))).toEqual([-100, -200, -156])
    expect((await lived(days, { maxDailyLoss: '2.5%' })).rule).toBeNull()
    expect((await lived(days, { maxDailyLoss: '1.5%' })).rule).toBe('daily_loss')
    const whole = await run(days)
    expect(whole.fills).toBe(2)
    expect(Number(whole.account.riskStatus.currentEquity) / 1e9).toBeCloseTo(
      10_000 + (trades[0] as OwnTrade).pnl,
      5,
    )
    // A block that begins or ends within it has it from, or to, its midnight.
    const [first, second, third] = days as [never, never, never]
    expect((await run([second, third, second, first])).fills).toBe(6)
    expect((await run([second, second])).fills).toBe(4)
  })

  test('however trades overlap, the account earns what they did', async () => {
    const at = (minute: number) => 20_000 + 300 * Math.sin(minute / 400) + 50 * Math.sin(minute / 7)
    const prices = [pricesOf('BTC', 4, at)]
    const span = fc.record({
      from: fc.integer({ min: 1, max: 4_000 }),
      lasts: fc.integer({ min: 1, max: 1_700 }),
      side: fc.constantFrom('long' as const, 'short' as const),
    })
    let together = 0
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 2, maxLength: 6 }), async (spans) => {
        const trades = spans.map(({ from, lasts, side }) => tradeOf(at, from, from + lasts, side))
        const days = await held(trades, prices)
        const total = trades.reduce((sum, { pnl }) => sum + pnl, 0)
        expect(dayGains(days).reduce((sum, gain) => sum + gain * 10_000, 0)).toBeCloseTo(total, 6)
        const { account, fills } = await run(days)
        expect(Number(account.riskStatus.currentEquity) / 1e9).toBeCloseTo(10_000 + total, 4)
        expect(fills).toBe(2 * trades.length)
        together += Math.max(...days.flat().map((trade) => trade.held?.lane ?? 0))
      }),
      { numRuns: 12, seed: 7 },
    )
    expect(together).toBeGreaterThan(6)
  })
})

describe('prices and trades', () => {
  const at = (minute: number) => 20_000 + minute
  const prices = [pricesOf('BTC', 2, at)]

  test('that do not fit together are told and counted', async () => {
    const good = tradeOf(at, 60, 120)
    const trades: OwnTrade[] = [
      good,
      { ...good, traded: {} },
      { ...good, traded: { ...good.traded, symbol: 'ETHUSDT' } },
      { ...good, openedAt: -2 * HOUR_MS },
      { ...good, closedAt: 3 * DAY_MS },
      { ...good, openedAt: good.closedAt + 10 * HOUR_MS, closedAt: good.closedAt + 11 * HOUR_MS },
    ]
    const rules = [{ name: 'rules', account: {} }]
    const given = { trades, tradedBalance: 10_000, prices, rules, paths: 2, days: 3, workers: 1 }
    const { priced } = await tradeOdds(given)
    expect(priced).toEqual({
      ...{ withPath: 1, unsaid: 1, otherSymbol: 1, outside: 2, elsewhere: 1 },
      first: {
        unsaid: good.closedAt,
        otherSymbol: good.closedAt,
        outside: good.closedAt,
        elsewhere: good.closedAt + 11 * HOUR_MS,
      },
    })
    await expect(tradeOdds({ ...given, leverage: 101 })).rejects.toThrow(/between 1 and 100/)
  })

  test('a trade that names no symbol is of the one that has prices, and of none where several have', async () => {
    const { symbol: _, ...traded } = tradeOf(at, 60, 120).traded ?? {}
    const unnamed = [{ ...tradeOf(at, 60, 120), traded }]
    const named = await tradePathsOf([tradeOf(at, 60, 120)], prices)
    expect(named).toEqual([{ path: expect.anything() }])
    expect(await tradePathsOf(unnamed, prices)).toEqual(named)
    const others = [...prices, pricesOf('ETH', 2, at)]
    expect(await tradePathsOf(unnamed, others)).toEqual([{ without: 'unsaid' }])
  })

  test('lots are worth what the gross profits say', async () => {
    // A lot of ten, and four of costs: the path is ten coins' less the costs.
    const text =
      'Symbol,Type,Volume,Open time,Open price,Close time,Close price,Commission,Profit\n' +
      'BTCUSD,buy,0.1,1970-01-01 01:00,20059,1970-01-01 02:00,20119,-4,60\n' +
      'BTCUSD,sell,0.2,1970-01-01 03:00,20179,1970-01-01 04:00,20179,-4,0\n'
    const trades = readTradeList(text, 'lots')
    expect(trades.map(({ pnl }) => pnl)).toEqual([56, -4])
    const hill = (minute: number) => (minute < 179 ? 20_000 + minute : 20_209 - Math.abs(209 - minute))
    const [first, second] = await tradePathsOf(trades, [pricesOf('BTC', 1, hill)])
    if (!(first && second && 'path' in first && 'path' in second)) throw new Error('no path')
    // Of the minute from 1:30 on the close is 31 above the entry.
    const gainAt = ({ path }: typeof first, minute: number) =>
      path.gain[path.at.indexOf(minute * MINUTE_MS + 59_999)]
    expect(gainAt(first, 90)).toBeCloseTo(31 - 4, 9)
    expect(first.path.notional).toBeCloseTo(20_059, 6)
    // What moved nothing tells nothing: the other trades of the symbol do.
    expect(gainAt(second, 209)).toBeCloseTo(-2 * 30 - 4, 9)
  })
})

test('a trade opens and closes on its own days, and between them is open from midnight to midnight', async () => {
  const flat = () => 50_000
  const days = await held([tradeOf(flat, 2_000, 5_000)], [pricesOf('BTC', 5, flat)])
  expect(days.map((parts) => parts.map(({ opens, closes }) => [opens, closes]))).toEqual([
    [[2_000 * MINUTE_MS - DAY_MS, DAY_MS - 1]],
    [[0, DAY_MS - 1]],
    [[0, 5_000 * MINUTE_MS - 3 * DAY_MS]],
  ])
})

test('where a list does not say the side, it is the one whose move has the sign of the profit; without a move there is none', async () => {
  const prices = (minute: number) => 50_000 + 10 * minute
  const asset = pricesOf('BTC', 2, prices)
  for (const side of ['long', 'short'] as const) {
    const trade = tradeOf(prices, 100, 200, side)
    const { side: _, ...traded } = trade.traded as NonNullable<OwnTrade['traded']>
    const [said, found] = await tradePathsOf([trade, { ...trade, traded }], [asset])
    expect(said).toHaveProperty('path.side', side)
    expect(found).toEqual(said)
    const still = { ...trade, pnl: 0, traded: { ...traded, exitPrice: traded.entryPrice ?? 0 } }
    expect((await tradePathsOf([still], [asset]))[0]).not.toHaveProperty('path.side')
  }
})
