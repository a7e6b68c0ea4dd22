// Fits that are used later than they are made: which model foretells a bar hangs on market time, and never on how fast a fit was.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { learnedRows } from '../../../../src/backtest/export/tables.ts'
import {
  type Fit,
  type FitBeside,
  type KeepableFit,
  keepableBeside,
  type LearnedResult,
  type LearnedRow,
  type Learning,
  ModelShelf,
  readModels,
  ridge,
  runBacktest,
  runSweep,
  saveModels,
} from '../../../../src/backtest/index.ts'
import { type Plain, stateOf } from '../../../../src/backtest/learned/keepable.ts'
import type { Learned } from '../../../../src/backtest/learned/learned.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import { resultJson } from '../../../../src/backtest/output/json.ts'
import { learnedSection } from '../../../../src/backtest/report/learnedSection.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { BEGIN, barsOf, MINUTE_MS, minuteBar } from './bars.ts'
import { drawnCloses, drawnMinutes, learningOfChanges } from './changes.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-later-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Bars with gaps, and how they are learned; lengths in minutes. */
const cases = fc
  .record({
    bars: fc
      .array(fc.record({ gap: fc.constantFrom(1, 1, 1, 2, 9), close: fc.integer({ min: 50, max: 150 }) }), {
        minLength: 30,
        maxLength: 140,
        size: 'max',
      })
      .map((steps) => {
        let minute = 0
        return steps.map(({ gap, close }) => {
          minute += gap
          return minuteBar(minute, close)
        })
      }),
    horizon: fc.integer({ min: 1, max: 4 }),
    window: fc.integer({ min: 5, max: 60 }),
    every: fc.integer({ min: 1, max: 20 }),
    share: fc.constantFrom(1, 0.5, 0.1),
    interval: fc.constantFrom(null, null, 5),
    atLeast: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ share, ...tried }) => ({ ...tried, after: Math.max(1, Math.floor(share * tried.every)) }))

type Tried = typeof cases extends fc.Arbitrary<infer T> ? T : never

/** Of a fit: a model that says when it was made. */
const stamped = (made: { at: number; rows: readonly LearnedRow[]; previous: object | null }[]): Fit => {
  return (rows, about) => {
    made.push({ at: about.at, rows, previous: about.previous })
    return { predict: ([close = 0]) => about.at + close / 1_000 }
  }
}

const learningOf = ({ horizon, window, every, after, interval, atLeast }: Tried, fit: Learning['fit']) =>
  ({
    ...{ horizon, window: `${window}m`, every: `${every}m`, atLeast, fit },
    ...(interval === null ? {} : { interval: `${interval}m` }),
    takesEffectAfter: `${after}m`,
    features: ({ close }) => [toNumber(close)],
    label: (ahead, { close }) => toNumber((ahead.at(-1) as Bar).close - close),
  }) satisfies Learning

/** Tells bars as a run does: a fit that is not done when it is to be used is waited for. */
async function told(bars: readonly Bar[], learning: Learning, models: ModelShelf | null = null) {
  const heard = new HeardBars(null, models)
  const learned = heard.learn('BTC', 'model', learning)
  const values: (number | null)[] = []
  let waits = 0
  for (const bar of bars) {
    const ready = heard.ready(bar)
    waits += Number(ready !== undefined)
    if (ready !== undefined) expect(await ready).toBe(true)
    heard.add(bar)
    values.push(learned.value)
  }
  return { learned, values, waits }
}

/** The same fit, done whenever its machine is. */
const slowed = (learner: Fit, seed: string): FitBeside => {
  const random = new Random(seed)
  return async (rows, about) => {
    const model = learner(rows, about)
    for (let turns = Math.floor(random.uniform() * 4); turns > 0; turns--) await setImmediate()
    return model
  }
}

/** Bars of the length that is learned of, as they close. */
const ownBars = (learned: Learned, bars: readonly Bar[], interval: number | null) => {
  if (interval === null) return bars
  const heard = new HeardBars()
  heard.of('BTC', `${interval}m`)
  for (const bar of bars) heard.add(bar)
  return heard.of(learned.asset, `${interval}m`)
}

