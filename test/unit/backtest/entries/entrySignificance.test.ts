/** Entries played by the engine: what a strategy that knows the future, one that knows nothing and one that never trades are told. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EntrySignificance,
  entrySignificance,
} from '../../../../src/backtest/entries/entrySignificance.ts'
import { observe } from '../../../../src/backtest/entries/observed.ts'
import { joinBars } from '../../../../src/backtest/feed/columns.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import { inMemory } from '../../../../src/backtest/plan/memory.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import { typed } from '../../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-entries-'))
afterAll(() => rmSync(folder, { recursive: true }))

const FREE = { feeRate: '0', spread: '0', fundingRate: '0' }
const DAY: RunPlan = {
  strategy: '',
  markets: [{ asset: 'BTC', days: 1, parameters: FREE }],
  account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
  seed: 'entries',
}

/** A strategy that goes in where `sides` says so by the number of the bar, and out after three bars. */
function strategy(name: string, sides: Readonly<Record<number, 'long' | 'short'>>): string {
  const file = path.join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `const sides = ${JSON.stringify(sides)}
export default () => ({
  name: '${name}',
  bars: 0,
  async onBar(bar, context) {
    const direction = sides[this.bars]
    this.bars += 1
    if (this.bars % 3 === 0) await context.closeAll()
    if (direction !== undefined)
      await context.open({ asset: bar.asset, direction, sizeBy: { margin: '1%' }, leverage: '3' })
  },
})
`,
  )
  return file
}

/** As fp9, by the number of the bar. */
let closes: bigint[]
let lows: bigint[]
beforeAll(async () => {
  const chunks = []
  for await (const chunk of demoFeed('entries', 1)) chunks.push(chunk)
  const bars = joinBars(chunks)
  closes = [...bars.close]
  lows = [...bars.low]
})

/** Where the price is to move most within 30 bars, once every 40. */
function foreseen(): Record<number, 'long' | 'short'> {
  const change = (bar: number) => toNumber((closes[bar + 30] ?? 0n) - (closes[bar] ?? 0n))
  return Object.fromEntries(
    Array.from({ length: 35 }, (_, part) => {
      const bars = Array.from({ length: 40 }, (_, index) => part * 40 + index)
      const best = bars.reduce((most, bar) => (Math.abs(change(bar)) > Math.abs(change(most)) ? bar : most))
      return [best, change(best) > 0 ? 'long' : 'short']
    }),
  )
}

const COINS = { 11: 'long', 12: 'short', 13: 'long', 400: 'short', 800: 'long', 1430: 'long' } as const

test('who knows the future is better than every draw', async () => {
  const plan = { ...DAY, strategy: strategy('knowing', foreseen()) }
  const { tests } = await entrySignificance({ plan, holds: [30], draws: 99, workers: 1 })
  expect(tests[0]).toMatchObject({
    entries: 35,
    times: { asGood: 0, p: 0.01 },
    sides: { asGood: 0, p: 0.01 },
  })
})

