// Months of an exchange that is asked page by page: the file is what the exchange has of the month, however it pages, fails and is interrupted.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CcxtExchange } from '../../../../src/backtest/archives/ccxt.ts'
import { type Around, fetchCcxt } from '../../../../src/backtest/archives/fetchCcxt.ts'
import { readFunding } from '../../../../src/backtest/index.ts'
import { typed } from '../../../typed.ts'

const HOUR = 3_600_000
const [BEGIN, END] = [Date.UTC(2025, 1, 1), Date.UTC(2025, 2, 1)]
const REQUEST = {
  exchange: 'ccxt:stub',
  symbol: 'BTC/USDT:USDT',
  interval: '1h',
  from: '2025-02',
  to: '2025-02',
}
const AROUND: Around = { now: new Date(END), wait: () => Promise.resolve() }

const scratch = mkdtempSync(path.join(tmpdir(), 'margin-core-ccxt-'))
let folders = 0
const fresh = () => path.join(scratch, String(folders++))
afterAll(() => rmSync(scratch, { recursive: true }))

class RequestTimeout extends Error {}

interface Traits {
  /** Hours of February that it has. */
  readonly hours: readonly number[]
  /** The most rows that it gives at once. */
  readonly cap: number
  /** Whether it ends a page where so many rows would end, and gives the last of those, as some do. */
  readonly isByEnd: boolean
  /** Which requests fail, by their number, and which of those for good. */
  readonly failing: ReadonlySet<number>
}

function exchangeOf({ hours, cap, isByEnd, failing }: Traits) {
  let asked = 0
  const times = hours.map((hour) => BEGIN + hour * HOUR)
  const page = (since: number, limit: number) => {
    asked += 1
    if (failing.has(asked)) throw new RequestTimeout('it took too long')
    const after = times.filter((time) => time >= since)
    return isByEnd
      ? after.filter((time) => time < since + limit * HOUR).slice(-cap)
      : after.slice(0, Math.min(cap, limit))
  }
  const exchange: CcxtExchange = {
    has: { fetchOHLCV: true, fetchFundingRateHistory: true },
    timeframes: { '1h': '1h', '1d': '1d' },
    loadMarkets: async () => ({ 'BTC/USDT:USDT': {} }),
    parseTimeframe: () => 3600,
    fetchOHLCV: async (_symbol, _timeframe, since, limit) =>
      page(since, limit).map((time) => [time, '100.10', '101', '99.000000001', '1e2', (time / HOUR) % 7]),
    fetchFundingRateHistory: async (_symbol, since, limit) =>
      page(since, limit).map((timestamp) => ({ timestamp, fundingRate: 1e-7 })),
  }
  return exchange
}

const rowsOf = (hours: readonly number[]) =>
  hours
    .filter((hour) => hour >= 0 && hour < (END - BEGIN) / HOUR)
    .map((hour) => BEGIN + hour * HOUR)
    .map((time) => `${time},100.1,101,99.000000001,100,${(time / HOUR) % 7}\n`)
    .join('')

async function fetched(exchange: CcxtExchange, folder: string, around = AROUND) {
  const months = []
  for await (const month of fetchCcxt(exchange, REQUEST, folder, around)) months.push(month)
  return months
}

const traits = fc.record({
  hours: fc
    .uniqueArray(fc.integer({ min: -50, max: 800 }), { minLength: 1, maxLength: 500, size: 'max' })
    .map((hours) => [...hours, 100].sort((one, other) => one - other))
    .map((hours) => [...new Set(hours)]),
  cap: fc.integer({ min: 100, max: 1000 }),
  isByEnd: fc.boolean(),
  failing: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 10 }).map((some) => new Set(some)),
})

