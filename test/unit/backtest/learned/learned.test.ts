// What a fit learns from is what has closed by then, of the window, and nothing else.

import fc from 'fast-check'
import { EMA } from 'trading-signals'
import { describe, expect, test } from 'vitest'
import type { FitInput, LearnedRow, Learning } from '../../../../src/backtest/learned/learning.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import { BEGIN, MINUTE_MS, minuteBar } from './bars.ts'

/** What a fit was given. */
interface Given extends FitInput {
  readonly rows: readonly LearnedRow[]
}

/** Learns the change of the close over the horizon, of a row's number, and notes what its fits are given. */
function noting(given: Given[], more: Partial<Learning> = {}): Learning {
  return {
    ...{ horizon: 3, window: '30m', every: '10m', atLeast: 1 },
    features: ({ close }) => [toNumber(close)],
    label: (ahead, { close }) => toNumber((ahead.at(-1) as Bar).close - close),
    fit(rows, about) {
      given.push({ rows, ...about })
      const sum = rows.reduce((total, { label }) => total + label, 0)
      return { predict: ([close = 0]) => close + sum / rows.length }
    },
    ...more,
  }
}

/** Tells bars, and notes the prediction after each. */
function told(bars: readonly Bar[], learning: Learning) {
  const heard = new HeardBars()
  const learned = heard.learn('BTC', 'model', learning)
  const predictions = bars.map((bar) => {
    heard.add(bar)
    return learned.value
  })
  return { learned, predictions }
}

const minutes = (count: number, close = (minute: number) => 100 + ((minute * 7) % 13)) =>
  Array.from({ length: count }, (_, minute) => minuteBar(minute, close(minute)))

/** Bars with gaps, and how they are learned. */
const cases = fc.record({
  bars: fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 5 }), close: fc.integer({ min: 50, max: 150 }) }), {
      minLength: 2,
      maxLength: 120,
      size: 'max',
    })
    .map((steps) => {
      let minute = 0
      return steps.map(({ gap, close }) => {
        minute += gap
        return minuteBar(minute, close)
      })
    }),
  horizon: fc.integer({ min: 1, max: 12 }),
  window: fc.integer({ min: 1, max: 90 }),
  every: fc.integer({ min: 1, max: 40 }),
  atLeast: fc.integer({ min: 1, max: 10 }),
})

const learningOf = (
  given: Given[],
  { horizon, window, every, atLeast }: typeof cases extends fc.Arbitrary<infer T> ? T : never,
) => noting(given, { horizon, window: `${window}m`, every: `${every}m`, atLeast })

