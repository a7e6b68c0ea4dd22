/** Archives on a server of this machine: whole files only, gone on with where they were cut off; and what a check tells. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ArchiveFile } from '../../../../src/backtest/archives/archives.ts'
import { archiveFiles } from '../../../../src/backtest/archives/archives.ts'
import { checkData, fundingHoles } from '../../../../src/backtest/archives/checkData.ts'
import { fetchFile as fetchFrom } from '../../../../src/backtest/archives/fetchFile.ts'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'

const MINUTE = 60_000
const START = Date.UTC(2025, 0, 1)
const BODY = Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7) % 251))
const SHA256 = createHash('sha256').update(BODY).digest('hex')

const fetchFile = (file: ArchiveFile, into: string) => fetchFrom(file, into, { now: new Date() })

let server: Server
let base: string
let folder: string
/** What the server does: how many bytes it sends before it hangs up, what it sends, and what was asked of it. */
const archive = {
  cutAt: Number.POSITIVE_INFINITY,
  body: BODY,
  ranges: [] as string[],
  bytes: 0,
  cutsChecksum: false,
  inCapitals: false,
}

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.includes('2099')) return void response.writeHead(404).end()
    if (request.url?.endsWith('.CHECKSUM') && archive.cutsChecksum) {
      response.writeHead(200, { 'content-length': 80 })
      return void response.write('0123', () => response.destroy())
    }
    if (request.url?.endsWith('.CHECKSUM'))
      return void response.end(`${archive.inCapitals ? SHA256.toUpperCase() : SHA256}  file.zip\n`)
    const [, begin = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    archive.ranges.push(begin)
    const from = Number(begin)
    if (from >= archive.body.length) return void response.writeHead(416).end()
    const rest = archive.body.subarray(from)
    const range = `bytes ${from}-${archive.body.length - 1}/${archive.body.length}`
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': rest.length, 'content-range': range })
    const sent = rest.subarray(0, archive.cutAt)
    archive.bytes += sent.length
    response.write(sent, () => (sent.length < rest.length ? response.destroy() : response.end()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-archive-'))
  Object.assign(archive, {
    cutAt: Number.POSITIVE_INFINITY,
    body: BODY,
    ranges: [],
    bytes: 0,
    cutsChecksum: false,
    inCapitals: false,
  })
  return () => rmSync(folder, { recursive: true })
})

const request = {
  exchange: 'binance-usdm',
  symbol: 'BTCUSDT',
  interval: '1m',
  from: '2024-11',
  to: '2025-02',
}
const oneFile = () =>
  archiveFiles({ ...request, to: '2024-11', base })[0] as ReturnType<typeof archiveFiles>[0]

describe('a file of an archive', () => {
  test('is fetched once and kept', async () => {
    const file = oneFile()
    expect(await fetchFile(file, folder)).toBe('fetched')
    expect(readFileSync(path.join(folder, file.name)).equals(BODY)).toBe(true)
    expect(await fetchFile(file, folder)).toBe('kept')
    expect(archive.ranges).toEqual(['0'])
  })

  test('that was there before anything was noted is kept, and noted', async () => {
    const file = oneFile()
    writeFileSync(path.join(folder, file.name), BODY)
    expect(await fetchFile(file, folder)).toBe('kept')
    expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toContain(`${SHA256}  ${file.name}\n`)
  })

  test('whose SHA-256 is written in capitals is the same', async () => {
    archive.inCapitals = true
    expect(await fetchFile(oneFile(), folder)).toBe('fetched')
  })

  test('that was cut off has no name yet, and is gone on with where it ended', async () => {
    const file = oneFile()
    archive.cutAt = 20_000
    await expect(fetchFile(file, folder)).rejects.toThrow(/\.zip: it was cut off \((?!terminated)/)
    expect(readdirSync(folder)).toEqual([`${file.name}.part`])
    archive.cutAt = Number.POSITIVE_INFINITY
    const there = readFileSync(path.join(folder, `${file.name}.part`)).length
    expect(await fetchFile(file, folder)).toBe(there === 0 ? 'fetched' : 'gone on with')
    expect(archive.ranges).toEqual(['0', String(there)])
    expect(readdirSync(folder)).toEqual([file.name, 'SHA256SUMS'])
    expect(readFileSync(path.join(folder, file.name)).equals(BODY)).toBe(true)
  })

  test('that is whole but was not named yet is named without another byte', async () => {
    const file = oneFile()
    writeFileSync(path.join(folder, `${file.name}.part`), BODY)
    expect(await fetchFile(file, folder)).toBe('fetched')
    expect(archive.bytes).toBe(0)
    expect(readdirSync(folder)).toEqual([file.name, 'SHA256SUMS'])
  })

  test('with other bytes than the archive says is refused and not kept', async () => {
    archive.body = Buffer.from(BODY.map((byte, at) => (at === 30_000 ? byte ^ 1 : byte)))
    await expect(fetchFile(oneFile(), folder)).rejects.toThrow(/SHA-256/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that was damaged on the disk is fetched again', async () => {
    const file = oneFile()
    writeFileSync(path.join(folder, file.name), 'damaged')
    expect(await fetchFile(file, folder)).toBe('fetched')
    expect(readFileSync(path.join(folder, file.name)).equals(BODY)).toBe(true)
  })

  test('that the archive does not have, and an archive out of reach, are told as such', async () => {
    const [missing] = archiveFiles({ ...request, from: '2099-01', to: '2099-01', base })
    await expect(fetchFile(missing as never, folder)).rejects.toThrow(/no such file/)
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const [unreachable] = archiveFiles({ ...request, base: `http://127.0.0.1:${port}` })
    await expect(fetchFile(unreachable as never, folder)).rejects.toThrow(
      /cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)/,
    )
  })

  test('whose checksum is cut off is told as such', async () => {
    archive.cutsChecksum = true
    await expect(fetchFile(oneFile(), folder)).rejects.toThrow(/\.zip\.CHECKSUM: it was cut off \(/)
    expect(readdirSync(folder)).toEqual([])
  })

  test.skipIf(!existsSync('/dev/full'))(
    'for which the disk has no room blames the disk, and not the archive',
    async () => {
      const file = oneFile()
      symlinkSync('/dev/full', path.join(folder, `${file.name}.part`))
      await expect(fetchFile(file, folder)).rejects.toThrow(/^\/.*\.zip\.part: it cannot be written \(ENOSPC/)
    },
  )
})

test('months go over the year, each once', () =>
  expect(archiveFiles(request).map(({ name }) => name)).toEqual(
    ['2024-11', '2024-12', '2025-01', '2025-02'].map((month) => `BTCUSDT-1m-${month}.zip`),
  ))

test.each([
  [{ exchange: 'mtgox' }],
  [{ symbol: '../etc' }],
  [{ interval: '1 minute' }],
  [{ from: '2025-13' }],
  [{ to: '2024-10' }],
])('%j is refused', (wrong) => expect(() => archiveFiles({ ...request, ...wrong })).toThrow(RangeError))

/** Minute bars that move a little, as text; `change` alters the rows. */
async function checked(change: (rows: string[]) => string[]) {
  const rows = Array.from({ length: 500 }, (_, row) => {
    const price = 1000 + Math.round(Math.sin(row) * 100) / 100
    return `${START + row * MINUTE},${price},${price},${price},${price},1`
  })
  const file = path.join(folder, 'bars.csv')
  writeFileSync(file, `open_time_ms,open,high,low,close,volume\n${change(rows).join('\n')}\n`)
  return checkData(await openFeed({ path: file, onBadRow: 'skip' }))
}

describe('a check', () => {
  test('finds nothing in what is whole', async () => {
    const { summary, jumpsInAll, from, to, longestFlat } = await checked((rows) => rows)
    expect(summary).toMatchObject({ rows: 500, gaps: 0, skipped: 0 })
    expect({ jumpsInAll, from, to }).toEqual({ jumpsInAll: 0, from: START, to: START + 499 * MINUTE })
    expect(longestFlat).toBeLessThan(5)
  })

  test('finds the gap, the row that repeats, the jump there and back, and the flat stretch', async () => {
    const { summary, jumps, jumpsInAll, longestFlat } = await checked((rows) => {
      const changed = [...rows]
      changed[100] = `${START + 100 * MINUTE},2000,2000,2000,2000,1`
      for (let row = 200; row < 230; row++) changed[row] = `${START + row * MINUTE},1000,1000,1000,1000,1`
      return [...changed.slice(0, 301), changed[300] as string, ...changed.slice(310)]
    })
    expect(summary).toMatchObject({ gaps: 1, missingBars: 9, skipped: 1 })
    expect(summary.largestGap).toEqual({ from: START + 300 * MINUTE, to: START + 310 * MINUTE })
    expect(jumpsInAll).toBe(2)
    expect(jumps.map(({ time }) => time).sort()).toEqual([START + 100 * MINUTE, START + 101 * MINUTE])
    expect(longestFlat).toBeGreaterThanOrEqual(30)
  })

  test('lists the ten largest jumps, the largest first, and counts those of more than forty ordinary changes', async () => {
    const ordinary = 0.001
    // At these rows, so many times the ordinary change; every other row but one is an ordinary one up or down.
    const sizes = new Map(
      [50, 39, 90, 45, 41, 70, 60, 40.5, 80, 44, 43, 42, 55].map((size, at) => [20 * at + 10, size]),
    )
    let price = 1000
    const { jumps, jumpsInAll } = await checked((rows) =>
      rows.map((_, row) => {
        price *= Math.exp((row % 2 === 0 ? 1 : -1) * ordinary * (sizes.get(row) ?? 1))
        const text = price.toFixed(9)
        return `${START + row * MINUTE},${text},${text},${text},${text},1`
      }),
    )
    const largest = [...sizes].filter(([, size]) => size > 40).sort(([, one], [, other]) => other - one)
    expect(jumpsInAll).toBe(12)
    expect(jumps.map(({ time }) => (time - START) / MINUTE)).toEqual(largest.slice(0, 10).map(([row]) => row))
    for (const [index, { times, change }] of jumps.entries()) {
      expect(times).toBeCloseTo(largest[index]?.[1] as number, 4)
      expect(change).toBeCloseTo(ordinary * (largest[index]?.[1] as number), 6)
    }
  })

  /** Time, open, high, low and close of 200 minutes, and how each format writes them. */
  type Minute = readonly [time: number, ...prices: [number, number, number, number]]
  const minutes = Array.from({ length: 200 }, (_, minute): Minute => {
    const price = 1000 + Math.round(Math.sin(minute) * 100) / 100
    return [START + minute * MINUTE, price, price + 1, price - 1, price]
  })
  const lines = (own: readonly Minute[], cells: (minute: Minute) => readonly unknown[], by = ',') =>
    own.map((minute) => `${cells(minute).join(by)}\n`).join('')
  const klines = (own: readonly Minute[]) =>
    lines(own, (minute) => [...minute, 1, minute[0] + MINUTE - 1, 0, 1, 0, 0, 0])
  const compact = (time: number) =>
    new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', ' ')
  const FORMATS: Readonly<Record<string, (own: readonly Minute[]) => string | Uint8Array>> = {
    'named.csv': (own) => `time,open,high,low,close\n${lines(own, (minute) => minute)}`,
    'named.csv.gz': (own) => gzipSync(`time,open,high,low,close\n${lines(own, (minute) => minute)}`),
    'iso.csv': (own) =>
      `time;open;high;low;close\n${lines(own, ([time, ...prices]) => [new Date(time).toISOString(), ...prices], ';')}`,
    'ninja.csv': (own) => lines(own, ([time, ...prices]) => [compact(time), ...prices, 1], ';'),
    'klines.csv': klines,
    'klines.zip': (own) => zipSync({ 'klines.csv': Buffer.from(klines(own)) }),
    'lists.json': (own) => JSON.stringify(own.map((minute) => [...minute, 1])),
    'named.json': (own) =>
      JSON.stringify(
        own.map(([timestamp, open, high, low, close]) => ({ timestamp, open, high, low, close, volume: 1 })),
      ),
  }

  test.each(Object.entries(FORMATS))(
    'of %s finds what was broken in it and nothing else',
    async (name, write) => {
      const checkOf = async (own: readonly Minute[]) => {
        writeFileSync(path.join(folder, name), write(own))
        return checkData(await openFeed({ path: path.join(folder, name), onBadRow: 'skip' }))
      }
      expect(await checkOf(minutes)).toMatchObject({
        summary: { rows: 200, gaps: 0, skipped: 0 },
        jumpsInAll: 0,
      })
      const broken = minutes.map((minute, at): Minute => {
        const [time, open, high, low, close] = minute
        if (at === 50) return [time, open, 4 * high, low, close]
        return at === 90 ? [time, open, high, low / 4, close] : minute
      })
      broken.splice(150, 0, broken[149] as Minute)
      broken.splice(120, 7)
      const { summary, jumps } = await checkOf(broken)
      expect(summary).toMatchObject({ gaps: 1, missingBars: 7, skipped: 1 })
      expect(summary.firstSkipped[0]?.reason).toBe('the row has the time of the one before it')
      expect(jumps.map(({ time, of }) => [(time - START) / MINUTE, of]).sort()).toEqual([
        [50, 'high'],
        [90, 'low'],
      ])
    },
  )

  test('finds a high, a low or an open that lies far out in a bar that closes where it should', async () => {
    const { jumps, jumpsInAll } = await checked((rows) =>
      rows.map((own, row) => {
        const [time = '', close = ''] = own.split(',')
        // An ordinary bar reaches a little beyond its closes.
        const [high, low] = [0.9, -0.9].map((reach) => (Number(close) + reach).toFixed(2)) as [string, string]
        if (row === 50) return `${time},${close},1${high},${low},${close},1`
        if (row === 90) return `${time},${close},${high},${(Number(low) / 2).toFixed(3)},${close},1`
        if (row === 130) return `${time},3${high},3${high},${low},${close},1`
        return `${time},${close},${high},${low},${close},1`
      }),
    )
    expect(jumpsInAll).toBe(3)
    expect(jumps.map(({ time, of }) => [(time - START) / MINUTE, of])).toEqual([
      [50, 'high'],
      [130, 'high'],
      [90, 'low'],
    ])

    expect(jumps[2]?.change).toBeCloseTo(Math.log(0.5), 2)
  })

  test('names the days without a tick, of whichever file of a day is missing', async () => {
    const hour = 3_600_000
    const emptyOf = async (hours: readonly number[]) => {
      const file = path.join(folder, 'ticks.csv')
      const rows = hours.map((own) => `${START + own * hour},${1000 + (own % 7)}`)
      writeFileSync(file, `time_ms,price\n${rows.join('\n')}\n`)
      return (await checkData(await openFeed({ path: file }))).emptyDays
    }
    expect(await emptyOf([0, 23, 24, 47, 48])).toEqual([])
    // A day and an hour may pass between two days that have ticks.
    expect(await emptyOf([0, 47])).toEqual([])
    expect(await emptyOf([23, 48])).toEqual(['2025-01-02'])
    expect(await emptyOf([1, 95, 96, 145])).toEqual(['2025-01-02', '2025-01-03', '2025-01-06'])
  })

  test('of no row at all finds nothing', async () => {
    const { kind, from, to, longestFlat, jumpsInAll } = await checkData(barFeedOf('none', MINUTE, () => []))
    expect({ kind, from, to, longestFlat, jumpsInAll }).toEqual({
      ...{ kind: 'bars', from: null, to: null, longestFlat: 0, jumpsInAll: 0 },
    })
  })

  test('of prices that never change finds no jump, nor of the only change', async () => {
    const flat = await checked((rows) => rows.map((_, row) => `${START + row * MINUTE},5,5,5,5,1`))
    expect(flat).toMatchObject({ jumps: [], jumpsInAll: 0, longestFlat: 500 })
    const once = await checked((rows) =>
      rows.map((_, row) => `${START + row * MINUTE},${row < 9 ? '5,5,5,5' : '6,6,6,6'},1`),
    )
    expect(once).toMatchObject({ jumpsInAll: 0, longestFlat: 491 })
  })

  test('finds the holes of funding, and none where instants are a little late', () => {
    const hours = [0, 8, 16, 40, 48].map((hour) => START + hour * 3_600_000)
    const every = 8 * 3_600_000
    expect(fundingHoles(hours, every).holes).toEqual([{ from: hours[2], to: hours[3] }])
    expect(fundingHoles([START, START + every + 40, START + 2 * every], every).holes).toEqual([])
    expect(fundingHoles([], null)).toEqual({ rates: 0, intervalMs: null, holes: [] })
  })

  test('finds where the rates do not cover the prices, which may begin and end between two instants', () => {
    const every = 8 * 3_600_000
    const rates = [0, 1, 2, 3].map((instant) => START + instant * every)
    const holesOf = (from: number, to: number) => fundingHoles(rates, every, { from, to }).holes
    expect(holesOf(START - every, START + 4 * every)).toEqual([])
    expect(holesOf(START - every - 1, START + 4 * every)).toEqual([{ from: START - every - 1, to: START }])
    expect(holesOf(START + 1, START + 4 * every + 1)).toEqual([
      { from: START + 3 * every, to: START + 4 * every + 1 },
    ])
  })
})
