// A live run that is warmed up by data D and then hears prices P decides as a backtest over D and P with a warm-up to the end of D.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareLive } from '../../../../src/backtest/compare/compareLive.ts'
import { NO_DIFFERENCE } from '../../../../src/backtest/compare/fillDifference.ts'
import { type BarColumns, joinBars } from '../../../../src/backtest/feed/columns.ts'
import { barFeedOf, type Feed, type TickFeed } from '../../../../src/backtest/feed/feed.ts'
import type { Learned } from '../../../../src/backtest/learned/learned.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import type { JournalBegin, JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { readJournalRun } from '../../../../src/backtest/live/journalRun.ts'
import type { LiveWarmUp } from '../../../../src/backtest/live/liveOptions.ts'
import { plannedPast } from '../../../../src/backtest/live/liveWarmUp.ts'
import { pastOf, surveyedPast } from '../../../../src/backtest/live/toldPast.ts'
import { type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import type { Indicator } from '../../../../src/backtest/strategy/indicator.ts'
import { overLast } from '../../../../src/backtest/strategy/overLast.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import '../../../seeds.ts'
import { LiveRig } from '../compare/liveRig.ts'

const MINUTE_MS = 60_000
const PAST_BARS = 90

/** What it saw and did at a bar. */
type Seen = readonly [closeTime: number, ...rest: (number | string | null)[]]

/** Decides by a mean of forty bars, bars of ten minutes and what a model of eighty minutes foretells. */
class Deciding implements Strategy {
  readonly name = 'decides by what it remembers'
  readonly seen: Seen[] = []
  readonly ticks: [time: number, price: bigint][] = []
  starts = 0
  #mean!: Indicator
  #change!: Learned

  onStart(context: StrategyContext) {
    this.starts += 1
    context.bars('BTC', '10m')
    this.#mean = context.indicator('BTC', 'mean of 40', overLast(40, mean))
    this.#change = context.learn('BTC', 'change', {
      ...{ horizon: 2, window: '80m', every: '10m', atLeast: 20 },
      features: ({ close }) => [Number(close % 1_000_000_000_000n), this.#mean.value ?? 0],
      label: (ahead, { close }) => Number((ahead.at(-1)?.close ?? close) - close) / 1e9,
      fit: ridge(),
    })
  }

  onTick({ time, price }: { readonly time: number; readonly price: bigint }, context: StrategyContext) {
    expect(context.market('BTC').state.indexPrice).toBe(price)
    this.ticks.push([time, price])
  }

  async onBar({ closeTime, open, high, low, close }: Bar, context: StrategyContext) {
    const [position] = context.positions('BTC')
    const foretold = this.#change.value
    const isUp = (foretold ?? 0) > 0
    let did = ''
    if (position !== undefined && !isUp) {
      const closed = await context.close({ position })
      did = `close ${closed.ok ? 'ok' : closed.error.code}`
    } else if (position === undefined && isUp) {
      const opened = await context.open({ ...LONG, leverage: this.#mean.isAbove(close) ? '2' : '3' })
      did = `open ${opened.ok ? 'ok' : opened.error.code}`
    }
    const { length } = context.bars('BTC', '10m')
    this.seen.push([closeTime, [open, high, low, close].join(), this.#mean.value, foretold, length, did])
  }
}
const LONG = { asset: 'BTC', direction: 'long', sizeBy: { base: '0.02' } } as const

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

type Minute = Omit<Bar, 'asset' | 'closeTime'>

function columnsOf(bars: readonly Minute[]): BarColumns {
  return {
    length: bars.length,
    openTime: Float64Array.from(bars, ({ openTime }) => openTime),
    open: BigInt64Array.from(bars, ({ open }) => open),
    high: BigInt64Array.from(bars, ({ high }) => high),
    low: BigInt64Array.from(bars, ({ low }) => low),
    close: BigInt64Array.from(bars, ({ close }) => close),
    volume: new Float64Array(bars.length),
  }
}

const feedOfBars = (columns: BarColumns) => barFeedOf('bars of a test', MINUTE_MS, () => [columns])

function feedOfTicks(ticks: readonly (readonly [time: number, price: bigint])[]): TickFeed {
  const { length } = ticks
  return {
    ...{ kind: 'ticks', sources: ['ticks of a test'], format: null },
    summary: () => ({
      rows: length,
      skipped: 0,
      firstSkipped: [],
      gaps: 0,
      missingBars: 0,
      largestGap: null,
    }),
    async *[Symbol.asyncIterator]() {
      const time = Float64Array.from(ticks, ([at]) => at)
      yield { length, time, price: BigInt64Array.from(ticks, ([, price]) => price) }
    },
  }
}

const priceOf = (move: number) => BigInt(50_000_000 + 500 * move) * 1_000_000n

/** Minutes up to a moment, the last of which ends then. */
function pastMinutes(moves: readonly number[], end: number): Minute[] {
  const first = Math.floor(end / MINUTE_MS) - PAST_BARS
  const at = (minute: number) => priceOf(moves[minute % moves.length] as number)
  return Array.from({ length: PAST_BARS }, (_, minute) => {
    const [open, close] = [at(minute), at(minute + 1)]
    const [low, high] = open < close ? [open, close] : [close, open]
    return {
      openTime: (first + minute) * MINUTE_MS,
      open,
      high: high + 1_000_000_000n,
      low,
      close,
      volume: 0,
    }
  })
}

const pastBars = (moves: readonly number[], end: number) => columnsOf(pastMinutes(moves, end))

const CASES = fc.record({
  moves: fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 7, maxLength: 23 }),
  later: fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 10, maxLength: 12 }),
})

