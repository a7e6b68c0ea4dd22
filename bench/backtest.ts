/**
 * How fast backtests are. What is compared takes turns in one process, on the same bars; the best of several rounds
 * counts, because whatever else runs on the machine can only slow a round down. Processor time includes that of the
 * compiler's and the garbage collector's threads.
 *
 *   npx tsx bench/backtest.ts [bars] [fills] [ticks] [cache] [sweep] [walk] [evaluate] [trades]
 *
 * - bars: one-minute bars per second with an EMA cross, four prices inside each bar, margin, fees, spread, funding,
 *   liquidation and drawdown included; beside the same bars without a strategy, and beside the npm package grademark (EMA
 *   cross without any of these, its averages computed beforehand), where it can be found: GRADEMARK=<folder with
 *   node_modules/grademark, data-forge and chai>.
 * - fills: the same bars with a fill every five of them, half of which open and half of which close.
 * - ticks: a week of gold quotes, reading included and one position held (MARGIN_CORE_DATA, default ../shared/data).
 * - cache: a year of one-minute bars as gzipped text, opened and read to its end: as text, and as columns that are kept.
 * - sweep: 200 runs over a year of one-minute bars, on one thread and on two.
 * - walk: a walk forward of 12 folds over a year of one-minute bars, each training three times as long as its test, on two threads; 200 sets
 *   (WALK_SETS).
 * - evaluate: 2,000 paths (EVALUATE_PATHS) of 30 days of one-minute bars, on two threads.
 * - trades: 2,000 paths (EVALUATE_PATHS) of 60 days at three risks, drawn from trades that were made on a month of recorded minutes (as `ticks`) and
 *   are played with their paths, on two threads: those of one market, which follow each other, and those of two, which overlap.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { EMA } from 'trading-signals'
import { writeCsv } from '../src/backtest/archives/convert.ts'
import { openCachedFeed } from '../src/backtest/feed/cache/cachedFeed.ts'
import type { BarColumns } from '../src/backtest/feed/columns.ts'
import { barFeedOf, type Feed } from '../src/backtest/feed/feed.ts'
import {
  demoFeed,
  emaCross,
  evaluate,
  type OwnTrade,
  openFeed,
  type RunPlan,
  runBacktest,
  runSweep,
  type Strategy,
  toNumber,
  tradeOdds,
  walkForward,
} from '../src/backtest/index.ts'
import { jumpDiffusion } from '../src/backtest/simulated/jumpDiffusion.ts'
import { simulateBars } from '../src/backtest/simulated/simulatedBars.ts'
import { fp9, ONE } from '../src/index.ts'

const MINUTE_MS = 60_000
const BARS = 500_000
const ROUNDS = 5
const BARS_PER_FILL = 5
const SWEEP_DAYS = 365
const THREADS = 2
/** Averages of the crosses: one that turns every few hours, one that turns every few days. */
const CROSSES = [
  [200, 500],
  [1_000, 5_000],
] as const
/** The floors are off, so that a run trades to its end. */
const UNLIMITED = { maxDailyLoss: ONE, maxTotalLoss: ONE }

const bars: BarColumns[] = []

function simulated(): BarColumns[] {
  if (bars.length === 0)
    bars.push(
      ...simulateBars({
        seed: 'bench',
        startTime: Date.UTC(2025, 0, 1),
        intervalMs: MINUTE_MS,
        length: BARS,
        startPrice: fp9('50000'),
        tickSize: fp9('0.1'),
        model: jumpDiffusion({
          drift: 0.2,
          volatility: 0.6,
          jumpsPerYear: 50,
          jumpMean: -0.005,
          jumpDeviation: 0.01,
        }),
      }),
    )
  return bars
}

/** Seconds of processor time; what other programs do does not count. */
async function processorSeconds(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return (performance.now() - before) / 1_000
}

async function benchBars(): Promise<void> {
  for (const [fast, slow] of CROSSES) await benchCross(fast, slow)
}

