/** `margin-core data` and the cache of the commands, by running them against an archive on this machine. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { type Ended, typed } from '../../../typed.ts'
import { told } from '../feed/told.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-data-'))

/** What exchanges publish of a day, as they do: the first lines of each, and where they lie. */
const DAYS: Record<string, { place: string; bytes: Uint8Array }> = {
  'bybit-futures': {
    place: '/data/trading/BTCUSDT/BTCUSDT2025-01-05.csv.gz',
    bytes: gzipSync(
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional\n' +
        '1736035200.1256,BTCUSDT,Buy,0.010,98000.10,PlusTick,a,9.8e+10,0.01,980.001\n' +
        '1736035261.4,BTCUSDT,Sell,0.020,98000.50,PlusTick,b,1.96e+11,0.02,1960.01\n',
    ),
  },
  'bybit-spot': {
    place: '/data/spot/BTCUSDT/BTCUSDT_2025-01-05.csv.gz',
    bytes: gzipSync(
      'id,timestamp,price,volume,side\n1,1736035200125,98000.1,0.01,buy\n2,1736035261400,98000.5,0.02,sell\n',
    ),
  },
  okx: {
    place: '/data/trades/daily/20250105/BTC-USDT-SWAP-trades-2025-01-05.zip',
    bytes: zipSync({
      'BTC-USDT-SWAP-trades-2025-01-05.csv': Buffer.from(
        'instrument_name,trade_id,side,price,size,created_time\n' +
          'BTC-USDT-SWAP,1,buy,98000.1,1,1736035200125\nBTC-USDT-SWAP,2,sell,98000.5,2,1736035261400\n',
      ),
    }),
  },
  'kucoin-spot': {
    place: '/data/spot/daily/trades/BTCUSDT/BTCUSDT-trades-2025-01-05.zip',
    bytes: zipSync({
      'BTCUSDT-trades-2025-01-05.csv': Buffer.from(
        'trade_id,trade_time,price,size,side\n1,1736035200125,98000.1,0.01,buy\n2,1736035261400,98000.5,0.02,sell\n',
      ),
    }),
  },
}

/** Months of minutes as Binance publishes them: a ZIP with one file of twelve columns, and its SHA-256 beside it. */
function klines(month: number, days: number): Uint8Array {
  const start = Date.UTC(2025, month, 1)
  const rows = Array.from({ length: days * 1440 }, (_, minute) => {
    const at = start + minute * 60_000
    const price = (100_000 + Math.round(3_000 * Math.sin(minute / 400)) + (minute % 7)).toFixed(2)
    return `${at},${price},${price},${price},${price},1.5,${at + 59_999},0,1,0,0,0`
  })
  const name = `BTCUSDT-1m-2025-${String(month + 1).padStart(2, '0')}`
  return zipSync({ [`${name}.csv`]: Buffer.from(`${rows.join('\n')}\n`) }, { level: 1 })
}

const ARCHIVE: Record<string, Uint8Array> = {
  'BTCUSDT-1m-2025-01.zip': klines(0, 31),
  'BTCUSDT-1m-2025-02.zip': klines(1, 2),
}
const sha256 = (name: string) =>
  createHash('sha256')
    .update(ARCHIVE[name] as Uint8Array)
    .digest('hex')
const asked: string[] = []
let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const name = path.basename(request.url ?? '')
    asked.push(request.url ?? '')
    const day = Object.values(DAYS).find(({ place }) => place === request.url)
    if (day !== undefined) return void response.end(day.bytes)
    const file = ARCHIVE[name.replace('.CHECKSUM', '')]
    if (file === undefined) response.writeHead(404).end()
    else if (name.endsWith('.CHECKSUM'))
      response.end(`${createHash('sha256').update(file).digest('hex')}  ${name}\n`)
    else response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

async function run(command: string, cache = 'off'): Promise<Ended> {
  vi.stubEnv('MARGIN_CORE_CACHE', cache)
  return typed(command.split(' '), folder).finally(() => vi.unstubAllEnvs())
}

const fetched = () => `data fetch --exchange binance-usdm --symbol BTCUSDT --from 2025-01 --base ${base}`

