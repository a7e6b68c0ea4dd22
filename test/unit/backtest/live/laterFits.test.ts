// A live run whose fits are made beside its trading decides as a backtest over the same bars, however long its fits take.

import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareLive } from '../../../../src/backtest/compare/compareLive.ts'
import { NO_DIFFERENCE } from '../../../../src/backtest/compare/fillDifference.ts'
import { learnedRows } from '../../../../src/backtest/export/tables.ts'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import type { Learned } from '../../../../src/backtest/learned/learned.ts'
import type { FitBeside, Learning } from '../../../../src/backtest/learned/learning.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { readJournalRun } from '../../../../src/backtest/live/journalRun.ts'
import { pastOf } from '../../../../src/backtest/live/toldPast.ts'
import { learnedSection } from '../../../../src/backtest/report/learnedSection.ts'
import { type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import '../../../seeds.ts'
import { LiveRig } from '../compare/liveRig.ts'

const MINUTE_MS = 60_000
const PAST_BARS = 90
const WAIT_MS = 7_000

/** A ridge that is done when the test lets it be. */
class SlowRidge {
  readonly signals: AbortSignal[] = []
  readonly #waiting: (() => void)[] = []
  /** Whether a fit takes longer than the bars of a warm-up, which are told as fast as can be. */
  isWarmUp = true
  /** Whether fits are done at once. */
  isQuick = true
  readonly fit: FitBeside = async (rows, about) => {
    if (about.signal !== undefined) this.signals.push(about.signal)
    if (this.isWarmUp) await setTimeout(5)
    if (!this.isQuick) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return ridge()(rows, about)
  }

  letGo(): void {
    for (const done of this.#waiting.splice(0)) done()
  }
}

/** Trades by what a model foretells, and notes what it saw and did. */
class Deciding implements Strategy {
  readonly name = 'decides by fits that are used later'
  readonly seen: (readonly [closeTime: number, foretold: number | null, did: string])[] = []
  readonly #more: Partial<Learning>
  #change!: Learned

  constructor(more: Partial<Learning>) {
    this.#more = more
  }

  onStart(context: StrategyContext) {
    this.#change = context.learn('BTC', 'change', {
      ...{ horizon: 2, window: '80m', every: '2m', atLeast: 20, fit: ridge(), ...this.#more },
      features: ({ open, close }) => [
        Number((close - open) / 1_000_000n),
        Number(close % 1_000_000_000_000n),
      ],
      label: (ahead, { close }) => Number((ahead.at(-1)?.close ?? close) - close) / 1e9,
    })
  }

  async onBar({ closeTime }: Bar, context: StrategyContext) {
    const [position] = context.positions('BTC')
    const foretold = this.#change.value
    const isUp = (foretold ?? 0) > 0
    let did = ''
    if (position !== undefined && !isUp) {
      const closed = await context.close({ position })
      did = `close ${closed.ok ? 'ok' : closed.error.code}`
    } else if (position === undefined && isUp) {
      const opened = await context.open({
        ...{ asset: 'BTC', direction: 'long', sizeBy: { base: '0.02' }, leverage: '2' },
      })
      did = `open ${opened.ok ? 'ok' : opened.error.code}`
    }
    this.seen.push([closeTime, foretold, did])
  }
}

const priceOf = (move: number) => BigInt(50_000_000 + 500 * move) * 1_000_000n

type Minute = Omit<Bar, 'asset' | 'closeTime'>

const feedOf = (minutes: readonly Minute[]) =>
  barFeedOf('bars of a test', MINUTE_MS, () => [
    {
      length: minutes.length,
      openTime: Float64Array.from(minutes, ({ openTime }) => openTime),
      open: BigInt64Array.from(minutes, ({ open }) => open),
      high: BigInt64Array.from(minutes, ({ high }) => high),
      low: BigInt64Array.from(minutes, ({ low }) => low),
      close: BigInt64Array.from(minutes, ({ close }) => close),
      volume: new Float64Array(minutes.length),
    },
  ])

function pastMinutes(moves: readonly number[], end: number): Minute[] {
  const first = Math.floor(end / MINUTE_MS) - PAST_BARS
  const at = (minute: number) => priceOf(moves[minute % moves.length] as number)
  return Array.from({ length: PAST_BARS }, (_, minute) => {
    const [open, close] = [at(minute), at(minute + 1)]
    const [low, high] = open < close ? [open, close] : [close, open]
    return { openTime: (first + minute) * MINUTE_MS, open, high, low, close, volume: 0 }
  })
}

const MOVES = fc.record({
  moves: fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 7, maxLength: 23 }),
  later: fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 14, maxLength: 14 }),
})

interface Lived {
  readonly rig: LiveRig
  readonly past: readonly Minute[]
  readonly strategy: Deciding
  readonly waits: readonly (number | null)[]
}

