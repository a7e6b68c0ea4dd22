// A sweep gives the same rows whatever the number of workers, and goes on where its file ends.

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { combinationAt, combinations, gridSize, parseValues } from '../../../../src/backtest/sweep/grid.ts'
import { heatMap } from '../../../../src/backtest/sweep/heatMap.ts'
import { ranked } from '../../../../src/backtest/sweep/ranking.ts'
import { runSweep } from '../../../../src/backtest/sweep/sweep.ts'
import type { SweepRow } from '../../../../src/backtest/sweep/variantFigures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-sweep-'))
afterAll(() => rmSync(folder, { recursive: true }))

const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 1 }],
  strategy: 'ema-cross',
  seed: 'a sweep',
}
const vary = { fast: [5, 10, 20], slow: [40, 80] }

/**
 * A plan whose runs in this thread wait until one has begun in another, which `there` is done at the start of: left to
 * themselves so few runs end before another thread is ready for any.
 */
function sharedPlan(name: string, there: string): RunPlan {
  const begun = JSON.stringify(path.join(folder, `${name} has begun`))
  const strategy = path.join(folder, `${name}.mjs`)
  writeFileSync(
    strategy,
    `import { existsSync, writeFileSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    import { isMainThread } from 'node:worker_threads'
    export const parameters = { at: 1, leverage: 1 }
    export default ({ asset, at, leverage }) => {
      let bars = 0
      return {
        name: 'opens at a bar',
        async onStart() {
          if (isMainThread) while (!existsSync(${begun})) await setTimeout(5)
          else { writeFileSync(${begun}, ''); ${there} }
        },
        async onBar(bar, context) {
          bars += 1
          if (bars === at)
            await context.open({ asset, direction: 'long', sizeBy: { margin: '10%' }, leverage: String(leverage) })
        },
      }
    }`,
  )
  return { ...plan, strategy }
}

describe('sweep', () => {
  test('any number of workers gives the same rows in the same order', async () => {
    const vary = { at: [1, 30, 90], leverage: [1, 5] }
    const plan = sharedPlan('counted', '')
    const two = await runSweep({ plan, vary, workers: 2 })
    const alone = await runSweep({ plan, vary, workers: 1 })
    expect(two).toEqual(alone)
    expect(alone.rows.map(({ parameters }) => parameters)).toEqual(combinations(vary))
    expect(new Set(alone.rows.map(({ figures }) => figures.stateHash)).size).toBe(alone.rows.length)
  })

  test('a result file cut off anywhere is gone on with, to the same rows and the same bytes', async () => {
    const whole = path.join(folder, 'whole.jsonl')
    const rows = (await runSweep({ plan, vary, workers: 1, resultFile: whole })).rows
    const bytes = readFileSync(whole)
    expect((await runSweep({ plan, vary, workers: 1, resultFile: whole })).reused).toBe(6)
    for (const cut of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const torn = path.join(folder, `torn ${cut}.jsonl`)
      writeFileSync(torn, bytes)
      truncateSync(torn, cut === 1 ? bytes.indexOf(0x0a) + 9 : cut)
      const progress: number[] = []
      const onProgress = ({ done, total }: { done: number; total: number }) => {
        expect(total).toBe(6)
        progress.push(done)
      }
      const resumed = await runSweep({ plan, vary, workers: 1, resultFile: torn, onProgress })
      expect(progress).toEqual(Array.from({ length: 7 - resumed.reused }, (_, at) => resumed.reused + at))
      expect(resumed.rows).toEqual(rows)
      expect(resumed.reused).toBeLessThan(6)
      expect(readFileSync(torn).equals(bytes)).toBe(true)
    }
  })

  test('other data, other rules or another strategy are other keys', async () => {
    const file = path.join(folder, 'keys.jsonl')
    const few = { fast: [5], slow: [40] }
    await runSweep({ plan, vary: few, workers: 1, resultFile: file })
    const others: RunPlan[] = [
      { ...plan, seed: 'another' },
      { ...plan, account: { maxDailyLoss: '3%' } },
      { ...plan, markets: [{ asset: 'BTC', days: 1, parameters: { spread: '0' } }] },
    ]
    for (const other of others)
      expect(await runSweep({ plan: other, vary: few, workers: 1, resultFile: file })).toMatchObject({
        ...{ reused: 0, outdated: 1 },
      })
    expect(await runSweep({ plan, vary: few, workers: 1, resultFile: file })).toMatchObject({
      ...{ reused: 1, outdated: 0 },
    })
    const more = { fast: [5], slow: [40, 50] }
    expect(await runSweep({ plan, vary: more, workers: 1, resultFile: file })).toMatchObject({
      ...{ reused: 1, outdated: 0 },
    })
  })

  test('a file that is something else is refused and left as it is', async () => {
    const file = path.join(folder, 'notes.txt')
    for (const text of ['my notes\n', 'my notes']) {
      writeFileSync(file, text)
      await expect(runSweep({ plan, vary, resultFile: file })).rejects.toThrow(/notes\.txt:1: not a result/)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  test('a parameter that does not exist is refused before any work', async () => {
    await expect(runSweep({ plan, vary: { fats: [1] } })).rejects.toThrow(/has no parameter fats/)
  })

  test('what a worker throws arrives with its name', async () => {
    const plan = sharedPlan('failing', "throw new RangeError('not in this thread')")
    const failing = runSweep({ plan, vary: { at: [1, 2] }, workers: 2 })
    await expect(failing).rejects.toMatchObject({
      name: 'StrategyFailure',
      message: expect.stringContaining('RangeError: not in this thread'),
    })
  })
})

describe('grid', () => {
  const grid = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,5}$/),
    fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 }),
    { maxKeys: 4 },
  )

  test('every combination once', () => {
    fc.assert(
      fc.property(grid, (given) => {
        const sets = combinations(given)
        expect(sets).toHaveLength(gridSize(given))
        expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(sets.length)
        for (const [index, set] of sets.entries()) expect(combinationAt(given, index)).toEqual(set)
      }),
    )
  })

  test('a sample is part of the grid, in its order, without repeats, and the same for the same seed', () => {
    fc.assert(
      fc.property(grid, fc.integer({ min: 1, max: 30 }), fc.string(), (given, count, seed) => {
        const texts = combinations(given).map((set) => JSON.stringify(set))
        const sample = combinations(given, { count, seed }).map((set) => JSON.stringify(set))
        expect(sample).toHaveLength(Math.min(count, texts.length))
        expect(texts.filter((text) => sample.includes(text))).toEqual(sample)
        expect(combinations(given, { count, seed }).map((set) => JSON.stringify(set))).toEqual(sample)
      }),
    )
  })

  test.each([
    ['10,20', [10, 20]],
    ['5%,10%', ['5%', '10%']],
    ['100:300:50', [100, 150, 200, 250, 300]],
    ['0.1:0.3:0.1', [0.1, 0.2, 0.3]],
    ['1:2:5', [1]],
  ])('%s', (text, values) => expect(parseValues(text)).toEqual(values))

  test.each(['3:1:1', '1:2:0', '1:99999:1'])('%s is no range', (text) =>
    expect(() => parseValues(text)).toThrow(RangeError),
  )
})