describe('entries at given bars', () => {
  const asked = { plan: DAY, holds: [20, 200], draws: 19 }
  let found: EntrySignificance
  beforeAll(async () => {
    asked.plan = { ...DAY, strategy: strategy('coins', COINS) }
    found = await entrySignificance({ ...asked, workers: 1 })
  })

  test('bring what the prices of their bars say, where nothing costs', () => {
    const mean = (hold: number) => {
      const changes = Object.entries(COINS).flatMap(([bar, side]) => {
        const [from, to] = [closes[Number(bar)], closes[Number(bar) + hold]]
        if (from === undefined || to === undefined) return []
        return (Number(to - from) / Number(from)) * (side === 'long' ? 1 : -1)
      })
      return changes.reduce((sum, one) => sum + one, 0) / changes.length
    }
    for (const { hold, mean: brought } of found.tests) expect(brought).toBeCloseTo(mean(hold), 6)
    expect(found).toMatchObject({ entries: 6, bars: 1_440 })
    expect(found.tests.map(({ entries, longs, leftOut }) => [entries, longs, leftOut])).toEqual([
      [5, 3, 1],
      [5, 3, 1],
    ])
  })

  test('come to the same on any number of threads, and to something else by another seed', async () => {
    expect(await entrySignificance({ ...asked, workers: 2 })).toEqual(found)
    const other = await entrySignificance({ ...asked, seed: 'another', workers: 1 })
    expect(other.tests.map(({ mean }) => mean)).toEqual(found.tests.map(({ mean }) => mean))
    expect(other.tests[0]?.times?.drawn).not.toEqual(found.tests[0]?.times?.drawn)
  })

  test('cost what they cost an account that does the same', async () => {
    const sides = { 3: 'long', 600: 'short' } as const
    const plan = { ...DAY, markets: [{ asset: 'BTC', days: 1 }], strategy: strategy('costly', sides) }
    const prepared = await inMemory(await preparePlan(plan))
    const { trades } = await runBacktest(optionsOf(plan, prepared))
    expect(trades.map(({ openedAt, closedAt }) => (closedAt - openedAt) / 60_000)).toEqual([2, 2])
    const { tests } = await entrySignificance({ plan, draws: 1, workers: 1 })
    const shares = trades.map(({ pnl, size, entryPrice }) => Number(pnl) / (Number(size * entryPrice) / 1e9))
    expect(tests[0]?.hold).toBe(2)
    expect(tests[0]?.mean).toBeCloseTo(shares.reduce((sum, one) => sum + one, 0) / 2, 5)
    expect(tests[0]?.mean).toBeLessThan(-0.001)
  })
})

test('several markets are moved together, each side of a bar and a market once', async () => {
  const file = path.join(folder, 'both.mjs')
  writeFileSync(
    file,
    `export default () => ({
  name: 'both',
  bars: {},
  async onBar({ asset }, context) {
    this.bars[asset] = (this.bars[asset] ?? 0) + 1
    if (this.bars[asset] % 400 !== 10) return
    const direction = asset === 'BTC' ? 'long' : 'short'
    for (const margin of ['1%', '2%']) await context.open({ asset, direction, sizeBy: { margin }, leverage: '2' })
  },
})
`,
  )
  const plan = { ...DAY, strategy: file, markets: ['BTC', 'ETH'].map((asset) => ({ asset, days: 1 })) }
  const { closes: common, entries, medianHold } = await observe(plan, await inMemory(await preparePlan(plan)))
  expect([common.length, medianHold]).toEqual([1_440, null])
  const told = entries.map(({ bar, market, side }) => `${bar} ${market} ${side}`)
  expect(told).toEqual([9, 409, 809, 1_209].flatMap((bar) => [`${bar} 0 long`, `${bar} 1 short`]))
  await expect(entrySignificance({ plan, workers: 1 })).rejects.toThrow('no position was closed')
  const { tests } = await entrySignificance({ plan, holds: [5], draws: 3, workers: 1 })
  expect(tests[0]).toMatchObject({ entries: 8, longs: 4, times: { draws: 3 }, sides: null })
})

test('chance can enter at the close of every bar of ticks, also where the last one was long before', async () => {
  const data = path.join(folder, 'seldom.csv')
  const rows = Array.from(
    { length: 600 },
    (_, row) => `${Date.UTC(2026, 0, 5) + row * 37_000},${50_000 + ((row * 7) % 11)}`,
  )
  writeFileSync(data, ['timestamp,price', ...rows, ''].join('\n'))
  const file = path.join(folder, 'fresh.mjs')
  writeFileSync(
    file,
    `export default () => ({
  name: 'enters where the price is fresh',
  async onBar({ asset }, context) {
    if (context.positions().length > 0) await context.closeAll()
    else await context.open({ asset, direction: 'long', sizeBy: { margin: '1%' }, leverage: '2' })
  },
})
`,
  )
  const plan = { ...DAY, strategy: file, markets: [{ asset: 'BTC', data }] }
  const { tests, entries, bars } = await entrySignificance({ plan, holds: [4], draws: 9, workers: 1 })
  expect(entries).toBeLessThan(bars / 4)
  expect(tests[0]).toMatchObject({ times: { draws: 9 } })
})

