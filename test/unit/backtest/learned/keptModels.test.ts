// Models that are kept: each says what it said, and a run that goes on from them decides as one that never ended.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  boostedStumps,
  boostedTrees,
  calibrated,
  type Fit,
  type KeepableFit,
  KeptModelError,
  keepable,
  keepableStep,
  type LearnedRow,
  type Learning,
  logistic,
  ModelShelf,
  naiveBayes,
  nearestNeighbours,
  perceptron,
  pipeline,
  principalComponents,
  randomForest,
  readModels,
  ridge,
  runBacktest,
  saveModels,
  standardise,
  withoutOutliers,
} from '../../../../src/backtest/index.ts'
import { isKeepable, type Plain, stateOf } from '../../../../src/backtest/learned/keepable.ts'
import { plainText, readPlain } from '../../../../src/backtest/learned/plainText.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import { BEGIN, barsOf, MINUTE_MS } from './bars.ts'
import { change, drawnCloses, drawnMinutes, learningOfChanges } from './changes.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-models-'))
afterAll(() => rmSync(folder, { recursive: true }))

const LEARNERS: Readonly<Record<string, Fit>> = {
  ridge: ridge(),
  logistic: logistic(),
  stumps: boostedStumps({ rounds: 10 }),
  trees: boostedTrees({ rounds: 5 }),
  forest: randomForest({ trees: 5 }),
  bayes: naiveBayes(),
  neighbours: nearestNeighbours({ count: 5 }),
  network: perceptron({ rounds: 2, units: 3 }),
  components: pipeline([standardise(), principalComponents(), withoutOutliers()], ridge()),
  Platt: calibrated(logistic()),
  isotonic: calibrated(pipeline([withoutOutliers({ share: 0.1 })], boostedStumps({ rounds: 5 })), {
    by: 'isotonic',
  }),
}

const odd = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 3, 1e9, 1e-9, 1e60, -1e60, 1e100),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, min: -1e100, max: 1e100 }),
)
const features = fc.array(odd, { minLength: 3, maxLength: 3 })
const oddRows = fc
  .array(fc.tuple(features, fc.constantFrom(0, 1)), { minLength: 44, maxLength: 80, size: 'max' })
  .map((drawn) => drawn.map(([own, label], closeTime): LearnedRow => ({ closeTime, features: own, label })))

const again = (fit: Fit, model: object): ReturnType<Fit> =>
  (fit as KeepableFit).restored(readPlain(plainText(stateOf(model) as Plain)))

test.each(Object.entries(LEARNERS))('%s says after it was kept what it said', (_, learner) => {
  fc.assert(
    fc.property(oddRows, fc.array(features, { minLength: 1, maxLength: 9 }), (rows, asked) => {
      const model = learner(rows, { seed: 3, previous: null, at: 0 })
      const restored = again(learner, model)
      for (const own of [...asked, ...rows.map((row) => row.features)])
        expect(restored.predict(own)).toBe(model.predict(own))
      expect('inner' in restored).toBe('inner' in model)
    }),
    { numRuns: 30 },
  )
})

test('learners say every parameter of theirs', () => {
  const said = [
    ...Object.values(LEARNERS),
    ...[
      ridge(0.5),
      logistic(0.5),
      boostedStumps({ rounds: 11 }),
      boostedTrees({ rounds: 5, depth: 2 }),
      randomForest({ depth: 2 }),
    ],
    ...[nearestNeighbours({ count: 6 }), perceptron({ units: 4 }), calibrated(logistic(), { gap: 3 })],
    ...[pipeline([principalComponents({ count: 2 })], ridge()), pipeline([], ridge()), calibrated(ridge())],
    pipeline([withoutOutliers({ share: 0.2 })], ridge()),
  ].map((fit) => plainText((fit as KeepableFit).learner))
  expect(new Set(said).size).toBe(said.length)
})

test('around a learner or a step that cannot be kept there is nothing to keep', () => {
  const own: Fit = () => ({ predict: () => 0 })
  for (const fit of [
    own,
    calibrated(own),
    pipeline([], own),
    pipeline([(rows) => ({ rows, of: (one) => one })], ridge()),
  ])
    expect(isKeepable(fit)).toBe(false)
  const halved = keepableStep({
    step: { name: 'halved' },
    fitted: () => 2,
    of: (by) => (all) => all.map((one) => one / by),
  })
  expect(isKeepable(pipeline([halved], ridge()))).toBe(true)
})