/** A live run of some minutes, two prices each, after a warm-up. */
async function lived(
  rig: LiveRig,
  later: readonly number[],
  warmUp: LiveWarmUp,
  lateBars = 0,
): Promise<{ readonly strategy: Deciding; readonly entries: readonly JournalEntry[] }> {
  const strategy = new Deciding()
  await rig.run(
    lateBy(strategy, lateBars),
    async () => {
      for (const [index, move] of later.entries()) {
        await rig.price((Number(priceOf(move)) / 1e9).toFixed(2))
        if (index % 2 === 1) await rig.endBar()
      }
    },
    { warmUp },
  )
  return { strategy, entries: rig.entries }
}

const lateBy = (strategy: Strategy, bars: number) => (bars === 0 ? strategy : delayed(strategy, bars))

const begins = (entries: readonly JournalEntry[]) => entries[0] as JournalBegin

/** The same strategy in a backtest of the rig's market. */
async function backtested(
  feed: Feed,
  [from, to]: readonly [from: number, to: number],
  warmUpMs: number,
  lateBars = 0,
): Promise<{ readonly strategy: Deciding; readonly learned: BacktestResult['learned'] }> {
  const strategy = new Deciding()
  const parameters = { maxPriceAgeMs: 600_000, minNotional: 0n }
  const { learned } = await runBacktest({
    ...{ markets: [{ asset: 'BTC', feed, parameters }], strategy: lateBy(strategy, lateBars) },
    ...{ from, to, warmUpMs, afterVerdict: 'go-on' },
  })
  return { strategy, learned }
}