describe('a fit', () => {
  test('has exactly the rows of its window whose horizon had closed, at the first bar that closes at or after its instant', () => {
    fc.assert(
      fc.property(cases, (tried) => {
        const { bars, horizon, window, every, atLeast } = tried
        const given: Given[] = []
        const { learned } = told(bars, learningOf(given, tried))
        const instantOf = ({ closeTime }: Bar) => Math.floor((closeTime + 1) / (every * MINUTE_MS))
        const due = bars.flatMap((bar, index) =>
          index > 0 && instantOf(bar) > instantOf(bars[index - 1] as Bar) ? [index] : [],
        )
        const expected = due.map((index) => {
          const at = (bars[index] as Bar).closeTime
          const rows = bars.flatMap(({ closeTime, close }, row) => {
            const last = bars[row + horizon]
            if (row + horizon > index || last === undefined || closeTime <= at - window * MINUTE_MS) return []
            return [{ closeTime, features: [toNumber(close)], label: toNumber(last.close - close) }]
          })
          return { at, rows }
        })
        const made = expected.filter(({ rows }) => rows.length >= atLeast)
        expect(given.map(({ at, rows }) => ({ at, rows }))).toEqual(made)
        expect(learned.skipped).toBe(expected.length - made.length)
        for (const { at, knownTo, to } of learned.fits) {
          expect(knownTo).toBeLessThanOrEqual(at)
          expect(to).toBeLessThan(knownTo)
        }
      }),
    )
  })

  test('is the same whatever the data is from its moment on, and so is every prediction before a change', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.integer({ min: 2, max: 9 }), (tried, at, factor) => {
        const { bars } = tried
        const from = at % bars.length
        const changed = bars.map((bar, index) =>
          index < from ? bar : minuteBar((bar.openTime - BEGIN) / MINUTE_MS, toNumber(bar.close) * factor),
        )
        const [given, other]: [Given[], Given[]] = [[], []]
        const was = told(bars, learningOf(given, tried)).predictions
        const would = told(changed, learningOf(other, tried)).predictions
        const before = ({ at: fitted }: Given) => fitted < (bars[from] as Bar).closeTime
        expect(other.filter(before).map(({ rows, at, seed }) => ({ rows, at, seed }))).toEqual(
          given.filter(before).map(({ rows, at, seed }) => ({ rows, at, seed })),
        )
        expect(would.slice(0, from)).toEqual(was.slice(0, from))
      }),
    )
  })

  test('is told the model before, and a seed of its own that hangs on its instant, the market, the name and the seed', () => {
    const [given, again, other]: [Given[], Given[], Given[]] = [[], [], []]
    const { learned } = told(minutes(41), noting(given))
    told(minutes(41), noting(again))
    told(minutes(41), noting(other, { seed: 'another' }))
    expect(given.map(({ previous }) => previous !== null)).toEqual([false, true, true, true])
    expect(new Set(given.map(({ seed }) => seed)).size).toBe(4)
    expect(again.map(({ seed }) => seed)).toEqual(given.map(({ seed }) => seed))
    expect(other.map(({ seed }) => seed)).not.toEqual(given.map(({ seed }) => seed))
    expect(learned.model).not.toBeNull()
  })

  test('learns from a list that nobody changes: neither whoever told it nor the fit', () => {
    const own = [0]
    const given: Given[] = []
    const features = ({ close }: Bar) => {
      own[0] = toNumber(close)
      return own
    }
    told(minutes(12), noting(given, { features }))
    expect(given[0]?.rows.map(({ features: [close] }) => close)).toEqual(
      minutes(7).map(({ close }) => toNumber(close)),
    )
    const fit: Learning['fit'] = (rows) => {
      for (const row of rows) (row.features as number[])[0] = 0
      return { predict: () => 0 }
    }
    expect(() => told(minutes(12), noting([], { fit }))).toThrow('fit of "model": TypeError')
  })

  test('holds no more rows than its window and a thousand', () => {
    const held: number[] = []
    const watched = new HeardBars()
    const learned = watched.learn('BTC', 'model', noting([], { window: '60m', every: '9999d' }))
    for (const bar of minutes(5_000)) {
      watched.add(bar)
      held.push(learned.held)
    }
    expect(Math.max(...held)).toBeLessThanOrEqual(60 + 1_024)
  })
})

test('who watches is told of each fit, and of each that had too few rows', () => {
  const told: [number, number | null][] = []
  const watched = new HeardBars()
  const learned = watched.learn('BTC', 'model', noting([], { window: '60m', every: '3m', atLeast: 5 }))
  const nobody = () => {}
  learned.watch = {
    begun: nobody,
    awaited: () => nobody,
    foretold: nobody,
    fitted: (_, at, fit) => told.push([at, fit?.rows ?? null]),
  }
  for (const bar of minutes(16)) watched.add(bar)
  const fitted = (index: number) => minutes(16)[index]?.closeTime
  expect(told).toEqual([
    [fitted(2), null],
    [fitted(5), null],
    [fitted(8), 6],
    [fitted(11), 9],
    [fitted(14), 12],
  ])
  expect(learned.skipped).toBe(2)
})

describe('a prediction', () => {
  test('is that of the bar that is told, by the newest model, and null before the first', () => {
    const { learned, predictions } = told(
      minutes(21),
      noting([], { fit: (rows) => ({ predict: ([close = 0]) => close + rows.length }) }),
    )
    expect(predictions.slice(0, 9)).toEqual(new Array(9).fill(null))
    expect(predictions[9]).toBe(toNumber(minutes(10)[9]?.close ?? 0n) + 7)
    expect(predictions[20]).toBe(toNumber(minutes(21)[20]?.close ?? 0n) + 17)
    expect(learned.previous).toBe(predictions[19])
  })

  test('is scored once what it foretold is known, beside the model that made it', () => {
    const exact = noting([], {
      horizon: 2,
      // Every bar closes one above the last, so that a model may be right.
      fit: () => ({ predict: ([close = 0]) => close }),
      label: (ahead) => toNumber((ahead.at(-1) as Bar).close),
      scores: {
        error: (made, came) => made.reduce((sum, one, row) => sum + (came[row] ?? 0) - one, 0),
        count: (made) => made.length,
      },
    })
    const { learned } = told(
      minutes(25, (minute) => 100 + minute),
      exact,
    )
    // Fits with the 10th and the 20th bar; each prediction is two below what comes.
    expect(learned.fits.map(({ rows, predictions }) => [rows, predictions])).toEqual([
      [8, 10],
      [18, 4],
    ])
    expect(learned.fits.map(({ inSample }) => inSample)).toEqual([
      { error: 16, count: 8 },
      { error: 36, count: 18 },
    ])
    expect(learned.fits.map(({ outOfSample }) => outOfSample)).toEqual([
      { error: 20, count: 10 },
      { error: 8, count: 4 },
    ])
  })

  test('of a bar without features is null, and it is no row; of a label that is null neither', () => {
    const given: Given[] = []
    const features = ({ close, openTime }: Bar) => (openTime === BEGIN ? null : [toNumber(close)])
    const label = (_: readonly Bar[], { openTime }: Bar) => (openTime === BEGIN + MINUTE_MS ? null : 1)
    const { predictions } = told(minutes(12), noting(given, { features, label }))
    expect(given[0]?.rows.length).toBe(5)
    expect(predictions[9]).not.toBeNull()
  })

  test('knows indicators as of its bar, also one that is made later', () => {
    const heard = new HeardBars()
    const seen: (number | null)[] = []
    const features = () => {
      seen.push(ema.value)
      return null
    }
    heard.learn('BTC', 'model', noting([], { features }))
    const ema = heard.indicator('BTC', 'EMA', new EMA(1))
    const bars = minutes(5)
    for (const bar of bars) heard.add(bar)
    expect(seen).toEqual(bars.map(({ close }) => toNumber(close)))
  })
})

