// A learner in a thread: the model that it comes to here, to the last digit, and a thread that nobody waits for ends.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boostedStumps,
  boostedTrees,
  calibrated,
  type Fit,
  inThread,
  type KeepableFit,
  keepable,
  type LearnedRow,
  logistic,
  naiveBayes,
  nearestNeighbours,
  perceptron,
  pipeline,
  principalComponents,
  randomForest,
  ridge,
  standardise,
  withoutOutliers,
} from '../../../../src/backtest/index.ts'
import { stateOf } from '../../../../src/backtest/learned/keepable.ts'
import { packageLearner } from '../../../../src/backtest/learned/packageLearner.ts'
import { plainText } from '../../../../src/backtest/learned/plainText.ts'
import '../../../seeds.ts'

const LEARNERS: Readonly<Record<string, Fit>> = {
  ridge: ridge(0.5),
  logistic: logistic(0.2),
  stumps: boostedStumps({ rounds: 10, rate: 0.3 }),
  trees: boostedTrees({ rounds: 5, depth: 2 }),
  forest: randomForest({ trees: 5, featureShare: 0.9 }),
  bayes: naiveBayes(),
  neighbours: nearestNeighbours({ count: 5 }),
  network: perceptron({ rounds: 2, units: 3 }),
  components: pipeline(
    [standardise(), principalComponents({ count: 2 }), withoutOutliers({ share: 0.1 })],
    ridge(),
  ),
  shares: pipeline([principalComponents({ share: 0.9 })], boostedStumps({ rounds: 3 })),
  Platt: calibrated(logistic(), { share: 0.4, gap: 2 }),
  isotonic: calibrated(pipeline([withoutOutliers()], boostedTrees({ rounds: 3 })), { by: 'isotonic' }),
}

const odd = fc.oneof(
  fc.constantFrom(0, -0, 1e9, -1e60, 1e-9),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
)
const features = fc.array(odd, { minLength: 3, maxLength: 3 })
const rowsOf = fc
  .array(fc.tuple(features, fc.constantFrom(0, 1)), { minLength: 44, maxLength: 80, size: 'max' })
  .map((drawn) =>
    drawn.map(([own, label], closeTime): LearnedRow => Object.freeze({ closeTime, features: own, label })),
  )

test.each(Object.entries(LEARNERS))('%s learns in a thread what it learns here', async (_, learner) => {
  const beside = inThread(learner)
  expect(beside.learner).toEqual((learner as KeepableFit).learner)
  await fc.assert(
    fc.asyncProperty(rowsOf, rowsOf, fc.array(features), async (first, second, asked) => {
      const here = learner(first, { seed: 3, previous: null, at: 0 })
      const there = await beside(first, { seed: 3, previous: null, at: 0 })
      const next = learner(second, { seed: 4, previous: here, at: 1 })
      const beyond = await beside(second, { seed: 4, previous: there, at: 1 })
      for (const [one, other] of [
        [here, there],
        [next, beyond],
      ] as const) {
        expect(plainText(stateOf(other) ?? null)).toBe(plainText(stateOf(one) ?? null))
        for (const own of asked) expect(other.predict(own)).toBe(one.predict(own))
      }
    }),
    { numRuns: 5 },
  )
})

test('every learner and step of the package is made again by what it says of itself', () => {
  for (const learner of Object.values(LEARNERS)) {
    const said = (learner as KeepableFit).learner
    expect(packageLearner(said)?.learner).toEqual(said)
  }
})

test('several learn at once, and each answers for itself', async () => {
  const rows = (factor: number) =>
    Array.from({ length: 50 }, (_, x) => ({ closeTime: x, features: [x], label: factor * x }))
  const models = await Promise.all(
    [1, 2, 3].map((factor) => inThread(ridge(1e-9))(rows(factor), { seed: 0, previous: null, at: 0 })),
  )
  expect(models.map(({ predict }) => Math.round(predict([10])))).toEqual([10, 20, 30])
})

test('what fails there fails here, and the thread goes on', async () => {
  const beside = inThread(calibrated(logistic()))
  const rows = Array.from({ length: 50 }, (_, x) => ({ closeTime: x, features: [x], label: x }))
  const about = { seed: 0, previous: null, at: 0 }
  await expect(beside(rows, about)).rejects.toThrow(RangeError)
  await expect(beside(rows, about)).rejects.toThrow('labels that are calibrated are 0 or 1, and not 2')
  const good = rows.map((row) => ({ ...row, label: row.closeTime % 2 }))
  expect((await beside(good, about)).predict([3])).toBeGreaterThan(0)
})

test('a thread that nobody waits for any more ends, and the next fit has another', async () => {
  const rows = Array.from({ length: 4_000 }, (_, x) => ({
    closeTime: x,
    features: [x % 7, x % 11],
    label: x % 2,
  }))
  const stop = new AbortController()
  const long = inThread(perceptron({ rounds: 1_000_000 }))(rows, {
    ...{ seed: 0, previous: null, at: 0, signal: stop.signal },
  })
  setTimeout(() => stop.abort(), 50)
  await expect(long).rejects.toThrow('nobody waits for the fit any more')
  const model = await inThread(ridge())(rows, { seed: 0, previous: null, at: 0 })
  expect(model.predict([3, 3])).toBe(ridge()(rows, { seed: 0, previous: null, at: 0 }).predict([3, 3]))
})

test('no thread keeps a process: neither one that has nothing to do nor one that nobody waits for', async () => {
  const index = new URL('../../../../src/backtest/index.ts', import.meta.url).href
  const script = `import { inThread, perceptron, ridge } from '${index}'
const rows = Array.from({ length: 4000 }, (_, x) => ({ closeTime: x, features: [x % 7], label: x % 2 }))
const about = { seed: 0, previous: null, at: 0 }
await inThread(ridge())(rows, about)
const stop = new AbortController()
const long = inThread(perceptron({ rounds: 1_000_000 }))(rows, { ...about, signal: stop.signal })
setTimeout(() => stop.abort(), 100)
console.log(await long.catch(({ message }) => message))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    { timeout: 60_000 },
  )
  expect(stdout.trim()).toBe('nobody waits for the fit any more')
}, 70_000)

test('a learner that is not of the package is refused, also within one that is', () => {
  const own = keepable({ learner: { name: 'own' }, learn: () => 0, model: () => ({ predict: () => 0 }) })
  const named = keepable({ learner: 'ridge', learn: () => 0, model: () => ({ predict: () => 0 }) })
  for (const fit of [
    own,
    named,
    pipeline([], own),
    pipeline([(rows) => ({ rows, of: (one) => one })], ridge()),
    calibrated(own),
    () => ({ predict: () => 0 }),
  ])
    expect(() => inThread(fit)).toThrow(/^a thread learns by the learners and steps of the package/)
})