describe('a fit that is used later', () => {
  test('is made of the rows of its instant, and foretells from the first bar on that ends so long after it: as if it had been swapped by hand', async () => {
    let waited = 0
    let reached = 0
    await fc.assert(
      fc.asyncProperty(cases, fc.uuid(), async (tried, seed) => {
        const { bars, after, interval } = tried
        const [atOnce, later]: Parameters<typeof stamped>[0][] = [[], []]
        const { takesEffectAfter: _, ...immediate } = learningOf(tried, stamped(atOnce ?? []))
        await told(bars, immediate)
        const made = atOnce?.map(({ at, rows }) => ({ at, rows })) ?? []
        const run = await told(bars, learningOf(tried, slowed(stamped(later ?? []), seed)))
        // Of the same rows at the same instants, none of whose labels is known later.
        expect(later?.map(({ at, rows }) => ({ at, rows }))).toEqual(made)
        for (const { at, knownTo } of run.learned.fits) expect(knownTo).toBeLessThanOrEqual(at)
        // A longer bar that lacks its last minutes closes, and its fit is begun, with the next bar that there is.
        const begunAt = (at: number) => bars.find(({ closeTime }) => closeTime >= at)?.closeTime ?? at
        const dueAt = (at: number) => begunAt(at) + after * MINUTE_MS
        // By hand: of each bar that is learned of, the newest fit that was made so long before it.
        const own = ownBars(run.learned, bars, interval)
        const byHand = new Map(
          own.map(({ closeTime, close }) => {
            const fit = made.findLast(({ at }) => dueAt(at) <= closeTime)
            return [closeTime, fit === undefined ? null : fit.at + toNumber(close) / 1_000]
          }),
        )
        for (const [index, { closeTime }] of bars.entries())
          if (byHand.has(closeTime)) expect(run.values[index]).toBe(byHand.get(closeTime))
        // Only those that were used are told, each with the bar from which on it was.
        const used = made.flatMap(({ at }) => {
          const from = own.find(({ closeTime }) => closeTime >= dueAt(at))
          return from === undefined ? [] : [{ at, usedFrom: from.closeTime }]
        })
        expect(run.learned.fits.map(({ at, usedFrom }) => ({ at, usedFrom }))).toEqual(used)
        expect(run.learned.pending.map(({ of }) => of.at)).toEqual(
          made.slice(used.length).map(({ at }) => at),
        )
        // Each is told the model that was used when it was begun.
        for (const { at, previous } of later ?? [])
          expect(previous === null).toBe(!used.some(({ usedFrom }) => usedFrom <= at))
        // A fit that is done by then, or was made at once, comes to the same.
        const sync = await told(bars, learningOf(tried, stamped([])))
        expect([sync.values, sync.learned.fits, sync.waits]).toEqual([run.values, run.learned.fits, 0])
        waited += run.waits
        reached += used.length
      }),
      { numRuns: 60 },
    )
    expect(waited).toBeGreaterThan(100)
    expect(reached).toBeGreaterThan(300)
  })

  test('is scored out of sample on what it foretold itself, from then on', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (tried) => {
        const { bars, horizon } = tried
        const { learned } = await told(bars, learningOf({ ...tried, interval: null }, stamped([])))
        for (const [index, { usedFrom = 0, predictions }] of learned.fits.entries()) {
          const until = learned.fits[index + 1]?.usedFrom ?? Number.POSITIVE_INFINITY
          const own = bars.filter(({ closeTime }, at) => {
            return closeTime >= usedFrom && closeTime < until && at + horizon < bars.length
          })
          expect(predictions).toBe(own.length)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is used at the latest when the next is due', () => {
    const learn = (takesEffectAfter: string) => {
      const tried = { horizon: 1, window: 30, every: 10, after: 1, interval: null, atLeast: 1, bars: [] }
      const learning = { ...learningOf(tried, ridge()), takesEffectAfter }
      return () => new HeardBars().learn('BTC', 'model', learning)
    }
    expect(learn('10m')).not.toThrow()
    expect(learn('11m')).toThrow(
      'a fit of model takes effect at the latest when the next is due, so after 10m at most, not 11m',
    )
    expect(learn('soon')).toThrow(/an interval is .*, not soon/)
  })
})

/** A ridge that takes its time, and says how often it was asked. */
function slowRidge(turns = 2, asked: { at: number }[] = []) {
  const own = ridge() as KeepableFit
  return keepableBeside({
    learner: own.learner,
    async learn(rows, about): Promise<Plain> {
      asked.push({ at: about.at })
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      return stateOf(own(rows, about)) as Plain
    },
    model: (state) => own.restored(state),
  })
}

describe('a model that goes on from where it was kept', () => {
  test('says what one says that never ended, wherever it was cut and however often, also between a fit and its use', async () => {
    let between = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(fc.integer({ min: 1, max: 899 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('1m', '47m', '90m', '2h'),
        fc.constantFrom<Learning['fit']>(ridge(), slowRidge(0), slowRidge(3)),
        fc.integer({ min: 0, max: 40 }),
        async (seed, cuts, takesEffectAfter, fit, overlap) => {
          const own = learningOfChanges({ fit, takesEffectAfter })
          const all = drawnMinutes(seed, 900)
          const whole = await told(all, learningOfChanges({ takesEffectAfter }), null)
          const places = [...new Set(cuts)].sort((one, other) => one - other)
          let shelf = new ModelShelf({ keeps: true })
          await told(all.slice(0, places[0]), own, shelf)
          for (const [index, place] of places.entries()) {
            const from = Math.max(0, place - overlap)
            const to = places[index + 1] ?? all.length
            await saveModels(path.join(folder, 'cut'), shelf.kept)
            const kept = await readModels(path.join(folder, 'cut'))
            expect(kept).toEqual(shelf.kept)
            between += kept[0]?.pending.length ?? 0
            shelf = new ModelShelf({ from: kept, keeps: true })
            const next = await told(all.slice(from, to), own, shelf)
            expect(next.values).toEqual(whole.values.slice(from, to))
          }
          const single = new ModelShelf({ keeps: true })
          await told(all, learningOfChanges({ takesEffectAfter }), single)
          expect(shelf.kept).toEqual(single.kept)
        },
      ),
      { numRuns: 25 },
    )
    expect(between).toBeGreaterThan(10)
  })

  test('begins what was under way anew, and nothing else', async () => {
    const asked: { at: number }[] = []
    const own = learningOfChanges({ fit: slowRidge(1, asked), takesEffectAfter: '90m' })
    const all = drawnMinutes('again', 900)
    const shelf = new ModelShelf({ keeps: true })
    // 30 minutes after a fit that is used an hour later.
    await told(all.slice(0, 390), own, shelf)
    const before = asked.length
    const { learned } = await told(all.slice(0, 500), own, new ModelShelf({ from: shelf.kept }))
    expect(asked.slice(before).map(({ at }) => at)).toEqual([
      shelf.kept[0]?.pending[0]?.at,
      ...learned.pending.map(({ of }) => of.at),
    ])
    expect(shelf.kept[0]?.pending[0]?.at).toBe(BEGIN + 360 * MINUTE_MS - 1)
  })

  test('that is made in the first bar cannot wait for what was under way, and says so; one that learns at once need not', async () => {
    const all = drawnMinutes('first bar', 500)
    const late = async (fit: Learning['fit']) => {
      const own = learningOfChanges({ fit, takesEffectAfter: '90m' })
      const shelf = new ModelShelf({ keeps: true })
      await told(all.slice(0, 390), own, shelf)
      const heard = new HeardBars(null, new ModelShelf({ from: shelf.kept }))
      heard.add(all[460] as Bar)
      return () => heard.learn('BTC', 'model', own).value
    }
    expect(await late(slowRidge())).toThrow('can be waited for where the model is made in onStart')
    expect((await late(ridge()))()).not.toBeNull()
  })

  test('is another where its fits are used at another time', async () => {
    const shelf = new ModelShelf({ keeps: true })
    await told(drawnMinutes('other', 400), learningOfChanges({ takesEffectAfter: '1h' }), shelf)
    for (const [takesEffectAfter, says] of [
      ['30m', '"30m"'],
      ['0m', 'null'],
    ] as const)
      expect(() =>
        new HeardBars(null, new ModelShelf({ from: shelf.kept })).learn(
          'BTC',
          'model',
          learningOfChanges({ takesEffectAfter }),
        ),
      ).toThrow(`the time between a fit and its use was "1h" and is ${says}`)
  })
})

const MINUTES = 2 * 1_440

/** Trades on what it learned. */
function trader(own: Partial<Learning>): Strategy {
  let learned: Learned
  return {
    name: 'learns and trades',
    onStart(context) {
      learned = context.learn('BTC', 'change', learningOfChanges(own))
    },
    async onBar(_, context) {
      const [position] = context.positions('BTC')
      const { value } = learned
      if (value === null) return
      const side = value > 0 ? 'long' : 'short'
      if (position?.direction === side) return
      if (position !== undefined) await context.close({ position })
      await context.open({ asset: 'BTC', direction: side, sizeBy: { base: '0.01' }, leverage: '2' })
    },
  }
}

const ACCOUNT = { maxDailyLoss: 10n ** 9n, maxTotalLoss: 10n ** 9n }
const run = (own: Partial<Learning>, { late = 0, ...more }: { late?: number; models?: ModelShelf } = {}) =>
  runBacktest({
    markets: [{ asset: 'BTC', feed: barsOf(drawnCloses('a run', MINUTES)) }],
    strategy: late === 0 ? trader(own) : delayed(trader(own), late),
    ...{ account: ACCOUNT, afterVerdict: 'go-on', ...more },
  })

const textOf = (result: Awaited<ReturnType<typeof run>>) =>
  JSON.stringify([resultJson(result), [...learnedRows(result.learned ?? [])]], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )

const filesIn = (place: string) =>
  readdirSync(place)
    .sort()
    .map((name) => [name, readFileSync(path.join(place, name), 'utf8')])

describe('a run', () => {
  test('whose fits are used after no time is the run without a word of it, to the last byte of what it writes', async () => {
    const [none, zero] = [new ModelShelf({ keeps: true }), new ModelShelf({ keeps: true })]
    const plain = textOf(await run({}, { models: none }))
    expect(textOf(await run({ takesEffectAfter: '0m' }, { models: zero }))).toBe(plain)
    expect(plain).not.toMatch(/usedFrom|takesEffectAfter|pending|waitedMs/)
    for (const [place, shelf] of [
      ['none', none],
      ['zero', zero],
    ] as const)
      await saveModels(path.join(folder, place), shelf.kept)
    expect(filesIn(path.join(folder, 'zero'))).toEqual(filesIn(path.join(folder, 'none')))
    expect(JSON.stringify(filesIn(path.join(folder, 'none')))).not.toMatch(/usedFrom|takesEffect|pending/)
  })

  test.each([0, 3])('told %i bars late, is the same whatever its fits take', async (late) => {
    const plain = await run({ takesEffectAfter: '45m' }, { late })
    const inTurns = slowRidge(5)
    expect(textOf(await run({ takesEffectAfter: '45m', fit: inTurns }, { late }))).toBe(textOf(plain))
    const slow: FitBeside = async (rows, about) => {
      await setTimeout(3)
      return ridge()(rows, about)
    }
    expect(textOf(await run({ takesEffectAfter: '45m', fit: slow }, { late }))).toBe(textOf(plain))
    const { fits = [] } = plain.learned?.[0] ?? {}
    expect(fits.length).toBeGreaterThan(10)
    for (const { at, usedFrom = 0 } of fits) expect(usedFrom - at).toBe(45 * MINUTE_MS)
    expect(plain.fills).toBeGreaterThan(10)
    expect(textOf(await run({}, { late }))).not.toBe(textOf(plain))
  })

  test('says from when on each fit was used, and of those that were to be used after its end', async () => {
    const result = await run({ takesEffectAfter: '2h', every: '4h' })
    const { learned: [model] = [] } = result
    expect(model).toMatchObject({ takesEffectAfter: '2h' })
    const [first] = model?.fits ?? []
    const [row] = [...learnedRows(result.learned ?? [])]
    expect(row).toMatchObject({ at: '2026-01-05T03:59:59.999Z', usedFrom: '2026-01-05T05:59:59.999Z' })
    expect(first?.usedFrom).toBe((first?.at ?? 0) + 120 * MINUTE_MS)
    expect(JSON.stringify(resultJson(result).learned)).toContain('"usedFrom":"2026-01-05T05:59:59.999Z"')
    expect(learnedSection(result)?.models[0]?.how).toMatch(
      /every 4h, each used 2h later\. 1 more would have been used after the end\.$/,
    )
    const short = await runBacktest({
      markets: [{ asset: 'BTC', feed: barsOf(drawnCloses('short', 300)) }],
      strategy: trader({ every: '4h', takesEffectAfter: '2h' }),
    })
    const [only] = short.learned as [LearnedResult]
    expect([only.fits.length, only.pending, only.skipped]).toEqual([0, 1, 0])
    expect(short.notes).toContain('change foretold nothing: the run ended before a fit of it was to be used')
    expect(learnedSection(short)?.models[0]?.how).toContain('1 more would have been used after the end.')
  })

  test('fails with what a fit failed with, when it is to be used; at once with what is thrown at once', async () => {
    const failing = (throws: boolean, place: string): Learning['fit'] => {
      const fail = () => {
        throw new RangeError(place)
      }
      return throws ? fail : async () => fail()
    }
    await expect(run({ takesEffectAfter: '45m', fit: failing(false, 'later') })).rejects.toThrow(
      /failed in fit of "change" at 2026-01-05 02:44:59 UTC: RangeError: later/,
    )
    await expect(run({ takesEffectAfter: '45m', fit: failing(true, 'at once') })).rejects.toThrow(
      /failed in fit of "change" at 2026-01-05 01:59:59 UTC: RangeError: at once/,
    )
    const none = async () => ({}) as never
    await expect(run({ takesEffectAfter: '45m', fit: none })).rejects.toThrow(
      /at 2026-01-05 02:44:59 UTC: an object is no model/,
    )
    await expect(run({ fit: slowRidge() })).rejects.toThrow(
      /a promise is no model: it has no predict, which has to be there at once, unless takesEffectAfter gives the fit time/,
    )
  })

  test('that ends tells fits that are under way that nobody waits for them, whatever ended it', async () => {
    const left: AbortSignal[] = []
    const never: FitBeside = (_, { signal }) => {
      if (signal === undefined) throw new Error('no signal')
      left.push(signal)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('left')))
      })
    }
    await runBacktest({
      markets: [{ asset: 'BTC', feed: barsOf(drawnCloses('left', 200)) }],
      strategy: trader({ takesEffectAfter: '2h', fit: never }),
    })
    const failing: Strategy = { ...trader({ takesEffectAfter: '2h', fit: never }) }
    let bars = 0
    await expect(
      runBacktest({
        markets: [{ asset: 'BTC', feed: barsOf(drawnCloses('left', 200)) }],
        strategy: {
          ...failing,
          onBar() {
            bars += 1
            if (bars === 150) throw new Error('enough')
          },
        },
      }),
    ).rejects.toThrow('enough')
    expect(left.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})

test('a sweep over it is the same with workers, and none is none', async () => {
  const file = path.join(folder, 'later.ts')
  const { writeFileSync } = await import('node:fs')
  const index = new URL('../../../../src/backtest/index.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { inThread, ridge, toNumber } from '${index}'
export const parameters = { after: '0m' }
export default function later({ asset, after }) {
  let change
  const fit = after === '0m' ? ridge() : inThread(ridge())
  return {
    name: 'later',
    onStart(context) {
      change = context.learn(asset, 'change', {
        ...{ horizon: 5, window: '1d', every: '6h', takesEffectAfter: after, fit },
        features: ({ open, close }) => [toNumber(close) / toNumber(open) - 1],
        label: (ahead, { close }) => toNumber(ahead.at(-1).close) / toNumber(close) - 1,
      })
    },
    async onBar({ close }, context) {
      if (context.positions(asset).length > 0 || !change.isAbove(0)) return
      const entry = { asset, direction: 'long', sizeBy: { risk: '0.5%' }, leverage: '5' }
      await context.open({ ...entry, stopLoss: (close * 99n) / 100n, takeProfit: (close * 101n) / 100n })
    },
  }
}
`,
  )
  const plan = { strategy: file, markets: [{ asset: 'BTC', days: 2 }] }
  const options = { plan, vary: { after: ['0m', '1h', '6h'] } }
  const [alone, shared] = [
    await runSweep({ ...options, workers: 1 }),
    await runSweep({ ...options, workers: 2 }),
  ]
  expect(shared).toEqual(alone)
  expect(new Set(alone.rows.map(({ figures }) => figures.netProfit)).size).toBe(3)
})