async function benchCross(fast: number, slow: number): Promise<void> {
  const feed = barFeedOf('bench', MINUTE_MS, simulated)
  const run = () =>
    runBacktest({
      markets: [{ asset: 'BTC', feed }],
      strategy: emaCross({ asset: 'BTC', fast, slow, margin: '1%' }),
      account: UNLIMITED,
    })
  const rival = await grademark(fast, slow)
  const idle = () => runBacktest({ markets: [{ asset: 'BTC', feed }], strategy: { name: 'does nothing' } })
  const [own, floor, other] = await bestRates([run, idle, ...(rival === null ? [] : [rival])])
  const { fills } = await run()
  print(
    'bars',
    `EMA ${fast}/${slow}: ${thousands(own as number)} bars/s, ${fills} fills in ${BARS.toLocaleString('en-US')} bars`,
  )
  print('bars', `without a strategy ${beside(own as number, floor as number)}`)
  if (other === undefined) print('bars', 'grademark not found; GRADEMARK=<folder> compares with it')
  else print('bars', `grademark ${beside(own as number, other)}`)
}

async function benchFills(): Promise<void> {
  const feed = barFeedOf('bench', MINUTE_MS, simulated)
  const run = () =>
    runBacktest({ markets: [{ asset: 'BTC', feed }], strategy: everyFewBars(), account: UNLIMITED })
  const [own] = await bestRates([run])
  const { fills } = await run()
  print(
    'fills',
    `a fill every ${BARS_PER_FILL} bars: ${thousands(own as number)} bars/s, ${thousands((own as number) / BARS_PER_FILL)} fills/s, ${fills} fills in ${BARS.toLocaleString('en-US')} bars`,
  )
}

/** Opens, and a few bars later closes. */
function everyFewBars(): Strategy {
  let bars = 0
  return {
    name: `a fill every ${BARS_PER_FILL} bars`,
    async onBar({ asset }, context) {
      bars += 1
      if (bars % BARS_PER_FILL !== 0) return
      const [position] = context.positions(asset)
      if (position !== undefined) await context.close({ position })
      else await context.open({ asset, direction: 'long', sizeBy: { notional: '10' }, leverage: '5' })
    },
  }
}

/** Buys ahead of the first quote and keeps it. It asks for no ticks, so that they are taken in strides. */
function holding(asset: string): Strategy {
  return {
    name: 'holds',
    async onStart(context) {
      await context.open({ asset, direction: 'long', sizeBy: { margin: '10%' }, leverage: '1' })
    },
    onEnd(context) {
      if (context.positions(asset).length !== 1) throw new Error('nothing is held')
    },
  }
}

/** The best rate of each over all rounds, in bars per second. The round before them, which is compiled in, is not counted. */
async function bestRates(works: readonly (() => Promise<unknown> | unknown)[]): Promise<number[]> {
  const best = works.map(() => 0)
  for (const work of works) await work()
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, work] of works.entries())
      best[index] = Math.max(best[index] as number, BARS / (await processorSeconds(work)))
  return best
}

function beside(own: number, other: number): string {
  return `${thousands(other)} bars/s; ratio ${(own / other).toFixed(2)}`
}

/** The averages of every bar are given to it, so that it only has to enter and exit. */
async function grademark(fastBars: number, slowBars: number): Promise<(() => void) | null> {
  const folder = process.env.GRADEMARK
  if (folder === undefined || !existsSync(path.join(folder, 'node_modules/grademark'))) return null
  const require = createRequire(pathToFileURL(path.join(folder, 'bench.js')))
  const { backtest } = require('grademark')
  const { DataFrame } = require('data-forge')
  const [fast, slow] = [new EMA(fastBars), new EMA(slowBars)]
  const rows = simulated().flatMap((chunk) =>
    Array.from({ length: chunk.length }, (_, row) => {
      const close = toNumber(chunk.close[row] as bigint)
      return {
        time: new Date(chunk.openTime[row] as number),
        open: toNumber(chunk.open[row] as bigint),
        high: toNumber(chunk.high[row] as bigint),
        low: toNumber(chunk.low[row] as bigint),
        close,
        volume: 1,
        fast: fast.update(close, false),
        slow: slow.update(close, false),
      }
    }),
  )
  const series = new DataFrame(rows).setIndex('time').bake()
  interface Row {
    readonly bar: { readonly fast: number; readonly slow: number }
  }
  const strategy = {
    entryRule: (enter: (options: object) => void, { bar }: Row) =>
      enter({ direction: bar.fast > bar.slow ? 'long' : 'short' }),
    exitRule: (exit: () => void, { bar, position }: Row & { position: { direction: string } }) => {
      if (bar.fast > bar.slow !== (position.direction === 'long')) exit()
    },
  }
  return () => backtest(strategy, series)
}

