// How far apart the rows of a file are where nobody says it: as most of them are.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fundingIntervalOf } from '../../../../src/backtest/feed/fundingSchedule.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-step-'))
afterAll(() => rmSync(folder, { recursive: true }))
const START = Date.UTC(2026, 0, 5)

/** Instants with these minutes between them. */
function instants(steps: readonly number[]): number[] {
  const times = [START]
  for (const step of steps) times.push((times.at(-1) as number) + step * 60_000)
  return times
}

test.each([
  ['the only one', [5], 5],
  ['the commonest, whatever comes first', [15, 5, 5, 1], 5],
  ['of two equally common ones the smaller, if it comes first', [5, 15], 5],
  ['of two equally common ones the smaller, if it comes last', [15, 15, 5, 5], 5],
  ['of three', [60, 15, 15, 60, 30, 30], 15],
] as const)('of bars it is %s', async (_, steps, expected) => {
  const file = path.join(folder, 'bars.csv')
  const rows = instants(steps).map((time) => `${time},1,1,1,1,1`)
  writeFileSync(file, `open_time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`)
  expect(await openFeed({ path: file })).toMatchObject({ kind: 'bars', intervalMs: expected * 60_000 })
})

test.each([
  [[], null],
  [[480], 480],
  [[960, 480, 480], 480],
  [[480, 480, 960, 240], 480],
] as const)('of funding with %j minutes between its instants it is %j', (steps, expected) => {
  const time = Float64Array.from(instants(steps))
  const rates = { length: time.length, time, rate: new BigInt64Array(time.length) }
  expect(fundingIntervalOf(rates as never)).toBe(expected === null ? null : expected * 60_000)
})
