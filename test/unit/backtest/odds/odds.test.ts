// The odds of a trader's own trades: replayed through the rules, they come to what theory says where theory says something.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lifeOf } from '../../../../src/backtest/evaluate/life.ts'
import type { TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { attemptOdds } from '../../../../src/backtest/odds/attempts.ts'
import type { OwnTrade } from '../../../../src/backtest/odds/ownTrade.ts'
import { replayOf } from '../../../../src/backtest/odds/replay.ts'
import { type DayTrade, tradeDays } from '../../../../src/backtest/odds/tradeDays.ts'
import { readTradeList } from '../../../../src/backtest/odds/tradeList.ts'
import { tradeOdds } from '../../../../src/backtest/odds/tradeOdds.ts'
import { drawnDays } from '../../../../src/backtest/odds/tradePaths.ts'
import { accountOf } from '../../../../src/backtest/plan/options.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { stationaryBlockLength } from '../../../../src/backtest/statistics/blockLength.ts'

const DAY_MS = 86_400_000
const open = { maxDailyLoss: '100%', maxTotalLoss: '100%', profitTarget: '900%', minProfitableDays: 0 }
const trade = (day: number, pnl: number, worst: number | null = null): OwnTrade => ({
  openedAt: day * DAY_MS + 3_600_000,
  closedAt: day * DAY_MS + 7_200_000,
  pnl,
  worst,
})

describe('a replay', () => {
  test('earns what the trades did, whatever they were', async () => {
    const amount = fc.integer({ min: -2_000, max: 4_000 })
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 6 }), async (amounts) => {
        const days = tradeDays(
          amounts.map((pnl, day) => trade(day, pnl)),
          100_000,
        )
        const { account, fills } = await runBacktest(replayOf(days, 2, 10_000, accountOf(open)))
        const total = amounts.reduce((sum, pnl) => sum + pnl, 0) / 5
        expect(Number(account.riskStatus.currentEquity) / 1e9 - 10_000).toBeCloseTo(total, 5)
        expect(fills).toBe(2 * amounts.length)
      }),
      { numRuns: 15 },
    )
  })

  test('has its prices in their order, and the worst of a trade half-way through it', async () => {
    const days = tradeDays([trade(0, 100, -50), trade(1, -20, -80), trade(2, 30)], 10_000)
    const times: number[] = []
    const { feed } = replayOf(days, 1, 10_000, accountOf(open)).markets[0] as { feed: unknown }
    for await (const { time, length } of feed as TickFeed) times.push(...time.subarray(0, length))
    const start = times[0] as number
    expect(start % DAY_MS).toBe(0)
    const hours = times.map((time) => (time - start) / 3_600_000)
    expect(hours).toEqual([0, 1, 1.5, 2, 24, 25, 25.5, 26, 48, 49, 50, 72])
  })

  test('fails by the deepest loss of a trade that ended well', async () => {
    const rules = accountOf({ ...open, maxDailyLoss: '3%' })
    const outcome = async (worst: number) =>
      (
        await lifeOf(
          () => replayOf(tradeDays([trade(0, 100, worst)], 10_000), 1, 10_000, rules),
          { name: 'rules', account: {} },
          1,
        )
      ).rule
    expect(await outcome(-299)).toBeNull()
    expect(await outcome(-301)).toBe('daily_loss')
  })

  test('days keep their trades and idleness; what overlaps is played one after the other', () => {
    const hours = (opened: number, closed: number) => ({
      openedAt: opened * 3_600_000,
      closedAt: closed * 3_600_000,
      pnl: 1,
      worst: null,
    })
    const days = tradeDays([hours(1, 5), hours(3, 6), hours(20, 60)], 100)
    expect(days.map((day) => day.length)).toEqual([2, 0, 1])
    const [first, second] = days[0] as [DayTrade, DayTrade]
    expect(second.opens).toBeGreaterThan(first.closes)
    expect(days[2]?.[0]).toMatchObject({ opens: 0, closes: 12 * 3_600_000, gain: 0.01 })
  })
})