async function benchTicks(): Promise<void> {
  const folder = path.join(process.env.MARGIN_CORE_DATA ?? '../shared/data', 'lean/cfd/oanda/tick/xauusd')
  if (!existsSync(folder)) return print('ticks', `${folder} is not there; skipped`)
  const times: number[] = []
  let rows = 0
  for (let round = 0; round < ROUNDS; round++)
    times.push(
      await seconds(async () => {
        const feed = await openFeed({ path: folder })
        const parameters = { indexPrice: fp9('1291') }
        const gold = { asset: 'XAU', feed, parameters }
        rows = (await runBacktest({ markets: [gold], strategy: holding('XAU') })).rows
      }),
    )
  print(
    'ticks',
    `${rows.toLocaleString('en-US')} quotes in ${Math.min(...times).toFixed(2)} s, reading included`,
  )
}

async function benchCache(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-bench-'))
  try {
    const file = path.join(folder, 'year.csv.gz')
    const rows = await writeCsv(demoFeed('bench', SWEEP_DAYS), file)
    const ways = {
      'as text': () => openFeed({ path: file }),
      'as columns': () => openCachedFeed({ path: file }, path.join(folder, 'cache')),
    }
    for (const [name, open] of Object.entries(ways)) {
      const [opened, read]: [number[], number[]] = [[], []]
      // The first round of the columns makes them.
      for (let round = 0; round <= ROUNDS; round++) {
        const feeds: Feed[] = []
        opened.push(
          await seconds(async () => {
            feeds.push(await open())
          }),
        )
        read.push(
          await seconds(async () => {
            for (const feed of feeds) for await (const _ of feed);
          }),
        )
      }
      const ms = (times: readonly number[]) => `${(1_000 * Math.min(...times.slice(1))).toFixed(1)} ms`
      print(
        'cache',
        `${rows.toLocaleString('en-US')} bars ${name}: opened in ${ms(opened)}, read in ${ms(read)} (first: ${(1_000 * ((opened[0] as number) + (read[0] as number))).toFixed(0)} ms)`,
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function benchSweep(): Promise<void> {
  const plan: RunPlan = {
    markets: [{ asset: 'BTC', days: SWEEP_DAYS }],
    strategy: 'ema-cross',
    account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
  }
  const values = (count: number, first: number, step: number) =>
    Array.from({ length: count }, (_, index) => first + step * index)
  const vary = { fast: values(20, 50, 10), slow: values(10, 400, 50) }
  const one = await seconds(() => runSweep({ plan, vary, workers: 1 }))
  const two = await seconds(() => runSweep({ plan, vary, workers: THREADS }))
  const bars = (SWEEP_DAYS * 1_440).toLocaleString('en-US')
  print(
    'sweep',
    `200 runs of ${bars} bars: ${one.toFixed(1)} s on one thread, ${two.toFixed(1)} s on two; ratio ${(one / two).toFixed(2)}`,
  )
}

async function benchWalk(): Promise<void> {
  const sets = Number(process.env.WALK_SETS ?? 200)
  const plan: RunPlan = {
    markets: [{ asset: 'BTC', days: SWEEP_DAYS }],
    strategy: 'ema-cross',
    account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
    afterVerdict: 'go-on',
  }
  const vary = {
    fast: [50, 100, 150, 200],
    slow: Array.from({ length: Math.ceil(sets / 4) }, (_, index) => 400 + 50 * index),
  }
  let processor = 0
  const time = await seconds(async () => {
    processor = await processorSeconds(() =>
      walkForward({ plan, vary, folds: 12, by: 'totalReturn', workers: THREADS }),
    )
  })
  const bars = 12 * sets * Math.floor(SWEEP_DAYS / 15) * 3 * 1_440
  print(
    'walk',
    `12 folds of ${sets} sets: ${time.toFixed(1)} s on two threads, ${processor.toFixed(1)} s of processor time, ${thousands(bars / processor)} bars of trainings a second of it`,
  )
}

async function benchEvaluate(): Promise<void> {
  const plan: RunPlan = {
    markets: [{ asset: 'BTC' }],
    strategy: 'ema-cross',
    parameters: { fast: 200, slow: 500 },
  }
  const data = path.join(
    process.env.MARGIN_CORE_DATA ?? '../shared/data',
    'crypto-perp-binance-usdm-2025/csv/BTC_USDT_USDT-1m-futures.csv.gz',
  )
  const resampled = existsSync(data)
  const paths = Number(process.env.EVALUATE_PATHS ?? 2_000)
  const evaluated = resampled ? { ...plan, markets: [{ asset: 'BTC', data }] } : plan
  let processor = 0
  const time = await seconds(async () => {
    processor = await processorSeconds(() => evaluate({ plan: evaluated, paths, workers: THREADS }))
  })
  print(
    'evaluate',
    `${paths.toLocaleString('en-US')} paths of 30 days ${resampled ? 'resampled' : 'simulated'}: ${time.toFixed(1)} s on two threads, ${processor.toFixed(1)} s of processor time`,
  )
}

async function benchTrades(): Promise<void> {
  const folder = path.join(
    process.env.MARGIN_CORE_DATA ?? '../shared/data',
    'crypto-perp-binance-usdm-2025/csv',
  )
  const paths = Number(process.env.EVALUATE_PATHS ?? 2_000)
  const prices = await Promise.all(
    ['BTC', 'ETH'].map(async (asset) => ({
      asset,
      feed: await openFeed({ path: path.join(folder, `${asset}_USDT_USDT-1m-futures.csv.gz`) }),
    })),
  )
  const trades: OwnTrade[] = []
  for (const [at, { asset, feed }] of prices.entries()) {
    trades.push(...(await tradesOn(asset, feed)))
    let processor = 0
    const given = { trades, prices: prices.slice(0, at + 1), tradedBalance: 10_000, days: 60, paths }
    const rules = [
      { name: 'two-step', account: {}, phases: [{ profitTarget: '8%' }, { profitTarget: '5%' }], payout: {} },
    ]
    const time = await seconds(async () => {
      processor = await processorSeconds(() =>
        tradeOdds({ ...given, rules, scales: [0.5, 1, 2], workers: THREADS }),
      )
    })
    print(
      'trades',
      `${paths.toLocaleString('en-US')} paths of 60 days at 3 risks, ${trades.length} trades of ${at === 0 ? 'one market' : 'two markets'}: ${time.toFixed(1)} s on two threads, ${processor.toFixed(1)} s of processor time`,
    )
  }
}

/** An EMA cross is in the market nearly always. */
async function tradesOn(asset: string, feed: Feed): Promise<OwnTrade[]> {
  const strategy = emaCross({ asset, fast: 200, slow: 500 })
  const { trades } = await runBacktest({ markets: [{ asset, feed }], strategy, account: UNLIMITED })
  return trades.map(({ openedAt, closedAt, pnl, side, size, entryPrice, exitPrice }) => {
    const made = { symbol: asset, side, entryPrice: toNumber(entryPrice), exitPrice: toNumber(exitPrice) }
    return {
      openedAt,
      closedAt,
      pnl: toNumber(pnl),
      worst: null,
      traded: { ...made, size: Number(size) / 1e9 },
    }
  })
}

function thousands(value: number): string {
  return `${Math.round(value / 1_000).toLocaleString('en-US')}k`
}

function print(name: string, text: string): void {
  process.stdout.write(`${name.padEnd(9)} ${text}\n`)
}

const BENCHES = {
  bars: benchBars,
  fills: benchFills,
  ticks: benchTicks,
  cache: benchCache,
  sweep: benchSweep,
  walk: benchWalk,
  evaluate: benchEvaluate,
  trades: benchTrades,
} as const
const wanted = process.argv.slice(2)
for (const [name, bench] of Object.entries(BENCHES))
  if (wanted.length === 0 || wanted.includes(name)) await bench()