test('the best row is first, and a heat map shows the best of what else varies', async () => {
  const { rows } = await runSweep({ plan, vary: { ...vary, leverage: [2, 9] }, workers: 1 })
  const best = ranked(rows, 'totalReturn')
  const returns = best.map(({ figures }) => figures.totalReturn ?? Number.NaN)
  expect(returns).toEqual([...returns].sort((a, b) => b - a))
  const map = heatMap(rows, 'fast', 'slow', 'totalReturn')
  expect(map.x.values).toEqual([5, 10, 20])
  expect(map.cells).toHaveLength(2)
  expect(Math.max(...map.cells.flat().map((cell) => cell ?? Number.NaN))).toBe(returns[0])
})

test('a heat map has numbers in their order, whatever order a search proposed them in, and names as they came', () => {
  const sets = [
    { size: '10%', side: 'short' },
    { size: '2.5%', side: 'both' },
    { size: '9%', side: 'long' },
  ]
  const rows = sets.map(
    (parameters, index) => ({ parameters, figures: { totalReturn: index } }) as unknown as SweepRow,
  )
  const map = heatMap(rows, 'size', 'side', 'totalReturn')
  expect(map.x.values).toEqual(['2.5%', '9%', '10%'])
  expect(map.y.values).toEqual(['short', 'both', 'long'])
  expect(map.cells).toEqual([
    [null, null, 0],
    [1, null, null],
    [null, 2, null],
  ])
})

test('ranked by the evaluation, who passed comes first and the soonest before the others, who failed last', () => {
  const row = (outcome: 'passed' | 'undecided' | 'failed', days: number | null, totalReturn: number) =>
    ({ parameters: {}, figures: { outcome, daysToVerdict: days, totalReturn } }) as unknown as SweepRow
  const rows = [
    row('failed', 3, -0.1),
    row('undecided', null, 0.3),
    row('passed', 9, 0.2),
    row('failed', 1, 0.4),
    row('passed', 4, 0.1),
    row('undecided', null, 0.5),
    row('passed', 4, 0.15),
  ]
  expect(ranked(rows, 'evaluation').map((best) => rows.indexOf(best))).toEqual([6, 4, 2, 5, 1, 3, 0])
})
