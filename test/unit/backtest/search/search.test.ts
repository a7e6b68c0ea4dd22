// A search comes to the same sets, figures and bytes whatever the number of workers and wherever it was cut off, and to those that are
// kept: what somebody has justified with a seed can be looked for again.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { runSearch, type SearchOptions } from '../../../../src/backtest/search/search.ts'
import { SEARCH_METHODS } from '../../../../src/backtest/search/searchMethod.ts'
import { parseDimension } from '../../../../src/backtest/search/space.ts'
import { parseConstraint } from '../../../../src/backtest/strategies/constraint.ts'
import { paretoFronts } from '../../../../src/backtest/sweep/pareto.ts'
import type { SweepRow } from '../../../../src/backtest/sweep/variantFigures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-search-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Its profit is known beforehand: it opens once, with more margin the nearer `x` is to 70. */
const strategy = path.join(folder, 'hill.mjs')
writeFileSync(
  strategy,
  `export const parameters = { x: 1, y: 1 }
  export default ({ asset, x }) => {
    let opened = false
    return {
      name: 'hill',
      async onBar(bar, context) {
        if (opened) return
        opened = true
        const share = Math.max(1, 20 - Math.abs(x - 70) / 5)
        await context.open({ asset, direction: 'long', sizeBy: { margin: share.toFixed(2) + '%' }, leverage: '1' })
      },
    }
  }`,
)
const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 1, simulate: 'brownian:drift=300,volatility=0.1' }],
  strategy,
  account: { profitTarget: '90%', maxDailyLoss: '100%', maxTotalLoss: '100%' },
  seed: 'hill',
}
const options: SearchOptions = {
  plan,
  space: [parseDimension('x', '0:100'), parseDimension('y', '0:9')],
  method: 'sobol',
  sets: 20,
  by: 'totalReturn',
  workers: 1,
}

describe.each(SEARCH_METHODS)('%s', (method) => {
  const given = { ...options, method }

  test('cut off anywhere it goes on to the same rows and bytes', async () => {
    const whole = path.join(folder, method)
    const { rows, runs } = await runSearch({ ...given, study: whole })
    const bytes = readFileSync(path.join(whole, 'runs.jsonl'))
    expect(rows).toHaveLength(method === 'halving' ? 3 : 20)
    const sets = rows.map(({ parameters: { x, y } }) => `${x} ${y}`)
    await expect(`${sets.join(', ')}\n`).toMatchFileSnapshot(`kept/${method}.txt`)
    for (const part of [0.3, 0.9]) {
      const torn = path.join(folder, `${method} ${part}`)
      mkdirSync(torn)
      writeFileSync(path.join(torn, 'study.json'), readFileSync(path.join(whole, 'study.json')))
      writeFileSync(path.join(torn, 'runs.jsonl'), bytes.subarray(0, Math.floor(part * bytes.length)))
      const resumed = await runSearch({ ...given, study: torn })
      expect(resumed.rows).toEqual(rows)
      expect(resumed.runs).toBe(runs)
      expect(resumed.reused).toBeGreaterThan(0)
      expect(resumed.reused).toBeLessThan(runs)
      expect(readFileSync(path.join(torn, 'runs.jsonl')).equals(bytes)).toBe(true)
    }
  })

  test('no set comes twice, and all keep the conditions', async () => {
    const constraints = [parseConstraint('y<x')]
    const space = [parseDimension('x', '0:5'), parseDimension('y', '0:5')]
    const { rows } = await runSearch({ ...given, space, constraints, sets: 40 })
    for (const { parameters } of rows) expect(Number(parameters.y)).toBeLessThan(Number(parameters.x))
    expect(new Set(rows.map(({ parameters }) => JSON.stringify(parameters))).size).toBe(rows.length)
    if (method !== 'halving' && method !== 'latin-hypercube') expect(rows).toHaveLength(15)
  })
})