describe('an archive', () => {
  test('is listed by name', async () => {
    const { stdout } = await run('data list')
    expect(stdout).toMatch(/^binance-spot +Binance spot candles/)
    expect(stdout.trim().split('\n')).toHaveLength(8)
  })

  test('is fetched month by month, and what is there is kept', async () => {
    const first = await run(fetched())
    expect(first).toEqual({ code: 0, stdout: 'BTCUSDT-1m/BTCUSDT-1m-2025-01.zip: fetched\n', stderr: '' })
    const both = await run(`${fetched()} --to 2025-02`)
    expect(both.stdout).toBe(
      'BTCUSDT-1m/BTCUSDT-1m-2025-01.zip: kept\nBTCUSDT-1m/BTCUSDT-1m-2025-02.zip: fetched\n',
    )
    expect(asked).toContain('/data/futures/um/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2025-02.zip')
    expect(readdirSync(path.join(folder, 'BTCUSDT-1m'))).toEqual([
      'BTCUSDT-1m-2025-01.zip',
      'BTCUSDT-1m-2025-02.zip',
      'SHA256SUMS',
    ])
    const sums = readFileSync(path.join(folder, 'BTCUSDT-1m', 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
    const [, hash] = sums
    expect(hash).toBe(`${sha256('BTCUSDT-1m-2025-01.zip')}  BTCUSDT-1m-2025-01.zip`)
    expect(sums).toHaveLength(4)
  })

  test.each(Object.keys(DAYS))(
    'without checksums, of %s, gives trades that are read, and no other bytes later',
    async (exchange) => {
      const symbol = exchange === 'okx' ? 'BTC-USDT-SWAP' : 'BTCUSDT'
      const command = `data fetch --exchange ${exchange} --symbol ${symbol} --from 2025-01-05 --base ${base} --out ${exchange}`
      const own = DAYS[exchange] as { place: string; bytes: Uint8Array }
      const file = path.join(folder, exchange, path.basename(own.place))
      expect((await run(command)).stdout).toMatch(/: fetched\n$/)
      expect((await run(command)).stdout).toMatch(/: kept\n$/)
      const feed = await openFeed({ path: path.join(folder, exchange) })
      expect(feed.kind).toBe('ticks')
      const rows: unknown[] = []
      for await (const chunk of feed)
        for (let row = 0; row < chunk.length; row++)
          if ('time' in chunk) rows.push([chunk.time[row], chunk.price[row]])
      expect(rows).toEqual([
        [1_736_035_200_125, 98_000_100_000_000n],
        [1_736_035_261_400, 98_000_500_000_000n],
      ])
      rmSync(file)
      const bytes = own.bytes
      own.bytes = gzipSync('something else')
      const changed = await run(command)
      expect(changed.stderr).toMatch(
        /when it was first fetched it was [0-9a-f]{64}; the archive has changed it/,
      )
      own.bytes = bytes
      expect((await run(command)).stdout).toMatch(/: fetched\n$/)
      writeFileSync(file, 'mine')
      expect((await run(command)).stderr).toMatch(/SHA256SUMS says/)
      rmSync(path.join(folder, exchange, 'SHA256SUMS'))
      expect((await run(command)).stderr).toMatch(/it was not fetched here/)
    },
  )

  test.each([
    [
      'binance-usdm --symbol BTCUSDT --from 2025-01',
      '/data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2025-01.zip',
    ],
    [
      'okx --symbol BTC-USDT-SWAP --from 2025-01',
      '/data/swaprates/monthly/202501/BTC-USDT-SWAP-fundingrates-2025-01.zip',
    ],
  ])('funding rates are looked for where they lie: %s', async (words, place) => {
    await run(`data fetch --funding --base ${base} --exchange ${words}`)
    expect(asked.some((url) => url.startsWith(place))).toBe(true)
  })

  test.each([
    ['funding that it does not have', '--exchange bybit-spot --funding', /bybit-spot has no funding rates/],
    ['a day that is none', '--exchange okx --from 2025-02-30', /2025-02-30 is no day/],
    ['a day of an archive of months', '--from 2025-02-03', /no month/],
    ['days that go back', '--exchange okx --from 2025-02-03 --to 2025-02-02', /there is no day/],
    ['a month that it does not have', '--to 2025-03', /no such file/],
    ['a month that is none', '--to 2025-13', /no month/],
    ['an exchange that is none', '--exchange mtgox', /there are: binance-spot/],
    ['a symbol that is none', '--symbol ../..', /no symbol/],
  ])('%s is told and ends with an error', async (_, option, told) => {
    const { code, stderr } = await run(`${fetched()} ${option}`)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(told)
  })
})

describe('a check', () => {
  test('of what was fetched finds nothing missing', async () => {
    const { code, stdout } = await run('data check BTCUSDT-1m')
    expect(stdout).toContain('47,520 bars of 1 min, 2025-01-01 00:00:00 to 2025-02-02 23:59:00 UTC')
    expect(stdout).toContain('no gaps')
    expect(code).toBe(0)
  })

  test('of what has a hole, a row that repeats and a hole in its funding ends with 1 and says where', async () => {
    const rows = Array.from({ length: 60 }, (_, minute) => `${Date.UTC(2025, 0, 1, 0, minute)},1,1,1,1`)
    rows.splice(30, 5)
    rows.splice(10, 0, rows[9] as string)
    writeFileSync(path.join(folder, 'bad.csv'), `time,open,high,low,close\n${rows.join('\n')}\n`)
    const rates = [0, 8, 24].map((hour) => `${Date.UTC(2025, 0, 1, hour)},0.0001`)
    writeFileSync(path.join(folder, 'rates.csv'), `funding_time_ms,funding_rate\n${rates.join('\n')}\n`)
    const { code, stdout } = await run('data check bad.csv --funding rates.csv')
    expect(code).toBe(1)
    expect(stdout).toContain('5 bar(s) missing in 1 gap(s)')
    expect(stdout).toContain('bad.csv:12:')
    expect(stdout).toMatch(/3 funding rates, one every 8.0 hours, 1 hole\(s\):/)
    const { stdout: json } = await run('data check bad.csv --funding rates.csv --json')
    expect(JSON.parse(json)).toMatchObject({
      summary: { gaps: 1, missingBars: 5, skipped: 1 },
      funding: { rates: 3, holes: [{ from: Date.UTC(2025, 0, 1, 8), to: Date.UTC(2025, 0, 2) }] },
    })
  })
})

describe('a check for people', () => {
  /** Minutes of these prices and, of funding, these hours; null is a row that cannot be used. */
  async function checks(prices: readonly (number | null)[], hours: readonly number[] | null) {
    const rows = prices.map((price, minute) =>
      price === null ? 'no row' : `${Date.UTC(2025, 0, 1, 0, minute)},${price},${price},${price},${price}`,
    )
    writeFileSync(path.join(folder, 'said.csv'), `time,open,high,low,close\n${rows.join('\n')}\n`)
    const rates = hours?.map((hour) => `${Date.UTC(2025, 0, 1, hour)},0.0001`).join('\n')
    writeFileSync(path.join(folder, 'said-rates.csv'), `funding_time_ms,funding_rate\n${rates}\n`)
    const command = `data check said.csv${hours === null ? '' : ' --funding said-rates.csv'}`
    const { code, stdout } = await run(command)
    const { code: again, stdout: json } = await run(`${command} --json`)
    expect(again).toBe(code)
    return { code, lines: stdout.trimEnd().split('\n'), json: JSON.parse(json) }
  }
  const WHOLE = Array.from({ length: 60 }, (_, minute) => 100 + (minute % 3) / 100)
  const FIRST = '60 bars of 1 min, 2025-01-01 00:00:00 to 2025-01-01 00:59:00 UTC'

  test('says of whole data that nothing is wrong with it, and ends with 0', async () => {
    const { code, lines } = await checks(WHOLE, [0, 8, 16])
    expect(lines).toEqual([
      FIRST,
      'no gaps',
      'no row that cannot be used',
      'no jumps',
      'longest stretch at one price: 1 row(s)',
      '3 funding rates, one every 8.0 hours, no holes',
    ])
    expect(code).toBe(0)
  })

  test('says where a high stands alone, and of ticks how long there was none', async () => {
    const bars = WHOLE.map(
      (price, minute) =>
        `${Date.UTC(2025, 0, 1, 0, minute)},${price},${minute === 7 ? 400 : price},${price},${price}`,
    )
    writeFileSync(path.join(folder, 'high.csv'), `time,open,high,low,close\n${bars.join('\n')}\n`)
    expect((await run('data check high.csv')).stdout).toMatch(
      /1 jump.*\n {2}2025-01-01 00:07:00: [\d.]+%, \d+ ordinary ones, its high alone\n/,
    )
    const ticks = [0, 1, 2, 92, 93].map(
      (second) => `${Date.UTC(2025, 0, 1, 0, 0, second)},${100 + (second % 2)}`,
    )
    writeFileSync(path.join(folder, 'few.csv'), `time_ms,price\n${ticks.join('\n')}\n`)
    const { code, stdout } = await run('data check few.csv')
    expect(stdout).toMatch(/^5 ticks, .*\nlongest time without a tick: .* from 2025-01-01 00:00:02\nno row/)
    expect(code).toBe(0)
  })

  test.each([
    ['one row', WHOLE.map((price, row) => (row === 30 ? null : price)), null],
    ['one hole of funding', WHOLE, [0, 8, 24, 32, 40]],
  ] as const)('ends with 1 for %s alone', async (_, prices, hours) => {
    expect((await checks(prices, hours)).code).toBe(1)
  })

  test('tells of gaps, rows, jumps and holes what the JSON tells', async () => {
    const prices = WHOLE.map((price, row) => (row === 10 || row === 11 ? null : row === 40 ? 150 : price))
    const { lines, json } = await checks(prices, [0, 8, 24, 32, 48, 56])
    expect(json.jumps).toHaveLength(2)
    expect(lines).toEqual([
      '58 bars of 1 min, 2025-01-01 00:00:00 to 2025-01-01 00:59:00 UTC',
      '2 bar(s) missing in 1 gap(s)',
      '  the largest: 3 min from 2025-01-01 00:09:00',
      '2 row(s) that cannot be used, the first of them:',
      ...json.summary.firstSkipped.map(
        (row: { file: string; line: number; reason: string }) => `  ${row.file}:${row.line}: ${row.reason}`,
      ),
      '2 jump(s) of more than 40 ordinary changes, the largest:',
      ...json.jumps.map(({ time, change, times }: { time: number; change: number; times: number }) => {
        const percent = `${change < 0 ? '−' : ''}${Math.abs(change * 100).toFixed(2)}%`
        return `  ${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}: ${percent}, ${times.toFixed(0)} ordinary ones`
      }),
      `longest stretch at one price: ${json.longestFlat} row(s)`,
      '6 funding rates, one every 8.0 hours, 2 hole(s):',
      '  none between 2025-01-01 08:00:00 and 2025-01-02 00:00:00',
      '  none between 2025-01-02 08:00:00 and 2025-01-03 00:00:00',
    ])
  })
})

describe('what is converted', () => {
  const rows = async (...files: string[]) => {
    const read = await told(await openFeed({ path: files.map((file) => path.join(folder, file)) }))
    return read.steps.filter((_, step) => step % 2 === 1)
  }

  test('is read again as the same rows, packed or not, from several files', async () => {
    for (const name of ['all.csv', 'all.csv.gz']) {
      const { stdout } = await run(`data convert BTCUSDT-1m --out ${name}`)
      expect(stdout).toBe(`${name}: 47520 rows\n`)
      expect(await rows(name)).toEqual(
        await rows('BTCUSDT-1m/BTCUSDT-1m-2025-01.zip', 'BTCUSDT-1m/BTCUSDT-1m-2025-02.zip'),
      )
    }
    const text = readFileSync(path.join(folder, 'all.csv'))
    expect(gunzipSync(readFileSync(path.join(folder, 'all.csv.gz'))).equals(text)).toBe(true)
  })

  test('keeps every digit of quotes and trades', async () => {
    const quotes = '1735689600000,0.000000001,9007199.254740993\n1735689600000,1,2\n1735689600500,3,3\n'
    writeFileSync(path.join(folder, 'quotes.csv'), `time_ms,bid,ask\n${quotes}`)
    writeFileSync(path.join(folder, 'trades.csv'), 'time_ms,price\n1735689600000,0.000000001\n')
    for (const [name, count] of [
      ['quotes', 3],
      ['trades', 1],
    ] as const) {
      const { stdout } = await run(`data convert ${name}.csv --out ${name}-again.csv`)
      expect(stdout).toBe(`${name}-again.csv: ${count} row${count === 1 ? '' : 's'}\n`)
      const [was, is] = [`${name}.csv`, `${name}-again.csv`].map((file) =>
        readFileSync(path.join(folder, file), 'utf8'),
      )
      expect(is).toBe(was)
    }
  })

  test('into longer bars holds those that are closed, and only the part that is asked for', async () => {
    const { stdout } = await run(
      'data convert BTCUSDT-1m --out hours.csv --interval 1h --from 2025-01-31 --to 2025-02-01T02:30:00Z',
    )
    expect(stdout).toBe('hours.csv: 26 rows\n')
    const lines = readFileSync(path.join(folder, 'hours.csv'), 'utf8').trim().split('\n')
    const minutes = readFileSync(path.join(folder, 'all.csv'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    for (const line of lines.slice(1)) {
      const [at, open, high, low, close, volume] = line.split(',').map(Number)
      const own = minutes.filter(([time]) => Math.floor(Number(time) / 3_600_000) * 3_600_000 === at)
      expect([open, high, low, close, volume]).toEqual([
        Number(own[0]?.[1]),
        Math.max(...own.map((row) => Number(row[2]))),
        Math.min(...own.map((row) => Number(row[3]))),
        Number(own.at(-1)?.[4]),
        90,
      ])
    }
  })

  test('into longer bars begins with the first that the data has all of', async () => {
    const { stdout } = await run(
      'data convert BTCUSDT-1m --out days.csv --interval 1h --from 2025-01-31T00:01:00Z --to 2025-01-31T03:00:00Z',
    )
    expect(stdout).toBe('days.csv: 2 rows\n')
    const [, first] = readFileSync(path.join(folder, 'days.csv'), 'utf8').split('\n')
    expect(first).toMatch(new RegExp(`^${Date.UTC(2025, 0, 31, 1)},`))
  })

  test('ticks become bars', async () => {
    const at = Date.UTC(2025, 0, 1)
    const ticks = Array.from({ length: 200 }, (_, tick) => `${at + tick * 10_000},${100 + (tick % 11)}`)
    writeFileSync(path.join(folder, 'ticks.csv'), `time_ms,price\n${ticks.join('\n')}\n`)
    await run('data convert ticks.csv --out quarters.csv --interval 15m')
    expect(readFileSync(path.join(folder, 'quarters.csv'), 'utf8')).toBe(
      `open_time_ms,open,high,low,close,volume\n${at},100,110,100,101,0\n${at + 900_000},102,110,100,103,0\n`,
    )
  })

  test('is written as CSV alone: another name is refused before anything is read', async () => {
    for (const name of ['all.feather', 'all.parquet', 'all.CSV.GZ', 'csv']) {
      const { code, stderr } = await run(`data convert BTCUSDT-1m --out ${name}`)
      expect([name, code]).toEqual([name, 2])
      expect(stderr).toContain('It must end with .csv or .csv.gz')
      expect(readdirSync(folder)).not.toContain(name)
    }
  })

  test('leaves nothing where it cannot be read to its end', async () => {
    writeFileSync(path.join(folder, 'broken.csv'), 'time,open,high,low,close\n1735689600000,1,1,1,1\nx\n')
    const { code, stderr } = await run('data convert broken.csv --out from-broken.csv')
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(/broken\.csv:3/)
    expect(readdirSync(folder).filter((name) => name.startsWith('from-broken'))).toEqual([])
    const { stdout } = await run('data convert broken.csv --out from-broken.csv --on-bad-row skip')
    expect(stdout).toBe('from-broken.csv: 1 row, 1 row(s) skipped\n')
  })
})

describe('the cache of commands', () => {
  const cache = path.join(folder, 'cache')
  const backtest = 'backtest --data BTCUSDT-1m --strategy breakout --json'

  test('changes nothing of a run, tells where it is, and is cleared of its own files alone', async () => {
    const { stdout: plain } = await run(backtest)
    expect((await run('data cache')).stdout).toMatch(/off/)
    for (let time = 0; time < 2; time++) expect((await run(backtest, cache)).stdout).toBe(plain)
    expect((await run('data cache', cache)).stdout).toBe(`${cache}: 1 file(s), 2.3 MB\n`)
    mkdirSync(path.join(cache, 'other'))
    writeFileSync(path.join(cache, 'mine.csv'), '')
    expect((await run('data cache --clear', cache)).stdout).toMatch(/1 file\(s\), 2\.3 MB removed/)
    expect(readdirSync(cache)).toEqual(['mine.csv', 'other'])
  })
})
