/**
 * A strategy that decides by what it was told comes through; each of those that do not is found, by the run that is meant for it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type BarColumns, joinBars } from '../../../../src/backtest/feed/columns.ts'
import { type LookAhead, lookAhead } from '../../../../src/backtest/lookAhead/lookAhead.ts'
import { mirrored } from '../../../../src/backtest/lookAhead/mirrored.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { typed } from '../../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-look-ahead-'))
afterAll(() => rmSync(folder, { recursive: true }))

const OPEN = `context.open({ asset: bar.asset, direction, sizeBy: { margin: '5%' }, leverage: '2' })`
const FLIP = `for (const position of context.positions()) await context.close({ position })
      await ${OPEN}`

/** A strategy's file, by what is before it and by what it does with a bar. */
function strategy(name: string, before: string, onBar: string): string {
  const file = path.join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `${before}
export default () => ({
  name: '${name}',
  async onBar(bar, context) {
    ${onBar}
  },
})
`,
  )
  return file
}

const look = (file: string, cuts = 3) =>
  lookAhead({ plan: { markets: [{ asset: 'BTC', days: 1 }], strategy: file, seed: 'ahead' }, cuts })

const HOURLY = 'if ((bar.closeTime + 1) % 3_600_000 !== 0) return'
const changed = ({ runs }: LookAhead) =>
  [...new Set(runs.flatMap((run) => (run.firstDifference === null ? [] : run.change)))].join()

test('a strategy that decides by the bars it is told sees nothing ahead, and follows the prices', async () => {
  const file = strategy(
    'honest',
    'const side = (bar) => bar.close > bar.open ? "long" : "short"',
    `${HOURLY}\n    const direction = side(bar)\n      ${FLIP}`,
  )
  const found = await look(file)
  expect(found).toMatchObject({ repeats: true, seesNothingAhead: true, enoughWarmUpMs: 0 })
  expect(found.decisions).toBeGreaterThan(20)
  expect(found.blindShare).toBeLessThan(0.75)
  expect(found.runs.map(({ change }) => change).join()).toBe(
    'again,cut,cut,cut,mirrored,warm-up,warm-up,warm-up,warm-up',
  )
  for (const { change, compared, same } of found.runs) if (change !== 'warm-up') expect(same).toBe(compared)
})

/** A market whose ticks come one to ninety seconds apart, as text. */
function ticks(name: string, every: number): string {
  const file = path.join(folder, `${name}.csv`)
  const random = new Random(name)
  let [time, price] = [Date.UTC(2026, 0, 5), 50_000]
  const lines = Array.from({ length: 86_400 / every }, () => {
    time += 1_000 + random.below((2 * every - 1) * 1_000)
    price += random.below(41) - 20
    return `${time},${price}`
  })
  writeFileSync(file, ['timestamp,price', ...lines, ''].join('\n'))
  return file
}

test('an honest strategy on ticks of two markets sees nothing ahead either', async () => {
  const file = strategy(
    'honest-on-ticks',
    'const side = (bar) => bar.close > bar.open ? "long" : "short"',
    `if ((bar.closeTime + 1) % 1_800_000 !== 0) return\n    const direction = side(bar)\n      ${FLIP}`,
  )
  const markets = [
    { asset: 'BTC', data: ticks('often', 5) },
    { asset: 'ETH', data: ticks('seldom', 45) },
  ]
  const found = await lookAhead({ plan: { markets, strategy: file }, cuts: 8 })
  expect(found).toMatchObject({ repeats: true, seesNothingAhead: true })
  expect(found.decisions).toBeGreaterThan(20)
})

test('what is kept from run to run is found by the very same run', async () => {
  const file = strategy(
    'learning',
    'const seen = new Map()',
    `const ahead = seen.get(bar.closeTime + 3_600_000)
    seen.set(bar.closeTime, bar.close)
    ${HOURLY}
    const direction = (ahead ?? bar.close) >= bar.close ? 'long' : 'short'
      ${FLIP}`,
  )
  const found = await look(file)
  expect(found.repeats).toBe(false)
  expect(found.runs[0]?.firstDifference).toMatchObject({ was: 'open long BTC', would: 'open short BTC' })
})