test('without drift, costs and daily limits the probability of passing is D/(P + D)', async () => {
  // A fair coin of 1% a day that stops at +P or −D. The limits lie between two steps, so that D is the step beyond.
  const trades = [1, -1].map((sign, day) => trade(day, 100 * sign))
  const cases = [
    { target: 3, loss: 3 },
    { target: 4, loss: 2 },
  ]
  const rules = cases.map(({ target, loss }) => ({
    name: `${target} to ${loss}`,
    account: { ...open, profitTarget: `${target - 0.5}%`, maxTotalLoss: `${loss - 0.5}%` },
  }))
  const paths = 300
  const given = { trades, tradedBalance: 10_000, rules, paths, days: 90, meanBlock: 1, seed: 'ruin' }
  const { odds } = await tradeOdds({ ...given, workers: 1 })
  for (const [index, { target, loss }] of cases.entries()) {
    const { passed, undecided } = odds[index] as (typeof odds)[number]
    const expected = loss / (target + loss)
    expect(undecided.share).toBeLessThan(0.02)
    // Four standard deviations of the share, and those that are undecided.
    const bound = 4 * Math.sqrt((expected * (1 - expected)) / paths) + undecided.share
    expect(Math.abs(passed.share - expected)).toBeLessThan(bound)
  }
})

test('the same paths under all rules and risks: looser rules and smaller risks never fail more', async () => {
  const trades = [150, -100, 80, -220, 60, 130, -90].map((pnl, day) => trade(day, pnl))
  const rules = ['4%', '8%'].map((maxTotalLoss) => ({
    name: maxTotalLoss,
    account: { ...open, maxTotalLoss, profitTarget: '50%' },
  }))
  const given = { trades, tradedBalance: 10_000, rules, scales: [0.5, 1, 2], paths: 24, days: 20, workers: 1 }
  const told: number[] = []
  const onProgress = ({ done, total }: { done: number; total: number }) => told.push(done, total)
  const { odds } = await tradeOdds({ ...given, onProgress })
  // Every path, under each of two rules at each of three scales.
  expect([...told.slice(0, 2), ...told.slice(-2)]).toEqual([told[0], 144, 144, 144])
  expect(144 % (told[0] as number)).toBe(0)
  const failures = odds.map(({ failed }) => failed.count)
  expect(failures.slice(0, 3)).toEqual([...failures.slice(0, 3)].sort((a, b) => a - b))
  for (const scale of [0, 1, 2]) expect(failures[scale + 3]).toBeLessThanOrEqual(failures[scale] as number)
  expect(new Set(failures).size).toBeGreaterThan(2)
})

test('days are drawn in blocks of the mean length asked for', () => {
  const days = Array.from({ length: 50 }, (_, gain) => [{ opens: 0, closes: 2, gain, worst: 0 }])
  const drawn = drawnDays({ days, horizon: 4_000, meanBlock: 8, seed: 'blocks' }, 0).map(
    ([trade]) => trade?.gain as number,
  )
  const broken = drawn.slice(1).filter((day, at) => day !== ((drawn[at] as number) + 1) % 50).length
  expect(4_000 / (broken + 1)).toBeGreaterThan(7)
  expect(4_000 / (broken + 1)).toBeLessThan(9.5)
})

describe('attempts', () => {
  test('come to what trying one after the other comes to', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (pass, attempts) => {
          let [left, funded, fees] = [1, 0, 0]
          for (let attempt = 0; attempt < attempts; attempt++) {
            fees += left * 500
            funded += left * pass
            left *= 1 - pass
          }
          const odds = attemptOdds(pass, { fee: 500, attempts, payout: 4_000 })
          expect(odds.funded).toBeCloseTo(funded, 9)
          expect(odds.fees).toBeCloseTo(fees, 4)
          expect(odds.result).toBeCloseTo(4_000 * funded - fees, 4)
        },
      ),
    )
  })
})

