// `data fetch --exchange ccxt:NAME` as it is typed, with a package that stands for ccxt and an exchange on this machine.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFunding } from '../../../../src/backtest/index.ts'
import { typed } from '../../../typed.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const END = Date.UTC(2025, 2, 1)

/** A trade a minute, of an hour at most at once. */
function tradesOf(asked: URLSearchParams) {
  const since = Math.ceil(Number(asked.get('since')) / MINUTE) * MINUTE
  return Array.from({ length: 60 }, (_, minute) => since + minute * MINUTE)
    .filter((time) => time <= Number(asked.get('until')) && time < END)
    .map((timestamp) => ({
      id: String(timestamp / MINUTE),
      timestamp,
      side: 'buy',
      price: '100.50',
      amount: '1',
    }))
}

const scratch = mkdtempSync(path.join(tmpdir(), 'margin-core-ccxt-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('from the command line', () => {
  let server: Server
  const folder = path.join(scratch, 'typed')
  let limited = 1
  beforeAll(async () => {
    // What an exchange answers: a hundred hours at most, and at first that it was asked too often.
    server = createServer((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://stub')
      if (limited-- > 0) return void response.writeHead(429).end()
      if (pathname === '/trades') return void response.end(JSON.stringify(tradesOf(searchParams)))
      const since = Math.ceil(Number(searchParams.get('since')) / HOUR) * HOUR
      const times = Array.from({ length: 100 }, (_, hour) => since + hour * HOUR).filter((time) => time < END)
      const rows =
        pathname === '/candles'
          ? times.map((time) => [time, '100.5', '101.5', '99.5', '100.25', '3'])
          : times
              .filter((time) => time % (8 * HOUR) === 0)
              .map((timestamp) => ({ timestamp, fundingRate: '0.0001' }))
      response.end(JSON.stringify(rows))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const place = path.join(folder, 'node_modules', 'ccxt')
    mkdirSync(place, { recursive: true })
    writeFileSync(
      path.join(place, 'package.json'),
      '{ "name": "ccxt", "version": "4.0.0", "main": "index.cjs" }',
    )
    writeFileSync(
      path.join(place, 'index.cjs'),
      `class RateLimitExceeded extends Error {}
      class stub {
        constructor(options) { if (options.enableRateLimit !== true) throw new Error('no limit') }
        has = { fetchOHLCV: true, fetchFundingRateHistory: true, fetchTrades: true }
        timeframes = { '1h': '1h' }
        async loadMarkets() { return { 'BTC/USDT:USDT': {} } }
        parseTimeframe() { return 3600 }
        async #asked(what, since) {
          const response = await fetch('${base}/' + what + '?since=' + since)
          if (response.status === 429) throw new RateLimitExceeded('too often')
          return response.json()
        }
        async fetchOHLCV(symbol, timeframe, since) {
          if (this.number !== String) throw new Error('digits would be lost')
          return this.#asked('candles', since)
        }
        async fetchFundingRateHistory(symbol, since, limit) {
          if (limit > 100) throw new Error('at most 100 rates')
          return this.#asked('funding', since)
        }
        async fetchTrades(symbol, since, limit, { until }) {
          if (this.number !== String) throw new Error('digits would be lost')
          return this.#asked('trades', since + '&until=' + until)
        }
      }
      class poor extends stub { has = {} }
      module.exports = { exchanges: ['stub', 'poor'], stub, poor }`,
    )
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const asked = (words: string) =>
    typed(
      `data fetch --symbol BTC/USDT:USDT --from 2025-02 ${/--(?:funding|trades)/.test(words) ? '' : '--interval 1h '}${words}`.split(
        ' ',
      ),
      folder,
    )

  test('months are fetched through the package of the folder, checked, kept, and make a run', async () => {
    expect(await asked('--exchange ccxt:stub')).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'BTC-USDT-USDT-1h/BTC-USDT-USDT-1h-2025-02.csv: fetched\n',
    })
    expect((await asked('--exchange ccxt:stub')).stdout).toContain(': kept')
    const checked = await typed(['data', 'check', 'BTC-USDT-USDT-1h'], folder)
    expect(checked.stdout).toContain('672 bars of 1.0 hours, 2025-02-01 00:00:00 to 2025-02-28 23:00:00 UTC')
    expect(checked.code).toBe(0)
  })

  test('funding rates have a folder of their own, which is read as one', async () => {
    const { stdout } = await asked('--exchange ccxt:stub --funding')
    expect(stdout).toBe('BTC-USDT-USDT-funding/BTC-USDT-USDT-funding-2025-02.csv: fetched\n')
    const rates = await readFunding({ path: path.join(folder, 'BTC-USDT-USDT-funding') })
    expect([rates.length, rates.rate[83]]).toEqual([84, 100_000n])
  })

  test('trades are fetched day by day, and make a run', async () => {
    const days = await typed(
      'data fetch --exchange ccxt:stub --symbol BTC/USDT:USDT --trades --from 2025-02-26 --to 2025-02'.split(
        ' ',
      ),
      folder,
    )
    expect(days).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: ['26', '27', '28']
        .map((day) => `BTC-USDT-USDT-trades/BTC-USDT-USDT-trades-2025-02-${day}.csv: fetched, 1,440 trades\n`)
        .join(''),
    })
    const checked = await typed(['data', 'check', 'BTC-USDT-USDT-trades'], folder)
    expect(checked.stdout).toContain('4,320 ticks, 2025-02-26 00:00:00 to 2025-02-28 23:59:00 UTC')
    const run = await typed(
      'backtest --data BTC-USDT-USDT-trades --strategy ema-cross --json'.split(' '),
      folder,
    )
    expect([run.code, JSON.parse(run.stdout).feeds[0].rows]).toEqual([0, 4320])
  })

  test.each([
    ['an exchange that the package has not', '--exchange ccxt:mtgox', /ccxt has no exchange mtgox; it has 2/],
    ['one that gives no candles', '--exchange ccxt:poor', /ccxt:poor gives no candles/],
    ['one that gives no trades', '--exchange ccxt:poor --trades', /ccxt:poor gives no past trades/],
    ['one that gives no rates', '--exchange ccxt:poor --funding', /gives no past funding rates/],
    [
      'a market that it has not',
      '--exchange ccxt:stub --symbol ETH/USDT',
      /no market ETH\/USDT; it has 1, such as BTC/,
    ],
    ['an interval that it has not', '--exchange ccxt:stub --interval 7m', /no candles of 7m; it has 1h/],
  ])('%s is told in one line', async (_, words, told) => {
    const { code, stderr } = await asked(`--out other ${words}`)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(told)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a package that is not installed is told with how to get it', async () => {
    const bare = path.join(scratch, 'bare')
    mkdirSync(bare)
    const words = 'data fetch --symbol BTC/USDT --from 2025-02 --exchange ccxt:okx'.split(' ')
    const { code, stderr } = await typed(words, bare)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toBe('error: ccxt:okx needs the package ccxt: npm install --ignore-scripts ccxt\n')
  })
})
