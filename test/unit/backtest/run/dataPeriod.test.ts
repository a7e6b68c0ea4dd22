// The days of a plan's data: those that all markets have for splitting them, those that any has for saying what was played.

import { expect, test } from 'vitest'
import { dataDaysOf, datedPlan } from '../../../../src/backtest/plan/dataPeriod.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { scratchFile } from '../feed/sampleMarket.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5)

function hourly(name: string, first: number, hours: number) {
  const rows = Array.from({ length: hours }, (_, n) => `${START + (first + n) * HOUR},100,101,99,100,1\n`)
  return scratchFile(name, rows.join(''))
}

const plan: RunPlan = {
  strategy: 'ema-cross',
  markets: [
    { asset: 'BTC', data: hourly('btc.csv', 24, 72) },
    { asset: 'ETH', data: hourly('eth.csv', 48, 72) },
  ],
}

test('a dated plan plays from the first row of any market to the end of the last', async () => {
  const { from, to } = await datedPlan(plan)
  expect([from, to]).toEqual([START + 24 * HOUR, START + 120 * HOUR])
})

test('what all markets have begins with the last to begin and ends with the first to end', async () => {
  const { from, to } = await dataDaysOf(plan)
  expect([from, to]).toEqual([START + 48 * HOUR, START + 96 * HOUR])
})

test('a period of the plan stays its own', async () => {
  const within = { from: START + 30 * HOUR, to: START + 100 * HOUR }
  const { from, to } = await datedPlan({ ...plan, ...within })
  expect([from, to]).toEqual([within.from, within.to])
})