describe('of longer bars', () => {
  test('they are learned from as they close', () => {
    const given: Given[] = []
    const learning = noting(given, { interval: '5m', horizon: 2, window: '10h', every: '1h' })
    const { learned } = told(minutes(61), learning)
    expect(given[0]?.rows.length).toBe(12 - 2)
    expect(learned.fits[0]?.at).toBe(BEGIN + 60 * MINUTE_MS - 1)
  })

  test('one that closes only with a later bar makes no row, because its features would know that one', () => {
    const given: Given[] = []
    const learning = noting(given, { interval: '5m', horizon: 1, window: '10h', every: '1h' })
    // The last minute of the first five is missing.
    told(
      minutes(61).filter((_, minute) => minute !== 4),
      learning,
    )
    expect(given[0]?.rows.map(({ closeTime }) => (closeTime + 1 - BEGIN) / MINUTE_MS)).toEqual([
      10, 15, 20, 25, 30, 35, 40, 45, 50, 55,
    ])
  })
})

describe('what cannot be used is told', () => {
  const failure = (more: Partial<Learning>) => () => told(minutes(30), noting([], more))

  test.each<[string, Partial<Learning>, string]>([
    [
      'no number',
      { features: () => [1, Number.NaN] },
      'features of "model": NaN in the place 1 is no number',
    ],
    ['no list', { features: () => 3 as never }, 'features of "model": 3 is no list of numbers, and not null'],
    [
      'another length',
      { features: ({ openTime }) => (openTime === BEGIN ? [1] : [1, 2]) },
      'features of "model": 2 number(s), where the bars before had 1',
    ],
    [
      'a label that is no number',
      { label: () => Number.POSITIVE_INFINITY },
      'label of "model": Infinity of the bar at 2026-01-05 00:00:59 UTC is no number',
    ],
    [
      'a promise',
      { fit: (async () => ({ predict: () => 0 })) as never },
      'fit of "model": a promise is no model: it has no predict, which has to be there at once',
    ],
    ['no model', { fit: () => undefined as never }, 'fit of "model": undefined is no model'],
    ['no prediction', { fit: () => ({ predict: () => Number.NaN }) }, 'predict of "model": NaN is no number'],
    [
      'a score that throws',
      {
        scores: {
          bad() {
            throw new Error('of mine')
          },
        },
      },
      'scores of "model": Error: of mine',
    ],
    ['no horizon', { horizon: 0 }, 'the horizon of model is a whole number of bars from 1 on, not 0'],
    ['half a row', { atLeast: 0.5 }, 'model needs at least a whole number of rows from 1 on, not 0.5'],
    ['no window', { window: '2 weeks' }, 'an interval is a number of minutes, hours or days'],
    ['no time between fits', { every: '0d' }, 'an interval is a number of minutes, hours or days'],
  ])('%s', (_, more, sentence) => {
    expect(failure(more)).toThrow(sentence)
  })

  test('a model that comes too late', () => {
    const heard = new HeardBars()
    for (const bar of minutes(2)) heard.add(bar)
    expect(() => heard.learn('BTC', 'model', noting([]))).toThrow(
      'the model model is learned from the first bar on: make it in onStart or in the first onBar',
    )
  })

  test('one that is made in the first onBar has that bar', () => {
    const heard = new HeardBars()
    const given: Given[] = []
    const bars = minutes(10)
    heard.add(bars[0] as Bar)
    heard.learn('BTC', 'model', noting(given))
    for (const bar of bars.slice(1)) heard.add(bar)
    expect(given[0]?.rows[0]?.closeTime).toBe(bars[0]?.closeTime)
  })
})