/** Whatever it is that a strategy knows of the data's end, a second run of all of it does not show it. */
const knowing = (name: string) =>
  strategy(
    name,
    'let runs = 0',
    `this.run ??= ++runs
    ${HOURLY}
    const direction = this.run > 2 && bar.closeTime % 7_200_000 > 3_600_000 ? 'short' : 'long'
      ${FLIP}`,
  )

test('what changes with data that comes later is found by data that ends earlier, and by another future', async () => {
  const found = await look(knowing('knowing'))
  expect(found).toMatchObject({ repeats: true, seesNothingAhead: false })
  expect(changed(found)).toMatch(/^cut,mirrored/)
})

test('a strategy that goes by something of its own is found by a market that moves the other way', async () => {
  const file = strategy(
    'blind',
    'const side = (bar) => Math.floor(bar.openTime / 3_600_000) % 3 === 0 ? "long" : "short"',
    `${HOURLY}\n    const direction = side(bar)\n      ${FLIP}`,
  )
  const found = await look(file)
  expect(found).toMatchObject({ repeats: true, seesNothingAhead: true })
  expect(found.blindShare).toBeGreaterThan(0.9)
})

test('how much data a strategy needs before is the shortest warm-up that changes nothing', async () => {
  const file = strategy(
    'remembering',
    '',
    `this.closes ??= []
    this.closes.push(bar.close)
    ${HOURLY}
    const before = this.closes.at(-121)
    if (before === undefined) return
    const direction = before < bar.close ? 'long' : 'short'
      ${FLIP}`,
  )
  const found = await look(file)
  expect(changed(found)).toBe('warm-up')
  // Of twelve hours before the middle a quarter is three: enough for the two that it needs, a sixteenth is not.
  expect(found.enoughWarmUpMs).toBe(3 * 3_600_000)
})

describe('the command', () => {
  const line = ['look-ahead', '--days', '1', '--seed', 'ahead', '--cuts', '1']

  test('says what it found, and ends with 0 where nothing is ahead', async () => {
    const { code, stdout } = await typed([...line, '--csv', 'runs.csv'], folder)
    expect([code, stdout]).toEqual([0, expect.stringContaining('It does the same twice.')])
    expect(stdout).toContain('No decision changed with what came after it, in 2 runs.')
    expect(readFileSync(path.join(folder, 'runs.csv'), 'utf8').split('\n')[0]).toBe(
      'change,at,warmUpMs,compared,same,firstDifference,furthestIndicator,firstDifference.at,firstDifference.was,firstDifference.would,furthestIndicator.name,furthestIndicator.by',
    )
  })

  test('ends with 1 where a strategy knows what comes', async () => {
    const { code, stdout } = await typed([...line, '--strategy', knowing('knowingAnew')], folder)
    expect([code, stdout]).toEqual([1, expect.stringContaining('in 2 of 2 runs: it knows what comes.')])
  })

  test('has nothing to say of a strategy that does nothing', async () => {
    const idle = strategy('idle', '', '')
    expect(await typed([...line, '--strategy', idle], folder)).toMatchObject({
      ...{ code: 0, stdout: 'The strategy asked for nothing: there is nothing to compare.\n' },
    })
  })
})

test('a mirrored feed is the same before, and has the inverse of every change after', async () => {
  const feed = demoFeed('mirror', 1)
  const [rows] = await chunksOf(feed)
  const at = 700
  const [turned] = await chunksOf(mirrored(feed, rows?.openTime[at] as number))
  const axis = rows?.close[at - 1] as bigint
  for (let row = 0; row < 1_440; row++) {
    const [own, other] = [rowOf(rows, row), rowOf(turned, row)]
    const inverse = (price: bigint) => (axis * axis) / price
    const expected = [inverse(own[0]), inverse(own[2]), inverse(own[1]), inverse(own[3])]
    expect(other).toEqual(row < at ? own : expected)
  }
})

async function chunksOf(feed: AsyncIterable<unknown>): Promise<BarColumns[]> {
  const chunks: BarColumns[] = []
  for await (const chunk of feed) chunks.push(chunk as BarColumns)
  return [joinBars(chunks)]
}

function rowOf(bars: BarColumns | undefined, row: number): [bigint, bigint, bigint, bigint] {
  const { open, high, low, close } = bars as BarColumns
  return [open[row], high[row], low[row], close[row]] as [bigint, bigint, bigint, bigint]
}