/** A live run of some minutes, two prices each; a fit that is waited for is done so long after it was to be. */
async function lived(
  { moves, later }: { readonly moves: readonly number[]; readonly later: readonly number[] },
  slow: SlowRidge,
  after: string,
  { late = 0, isQuick = false } = {},
): Promise<Lived> {
  const rig = await LiveRig.start()
  const past = pastMinutes(moves, rig.now)
  const strategy = new Deciding({ takesEffectAfter: after, fit: slow.fit })
  const waits: (number | null)[] = []
  let onAwaited = () => {}
  const script = async () => {
    ;[slow.isWarmUp, slow.isQuick] = [false, isQuick]
    for (const [index, move] of later.entries()) {
      await rig.price((Number(priceOf(move)) / 1e9).toFixed(2))
      if (index % 2 === 0) continue
      const awaited = new Promise<void>((resolve) => {
        onAwaited = resolve
      })
      const ended = rig.endBar()
      await Promise.race([ended, awaited.then(() => rig.advance(WAIT_MS)).then(() => slow.letGo())])
      await ended
    }
  }
  await rig.run(late === 0 ? strategy : delayed(strategy, late), script, {
    warmUp: { feeds: [feedOf(past)], spanMs: rig.now - (past[0]?.openTime ?? 0) },
    onFitAwaited(_asset, _model, ms) {
      waits.push(ms)
      if (ms === null) onAwaited()
    },
  })
  return { rig, past, strategy, waits }
}

/** The same strategy, whose fits are made at once, in a backtest over the past and the bars of the run. */
async function backtested({ rig, past }: Lived, after: string, late = 0) {
  const bars = rig.entries.flatMap((entry) => (entry.type === 'bar' ? [entry.bar] : []))
  const begin = bars[0]?.openTime ?? 0
  const strategy = new Deciding({ takesEffectAfter: after })
  const parameters = { maxPriceAgeMs: 600_000, minNotional: 0n }
  const { learned } = await runBacktest({
    markets: [{ asset: 'BTC', feed: feedOf([...past, ...bars]), parameters }],
    strategy: late === 0 ? strategy : delayed(strategy, late),
    ...{ from: begin, to: (bars.at(-1)?.closeTime ?? 0) + 1, afterVerdict: 'go-on' },
    warmUpMs: begin - (past[0]?.openTime ?? 0),
  })
  return { strategy, learned, bars }
}

const withoutWaits = (learned: BacktestResult['learned']) =>
  learned?.map((model) => ({ ...model, fits: model.fits.map(({ waitedMs: _, ...fit }) => fit) }))

const of = <Type extends JournalEntry['type']>(entries: readonly JournalEntry[], type: Type) =>
  entries.filter((entry): entry is Extract<JournalEntry, { type: Type }> => entry.type === type)

describe('the law', () => {
  test.each([
    ['1m', 0],
    ['2m', 0],
    ['1m', 1],
  ] as const)(
    'used after %s, told %i bar(s) late: a run that has to wait for each of its fits sees and does what the backtest does, and says so',
    async (after, late) => {
      const [tried] = fc.sample(MOVES, 1) as [{ moves: number[]; later: number[] }]
      const slow = new SlowRidge()
      const live = await lived(tried, slow, after, { late })
      const { strategy, rig, waits } = live
      const beside = await backtested(live, after, late)
      expect(strategy.seen).toEqual(beside.strategy.seen)
      expect(strategy.seen.length).toBe(PAST_BARS + beside.bars.length - late)
      const traded = strategy.seen.slice(PAST_BARS)
      expect(traded.every(([, foretold]) => foretold !== null)).toBe(true)
      // Each wait is told as it begins and ends, and is in the journal and in what was learned.
      const long = waits.filter((ms) => ms !== null)
      expect(long.length).toBeGreaterThanOrEqual(2)
      expect(waits.length).toBe(2 * long.length)
      for (const ms of long) expect(ms).toBeGreaterThanOrEqual(WAIT_MS)
      expect(of(rig.entries, 'waited').map(({ ms }) => ms)).toEqual(long)
      expect(of(rig.entries, 'waited')[0]?.why).toMatch(
        /^the fit of change of BTC that was begun with the bar at 2026-\S+ \S+ UTC was not done$/,
      )
      const { result, incidents } = await readJournalRun(rig.file)
      const fits = result.learned?.[0]?.fits ?? []
      expect(fits.flatMap(({ waitedMs }) => waitedMs ?? [])).toEqual(long)
      expect(withoutWaits(result.learned)).toEqual(beside.learned)
      expect(incidents.filter(({ kind }) => kind === 'waited').length).toBe(long.length)
      expect(learnedSection(result)?.models[0]?.how).toMatch(
        new RegExp(`each used ${after} later.* The run waited ${long.length} time`),
      )
      const rows = [...learnedRows(result.learned ?? [])]
      expect(rows.reduce((sum, row) => sum + Number(row.waitedMs), 0)).toBe(long.reduce((a, b) => a + b, 0))
      // What was begun is what was used, and what is still to be.
      const { pending = 0 } = result.learned?.[0] ?? {}
      const begun = of(rig.entries, 'fitting')
      expect(begun.length).toBe(fits.length + pending)
      expect(begun.slice(0, fits.length).map(({ at, takesEffectAt }) => [at, takesEffectAt])).toEqual(
        fits.map(({ at, usedFrom }) => [at, usedFrom]),
      )
      const told = await compareLive(rig.file, async () => ({
        create: () => {
          const own = new Deciding({ takesEffectAfter: after })
          return late === 0 ? own : delayed(own, late)
        },
        notes: [],
        past: async ({ warmUp }) => pastOf([feedOf(live.past)], warmUp?.from ?? 0, warmUp?.to ?? 0),
      }))
      expect([told.causes, told.remainder]).toEqual([NO_DIFFERENCE, 0n])
      await rig.close()
    },
    60_000,
  )

  test('fits that are done in time are not waited for, and nothing is said', async () => {
    const [tried] = fc.sample(MOVES, 1) as [{ moves: number[]; later: number[] }]
    const live = await lived(tried, new SlowRidge(), '1m', { isQuick: true })
    const beside = await backtested(live, '1m')
    expect(live.strategy.seen).toEqual(beside.strategy.seen)
    expect([live.waits, of(live.rig.entries, 'waited')]).toEqual([[], []])
    const { result } = await readJournalRun(live.rig.file)
    expect(result.learned).toEqual(beside.learned)
    expect(Object.keys([...learnedRows(result.learned ?? [])][0] ?? {})).not.toContain('waitedMs')
    await live.rig.close()
  }, 60_000)
})

