import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openCachedFeed } from '../../../../src/backtest/feed/cache/cachedFeed.ts'
import { FeedError } from '../../../../src/backtest/feed/feedError.ts'
import { type FeedOptions, openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import {
  bars,
  decimal,
  priceFields,
  readBars,
  type SampleBar,
  scratchFile,
  scratchFolder,
} from './sampleMarket.ts'

interface Written {
  readonly name: string
  readonly text: string
  readonly options?: Omit<FeedOptions, 'path'>
}

const rows = (
  sample: readonly SampleBar[],
  fields: (bar: SampleBar) => (string | number)[],
  delimiter = ',',
) => sample.map((bar) => `${fields(bar).join(delimiter)}\n`).join('')
const iso = (bar: SampleBar) => new Date(bar.openTime).toISOString()
const compactDay = (bar: SampleBar) => iso(bar).slice(0, 10).replaceAll('-', '')
const kline = (scale: number) => (bar: SampleBar) => [
  bar.openTime * scale,
  ...priceFields(bar),
  (bar.openTime + 60_000) * scale - 1,
  '1.5',
  79,
  '1.5',
  '0.5',
  0,
]

const FORMATS: Record<string, (sample: readonly SampleBar[]) => Written> = {
  'six columns with a header': (sample) => ({
    name: 'bars.csv',
    text: `open_time_ms,open,high,low,close,volume\n${rows(sample, (bar) => [bar.openTime, ...priceFields(bar)])}`,
  }),
  'six columns without a header': (sample) => ({
    name: 'bars.csv',
    text: rows(sample, (bar) => [bar.openTime, ...priceFields(bar)]),
  }),
  'line ends of Windows': (sample) => ({
    name: 'bars.csv',
    text: rows(sample, (bar) => [bar.openTime, ...priceFields(bar)]).replaceAll('\n', '\r\n'),
  }),
  'seconds, semicolons and another order': (sample) => ({
    name: 'bars.csv',
    text: `close;volume;time;low;high;open\n${rows(
      sample,
      (bar) => [
        decimal(bar.close),
        bar.volume,
        bar.openTime / 1000,
        decimal(bar.low),
        decimal(bar.high),
        decimal(bar.open),
      ],
      ';',
    )}`,
  }),
  'columns that the caller names': (sample) => ({
    name: 'bars.csv',
    text: `id,a,b,c,d,e,when\n${rows(sample, (bar) => ['x', ...priceFields(bar), iso(bar)])}`,
    options: { columns: { time: 'when', open: 'a', high: 'b', low: 2 + 1, close: 4, volume: 'e' } },
  }),
  'text timestamps': (sample) => ({
    name: 'bars.csv',
    text: `Date,Open,High,Low,Close,Volume\n${rows(sample, (bar) => [iso(bar).replace('T', ' ').slice(0, 19), ...priceFields(bar)])}`,
  }),
  'quoted fields': (sample) => ({
    name: 'bars.csv',
    text: `"Date","Open","High","Low","Close","Volume"\n${rows(sample, (bar) => [iso(bar), ...priceFields(bar)].map((field) => `"${field}"`))}`,
  }),
  'Binance klines in milliseconds': (sample) => ({ name: 'X-1m.csv', text: rows(sample, kline(1)) }),
  'Binance klines in microseconds': (sample) => ({ name: 'X-1m.csv', text: rows(sample, kline(1000)) }),
  'Binance klines with a header': (sample) => ({
    name: 'X-1m.csv',
    text: `open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n${rows(sample, kline(1))}`,
  }),
  NinjaTrader: (sample) => ({
    name: 'nt.csv',
    text: rows(
      sample,
      (bar) => [`${compactDay(bar)} ${iso(bar).slice(11, 19).replaceAll(':', '')}`, ...priceFields(bar)],
      ';',
    ),
  }),
  'JSON arrays': (sample) => ({
    name: 'bars.json',
    text: `[${sample.map((bar) => `[${[bar.openTime, ...priceFields(bar)].join(', ')}]`).join(',\n')}]`,
  }),
  'JSON objects': (sample) => ({
    name: 'bars.json',
    text: JSON.stringify(
      sample.map((bar) => ({ ...bar, timestamp: bar.openTime, openTime: undefined })),
      (_, value) => (typeof value === 'bigint' ? decimal(value) : value),
    ),
  }),
}

describe.each(Object.entries(FORMATS))('%s', (_, write) => {
  test('random bars are read as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(bars, async (sample) => {
        const { name, text, options } = write(sample)
        expect(await readBars({ path: scratchFile(name, text), ...options })).toEqual(sample)
      }),
      { numRuns: 40 },
    )
  })

  test('packing does not matter', async () => {
    const [sample] = fc.sample(bars, { numRuns: 1, seed: 7 }) as [SampleBar[]]
    const { name, text, options } = write(sample)
    const bytes = Buffer.from(text)
    const packed = {
      gzip: scratchFile(`${name}.gz`, gzipSync(bytes)),
      members: scratchFile(
        `${name}.gz`,
        Buffer.concat([gzipSync(bytes.subarray(0, 99)), gzipSync(bytes.subarray(99))]),
      ),
      deflated: scratchFile('data.zip', zipSync({ [name]: bytes })),
      stored: scratchFile('data.zip', zipSync({ [name]: bytes }, { level: 0 })),
    }
    for (const file of Object.values(packed))
      expect(await readBars({ path: file, ...options })).toEqual(sample)
  })

  test('a file cut off anywhere is refused or gives the bars before the cut', async () => {
    const [sample] = fc.sample(bars, { numRuns: 1, seed: 3 }) as [SampleBar[]]
    const { name, text, options } = write(sample.slice(0, 2))
    let refused = 0
    for (let length = 0; length < text.length; length++) {
      const file = scratchFile(name, text.slice(0, length))
      const read = await readBars({ path: file, ...options }).catch((error: unknown) => error)
      if (read instanceof FeedError) refused += 1
      else expect(read).toEqual(sample.slice(0, (read as SampleBar[]).length))
    }
    expect(refused).toBeGreaterThan(text.length / 2)
  })

  test('a packed file cut off anywhere is refused', async () => {
    const [sample] = fc.sample(bars, { numRuns: 1, seed: 3 }) as [SampleBar[]]
    const { name, text, options } = write(sample.slice(0, 2))
    const gzip = gzipSync(text)
    const zip = zipSync({ [name]: Buffer.from(text) })
    for (const [suffix, bytes] of [
      ['gz', gzip],
      ['zip', zip],
    ] as const) {
      for (let length = 0; length < bytes.length; length += 17) {
        const file = scratchFile(`${name}.${suffix}`, bytes.subarray(0, length))
        await expect(readBars({ path: file, ...options })).rejects.toThrow(FeedError)
      }
    }
  })
})