describe('the length of blocks', () => {
  const series = (size: number, memory: number) => {
    const random = new Random(`series ${memory}`)
    let value = 0
    return Array.from({ length: size }, () => {
      value = memory * value + normal(random)
      return value
    })
  }

  test('of noise is short, and grows with memory as theory has it', () => {
    expect(stationaryBlockLength(series(2_000, 0))).toBeLessThan(6)
    // AR(1): G = 2ρ/(1−ρ)²·σ²/(1−ρ²)…, so that b = (2ρ/(1−ρ²))^⅔·n^⅓ for the stationary bootstrap.
    const expected = (2 * (0.7 / (1 - 0.49))) ** (2 / 3) * 2_000 ** (1 / 3)
    const found = stationaryBlockLength(series(2_000, 0.7))
    expect(found / expected).toBeGreaterThan(0.6)
    expect(found / expected).toBeLessThan(1.6)
  })

  test('of a wave longer than the square root of the series is within its bounds', () => {
    for (const [size, period] of [
      [100, 26],
      [225, 40],
      [400, 60],
    ] as const) {
      const wave = Array.from({ length: size }, (_, at) => Math.sin((2 * Math.PI * at) / period))
      expect(stationaryBlockLength(wave)).toBeGreaterThan(1)
      expect(stationaryBlockLength(wave)).toBeLessThanOrEqual(
        Math.ceil(Math.min(3 * Math.sqrt(size), size / 3)),
      )
    }
  })

  test('is 1 for a few values and equal ones, and within its bounds', () => {
    expect(stationaryBlockLength([1, 2, 3])).toBe(1)
    expect(stationaryBlockLength(new Array(40).fill(2))).toBe(1)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 10, maxLength: 60 }), (values) => {
        const length = stationaryBlockLength(values)
        expect(length).toBeGreaterThanOrEqual(1)
        expect(length).toBeLessThanOrEqual(Math.ceil(values.length / 3))
      }),
    )
  })
})

describe('a table of trades', () => {
  test.each([
    [
      'trades.csv of a run',
      'openedAt,closedAt,fees,pnl\n2025-05-04T01:00:00.000Z,2025-05-04T02:00:00.000Z,3,-12.5\n',
      -12.5,
      3_600_000,
    ],
    [
      'semicolons, decimal commas, costs apart',
      'Open time;Close time;Commission;Swap;Profit\n2025.05.04 01:00;2025.05.04 02:00;-2;-0,5;1.020,25\n',
      1_017.75,
      3_600_000,
    ],
    [
      'currency and thousands',
      'Date(UTC)\tRealized Profit\n2025-05-04 02:00:00\t"$1,234.50"\n',
      1234.5,
      null,
    ],
    ['every cell quoted', '"closed","profit"\n"2025-05-04 02:00:00","12.5"\n', 12.5, null],
    ['every cell quoted, semicolons', '"closed";"profit"\n"04.05.2025 02:00";"12,5"\n', 12.5, null],
    ['a comma within quotes', 'Close date,Profit\n"May 4, 2025 2:00 AM",12.5\n', 12.5, null],
    ['a named month', 'opened,closed,pnl\n3 May 2025 23:00,04-May-2025 02:00:00,7\n', 7, 10_800_000],
    ['accounting', 'exit_time,net_profit,MAE\n1746324000,(20.00),35\n', -20, null],
  ])('%s', (name, text, pnl, lasted) => {
    const [read] = readTradeList(text, 'x.csv') as [OwnTrade]
    expect(read.pnl).toBe(pnl)
    expect(read.closedAt).toBe(Date.UTC(2025, 4, 4, 2))
    expect(read.openedAt === null ? null : read.closedAt - read.openedAt).toBe(lasted)
    if (name === 'accounting') expect(read.worst).toBe(-35)
  })

  test('costs beside a gross profit are taken from it', () => {
    const text = 'Open time;Close time;Commission;Swap;Profit\n2025.05.04 01:00;2025.05.04 02:00;-2;-0.5;20\n'
    expect(readTradeList(text, 'x.csv')[0]?.pnl).toBe(17.5)
  })

  test.each([
    ['time,size\n2025-05-04,1\n', /x\.csv:1: no column for the profit/],
    ['pnl\n5\n', /no column for the time of closing/],
    ['date,pnl\n2025-05-04,"-0,5"\n2025-05-04,1.25\n', /x\.csv:2: -0,5 is no amount/],
    ['date,pnl\n05/04/2025,5\n', /x\.csv:2: 05\/04\/2025 may begin with its day or its month/],
    ['date,pnl\nsoon,5\n', /x\.csv:2: soon is no time/],
    ['date,pnl\n', /has no trade/],
    ['opened,closed,pnl\n2025-05-04 12:00,2025-05-04 11:59,5\n', /x\.csv:2: the trade was closed before/],
    ['date,pnl\nSmarch 4 2025,5\n', /x\.csv:2: Smarch 4 2025 is no time/],
    ['Zeit;Gewinn\n04.05.2025 10:00;12,5\n', /among Zeit, Gewinn$/],
    ['[{"date": "2025-05-04", "pnl": 5}]', /it looks like JSON; give CSV with a header/],
    ['"date","pnl"\n"2025-05-04"x,"5"\n', /no table of delimited text \(/],
  ])('%j is refused', (text, message) => expect(() => readTradeList(text, 'x.csv')).toThrow(message))
})
