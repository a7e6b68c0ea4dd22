/** The same run gives the same bytes: twice, in another process, on a newer Node. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { dataFile, NEEDS_DATA } from '../marketData.ts'
import { NEEDS_NEWER_NODE, NEWER_NODE } from '../newerNode.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-determinism-'))
afterAll(() => rmSync(folder, { recursive: true }))
const program = bundle('src/cli/main.ts', folder)

const CANDLES = dataFile('crypto-perp-binance-usdm-2025', 'csv', 'BTC_USDT_USDT-1m-futures.csv.gz')
const FUNDING = dataFile('crypto-perp-binance-usdm-2025', 'csv', 'BTC_USDT_USDT-8h-funding_rate.csv')

/** A run that trades to the end of the data, whatever it loses. */
const UNLIMITED = ['--leverage', '10', '--daily-loss', '100%', '--total-loss', '100%', '--json']

function backtest(node: string, ...options: string[]): string {
  const command = [program, 'backtest', ...options, ...UNLIMITED]
  return execFileSync(node, command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

const simulated = (node = process.execPath) => backtest(node, '--days', '10')
const recorded = (node = process.execPath) =>
  backtest(node, '--data', CANDLES as string, '--funding', FUNDING as string)

/** What a run comes to, which the others are held against. */
function once(run: () => string): () => string {
  let result: string | undefined
  return () => {
    result ??= run()
    return result
  }
}
const simulatedFirst = once(simulated)
const recordedFirst = once(recorded)

test('the simulated market gives the same result in every process', () => {
  expect(simulated()).toBe(simulatedFirst())
})

test.skipIf(NEWER_NODE === null)(
  `the simulated market gives the same result on a newer Node (${NEEDS_NEWER_NODE})`,
  () => {
    expect(simulated(NEWER_NODE as string)).toBe(simulatedFirst())
  },
)

test.skipIf(CANDLES === null || FUNDING === null)(
  `a month of real candles gives the same result twice (${NEEDS_DATA})`,
  () => {
    const result = JSON.parse(recordedFirst())
    expect(result.rows).toBe(43_199)
    expect(result.openPositions).toBeLessThanOrEqual(1)
    expect(result.statistics.trades.trades).toBeGreaterThan(100)
    expect(JSON.parse(recorded())).toEqual(result)
  },
)

test.skipIf(CANDLES === null || FUNDING === null || NEWER_NODE === null)(
  `a month of real candles gives the same result on a newer Node (${NEEDS_NEWER_NODE})`,
  () => {
    expect(recorded(NEWER_NODE as string)).toBe(recordedFirst())
  },
)
