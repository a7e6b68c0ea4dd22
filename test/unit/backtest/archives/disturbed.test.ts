// An archive that changes its files meanwhile, sends pages and halves of files, refuses or has too much to do: each is told in one line, and nothing that is
// not whole has a file's name.

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ArchiveFile, archiveFiles } from '../../../../src/backtest/archives/archives.ts'
import { fetchFile } from '../../../../src/backtest/archives/fetchFile.ts'
import { typed } from '../../../typed.ts'

/** Trades of a day that do not pack well, so that a file has a middle. */
const trades = (seed: number) => {
  const rows = Array.from(
    { length: 3_000 },
    (_, row) => `${1_736_035_200 + row},BTCUSDT,Buy,0.01,${((row * 7919 * seed) % 99_991) + 1}.5`,
  )
  return gzipSync(`timestamp,symbol,side,size,price\n${rows.join('\n')}\n`)
}
const [FIRST, SECOND] = [trades(1), trades(2)]

let server: Server
let base: string
let folder: string
let answer: (headers: IncomingHttpHeaders, response: ServerResponse, url: string) => void
const asked: IncomingHttpHeaders[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers)
    answer(request.headers, response, request.url ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-disturbed-'))
  asked.length = 0
  return () => rmSync(folder, { recursive: true })
})

const day = { exchange: 'bybit-futures', symbol: 'BTCUSDT', interval: '1m', from: '2025-01-05' }
const fileOf = () => archiveFiles({ ...day, to: day.from, base })[0] as ArchiveFile
const NAME = 'BTCUSDT2025-01-05.csv.gz'
const waits: number[] = []
const fetched = () =>
  fetchFile(fileOf(), folder, { now: new Date(), wait: async (ms) => void waits.push(ms) })
const there = () => readdirSync(folder).sort()

interface Serving {
  readonly body: Uint8Array
  readonly etag?: string
  readonly lastModified?: string
  /** So many bytes, and then it hangs up. */
  readonly cutAt?: number
  /** What it does when it is asked for the rest of a file that it has no more: send the new one, or its rest all the same. */
  readonly minds?: boolean
  /** Whether it says of a rest what it is of. */
  readonly tellsRest?: boolean
}

/** A server of one file, which can send what is left of it. */
function serving({ body, etag, lastModified, cutAt, minds = true, tellsRest = true }: Serving) {
  return (headers: IncomingHttpHeaders, response: ServerResponse) => {
    const mark = { ...(etag && { etag }), ...(lastModified && { 'last-modified': lastModified }) }
    const [, begin] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
    const asks = headers['if-range']
    const isSame = asks === undefined || asks === etag || asks === lastModified
    const from = begin !== undefined && (isSame || !minds) ? Number(begin) : 0
    if (from >= body.length) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
      return
    }
    const rest = body.subarray(from)
    const range = { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }
    response.writeHead(from === 0 ? 200 : 206, {
      'content-length': rest.length,
      ...(from === 0 ? mark : range),
      ...(from > 0 && tellsRest && mark),
    })
    if (cutAt === undefined || cutAt >= rest.length) response.end(rest)
    else response.write(rest.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 20))
  }
}

