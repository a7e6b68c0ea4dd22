// Months of an exchange that is asked page by page: the file is what the exchange has of the month, however it pages, fails and is interrupted.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type CcxtExchange, isPassing } from '../../../../src/backtest/archives/ccxt.ts'
import type { Around } from '../../../../src/backtest/archives/ccxtAnswer.ts'
import { fetchCcxt } from '../../../../src/backtest/archives/fetchCcxt.ts'

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
  /** Whether it looks no further ahead than it gives rows, so that a page may be empty before there are more. */
  readonly isNear?: boolean
  /** Whether its pages are in another order, and have rows twice. */
  readonly isMessy?: boolean
  /** Which requests fail, by their number, and which of those for good. */
  readonly failing: ReadonlySet<number>
}

function exchangeOf({ hours, cap, isByEnd, isNear = false, isMessy = false, failing }: Traits) {
  let asked = 0
  const times = hours.map((hour) => BEGIN + hour * HOUR)
  const page = (since: number, limit: number) => {
    asked += 1
    if (failing.has(asked)) throw new RequestTimeout('it took too long')
    const seen = isNear ? since + Math.min(cap, limit) * HOUR : Number.POSITIVE_INFINITY
    const after = times.filter((time) => time >= since && time < seen)
    const own = isByEnd
      ? after.filter((time) => time < since + limit * HOUR).slice(-cap)
      : after.slice(0, Math.min(cap, limit))
    return isMessy ? [...own, ...own.slice(0, 3)].reverse() : own
  }
  const exchange: CcxtExchange = {
    has: { fetchOHLCV: true, fetchFundingRateHistory: true },
    timeframes: { '1h': '1h', '1d': '1d', '1M': '1M' },
    loadMarkets: async () => ({ 'BTC/USDT:USDT': {} }),
    parseTimeframe: () => 3600,
    fetchOHLCV: async (_symbol, _timeframe, since, limit) =>
      page(since, limit).map((time) => [
        time,
        '100.10',
        '101',
        '99.000000001',
        '1e2',
        `${(time / HOUR) % 7}e-8`,
      ]),
    fetchFundingRateHistory: async (_symbol, since, limit) =>
      page(since, limit).map((timestamp) => ({ timestamp, fundingRate: 1e-7 })),
    fetchTrades: () => Promise.reject(new Error('it is asked for candles')),
  }
  return exchange
}

const rowsOf = (hours: readonly number[]) =>
  hours
    .filter((hour) => hour >= 0 && hour < (END - BEGIN) / HOUR)
    .map((hour) => BEGIN + hour * HOUR)
    .map((time) => [time, (time / HOUR) % 7] as const)
    .map(
      ([time, volume]) => `${time},100.1,101,99.000000001,100,${volume === 0 ? 0 : `0.0000000${volume}`}\n`,
    )
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
  isNear: fc.boolean(),
  isMessy: fc.boolean(),
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

test('what goes by itself is told from what does not, as the package names it', () => {
  const named = (name: string) => Object.assign(new Error('of an exchange'), { name })
  const passing = [
    ...['NetworkError', 'DDoSProtection', 'RateLimitExceeded', 'ExchangeNotAvailable', 'OnMaintenance'],
    ...['RequestTimeout', 'InvalidNonce', 'ChecksumError'],
  ]
  expect(passing.filter((name) => !isPassing(named(name)))).toEqual([])
  const lasting = ['BadSymbol', 'AuthenticationError', 'NotSupported', 'BadRequest', 'TypeError']
  expect(lasting.filter((name) => isPassing(named(name)))).toEqual([])
})

describe('a month of funding rates', () => {
  test('is all of them, however close together and however late they are noted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: END - BEGIN - 1 }), {
          minLength: 1,
          maxLength: 300,
          size: 'max',
        }),
        async (drawn) => {
          const [folder, late] = [fresh(), drawn.map((ms) => BEGIN + ms).sort((one, other) => one - other)]
          const exchange: CcxtExchange = {
            ...exchangeOf({ hours: [], cap: 100, isByEnd: false, failing: new Set() }),
            fetchFundingRateHistory: async (_symbol, since, limit) =>
              late
                .filter((time) => time >= since)
                .slice(0, limit)
                .map((timestamp) => ({ timestamp, fundingRate: 1e-7 })),
          }
          for await (const { rows } of fetchCcxt(exchange, { ...REQUEST, funding: true }, folder, AROUND))
            expect(rows).toBe(late.length)
          expect(readFileSync(path.join(folder, 'BTC-USDT-USDT-funding-2025-02.csv'), 'utf8')).toBe(
            `funding_time_ms,funding_rate\n${late.map((time) => `${time},0.0000001\n`).join('')}`,
          )
        },
      ),
      { numRuns: 30 },
    )
  })
})

test('candles of a month each are refused, because they have no length', async () => {
  const months = fetchCcxt(
    exchangeOf({ hours: [0], cap: 100, isByEnd: false, failing: new Set() }),
    ...([{ ...REQUEST, interval: '1M' }, fresh(), AROUND] as const),
  )
  await expect(months.next()).rejects.toThrow('ccxt:stub has no candles of 1M; it has 1h, 1d')
})

test('what was begun with other columns is begun anew', async () => {
  const folder = fresh()
  mkdirSync(folder)
  const name = path.join(folder, 'BTC-USDT-USDT-1h-2025-02.csv')
  writeFileSync(`${name}.part`, `open_time_ms,close\n${BEGIN},100\n`)
  const own = { hours: [0, 1], cap: 100, isByEnd: false, failing: new Set<number>() }
  expect(await fetched(exchangeOf(own), folder)).toMatchObject([{ became: 'fetched' }])
  expect(readFileSync(name, 'utf8')).toBe(`open_time_ms,open,high,low,close,volume\n${rowsOf(own.hours)}`)
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
