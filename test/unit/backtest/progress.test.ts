// How far long work is: nobody waits longer than what is told, and the end is told as the end.

import { expect, test } from 'vitest'
import { evaluate } from '../../../src/backtest/evaluate/evaluate.ts'
import type { RunPlan } from '../../../src/backtest/plan/plan.ts'
import { runSearch } from '../../../src/backtest/search/search.ts'
import { parseDimension } from '../../../src/backtest/search/space.ts'
import { runSweep } from '../../../src/backtest/sweep/sweep.ts'
import { walkForward } from '../../../src/backtest/walkForward/walkForward.ts'
import { whatIf } from '../../../src/backtest/whatIf/whatIf.ts'
import { scratchFile } from './feed/sampleMarket.ts'

const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 1 }],
  strategy: 'ema-cross',
  parameters: { fast: 10, slow: 30, margin: '5%' },
}

type Tell = (progress: { readonly done: number; readonly total: number }) => void

async function told(work: (onProgress: Tell) => Promise<unknown>): Promise<string[]> {
  const heard: string[] = []
  await work(({ done, total }) => heard.push(`${done}/${total}`))
  return heard
}

test('changed rules are told run by run, that of the plan first', async () => {
  const changes = ['fee-rate=0', 'spread=0']
  expect(await told((onProgress) => whatIf({ plan, changes, onProgress }))).toEqual(['1/3', '2/3', '3/3'])
})

test('the paths of an evaluation are told up to the last', async () => {
  const tell = await told((onProgress) =>
    evaluate({ plan, paths: 5, days: 1, meanBlock: 60, seed: 's', workers: 1, onProgress }),
  )
  expect(tell.at(-1)).toBe('5/5')
  expect(new Set(tell).size).toBe(tell.length)
})

test('a sweep begins with what is already there', async () => {
  const resultFile = scratchFile('progress.jsonl', '')
  const sweep = (fast: number[]) =>
    told((onProgress) => runSweep({ plan, vary: { fast }, workers: 1, resultFile, onProgress }))
  expect(await sweep([5, 10])).toEqual(['0/2', '1/2', '2/2'])
  expect(await sweep([5, 10, 20])).toEqual(['2/3', '3/3'])
})

test('a walk-forward is told up to the test of its last fold', async () => {
  const longer = { ...plan, markets: [{ asset: 'BTC', days: 6 }] }
  const tell = await told((onProgress) =>
    walkForward({
      ...{ plan: longer, vary: { fast: [5, 10] }, by: 'totalReturn', folds: 2, trainTests: 1, workers: 1 },
      onProgress,
    }),
  )
  expect(tell).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
})

test('a search is told run by run', async () => {
  const space = [parseDimension('fast', '5:20')]
  const tell = await told((onProgress) =>
    runSearch({
      plan,
      space,
      method: 'sobol',
      sets: 3,
      by: 'totalReturn',
      workers: 1,
      seed: 's',
      onProgress,
    }),
  )
  expect(tell.at(-1)).toBe('3/3')
})