describe('what was cut off, of an archive without checksums', () => {
  const marks = fc.constantFrom<Partial<Serving>>(
    {},
    { etag: '"one"' },
    { etag: 'W/"weak"' },
    { lastModified: 'Sun, 05 Jan 2025 00:00:00 GMT' },
    { etag: 'W/"weak"', lastModified: 'Sun, 05 Jan 2025 00:00:00 GMT' },
    { etag: '"one"', lastModified: 'Sun, 05 Jan 2025 00:00:00 GMT' },
  )
  const later = {
    etag: '"two"',
    lastModified: 'Mon, 06 Jan 2025 00:00:00 GMT',
  }

  test('becomes the file that is there in the end, never two halves, whatever is said of it and whether that is minded', async () => {
    await fc.assert(
      fc.asyncProperty(
        marks,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: FIRST.length - 1 }),
        async (mark, hasChanged, minds, tellsRest, cutAt) => {
          answer = serving({ body: FIRST, ...mark, cutAt })
          await expect(fetched()).rejects.toThrow(/it was cut off .*fetch it again to go on$/)
          expect(there()).not.toContain(NAME)
          const begun = readFileSync(path.join(folder, `${NAME}.part`)).length
          const isMarked = mark.lastModified !== undefined || mark.etag === '"one"'
          // A server that says its new file's marks to whoever had none before says nothing of the old one.
          const changed = Object.fromEntries(
            Object.entries(later).filter(([name]) => mark[name as keyof Serving] !== undefined),
          )
          const body = hasChanged ? SECOND : FIRST
          answer = serving({
            ...{ body, minds: hasChanged ? minds : true, tellsRest: hasChanged || tellsRest },
            ...(hasChanged ? changed : mark),
          })
          const became = await fetched()
          expect(readFileSync(path.join(folder, NAME)).equals(body)).toBe(true)
          expect(there()).toEqual([NAME, 'SHA256SUMS'])
          if (!isMarked || hasChanged || begun === 0) expect(became).toBe('fetched')
          else if (tellsRest) expect(became).toBe('gone on with')
          for (const name of there()) rmSync(path.join(folder, name))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is asked for with what the archive had said of it, and packed as it lies there', async () => {
    answer = serving({ body: FIRST, etag: '"one"', cutAt: 1_000 })
    await expect(fetched()).rejects.toThrow('cut off')
    const { length } = readFileSync(path.join(folder, `${NAME}.part`))
    answer = serving({ body: FIRST, etag: '"one"' })
    expect(await fetched()).toBe('gone on with')
    expect(asked[0]).toMatchObject({ 'accept-encoding': 'identity' })
    expect(asked.at(-1)).toMatchObject({
      ...{ range: `bytes=${length}-`, 'if-range': '"one"', 'accept-encoding': 'identity' },
    })
  })

  test('that nobody knows the file of, or that is longer than the file is now, is begun anew', async () => {
    writeFileSync(path.join(folder, `${NAME}.part`), FIRST.subarray(0, 500))
    answer = serving({ body: SECOND })
    expect(await fetched()).toBe('fetched')
    expect(asked.every(({ range }) => range === undefined)).toBe(true)
    for (const name of there()) rmSync(path.join(folder, name))
    writeFileSync(path.join(folder, `${NAME}.part`), Buffer.concat([FIRST, SECOND]))
    writeFileSync(path.join(folder, `${NAME}.etag.part`), '"one"')
    answer = serving({ body: FIRST, etag: '"one"' })
    expect(await fetched()).toBe('fetched')
    expect(readFileSync(path.join(folder, NAME)).equals(FIRST)).toBe(true)
    expect(there()).toEqual([NAME, 'SHA256SUMS'])
  })
})

describe('what is no file', () => {
  const damaged = Buffer.from(FIRST)
  damaged[FIRST.length - 100] = (damaged[FIRST.length - 100] ?? 0) ^ 0xff
  test.each<[string, Uint8Array, RegExp]>([
    [
      'a page',
      Buffer.from('\n<!doctype html>\n<title>Not here</title>'),
      /sends a page instead of the file \(<!doctype html>\)$/,
    ],
    [
      'an answer of an interface',
      Buffer.from('{"code": 1}'),
      /a page instead of the file \(\{"code": 1\}\)$/,
    ],
    ['a page that is packed', gzipSync('<html></html>'), /a page instead of the file \(<html><\/html>\)$/],
    ['half a file', FIRST.subarray(0, FIRST.length / 2), /is no whole file \(.*cut off/],
    ['a file with another byte', damaged, /is no whole file \(/],
    ['a ZIP without its end', zipSync({ 'a.csv': Buffer.from('1') }).subarray(0, 40), /is no whole file \(/],
    ['nothing', Buffer.from(''), /sends an empty file$/],
  ])('%s is told and not kept', async (_, body, told) => {
    answer = (_headers, response) => response.end(body)
    const error = await fetched().catch((failure: Error) => failure)
    expect(String(error)).toMatch(told)
    expect(String(error).split('\n')).toHaveLength(1)
    expect(there().filter((name) => !name.endsWith('.part'))).toEqual([])
    answer = serving({ body: FIRST })
    expect(await fetched()).toBe('fetched')
  })
})

describe('an archive that does not answer with the file', () => {
  /** Answers with a status so many times, and then with the file. */
  const busy = (status: number, times: number, headers: Record<string, string> = {}) => {
    let left = times
    const whole = serving({ body: FIRST })
    answer = (own, response) =>
      left-- > 0 ? void response.writeHead(status, headers).end('busy') : whole(own, response)
  }
  beforeEach(() => void waits.splice(0))

  test.each([429, 500, 502, 503, 504])('with %i is asked again, later each time', async (status) => {
    busy(status, 3)
    expect(await fetched()).toBe('fetched')
    expect(waits).toEqual([1000, 2000, 4000])
    rmSync(path.join(folder, NAME))
    busy(status, 4)
    await expect(fetched()).rejects.toThrow(new RegExp(`the archive answers ${status}$`))
    expect(there()).toEqual(['SHA256SUMS'])
  })

  test('is asked again when it says, in seconds or as an instant, if that is soon', async () => {
    busy(429, 1, { 'retry-after': '7' })
    expect(await fetched()).toBe('fetched')
    rmSync(path.join(folder, NAME))
    const [date, then] = ['Sun, 05 Jan 2025 00:00:00 GMT', 'Sun, 05 Jan 2025 00:00:20 GMT']
    busy(503, 1, { date, 'retry-after': then })
    expect(await fetched()).toBe('fetched')
    expect(waits).toEqual([7_000, 20_000])
    rmSync(path.join(folder, NAME))
    busy(429, 1, { 'retry-after': '3600' })
    await expect(fetched()).rejects.toThrow('the archive answers 429 and asks to come again in 3600 s')
    expect(waits).toHaveLength(2)
  })

  test.each([
    [403, /refuses it \(403\), as some do of what they do not have$/],
    [404, /has no such file$/],
    [410, /the archive answers 410$/],
  ])('but with %i is not', async (status, told) => {
    busy(status, 1)
    await expect(fetched()).rejects.toThrow(told)
    expect([waits, there()]).toEqual([[], []])
  })

  test('but sends elsewhere is followed, and not for ever', async () => {
    const whole = serving({ body: FIRST })
    answer = (own, response, url) =>
      url === '/moved' ? whole(own, response) : void response.writeHead(302, { location: '/moved' }).end()
    expect(await fetched()).toBe('fetched')
    rmSync(path.join(folder, NAME))
    answer = (_, response, url) => void response.writeHead(302, { location: url }).end()
    await expect(fetched()).rejects.toThrow(/cannot be reached \(redirect count exceeded\)/)
  })
})

test('days that an archive lacks are told after the others have come', async () => {
  const whole = serving({ body: FIRST })
  answer = (own, response, url) =>
    /-0[68]\.csv/.test(url) ? void response.writeHead(404).end() : whole(own, response)
  const words = `data fetch --exchange bybit-futures --symbol BTCUSDT --from 2025-01-05 --to 2025-01-08 --base ${base}`
  const { code, stdout, stderr } = await typed(words.split(' '), folder)
  expect(stdout.trim().split('\n')).toEqual(
    ['05', '07'].map((own) => `BTCUSDT-trades/BTCUSDT2025-01-${own}.csv.gz: fetched`),
  )
  expect(stderr).toBe(
    `error: ${base}/trading/BTCUSDT/BTCUSDT2025-01-06.csv.gz: the archive has no such file, and neither 1 more that were asked for\n`,
  )
  expect(code).toBe(2)
})

test('months of an archive of days are all of their days', () => {
  const names = (from: string, to: string) =>
    archiveFiles({ ...day, from, to }).map(({ name }) => name.slice(7, 17))
  expect(names('2024-02', '2024-02').slice(-1)).toEqual(['2024-02-29'])
  expect([names('2024-02', '2024-03').length, names('2024-12', '2025-01').length]).toEqual([60, 62])
  expect(names('2024-12-31', '2025-01-01')).toEqual(['2024-12-31', '2025-01-01'])
  expect(names('2024-12-31', '2025-01').slice(-1)).toEqual(['2025-01-31'])
})

test('of several notes of a file the last one counts, and none of another that begins alike', async () => {
  const sha256 = createHash('sha256').update(FIRST).digest('hex')
  const [other, longer] = ['0'.repeat(64), `${'1'.repeat(64)}  ${NAME}.bak`]
  writeFileSync(path.join(folder, NAME), FIRST)
  writeFileSync(path.join(folder, 'SHA256SUMS'), `${other}  ${NAME}\n${sha256}  ${NAME}\n${longer}\n`)
  expect(await fetched()).toBe('kept')
  writeFileSync(path.join(folder, 'SHA256SUMS'), `${sha256}  ${NAME}\n${other}  ${NAME}\n`)
  await expect(fetched()).rejects.toThrow(`SHA256SUMS says ${other}`)
})

test('a note that was written elsewhere, with other line ends, notes the same', async () => {
  const sha256 = createHash('sha256').update(FIRST).digest('hex')
  writeFileSync(path.join(folder, NAME), FIRST)
  for (const line of [
    `${sha256}  ${NAME}\r\n`,
    `${sha256} *${NAME}\n`,
    `torn${sha256}  x\n${sha256}  ${NAME}`,
  ]) {
    writeFileSync(path.join(folder, 'SHA256SUMS'), `# from elsewhere\n${line}`)
    expect(await fetched()).toBe('kept')
    expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toBe(`# from elsewhere\n${line}`)
  }
  expect(asked).toEqual([])
})
