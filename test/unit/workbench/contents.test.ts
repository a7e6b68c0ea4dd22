// What a folder holds is listed as it says of itself: results of every kind, strategies, data, run files and rules.

import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STRATEGY_NAMES } from '../../../src/backtest/strategies/catalogue.ts'
import { type Contents, Folder } from '../../../src/workbench/contents.ts'
import { DataSets } from '../../../src/workbench/dataSets.ts'
import { Doorkeeper } from '../../../src/workbench/doorkeeper.ts'
import { filesIn } from '../../../src/workbench/folderFiles.ts'
import { resultOf } from '../../../src/workbench/resultOf.ts'
import { runFilesIn } from '../../../src/workbench/runFiles.ts'
import { SavedResults } from '../../../src/workbench/savedResults.ts'
import { describe as describeStrategy, strategiesIn } from '../../../src/workbench/strategies.ts'
import { folderOfResults } from './research.ts'

let home: string
let contents: Contents
let folder: Folder
beforeAll(async () => {
  home = await folderOfResults()
  folder = new Folder(home, new Doorkeeper('127.0.0.1', 'known'), { venues: [], hasKey: false })
  contents = await folder.contents()
})
afterAll(() => rmSync(home, { recursive: true }))

const rowOf = (place: string) => contents.results.find((row) => row.place === place)

describe('the results of a folder', () => {
  test('are one of each kind that was saved, the newest first', () => {
    const kinds = contents.results.map(({ place, kind }) => `${place}: ${kind}`)
    expect(kinds.sort()).toEqual([
      ...['compared: compare', 'kept: study', 'odds.html: page', 'runs/a: backtest', 'runs/b: backtest'],
      ...[
        'runs/entries: page',
        'runs/odds: evaluate',
        'runs/search: search',
        'runs/spoiled: damaged',
        'runs/sweep: sweep',
      ],
      'runs/walk: walk-forward',
    ])
    const times = contents.results.map(({ at }) => at)
    expect(times).toEqual([...times].sort((one, other) => other - one))
  })

  test('say what was run, on what, when, and what came of it', () => {
    const run = rowOf('runs/a')
    expect(run).toMatchObject({
      strategy: expect.stringMatching(/^EMA cross/),
      markets: ['BTC'],
      from: Date.UTC(2026, 0, 5),
      isComparable: true,
      note: expect.stringMatching(/^\d+ trades?$/),
    })
    expect(run?.maxDrawdown).toBeGreaterThan(0)
    expect(rowOf('runs/walk')).toMatchObject({ strategy: 'ema-cross', markets: ['BTC'], isComparable: false })
    expect(rowOf('runs/sweep')?.note).toMatch(/^best of 2 by totalReturn: fast=(5|10)$/)
    expect(rowOf('runs/odds')).toMatchObject({
      outcome: expect.stringMatching(/% pass$/),
      note: expect.stringMatching(/, 4 paths of 2 days$/),
    })
    expect(rowOf('odds.html')).toMatchObject({ strategy: 'ema-cross', note: 'Odds' })
    expect(rowOf('runs/spoiled')).toMatchObject({ strategy: '', note: expect.stringMatching(/^not JSON/) })
  })

  test('have the command that made them', () => {
    for (const place of [
      'runs/a',
      'runs/sweep',
      'runs/search',
      'runs/walk',
      'runs/odds',
      'runs/entries',
      'compared',
    ])
      expect(rowOf(place)?.command).toMatch(/^margin-core/)
  })

  test('have an address where they have a page', () => {
    expect(rowOf('kept')?.url).toBeNull()
    expect(rowOf('runs/a')?.url).toMatch(/^\/pages\/[\w-]{43}\/runs\/a\/report\.html$/)
    expect(rowOf('odds.html')?.url).toMatch(/^\/pages\/[\w-]{43}\/odds\.html$/)
  })

  test('are read again when they change', async () => {
    const results = new SavedResults(home)
    const place = path.join(home, 'runs/b/result.json')
    expect((await results.list(await filesIn(home))).find((row) => row.place === 'runs/b')?.kind).toBe(
      'backtest',
    )
    writeFileSync(place, '{}')
    utimesSync(place, 1, 1)
    expect((await results.list(await filesIn(home))).find((row) => row.place === 'runs/b')?.kind).toBe('page')
  })

  test('of no command are none', () => {
    for (const saved of [
      {},
      { runs: [] },
      { plan: {} },
      { strategy: 'x', verdict: { outcome: 'passed' } },
      [],
    ])
      expect(resultOf(saved)).toBeNull()
  })
})

describe('what there is to run', () => {
  test('strategies of the package and scripts of the folder that export one', async () => {
    expect(contents.strategies).toEqual([...STRATEGY_NAMES, './idle.mjs'])
    expect(await strategiesIn(home, { folders: new Map(), isCut: false })).toEqual(STRATEGY_NAMES)
  })

  test('data of the folder, by what it holds', async () => {
    expect(contents.data).toEqual([
      { place: 'ETHUSDT-funding.csv', kind: 'funding', intervalMs: null, files: 1 },
      { place: 'ETHUSDT.csv', kind: 'bars', intervalMs: 60_000, files: 1 },
    ])
    expect(await new DataSets(home).list(await filesIn(home))).toEqual(contents.data)
  })

  test('run files and rules', async () => {
    expect(contents.runFiles).toEqual([
      { place: 'run.json', strategy: 'breakout', markets: ['BTC'], parameters: { width: '9' } },
    ])
    expect(contents.rules).toEqual(['rules.json'])
    expect(await runFilesIn(home, await filesIn(home))).toEqual({
      runs: contents.runFiles,
      rules: contents.rules,
    })
  })

  test('a strategy of the package is described without a process', async () => {
    const nothing = { file: 'nothing', words: [] }
    const { parameters, constraints } = await describeStrategy('ema-cross', nothing, home)
    expect(parameters?.[0]).toEqual({
      ...{ name: 'fast', about: 'bars of the fast average', usual: '20', search: '5:120', values: [] },
      range: 'a whole number, at least 1',
    })
    expect(constraints).toEqual(['fast<slow'])
    await expect(describeStrategy('./idle.mjs', nothing, home)).rejects.toThrow(
      './idle.mjs: it cannot be loaded',
    )
  })
})