describe('a month of candles', () => {
  test('is all that the exchange has of it, each once and in order, whatever its pages are and however often it fails', async () => {
    await fc.assert(
      fc.asyncProperty(traits, async (own) => {
        const folder = fresh()
        const [month] = await fetched(
          exchangeOf({ ...own, failing: new Set([...own.failing].filter((n) => n % 3 > 0)) }),
          folder,
        )
        const file = readFileSync(path.join(folder, 'BTC-USDT-USDT-1h-2025-02.csv'), 'utf8')
        expect(file).toBe(`open_time_ms,open,high,low,close,volume\n${rowsOf(own.hours)}`)
        expect(month).toMatchObject({
          became: 'fetched',
          expected: 28 * 24,
          rows: file.split('\n').length - 2,
        })
      }),
      { numRuns: 60 },
    )
  })

  test('is the same where it was cut off, in the middle of a row as well, and gone on with', async () => {
    await fc.assert(
      fc.asyncProperty(
        traits,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 60 }),
        async (own, until, cut) => {
          const folder = fresh()
          const whole = { ...own, failing: new Set<number>() }
          let asked = 0
          const broken: CcxtExchange = {
            ...exchangeOf(whole),
            fetchOHLCV: async (...question) => {
              asked += 1
              if (asked > until) throw new RequestTimeout('no answer')
              return exchangeOf(whole).fetchOHLCV(...question)
            },
          }
          const name = path.join(folder, 'BTC-USDT-USDT-1h-2025-02.csv')
          const isWhole = await fetched(broken, folder).then(
            () => true,
            (error: Error) => {
              expect(error.message).toContain('fetch it again to go on')
              const part = readFileSync(`${name}.part`, 'utf8')
              writeFileSync(`${name}.part`, part.slice(0, Math.max(0, part.length - cut)))
              expect(readdirSync(folder)).not.toContain('SHA256SUMS')
              return false
            },
          )
          const [month] = await fetched(exchangeOf(whole), folder)
          if (isWhole) expect(month?.became).toBe('kept')
          expect(readFileSync(name, 'utf8')).toBe(
            `open_time_ms,open,high,low,close,volume\n${rowsOf(own.hours)}`,
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is gone on with after the last row that is one, whatever a machine that went out left behind it', async () => {
    await fc.assert(
      fc.asyncProperty(
        traits,
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom(
          '\0'.repeat(40),
          `${'\0'.repeat(40)}\n`,
          '1,2,3\n',
          'x,1,1,1,1,1\n',
          `${BEGIN},1,1,1,1,1\n`,
        ),
        async (own, rows, rubbish) => {
          const [folder, whole] = [fresh(), { ...own, failing: new Set<number>() }]
          const lines = rowsOf(own.hours).split('\n').slice(0, -1)
          const begun = lines.slice(0, Math.max(1, Math.min(rows, lines.length))).map((line) => `${line}\n`)
          const name = path.join(folder, 'BTC-USDT-USDT-1h-2025-02.csv')
          mkdirSync(folder)
          writeFileSync(
            `${name}.part`,
            `open_time_ms,open,high,low,close,volume\n${begun.join('')}${rubbish}`,
          )
          expect(await fetched(exchangeOf(whole), folder)).toMatchObject([{ became: 'gone on with' }])
          expect(readFileSync(name, 'utf8')).toBe(
            `open_time_ms,open,high,low,close,volume\n${rowsOf(own.hours)}`,
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  test('waits longer each time before it asks again, and ends after six tries', async () => {
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    const exchange = exchangeOf({
      hours: [0],
      cap: 100,
      isByEnd: false,
      failing: new Set([1, 2, 3, 4, 5, 6]),
    })
    await expect(fetched(exchange, fresh(), { ...AROUND, wait })).rejects.toThrow(
      'the exchange did not answer in 6 tries (it took too long)',
    )
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000])
  })

  test('that has nothing, or is not over, is none', async () => {
    const none = exchangeOf({ hours: [2000], cap: 100, isByEnd: false, failing: new Set() })
    await expect(fetched(none, fresh())).rejects.toThrow('the exchange gives nothing of 2025-02')
    await expect(fetched(none, fresh(), { ...AROUND, now: new Date(END - 1) })).rejects.toThrow(
      '2025-02 is not over',
    )
  })
})

describe('a folder of months', () => {
  const own = { hours: [0, 1, 2], cap: 100, isByEnd: false, failing: new Set<number>() }
  const name = 'BTC-USDT-USDT-1h-2025-02.csv'

  test('notes the SHA-256 of each, as sha256sum reads it, and asks for none a second time', async () => {
    const folder = fresh()
    await fetched(exchangeOf(own), folder)
    const sha256 = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex')
    expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toBe(
      `# 2025-03-01T00:00:00.000Z ccxt:stub BTC/USDT:USDT\n${sha256}  ${name}\n`,
    )
    const silent: CcxtExchange = { ...exchangeOf(own), loadMarkets: () => Promise.reject(new Error('asked')) }
    expect(await fetched(silent, folder)).toMatchObject([{ became: 'kept' }])
  })

  test('takes no other bytes for a month than those noted', async () => {
    const folder = fresh()
    await fetched(exchangeOf(own), folder)
    const before = readFileSync(path.join(folder, name))
    rmSync(path.join(folder, name))
    const changed = exchangeOf({ ...own, hours: [0, 1, 2, 3] })
    await expect(fetched(changed, folder)).rejects.toThrow('has to go before it is taken')
    await fetched(exchangeOf(own), folder)
    expect(readFileSync(path.join(folder, name))).toEqual(before)
    writeFileSync(path.join(folder, name), 'something else')
    await expect(fetched(exchangeOf(own), folder)).rejects.toThrow('it is not what was fetched')
  })
})

describe('from the command line', () => {
  let server: Server
  const folder = path.join(scratch, 'typed')
  let limited = 1
  beforeAll(async () => {
    // What an exchange answers: a hundred hours at most, and at first that it was asked too often.
    server = createServer((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://stub')
      if (limited-- > 0) return void response.writeHead(429).end()
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
        has = { fetchOHLCV: true, fetchFundingRateHistory: true }
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
      }
      class poor extends stub { has = {} }
      module.exports = { exchanges: ['stub', 'poor'], stub, poor }`,
    )
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const asked = (words: string) =>
    typed(
      `data fetch --symbol BTC/USDT:USDT --from 2025-02 ${words.includes('--funding') ? '' : '--interval 1h '}${words}`.split(
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

  test.each([
    ['an exchange that the package has not', '--exchange ccxt:mtgox', /ccxt has no exchange mtgox; it has 2/],
    ['one that gives no candles', '--exchange ccxt:poor', /ccxt:poor gives no candles/],
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
    const bare = fresh()
    mkdirSync(bare)
    const words = 'data fetch --symbol BTC/USDT --from 2025-02 --exchange ccxt:okx'.split(' ')
    const { code, stderr } = await typed(words, bare)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toBe('error: ccxt:okx needs the package ccxt: npm install --ignore-scripts ccxt\n')
  })
})
