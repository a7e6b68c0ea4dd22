// The file of named periods: read as it says, or refused with the place.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inputFilesOf } from '../../../../src/backtest/plan/inputFiles.ts'
import { readPeriods } from '../../../../src/backtest/plan/periods.ts'
import { PlanError } from '../../../../src/backtest/plan/readPlan.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-periods-'))
afterAll(() => rmSync(folder, { recursive: true }))

function saved(name: string, value: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

test('periods are read with their times, UTC, and count among the files of a run', async () => {
  const listed = [
    { name: 'May', from: '2025-05-01', to: '2025-06-01' },
    { name: 'a night', from: '2025-05-04T22:00', to: 1_746_424_800_000 },
  ]
  const file = saved('periods.json', listed)
  expect(await readPeriods(file)).toEqual([
    { name: 'May', from: Date.UTC(2025, 4, 1), to: Date.UTC(2025, 5, 1) },
    { name: 'a night', from: Date.UTC(2025, 4, 4, 22), to: 1_746_424_800_000 },
  ])
  const files = await inputFilesOf({ strategy: 'ema-cross', markets: [{ asset: 'BTC' }], periods: file })
  expect(files.map(({ use }) => use)).toEqual(['periods'])
})

const one = { name: 'a', from: '2025-05-01', to: '2025-05-02' }

test.each([
  ['no JSON', '[', /odd\.json: /],
  ['no list', one, /are a list of/],
  ['an empty list', [], /are a list of/],
  ['what is no period', [7], /\[0\] is no period/],
  ['another key', [{ ...one, till: 1 }], /\[0\]: unknown key till; known are name, from, to/],
  ['no name', [{ ...one, name: '' }], /\[0\]: name must be a text/],
  ['no time', [one, { ...one, from: 'May' }], /\[1\]: from must be a time/],
  ['a day that no month has', [{ ...one, from: '2025-02-30' }], /\[0\]: from must be a time/],
  ['no end', [{ name: 'a', from: 1 }], /\[0\]: to must be a time/],
  ['an end before its begin', [{ ...one, to: one.from }], /\[0\]: a has to begin before it ends/],
  ['a name twice', [one, one], /two periods are called a/],
])('%s is refused', async (_, value, sentence) => {
  const refused = readPeriods(saved('odd.json', value))
  await expect(refused).rejects.toThrow(PlanError)
  await expect(refused).rejects.toThrow(sentence)
})

test('a file that is not there is refused', async () => {
  await expect(readPeriods(path.join(folder, 'none.json'))).rejects.toThrow(
    /none\.json: the file cannot be opened \(there is no such file\)$/,
  )
})