describe('the law', () => {
  test.each([0, 1])(
    'of bars, told %i late: the same is seen, done and learned at every bar, and nothing is traded before the run',
    async (late) => {
      const [{ moves, later }] = fc.sample(CASES, 1) as [{ moves: number[]; later: number[] }]
      const rig = await LiveRig.start()
      const past = pastBars(moves, rig.now)
      const spanMs = rig.now - (past.openTime[0] as number)
      const { strategy, entries } = await lived(rig, later, { feeds: [feedOfBars(past)], spanMs }, late)
      const bars = entries.flatMap((entry) => (entry.type === 'bar' ? [entry.bar] : []))
      const begin = bars[0]?.openTime ?? 0
      const whole = feedOfBars(joinBars([past, columnsOf(bars)]))
      const period = [begin, (bars.at(-1)?.closeTime ?? 0) + 1] as const
      const beside = await backtested(whole, period, begin - (past.openTime[0] as number), late)
      expect(strategy.seen).toEqual(beside.strategy.seen)
      expect(strategy.seen.length).toBe(PAST_BARS + bars.length - late)
      expect(strategy.starts).toBe(1)
      // Of the warm-up, every price that a bar passes.
      const told = 4 * PAST_BARS
      expect(strategy.ticks.slice(0, told)).toEqual(beside.strategy.ticks.slice(0, told))
      for (const [closeTime, ...rest] of strategy.seen.slice(0, PAST_BARS - late)) {
        expect(closeTime).toBeLessThan(begin)
        expect(String(rest.at(-1))).toMatch(/^$|warming_up$/)
      }
      // Something was decided by what only the warm-up tells.
      for (const [, , average, foretold] of strategy.seen.slice(PAST_BARS)) {
        expect(average).not.toBeNull()
        expect(foretold).not.toBeNull()
      }
      const journal = (await readJournalRun(rig.file)).result
      expect(journal.learned).toEqual(beside.learned)
      expect(journal.learned?.[0]?.fits.length).toBeGreaterThan(4)
      expect(journal.learned?.[0]?.skipped).toBeGreaterThan(0)
      await rig.close()
    },
  )

  test('of ticks: the bar that has begun when the run does is one, of both', async () => {
    for (const { moves, later } of fc.sample(CASES, 2)) {
      const rig = await LiveRig.start()
      await rig.advance(MINUTE_MS - (rig.now % MINUTE_MS) + 31_000)
      await rig.unseen('50000')
      const ticks = Array.from(
        { length: 700 },
        (_, index) =>
          [rig.now - 2_000 - (699 - index) * 7_000, priceOf(moves[index % moves.length] as number)] as const,
      )
      const from = ticks[0]?.[0] ?? 0
      const { strategy, entries } = await lived(rig, later, {
        feeds: [feedOfTicks(ticks)],
        spanMs: rig.now - from,
      })
      const prices = entries.flatMap((entry) =>
        entry.type === 'price' ? [[entry.at, entry.price] as const] : [],
      )
      const begin = prices[0]?.[0] ?? 0
      const until =
        Math.max(...entries.flatMap((entry) => (entry.type === 'bar' ? [entry.bar.closeTime] : []))) + 1
      const whole = feedOfTicks([...ticks, ...prices])
      const { strategy: beside } = await backtested(whole, [begin, until], begin - from)
      expect(strategy.seen).toEqual(beside.seen)
      expect(strategy.ticks.filter(([time]) => time < until)).toEqual(beside.ticks)
      await rig.close()
    }
  })
})