test('a column that the file does not have is named, the one behind its last and the one before its first among them', async () => {
  const path = scratchFile('bars.csv', 'when,price\n1700000000000,1\n')
  for (const price of [2, -1, 'close'])
    await expect(openFeed({ path, columns: { time: 'when', price } })).rejects.toThrow(
      new RegExp(`bars.csv:1: there is no column ${price} for price`),
    )
  await expect(openFeed({ path, columns: { time: 'when', price: 1 } })).resolves.toMatchObject({
    kind: 'ticks',
  })
})

test('an entry of a ZIP archive that is encrypted is refused by name', async () => {
  const zip = Buffer.from(zipSync({ 'bars.csv': Buffer.from('time,open,high,low,close\n') }))
  const entry = zip.indexOf('PK\u0001\u0002', 0, 'latin1')
  zip.writeUInt16LE(zip.readUInt16LE(entry + 8) | 1, entry + 8)
  await expect(readBars({ path: scratchFile('data.zip', zip) })).rejects.toThrow('bars.csv is encrypted')
})

describe('any format', () => {
  test('the size of the chunks does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(bars, fc.integer({ min: 1, max: 50 }), async (sample, chunkRows) => {
        const file = scratchFile(
          'bars.csv',
          rows(sample, (bar) => [bar.openTime, ...priceFields(bar)]),
        )
        expect(await readBars({ path: file, chunkRows })).toEqual(sample)
      }),
      { numRuns: 40 },
    )
  })

  test('rows that lie across the blocks of the file are whole', async () => {
    const sample = Array.from({ length: 20_000 }, (_, index) => ({
      openTime: Date.UTC(2024, 0, 1) + index * 60_000,
      open: 100_000_000_000n + BigInt(index),
      high: 200_000_000_000n,
      low: 50_000_000_000n,
      close: 150_000_000_000n - BigInt(index),
      volume: index / 8,
    }))
    const text = rows(sample, (bar) => [bar.openTime, ...priceFields(bar)])
    expect(await readBars({ path: scratchFile('bars.csv', text) })).toEqual(sample)
    expect(await readBars({ path: scratchFile('bars.csv.gz', gzipSync(text)) })).toEqual(sample)
  })

  test('a feed can be read again, and several files are one feed', async () => {
    const [sample] = fc.sample(bars, { numRuns: 1, seed: 5 }) as [SampleBar[]]
    const part = (from: number, to?: number) =>
      rows(sample.slice(from, to), (bar) => [bar.openTime, ...priceFields(bar)])
    const feed = await openFeed({ path: [scratchFile('a.csv', part(0, 3)), scratchFile('b.csv', part(3))] })
    for (const _ of [1, 2]) {
      let count = 0
      for await (const chunk of feed) count += chunk.length
      expect(count).toBe(sample.length)
      expect(feed.summary()).toMatchObject({ rows: sample.length, skipped: 0, gaps: 0 })
    }
  })

  test('a folder is read in the order of its names, and must hold one kind', async () => {
    const folder = scratchFolder()
    mkdirSync(folder)
    writeFileSync(path.join(folder, '2.csv'), '1700000060000,1,1,1,1,1\n')
    writeFileSync(path.join(folder, '1.csv'), '1700000000000,1,1,1,1,1\n')
    expect((await readBars({ path: folder, intervalMs: 60_000 })).map((bar) => bar.openTime)).toEqual([
      1_700_000_000_000, 1_700_000_060_000,
    ])
    writeFileSync(path.join(folder, '3.csv'), 'time,price\n1700000120000,1\n')
    await expect(readBars({ path: folder })).rejects.toThrow(/holds trades/)
  })

  test('what is no data by its name is left out of a folder and told, with a cache and without, but for the note of what was fetched', async () => {
    const folder = scratchFolder()
    mkdirSync(folder)
    writeFileSync(path.join(folder, '1.csv'), '1700000000000,1,1,1,1,1\n1700000060000,1,1,1,1,1\n')
    const plain = await openFeed({ path: folder })
    writeFileSync(path.join(folder, 'SHA256SUMS'), '# said\n')
    expect((await openFeed({ path: folder })).note).toBe(plain.note)
    for (const name of ['README.md', 'a.png', 'b.py', 'c.csv.part', 'License.txt'])
      writeFileSync(path.join(folder, name), 'a "word" about it')
    const note = `${folder}: License.txt, README.md, a.png and 2 more left out: no data by the name`
    expect((await openFeed({ path: folder })).note).toBe(note)
    const cache = scratchFolder()
    const made = await openCachedFeed({ path: folder }, cache)
    const kept = await openCachedFeed({ path: folder }, cache)
    expect([made.note, kept.note, kept.sources]).toEqual([note, note, [path.join(folder, '1.csv')]])
    expect(await readBars({ path: folder })).toHaveLength(2)
  })

  test('the last row of a plain file needs its line end, unless it is said to be whole', async () => {
    const file = scratchFile('bars.csv', '1700000000000,1,1,1,1,1\n1700000060000,1,1,1,1,16.5')
    await expect(readBars({ path: file })).rejects.toThrow(/:2: the last row has no line end/)
    expect(await readBars({ path: file, lastRow: 'whole' })).toHaveLength(2)
    expect(await readBars({ path: file, onBadRow: 'skip' })).toHaveLength(1)
  })

  test('a price with more than nine decimals is refused, or rounded on request', async () => {
    const file = scratchFile('bars.csv', '1700000000000,1,1.0000000019,1,1.0000000000000000,1\n')
    await expect(readBars({ path: file })).rejects.toThrow(
      /:1: in column 3, "1.0000000019" has more than nine/,
    )
    expect((await readBars({ path: file, excessDecimals: 'round' }))[0]?.high).toBe(1_000_000_002n)
  })

  test('the interval is the commonest step, and gaps are counted with the largest', async () => {
    const times = [0, 1, 2, 5, 6, 7, 17, 18].map((minute) => 1_700_000_040_000 + minute * 60_000)
    const feed = await openFeed({
      path: scratchFile('b.csv', times.map((time) => `${time},1,1,1,1,1\n`).join('')),
    })
    for await (const _ of feed);
    expect(feed).toMatchObject({ kind: 'bars', intervalMs: 60_000, format: 'csv' })
    expect(feed.summary()).toEqual({
      rows: 8,
      skipped: 0,
      firstSkipped: [],
      gaps: 2,
      missingBars: 11,
      largestGap: { from: times[5], to: times[6] },
    })
  })

  test('a gap of less than a bar lacks one', async () => {
    const times = [0, 60, 120, 204, 264, 384].map((second) => 1_700_000_040_000 + second * 1_000)
    const feed = await openFeed({
      path: scratchFile('b.csv', times.map((time) => `${time},1,1,1,1,1\n`).join('')),
    })
    for await (const _ of feed);
    expect(feed.summary()).toMatchObject({ rows: 6, gaps: 2, missingBars: 2 })
  })

  test('damage inside an archive is noticed', async () => {
    const text = rows(fc.sample(bars, { numRuns: 1, seed: 9 })[0] as SampleBar[], (bar) => [
      bar.openTime,
      ...priceFields(bar),
    ])
    const zip = Buffer.from(zipSync({ 'bars.csv': Buffer.from(text) }, { level: 0 }))
    zip[45] = (zip[45] as number) ^ 1
    await expect(readBars({ path: scratchFile('d.zip', zip) })).rejects.toThrow(/damaged or was cut off/)
  })

  test.each([
    ['an empty file', '', /is empty/],
    ['text that is no table', 'hello\nworld\n', /holds no prices of a known format/],
    [
      'a header without prices',
      'time,colour\n1,red\n',
      /the header \(time, colour\) names no time with open/,
    ],
    ['funding rates', 'funding_time_ms,funding_rate\n1,2\n', /readFunding/],
    ['rows of funding rates', '20240101 00:00;0.0001\n', /look like funding rates; .*--funding/],
    ['Arrow', 'ARROW1\0\0', /not read; convert them/],
    ['broken JSON', '[{"timestamp":1,', /JSON is broken/],
    ['other JSON', '{"a":[1]}', /neither candles nor quotes/],
  ])('%s is refused with the reason', async (_, text, reason) => {
    await expect(openFeed({ path: scratchFile('x.csv', text) })).rejects.toThrow(reason)
  })

  test('an array of JSON needs a time and four prices; without a volume it has none', async () => {
    const written = (columns: number) => {
      const all = [0, 1, 2].map((minute) =>
        [1_700_000_000_000 + minute * 60_000, 2, 4, 1, 3, 7].slice(0, columns),
      )
      return scratchFile(`${columns}.json`, JSON.stringify(all))
    }
    await expect(openFeed({ path: written(4) })).rejects.toThrow(/neither candles nor quotes/)
    for (const [columns, volume] of [
      [5, 0],
      [6, 7],
    ] as const) {
      const read = await readBars({ path: written(columns) })
      expect(read.map(({ close, volume }) => [close, volume])).toEqual(
        Array(3).fill([3_000_000_000n, volume]),
      )
    }
  })

  test.each([
    ['1700000000000;1;1;1;1;1\n', 'csv'],
    ['2024-01-02 03:04:00;1;1;1;1;1\n', 'csv'],
    ['20240102 030400;1;1;1;1;1\n', 'ninjatrader'],
  ])('%j is named %s', async (text, format) => {
    expect((await openFeed({ path: scratchFile('named.txt', text) })).format).toBe(format)
  })

  test('other rejections', async () => {
    await expect(openFeed({ path: '/nowhere.csv' })).rejects.toThrow(/cannot be opened/)
    await expect(openFeed({ path: [] })).rejects.toThrow(/no file/)
    await expect(openFeed({ path: 'x', chunkRows: 0 })).rejects.toThrow(RangeError)
    const file = scratchFile('b.csv', '1700000000000,1,1,1,1,1\n')
    await expect(openFeed({ path: file, format: 'lean' })).rejects.toThrow(/is csv, not lean/)
    await expect(openFeed({ path: file, timeZone: 'Nowhere' })).resolves.toBeDefined()
    await expect(openFeed({ path: file, priceDivisor: 3 })).rejects.toThrow(/power of ten/)
    const two = zipSync({ 'a.csv': Buffer.from('1'), 'b.csv': Buffer.from('2') })
    await expect(openFeed({ path: scratchFile('t.zip', two) })).rejects.toThrow(/holds 2 files/)
  })
})