test('every number is written so that it is read as it was', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(odd, fc.constantFrom(Number.NaN, Infinity, -Infinity, 5e-324))),
      (numbers) => {
        const read = readPlain(plainText({ numbers, none: null, text: 'Infinity' })) as { numbers: number[] }
        expect(read.numbers.length).toBe(numbers.length)
        for (const [index, number] of numbers.entries()) expect(read.numbers[index]).toBe(number)
        expect(read).toMatchObject({ none: null, text: 'Infinity' })
      },
    ),
  )
  for (const value of [new Float64Array(1), () => 0, 1n, new Map()])
    expect(() => plainText({ at: [value as unknown as Plain] })).toThrow(/state\.at\[0\] is a/)
})

/** What a model says of each bar, and the shelf that it stands on. */
function heard(told: readonly Bar[], own: Learning, models: ModelShelf) {
  const all = new HeardBars(null, models)
  const learned = all.learn('BTC', 'change', own)
  const values = told.map((bar) => {
    all.add(bar)
    return learned.value
  })
  return { values, learned, models }
}

describe('a model that goes on from where it was kept', () => {
  const fitted = fc
    .constantFrom(0, 1, 2)
    .map(
      (kind) => [ridge(), calibrated(logistic(), { share: 0.4 }), boostedTrees({ rounds: 3 })][kind] as Fit,
    )
  const sided = (own: Learning): Learning => ({
    ...own,
    label: (ahead, bar) => ((own.label(ahead, bar) ?? 0) > 0 ? 1 : 0),
  })

  test('says of every bar after it what one says that never ended, wherever it was cut and however often', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.array(fc.integer({ min: 1, max: 899 }), { minLength: 1, maxLength: 3 }),
        fitted,
        fc.integer({ min: 0, max: 40 }),
        (seed, cuts, fit, overlap) => {
          const own = sided(learningOfChanges({ fit }))
          const all = drawnMinutes(seed, 900)
          const whole = heard(all, own, new ModelShelf())
          const places = [...new Set(cuts)].sort((one, other) => one - other)
          let shelf = heard(all.slice(0, places[0]), own, new ModelShelf({ keeps: true })).models
          for (const [index, place] of places.entries()) {
            const from = Math.max(0, place - overlap)
            const to = places[index + 1] ?? all.length
            const next = heard(all.slice(from, to), own, new ModelShelf({ from: shelf.kept, keeps: true }))
            expect(next.values).toEqual(whole.values.slice(from, to))
            shelf = next.models
          }
          expect(shelf.kept).toEqual(heard(all, own, new ModelShelf({ keeps: true })).models.kept)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('fits nothing again, and knows nothing of a fit before its time', () => {
    const all = drawnMinutes('again', 900)
    const first = heard(all, learningOfChanges(), new ModelShelf({ keeps: true }))
    expect(first.learned.fits.length).toBeGreaterThan(4)
    const never: Fit = Object.assign(
      () => {
        throw new Error('fitted again')
      },
      { learner: (ridge() as KeepableFit).learner, restored: (ridge() as KeepableFit).restored },
    )
    const second = heard(all, learningOfChanges({ fit: never }), new ModelShelf({ from: first.models.kept }))
    expect(second.values).toEqual(first.values)
    expect(second.values.slice(0, 100).every((value) => value === null)).toBe(true)
  })
})

describe('a run', () => {
  const MINUTES = 3 * 1_440
  const CUT = BEGIN + 2 * 1_440 * MINUTE_MS + 77 * MINUTE_MS
  const market = () => [{ asset: 'BTC', feed: barsOf(drawnCloses('a run', MINUTES)) }]

  /** Trades on what it learned, and tells what it asked for. */
  function trader(asked: string[], own: Partial<Learning> = {}) {
    let value: () => number | null
    return {
      name: 'learns and trades',
      onStart(context) {
        const learned = context.learn(
          'BTC',
          'change',
          learningOfChanges({ every: '6h', window: '1d', ...own }),
        )
        value = () => learned.value
      },
      async onBar(bar: Bar, context) {
        const foretold = value()
        const [position] = context.positions('BTC')
        if (foretold === null || context.account().status !== 'active') return
        const side = foretold > 0 ? 'long' : 'short'
        if (position?.direction === side) return
        asked.push(`${bar.closeTime} ${foretold} ${side}`)
        if (position !== undefined) await context.close({ position })
        await context.open({ asset: 'BTC', direction: side, sizeBy: { base: '0.01' }, leverage: '2' })
      },
    } satisfies Parameters<typeof runBacktest>[0]['strategy']
  }

  const ACCOUNT = { maxDailyLoss: 10n ** 9n, maxTotalLoss: 10n ** 9n }
  const run = (strategy: ReturnType<typeof trader>, more: object) =>
    runBacktest({ markets: market(), strategy, account: ACCOUNT, afterVerdict: 'go-on', ...more })

  test('to an instant that keeps its models, and one from there that starts from them, decide as a single one', async () => {
    const [single, before, after, anew]: string[][] = [[], [], [], []]
    await run(trader(single ?? []), {})
    const keeping = new ModelShelf({ keeps: true })
    await run(trader(before ?? []), { to: CUT, models: keeping })
    await saveModels(path.join(folder, 'run'), keeping.kept)
    const kept = await readModels(path.join(folder, 'run'))
    expect(kept).toEqual(keeping.kept)
    const { learned } = await run(trader(after ?? []), { from: CUT, models: new ModelShelf({ from: kept }) })
    const decided = (all: readonly string[] = []) => all.map((one) => one.split(' ').slice(0, 2).join(' '))
    const late = (single ?? []).filter((one) => Number(one.split(' ')[0]) >= CUT)
    expect(late.length).toBeGreaterThan(50)
    // The first decision after the cut may be the one that opens what the single run had open.
    expect(decided(after)).toEqual(expect.arrayContaining(decided(late)))
    expect((after ?? []).length - late.length).toBeLessThanOrEqual(1)
    expect(learned?.[0]?.fits[0]?.at).toBe(kept[0]?.fits[0]?.at)
    // Without them it has nothing to say until it has learned anew.
    await run(trader(anew ?? []), { from: CUT })
    expect(anew).not.toEqual(after)
  })

  const refusals: [string, Partial<Learning>, RegExp][] = [
    ['other parameters of the learner', { fit: ridge(0.5) }, /the learner was .*0\.01.* and is .*0\.5/],
    ['another learner', { fit: boostedTrees() }, /the learner was .*ridge.* and is .*boostedTrees/],
    ['another horizon', { horizon: 4 }, /the horizon was 3 and is 4/],
    ['another window', { window: '2d' }, /the window was "1d" and is "2d"/],
    ['other names of features', { featureNames: ['a', 'b'] }, /the features was null and is \["a","b"\]/],
    ['another seed', { seed: 'other' }, /the seed was "" and is "other"/],
    [
      'another number of features',
      { features: () => [1] },
      /it has 2 feature\(s\), and the strategy tells 1/,
    ],
    [
      'a learner that cannot be kept',
      { fit: () => ({ predict: () => 0 }) },
      /cannot be kept: its fit does not say/,
    ],
  ]
  test.each(refusals)('with %s is refused in a sentence', async (_, own, sentence) => {
    const kept = await readModels(path.join(folder, 'run'))
    const refused = run(trader([], own), { from: CUT, models: new ModelShelf({ from: kept }) })
    await expect(refused).rejects.toThrow(KeptModelError)
    await expect(refused).rejects.toThrow(sentence)
  })

  test('whose last bar has other features than it was kept with is refused, within a hundredth of their spread it is not', async () => {
    const kept = await readModels(path.join(folder, 'run'))
    const shifted = (by: number) => ({
      features: ({ open, close }: Bar) => [change(open, close), toNumber(close) / 20_000 + by],
    })
    const models = () => new ModelShelf({ from: kept })
    const near = run(trader([], shifted(1e-7)), { from: CUT, warmUpMs: 3_600_000, models: models() })
    await expect(near).resolves.toBeDefined()
    const far = run(trader([], shifted(0.01)), { from: CUT, warmUpMs: 3_600_000, models: models() })
    await expect(far).rejects.toThrow(
      /of the bar at .* UTC the strategy tells .* in the place 1, and told .* when the model was kept/,
    )
  })

  test('that learns a model which was not kept is refused, and is told which there are', async () => {
    const strategy = trader([])
    const models = new ModelShelf({ from: [] })
    await expect(run(strategy, { models })).rejects.toThrow(
      'there is no kept model change of BTC; there is none',
    )
    const kept = await readModels(path.join(folder, 'run'))
    const other = {
      ...strategy,
      onStart: (context: Parameters<typeof strategy.onStart>[0]) => {
        context.learn('BTC', 'other', learningOfChanges())
      },
    }
    await expect(run(other, { models: new ModelShelf({ from: kept }) })).rejects.toThrow(
      'there is no kept model other of BTC; there is change of BTC',
    )
  })

  test('that is to keep what it learns, and cannot, is refused at its begin', async () => {
    const own = { fit: () => ({ predict: () => 0 }) }
    await expect(run(trader([], own), { models: new ModelShelf({ keeps: true }) })).rejects.toThrow(
      KeptModelError,
    )
    const odd = keepable({ learner: 'odd', learn: () => new Map(), model: () => ({ predict: () => 0 }) })
    const models = new ModelShelf({ keeps: true })
    await run(trader([], { fit: odd }), { to: CUT, models })
    await expect(saveModels(path.join(folder, 'odd'), models.kept)).rejects.toThrow(
      'the model change of BTC cannot be kept: state.state is a Map, which JSON does not have',
    )
  })
})

describe('a folder of models', () => {
  const place = path.join(folder, 'kept')
  const shelf = heard(
    drawnMinutes('folder', 900),
    learningOfChanges(),
    new ModelShelf({ keeps: true }),
  ).models

  test('has a list with learner, features and SHA-256 of each fit; models kept there anew replace it', async () => {
    await saveModels(place, shelf.kept)
    const { software, models } = JSON.parse(readFileSync(path.join(place, 'models.json'), 'utf8'))
    expect(software).toMatch(/^margin-core \d/)
    expect(models).toMatchObject([
      { asset: 'BTC', model: 'change', learner: { name: 'ridge', penalty: 0.01 }, features: 2, horizon: 3 },
    ])
    const before = readdirSync(place)
    expect(before).toHaveLength(models[0].fits.length + 2)
    const later = heard(
      drawnMinutes('folder', 1_800),
      learningOfChanges(),
      new ModelShelf({ keeps: true }),
    ).models
    await saveModels(place, later.kept)
    expect(await readModels(place)).toEqual(later.kept)
    expect(readdirSync(place)).toHaveLength((later.kept[0]?.fits.length ?? 0) + 2)
    await saveModels(place, shelf.kept)
    expect(readdirSync(place)).toEqual(before)
  })

  const altered = (name: RegExp, alter: (text: string) => string) => async () => {
    await saveModels(place, shelf.kept)
    const file = path.join(place, readdirSync(place).find((one) => name.test(one)) ?? '')
    writeFileSync(file, alter(readFileSync(file, 'utf8')))
    return readModels(place)
  }
  test.each([
    [
      'a fit that was changed',
      altered(/^1-BTC-change-2/, (text) => text.replace('"mean":', '"mean":1')),
      /is not what was kept/,
    ],
    ['rows that were cut off', altered(/rows/, (text) => text.slice(0, -9)), /is not what was kept/],
    [
      'another version',
      altered(/models/, (text) => text.replace('margin-core ', 'margin-core 1')),
      /learn them anew/,
    ],
    [
      'another format',
      altered(/models/, (text) => text.replace('"format": 1', '"format": 2')),
      /models\.json: format/,
    ],
    [
      'a list that leads elsewhere',
      altered(/models/, (text) => text.replace(/"file": "1/, '"file": "../1')),
      /pattern/,
    ],
    ['no JSON', altered(/models/, () => '{'), /models\.json: /],
  ])('with %s is refused', async (_, read, sentence) => {
    const refused = read()
    await expect(refused).rejects.toThrow(KeptModelError)
    await expect(refused).rejects.toThrow(sentence)
  })

  test('that is not there is refused', async () =>
    expect(readModels(path.join(folder, 'none'))).rejects.toThrow(/there are no kept models/))
})