test('what learns looks nearer to the best, and halving keeps the best', async () => {
  const away = ({ parameters }: SweepRow) => Math.abs(Number(parameters.x) - 70)
  const mean = (rows: readonly SweepRow[]) => rows.reduce((sum, row) => sum + away(row), 0) / rows.length
  const { rows: learnt } = await runSearch({ ...options, method: 'tpe', sets: 40 })
  expect(mean(learnt.slice(16))).toBeLessThan(mean(learnt.slice(0, 16)) / 2)
  const { rows: adapted } = await runSearch({ ...options, method: 'cma-es', sets: 40 })
  expect(mean(adapted.slice(-16))).toBeLessThan(mean(learnt.slice(0, 16)) / 2)
  const { rows: expected } = await runSearch({ ...options, method: 'gp', sets: 24 })
  expect(Math.min(...expected.map(away))).toBe(0)
  const { rows: all } = await runSearch({ ...options, sets: 27 })
  const progress: { done: number; total: number }[] = []
  const onProgress = (at: { done: number; total: number }) => void progress.push(at)
  const { rows: kept, runs } = await runSearch({ ...options, method: 'halving', sets: 27, onProgress })
  expect(progress).toEqual(Array.from({ length: runs }, (_, at) => ({ done: at + 1, total: runs })))
  expect(Math.min(...kept.map(away))).toBe(Math.min(...all.map(away)))
})

test.each(['nsga-ii', 'nsga-iii'] as const)(
  '%s goes by several objectives at once: the front is where either is best, and between',
  async (method) => {
    const objective = path.join(folder, 'near.mjs')
    writeFileSync(objective, 'export default ({ parameters: { x, y } }) => -Math.abs(x - 30) - y')
    const judged = { ...options, plan: { ...plan, objective } }
    const given = { ...judged, method, by: ['totalReturn', 'objective'], sets: 160 } as const
    const { rows } = await runSearch(given)
    // The best of both: nothing lost in y, and x between what either likes most.
    const away = ({ parameters: { x, y } }: SweepRow) =>
      Number(y) + Math.max(0, 30 - Number(x), Number(x) - 70)
    const mean = (some: readonly SweepRow[]) => some.reduce((sum, row) => sum + away(row), 0) / some.length
    expect(mean(rows.slice(-32))).toBeLessThan(mean(rows.slice(0, 32)) / 3)
    const front = rows.filter((_, index) => paretoFronts(rows, given.by)[index] === 1)
    const xs = front.map(({ parameters }) => Number(parameters.x))
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(20)
  },
)

test('a choice without an order is refused where the method needs one', async () => {
  const space = [parseDimension('x', '0:100'), parseDimension('y', 'up,down')]
  await expect(runSearch({ ...options, method: 'cma-es', space })).rejects.toThrow(/y is a choice of others/)
})

test.each(['tpe', 'gp', 'cma-es', 'nsga-ii', 'nsga-iii'] as const)(
  '%s: two workers come to what one does',
  async (method) => {
    const given = { ...options, method, sets: method.startsWith('nsga') ? 40 : 17 } as const
    expect((await runSearch({ ...given, workers: 2 })).rows).toEqual((await runSearch(given)).rows)
  },
)

test('a study of something else is refused', async () => {
  const study = path.join(folder, 'kept')
  const given = { ...options, sets: 2, study }
  await runSearch(given)
  const told: object[] = []
  const onProgress = (progress: object) => void told.push(progress)
  expect((await runSearch({ ...given, sets: 3, onProgress })).reused).toBe(2)
  expect(told).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })))
  await expect(runSearch({ ...given, seed: 'other' })).rejects.toThrow(
    /begun otherwise: seed was .* and is other\./,
  )
  await expect(runSearch({ ...given, plan: { ...plan, seed: 'other' } })).rejects.toThrow(
    /begun otherwise: seed was hill and is other\./,
  )
})

test.each([
  ['study.json', '{', /study\.json: not JSON/],
  ['study.json', '[]', /study\.json: it does not say what is searched/],
  ['runs.jsonl', '{"key":"a","figures":{},"parameters":{}}\n', /runs\.jsonl:1: not a result of a sweep/],
  ['runs.jsonl', '{"key":1,"figures":{"stateHash":"a"},"parameters":{}}\n', /runs\.jsonl:1: not a result/],
  ['runs.jsonl', '{"key":"a","figures":{"stateHash":"a"}}\n', /runs\.jsonl:1: not a result of a sweep/],
])('a folder whose %s holds %s is refused', async (name, text, fault) => {
  const study = mkdtempSync(path.join(folder, 'spoiled'))
  writeFileSync(path.join(study, name), text)
  await expect(runSearch({ ...options, sets: 2, study })).rejects.toThrow(fault)
})

test('a parameter the strategy has not, or a space without a set, is refused before any work', async () => {
  const space = [parseDimension('z', '0:5')]
  await expect(runSearch({ ...options, space })).rejects.toThrow(/no parameter z/)
  const constraints = [parseConstraint('y>x'), parseConstraint('x>y')]
  await expect(runSearch({ ...options, constraints })).rejects.toThrow(/no set of the space/)
})