test('a run that is ended while it waits tells nobody of the bar, and the fit that nobody waits for it', async () => {
  const rig = await LiveRig.start()
  const past = pastMinutes([3, -40, 12, 70, -5, 33, -90], rig.now)
  const slow = new SlowRidge()
  const strategy = new Deciding({ takesEffectAfter: '1m', fit: slow.fit })
  let isAwaited = false
  let seen = 0
  const script = async () => {
    ;[slow.isWarmUp, slow.isQuick] = [false, false]
    for (let minute = 0; !isAwaited; minute++) {
      await rig.price(`${50_000 + minute}`)
      seen = strategy.seen.length
      await rig.advance(MINUTE_MS - (rig.now % MINUTE_MS))
      await rig.until(() => isAwaited || strategy.seen.length > seen)
    }
    seen = strategy.seen.length
  }
  await rig.run(strategy, script, {
    warmUp: { feeds: [feedOf(past)], spanMs: rig.now - (past[0]?.openTime ?? 0) },
    onFitAwaited: () => {
      isAwaited = true
    },
  })
  expect(strategy.seen.length).toBe(seen)
  // The first bar of the run may be the one that waits: then those before it were told of the past.
  const pastEnd = (past.at(-1)?.openTime ?? 0) + MINUTE_MS - 1
  expect(of(rig.entries, 'bar').at(-1)?.at ?? pastEnd).toBe(strategy.seen.at(-1)?.[0])
  expect(slow.signals.at(-1)?.aborted).toBe(true)
  expect(of(rig.entries, 'end')[0]?.error).toBeNull()
  expect((await readJournalRun(rig.file)).result.learned?.[0]?.pending).toBeGreaterThanOrEqual(1)
  await rig.close()
}, 60_000)

test('a run whose fit fails beside it ends with that when the fit is to be used', async () => {
  const rig = await LiveRig.start()
  const past = pastMinutes([3, -40, 12, 70, -5, 33, -90], rig.now)
  let fails = false
  const fit: FitBeside = async (rows, about) => {
    if (fails) throw new RangeError('no memory left')
    return ridge()(rows, about)
  }
  const strategy = new Deciding({ takesEffectAfter: '1m', fit })
  const script = async () => {
    fails = true
    for (let minute = 0; ; minute++) {
      await rig.price(`${50_000 + minute}`)
      await rig.endBar()
    }
  }
  await expect(
    rig.run(strategy, script, {
      warmUp: { feeds: [feedOf(past)], spanMs: rig.now - (past[0]?.openTime ?? 0) },
    }),
  ).rejects.toThrow('fit of "change": RangeError: no memory left')
  const failed = of(rig.entries, 'fitting').at(-1)
  const last = of(rig.entries, 'bar').at(-1)?.at ?? of(rig.entries, 'run')[0]?.at ?? 0
  expect(last).toBeLessThan(failed?.takesEffectAt ?? 0)
  expect(of(rig.entries, 'end')[0]?.error).toContain('no memory left')
  await rig.close()
}, 60_000)
