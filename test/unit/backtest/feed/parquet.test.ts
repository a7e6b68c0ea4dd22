import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FeedError } from '../../../../src/backtest/feed/feedError.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { Chance } from '../../../store/traffic.ts'
import { ENCODING, pageBytes, parquetBytes, TYPE, varint, zigZag } from './parquetBytes.ts'
import { readBars, readTicks, type SampleBar, scratchFile } from './sampleMarket.ts'

// The fixtures hold the bars below and were written by Apache Arrow 25 (pyarrow.parquet.write_table), which is not the
// library that reads them.
const fixture = (name: string) => path.join(import.meta.dirname, 'fixtures', `${name}.parquet`)
const cents = (value: number) => fp9((value / 100).toFixed(2))
const BARS: readonly SampleBar[] = Array.from({ length: 40 }, (_, index) => {
  const open = 10_000 + index * 10
  return {
    openTime: Date.UTC(2024, 0, 1) + index * 60_000,
    open: cents(open),
    high: cents(open + 125),
    low: cents(open - 137),
    close: cents(open + 5),
    volume: index / 8,
  }
})

describe('Parquet', () => {
  test.each(['snappy-nanoseconds', 'gzip-integers', 'brotli-local-time', 'decimals-text-time'])(
    '%s',
    async (name) => {
      expect(await readBars({ path: fixture(name) })).toEqual(BARS)
      expect(await readBars({ path: fixture(name), chunkRows: 3 })).toEqual(BARS)
    },
  )

  test('32-bit floats mean their own shortest decimal, and bars need no volume', async () => {
    expect(await readBars({ path: fixture('floats-without-volume') })).toEqual(
      BARS.map((bar) => ({ ...bar, volume: 0 })),
    )
  })

  test('times without a zone are of the zone given', async () => {
    const [first] = await readBars({ path: fixture('brotli-local-time'), timeZone: '-05:00' })
    expect(first?.openTime).toBe(Date.UTC(2024, 0, 1, 5))
    const [inUtc] = await readBars({ path: fixture('snappy-nanoseconds'), timeZone: '-05:00' })
    expect(inUtc?.openTime).toBe(Date.UTC(2024, 0, 1))
  })

  // 19723 days are those to 2024; 6 is the DATE of ConvertedType.
  test.each([
    ['seconds as doubles', { type: TYPE.DOUBLE, body: Float64Array.of(1_704_067_200) }, 0],
    ['milliseconds as doubles', { type: TYPE.DOUBLE, body: Float64Array.of(1_704_067_200_000) }, 0],
    ['seconds as 32-bit integers', { type: TYPE.INT32, body: Int32Array.of(1_704_067_200) }, 0],
    ['days, which are of a zone', { type: TYPE.INT32, converted: 6, body: Int32Array.of(19_723) }, 5],
  ])('times that are %s', async (_, { body, ...column }, hour) => {
    const of = ({ buffer }: { readonly buffer: ArrayBuffer }) =>
      pageBytes({ values: 1, encoding: ENCODING.PLAIN, body: Buffer.from(buffer) })
    const prices = ['open', 'high', 'low', 'close'].map((name) => ({
      name,
      type: TYPE.DOUBLE,
      pages: of(Float64Array.of(100)),
    }))
    const bytes = parquetBytes(1n, [{ name: 'time', ...column, pages: of(body) }, ...prices])
    const path = scratchFile('times.parquet', bytes)
    const [bar] = await readBars({ path, timeZone: '-05:00' })
    expect(bar?.openTime).toBe(Date.UTC(2024, 0, 1, hour))
  })

  test('texts that are told by what they share with the one before', async () => {
    /** Three numbers: the first, the least difference, and by which bits the differences are one more. */
    const numbers = (first: bigint, least: bigint, more: number) =>
      Buffer.concat([
        ...[varint(128), varint(4), varint(3), zigZag(first), zigZag(least)],
        ...[Buffer.of(1, 0, 0, 0), Buffer.of(more, 0, 0, 0)],
      ])
    const [shared, lengths] = [numbers(0n, 0n, 0b01), numbers(2n, -1n, 0b10)]
    const body = Buffer.concat([shared, lengths, Buffer.from('90' + '1' + '5')])
    const pages = pageBytes({ values: 3, encoding: ENCODING.DELTA_BYTE_ARRAY, body })
    const times = BigInt64Array.from(BARS.slice(0, 3), ({ openTime }) => BigInt(openTime))
    const time = pageBytes({ values: 3, encoding: ENCODING.PLAIN, body: Buffer.from(times.buffer) })
    const columns = [
      { name: 'time', type: TYPE.INT64, pages: time },
      { name: 'price', type: TYPE.BYTE_ARRAY, pages },
    ]
    // What the writer notes for itself may be long.
    for (const noted of ['', 'x'.repeat(50_000)]) {
      const file = scratchFile('shared.parquet', parquetBytes(3n, columns, 1, noted))
      const prices = (await readTicks({ path: file })).map(({ price }) => price)
      expect(prices).toEqual([fp9('90'), fp9('91'), fp9('95')])
    }
  })

  test('quotes, as text and as doubles', async () => {
    const ticks = await readTicks({ path: fixture('quotes') })
    expect(ticks.map(({ bid, ask }) => [bid, ask])).toEqual(BARS.map(({ low, high }) => [low, high]))
    expect(ticks[0]?.price).toBe((cents(9863) + cents(10_125)) / 2n)
  })

  test('Zstandard is read where Node can, else refused', async () => {
    const read = await readBars({ path: fixture('zstd') }).catch((error: unknown) => error)
    if (read instanceof Error) expect(read.message).toMatch(/row group cannot be read \(.*ZSTD/)
    else expect(read).toEqual(BARS)
  })

  test('missing values and NaN are bad rows', async () => {
    await expect(readBars({ path: fixture('bad-rows') })).rejects.toThrow(/:6: high is missing or no number/)
    const feed = await openFeed({ path: fixture('bad-rows'), onBadRow: 'skip' })
    for await (const _ of feed);
    expect(feed.summary()).toMatchObject({
      rows: 38,
      skipped: 2,
      firstSkipped: [{ line: 6 }, { line: 10, reason: 'NaN is not a number' }],
    })
  })

  test('decimals that a double cannot hold are refused', async () => {
    await expect(readBars({ path: fixture('wide-decimals') })).rejects.toThrow(
      /open is a decimal of 30 digits/,
    )
  })

  test('columns can be named', async () => {
    const columns = { time: 'open_time', price: 'close' }
    expect((await readTicks({ path: fixture('gzip-integers'), columns })).map(({ price }) => price)).toEqual(
      BARS.map(({ close }) => close),
    )
    await expect(
      openFeed({ path: fixture('gzip-integers'), columns: { time: 't', price: 'p' } }),
    ).rejects.toThrow(/no column t for time/)
  })

  test('a file cut off anywhere is refused', async () => {
    const bytes = readFileSync(fixture('snappy-nanoseconds'))
    for (let length = 4; length < bytes.length; length += 97) {
      const file = scratchFile('cut.parquet', bytes.subarray(0, length))
      await expect(readBars({ path: file })).rejects.toThrow(FeedError)
    }
  })

  test('a file of which some bytes are others is read or refused', async () => {
    const chance = new Chance(1)
    const told = { read: 0, refused: 0 }
    for (let round = 0; round < 300; round++) {
      const name = chance.of(['snappy-nanoseconds', 'gzip-integers', 'decimals-text-time', 'quotes'])
      const bytes = readFileSync(fixture(name))
      // Most of them in the description, which is at the end.
      const among = chance.below(3) === 0 ? bytes.length - 4 : Math.min(bytes.length - 4, 1_500)
      for (let change = 0; change <= chance.below(3); change++)
        bytes[bytes.length - 1 - chance.below(among)] = chance.below(256)
      try {
        const feed = await openFeed({ path: scratchFile('changed.parquet', bytes), onBadRow: 'skip' })
        for await (const _ of feed);
        told.read += 1
      } catch (error) {
        expect(error, `round ${round}`).toBeInstanceOf(FeedError)
        told.refused += 1
      }
    }
    expect(Math.min(told.read, told.refused)).toBeGreaterThan(30)
  })
})