test('an order that waited counts at the close of the bar in which it was filled', async () => {
  const file = path.join(folder, 'waiting.mjs')
  writeFileSync(
    file,
    `export default () => ({
  name: 'waiting',
  async onBar({ asset, close }, context) {
    if (context.orders().length + context.positions().length > 0) return
    await context.open({ asset, direction: 'long', sizeBy: { margin: '1%' }, leverage: '2', type: 'limit', triggerPrice: (close * 995n) / 1000n })
  },
})
`,
  )
  const plan = { ...DAY, strategy: file }
  const { entries } = await observe(plan, await inMemory(await preparePlan(plan)))
  const level = ((closes[0] as bigint) * 995n) / 1_000n
  expect(entries).toEqual([{ bar: lows.findIndex((low) => low <= level), market: 0, side: 'long' }])
  expect(entries[0]?.bar).toBeGreaterThan(0)
})

describe('the command', () => {
  const line = ['entries', '--days', '1', '--seed', 'entries', '--draws', '9', '--workers', '1']

  test('says how often chance is as good, writes every draw and a page', async () => {
    const words = [
      '--strategy',
      strategy('typed', COINS),
      '--hold',
      '20,200',
      '--csv',
      'draws.csv',
      '--out',
      'tested',
    ]
    const { code, stdout } = await typed([...line, ...words, '--report', 'entries.html'], folder)
    const lines = stdout.split('\n')
    expect([code, lines.length]).toEqual([0, 8])
    expect(lines[0]).toMatch(
      /^Held for 20 bars, 5 entries \(1 more could not be tried\), 3 of them long, brought .*% each after costs\.$/,
    )
    expect(lines[1]).toMatch(
      /^At these times they did better than in [\d.]+% of 9 moves of all of them along the data, which brought .*%: p = [01]\.\d00\.$/,
    )
    expect(lines[2]).toMatch(/^With these sides they did better than in [\d.]+% of 9 deals /)
    expect(lines[6]).toMatch(
      /^The smallest p times the 4 tests is [01]\.\d00: chance alone may well be this good\.$/,
    )
    const rows = readFileSync(path.join(folder, 'draws.csv'), 'utf8').trim().split('\n')
    expect([rows[0], rows.length]).toEqual(['hold,chance,draw,mean', 1 + 2 * 2 * 10])
    const page = readFileSync(path.join(folder, 'entries.html'), 'utf8')
    for (const sentence of lines.slice(0, 7)) expect(page).toContain(sentence)
    expect(page.match(/<svg viewBox="0 0 1000/g)).toHaveLength(4)
    expect(page.match(/<line class="mark"/g)).toHaveLength(4)
    expect(page).toContain('2026-01-05 00:00 to 2026-01-06 00:00 UTC')
    const saved = (name: string) => readFileSync(path.join(folder, 'tested', name), 'utf8')
    expect(saved('report.html')).toBe(page)
    expect(saved('draws.csv')).toBe(readFileSync(path.join(folder, 'draws.csv'), 'utf8'))
    const [head, ...tests] = saved('tests.csv').trim().split('\n')
    expect(head).toBe('chance,hold,entries,longs,leftOut,mean,draws,meanOfDraws,asGood,p')
    const told = JSON.parse(saved('result.json')) as EntrySignificance
    expect(tests.map((line) => line.split(',').at(-1))).toEqual(
      told.tests.flatMap(({ times, sides }) => [`${times?.p}`, `${sides?.p}`]),
    )
  })

  test('has nothing to say of a strategy that enters nothing', async () => {
    const { code, stdout } = await typed([...line, '--strategy', strategy('idle', {})], folder)
    expect([code, stdout]).toEqual([0, 'The strategy entered nothing: there is nothing to test.\n'])
  })

  test('says what cannot be said of entries that are all on one side, or not held to an end', async () => {
    const long = strategy('long', { 5: 'long' })
    const { stdout } = await typed([...line, '--strategy', long, '--hold', '7,2000'], folder)
    expect(stdout).toContain('1 entry, 1 of them long')
    expect(stdout).toContain('Whether their sides are better than others cannot be said')
    expect(stdout).toContain('Held for 2000 bars, none of the entries ends before the data does.')
    expect(stdout).toMatch(/^p is [01]\.\d00: /m)
  })

  test('tests each length once', async () => {
    const { code, stderr } = await typed([...line, '--hold', '7,7'], folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Each length is tested once.')])
  })
})
