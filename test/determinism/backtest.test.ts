/** The same run gives the same bytes: twice, in another process, on a newer Node. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dataFile, NEEDS_DATA } from '../marketData.ts'
import { NEEDS_NEWER_NODE, NEWER_NODE } from '../newerNode.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CANDLES = dataFile('crypto-perp-binance-usdm-2025', 'csv', 'BTC_USDT_USDT-1m-futures.csv.gz')
const FUNDING = dataFile('crypto-perp-binance-usdm-2025', 'csv', 'BTC_USDT_USDT-8h-funding_rate.csv')

/** A run that trades to the end of the data, whatever it loses. */
const UNLIMITED = ['--leverage', '10', '--daily-loss', '100%', '--total-loss', '100%', '--json']

function backtest(node: string, ...options: string[]): string {
  const command = ['--import', 'tsx', 'src/cli/main.ts', 'backtest', ...options, ...UNLIMITED]
  return execFileSync(node, command, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

const simulated = () => backtest(process.execPath, '--days', '10')
const recorded = (node = process.execPath) =>
  backtest(node, '--data', CANDLES as string, '--funding', FUNDING as string)

test('the simulated market gives the same result in every process', () => {
  expect(simulated()).toBe(simulated())
})

test.skipIf(NEWER_NODE === null)(
  `the simulated market gives the same result on a newer Node (${NEEDS_NEWER_NODE})`,
  () => {
    expect(backtest(NEWER_NODE as string, '--days', '10')).toBe(simulated())
  },
)

test.skipIf(CANDLES === null || FUNDING === null)(
  `a month of real candles gives the same result twice (${NEEDS_DATA})`,
  () => {
    const result = JSON.parse(recorded())
    expect(result.rows).toBe(43_199)
    expect(result.openPositions).toBeLessThanOrEqual(1)
    expect(result.statistics.trades.trades).toBeGreaterThan(100)
    expect(JSON.parse(recorded())).toEqual(result)
  },
)

test.skipIf(CANDLES === null || FUNDING === null || NEWER_NODE === null)(
  `a month of real candles gives the same result on a newer Node (${NEEDS_NEWER_NODE})`,
  () => {
    expect(recorded(NEWER_NODE as string)).toBe(recorded())
  },
)
