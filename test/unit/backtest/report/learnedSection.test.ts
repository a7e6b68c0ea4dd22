// What the page says of models: each figure in its place, and nothing where nothing was learned.

import { expect, test } from 'vitest'
import { learnedRows } from '../../../../src/backtest/export/tables.ts'
import type { LearnedResult } from '../../../../src/backtest/learned/learnedResult.ts'
import { learnedCard, learnedSection } from '../../../../src/backtest/report/learnedSection.ts'
import type { AccountResult } from '../../../../src/backtest/run/participant.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 5)

const fitOf = (day: number, outOfSample: number | null): LearnedResult['fits'][number] => ({
  ...{ at: START + day * DAY_MS - 1, rows: 1_000 * day, from: START, to: START + 1, knownTo: START + 2 },
  ...{ predictions: 7, inSample: { correlation: 0.25 }, outOfSample: { correlation: outOfSample } },
})

const MODEL: LearnedResult = {
  ...{ name: 'change', asset: 'BTC', horizon: 60, window: '30d', every: '1d', skipped: 2 },
  scores: { correlation: { inSample: 0.25, outOfSample: -0.12345, error: 0.02, fits: 1 } },
  fits: [fitOf(1, -0.12345), fitOf(2, null)],
}

const sectionOf = (learned?: readonly LearnedResult[]) =>
  learnedSection({ ...(learned === undefined ? {} : { learned }) } as AccountResult)

test('how it was learned, its scores, and a line from fit to fit', () => {
  const [model] = sectionOf([MODEL])?.models ?? []
  expect(model?.how).toBe(
    'Fitted 2 time(s), at last on 2026-01-06 23:59:59 UTC on 2,000 rows; 2 time(s) there were too few. BTC, 60 bar(s) ahead, of the last 30d, every 1d.',
  )
  expect(model?.scores).toEqual([
    { name: 'correlation', inSample: '0.25', outOfSample: '−0.1235', error: '0.02', fits: '1' },
  ])
  expect(model?.line).toEqual({
    ...{ name: 'correlation', at: [START / 1_000 + 86_400, START / 1_000 + 172_800] },
    ...{ inSample: [0.25, 0.25], outOfSample: [-0.12345, null] },
  })
  expect(learnedCard(sectionOf([MODEL]))?.text).toContain('>−0.1235</td><td class="number">0.02</td>')
})

test('a model that was never fitted says so; nothing is said where nothing was learned', () => {
  const never = { ...MODEL, fits: [], skipped: 0, scores: {} }
  expect(sectionOf([never])?.models[0]?.how).toMatch(/^Never fitted\. BTC/)
  expect([sectionOf(), learnedCard(sectionOf())]).toEqual([null, null])
})

test('as a table each fit is a line, with a column for each score of each model', () => {
  const other = {
    ...MODEL,
    name: 'other',
    scores: { skill: { ...MODEL.scores.correlation } },
    fits: [fitOf(3, 1)],
  }
  const rows = [...learnedRows([MODEL, other as LearnedResult])]
  expect(rows.map(({ model, at, rows: count }) => [model, at, count])).toEqual([
    ['change', '2026-01-05T23:59:59.999Z', 1_000],
    ['change', '2026-01-06T23:59:59.999Z', 2_000],
    ['other', '2026-01-07T23:59:59.999Z', 3_000],
  ])
  expect(rows.map((row) => [row['correlation out of sample'], row['skill in sample']])).toEqual([
    [-0.12345, ''],
    ['', ''],
    [1, ''],
  ])
})