describe('what is told', () => {
  const MOVES = [3, -40, 12, 70, -5, 33, -90]
  const LATER = [20, 40, 10, -30, 60, 5, -50, 15]

  /** A run of no bar, warmed up on what ends so long before now. */
  async function begun(endsBeforeMs: number, more: Partial<LiveWarmUp> = {}, intervalMs = MINUTE_MS) {
    const rig = await LiveRig.start()
    const past = pastBars(MOVES, rig.now - endsBeforeMs)
    const strategy = new Deciding()
    try {
      const feeds = [barFeedOf('bars of a test', intervalMs, () => [past])]
      await rig.run(strategy, async () => {}, { warmUp: { feeds, spanMs: 7_260_000, ...more } })
      return {
        told: strategy.seen.length,
        entries: [...rig.entries],
        notes: (await readJournalRun(rig.file)).result.notes,
      }
    } finally {
      await rig.close()
    }
  }

  test('is in the journal and in the notes of its report, with what is missing before the run', async () => {
    const { entries, notes, told } = await begun(1_800_000)
    const { at, warmUp } = begins(entries)
    const to = Math.floor((at - 1_800_000) / MINUTE_MS) * MINUTE_MS - 1
    expect(warmUp).toMatchObject({
      from: at - 7_260_000,
      to: at,
      markets: [{ asset: 'BTC', rows: PAST_BARS, missing: 0, to, gapMs: at - to }],
    })
    expect(told).toBe(PAST_BARS)
    expect(notes.find((note) => note.startsWith('BTC: the strategy was told'))).toMatch(
      /^BTC: the strategy was told 90 row\(s\) from 2026-\S+ \S+ to 2026-\S+ \S+ UTC before it traded; of the 30 min from there to the begin of the run it was told nothing$/,
    )
  })

  test('ends at most sixty bars before the run, unless more is asked for', async () => {
    await expect(begun(3_660_000)).rejects.toThrow(
      /^BTC: the data ends at 2026-\S+ \S+ UTC, 1\.0 hours before the run begins, and at most 1\.0 hours may be missing; .*--warm-up-gap/,
    )
    expect((await begun(3_660_000, { gapMs: 7_200_000 })).told).toBeLessThan(PAST_BARS)
    await expect(begun(120_000, { gapMs: 60_000 })).rejects.toThrow(/at most 1 min may be missing/)
  })

  test('may end just as long before the run as was said, and no longer', async () => {
    const to = 1_800_000_000_000
    const end = (pastMinutes(MOVES, to).at(-1)?.openTime ?? 0) + MINUTE_MS - 1
    const planned = (gap: number) => {
      const feed = barFeedOf('bars of a test', MINUTE_MS, () => [columnsOf(pastMinutes(MOVES, to))])
      return plannedPast({ feeds: [feed], spanMs: 7_200_000, gapMs: 90_000 }, ['BTC'], MINUTE_MS, end + gap)
    }
    expect((await planned(90_000)).told.markets[0]?.gapMs).toBe(90_000)
    await expect(planned(90_001)).rejects.toThrow('may be missing')
  })

  test('is as much as was asked for, and nothing of it is later than the begin of the run', async () => {
    expect((await begun(0, { spanMs: 1_800_000 })).told).toBe(29)
    const { entries, told } = await begun(-1_800_000)
    expect(told).toBe(PAST_BARS - 30)
    expect(begins(entries).warmUp?.markets[0]?.to).toBeLessThan(begins(entries).at)
  })

  test('has rows, and bars as long as those of the run', async () => {
    await expect(begun(7_260_001 + MINUTE_MS)).rejects.toThrow(
      /^BTC: the data has no row in the 2\.0 hours before 2026/,
    )
    await expect(begun(0, {}, 5 * MINUTE_MS)).rejects.toThrow(
      /^BTC: the data has bars of 5 min, and the run tells bars of 1 min/,
    )
  })

  test('has a hash of its rows, however they come and whatever was left out before them', async () => {
    const to = 1_800_000_000_000
    const past = pastMinutes(MOVES, to)
    const from = past[5]?.openTime ?? 0
    const hashOf = async (...chunks: readonly (readonly Minute[])[]) => {
      const feeds = pastOf([barFeedOf('bars of a test', MINUTE_MS, () => chunks.map(columnsOf))], from, to)
      return (await surveyedPast(['BTC'], feeds, from, to)).sha256
    }
    const hash = await hashOf(past)
    expect(await hashOf(past.slice(0, 31), past.slice(31))).toBe(hash)
    expect(await hashOf(past.slice(5))).toBe(hash)
    expect(await hashOf(past.slice(6))).not.toBe(hash)
  })

  test('ends with the last bar that closes before the run begins, and has none that closes later', async () => {
    const bars = pastMinutes(MOVES, 1_800_000_000_000)
    const ends = (bars.at(-1)?.openTime ?? 0) + MINUTE_MS
    const lastOf = async (to: number) => {
      const feed = barFeedOf('bars of a test', MINUTE_MS, () => [columnsOf(bars)])
      const [past] = pastOf([feed], 0, to)
      let rows = 0
      for await (const { length } of past as AsyncIterable<{ length: number }>) rows += length
      return rows
    }
    expect(await lastOf(ends)).toBe(bars.length)
    expect(await lastOf(ends - 1)).toBe(bars.length - 1)
  })

  test('refused, leaves no journal: none of it has begun', async () => {
    const rig = await LiveRig.start()
    const feeds = [feedOfBars(pastBars(MOVES, rig.now - 36_000_000))]
    await expect(
      rig.run(new Deciding(), async () => {}, { warmUp: { feeds, spanMs: 60_000 } }),
    ).rejects.toThrow(/no row/)
    expect(rig.entries).toEqual([])
    await rig.close()
  })

  test('is told again by the comparison with a backtest, of each run of the journal', async () => {
    const rig = await LiveRig.start()
    const feeds = [feedOfBars(pastBars(MOVES, rig.now))]
    const warmUp = { feeds, spanMs: 7_200_000, gapMs: 3_600_000 }
    await lived(rig, LATER, warmUp)
    await lived(rig, LATER, warmUp)
    const past = async ({ warmUp: told }: JournalBegin) =>
      told === undefined ? [] : pastOf(feeds, told.from, told.to)
    const told = await compareLive(rig.file, async () => ({ create: () => new Deciding(), notes: [], past }))
    expect(told.rows.length).toBeGreaterThan(2)
    expect(told.causes).toEqual(NO_DIFFERENCE)
    expect(told.remainder).toBe(0n)
    expect(told.rows.filter(({ found }) => found !== 'matched')).toEqual([])
    expect(told.notes).toEqual([])
    const cold = await compareLive(rig.file, async () => ({ create: () => new Deciding(), notes: [] }))
    expect(cold.notes).toEqual([
      'the strategy was told of earlier prices before it traded, and that of the backtest is not',
    ])
    expect(cold.rows.every(({ found }) => found === 'only live')).toBe(true)
    await rig.close()
  })
})
