// Small Parquet files that ask for more than there is: each is refused in a sentence, soon, and by a process that stays small.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { bundle } from '../../../bundle.ts'
import {
  CODEC,
  type Column,
  described,
  ENCODING,
  i32,
  i64,
  list,
  pageBytes,
  parquetBytes,
  secondPage,
  struct,
  structBytes,
  TYPE,
  text,
  varint,
  zigZag,
} from './parquetBytes.ts'
import { scratchFile } from './sampleMarket.ts'

const programs = mkdtempSync(path.join(tmpdir(), 'margin-core-parquet-'))
const program = bundle('test/unit/backtest/feed/readParquet.ts', programs)
afterAll(() => rmSync(programs, { recursive: true }))

interface Outcome {
  readonly rows: number
  readonly told: string
  readonly ms: number
  readonly mib: number
}

function read(bytes: Buffer): Outcome {
  const file = scratchFile('bomb.parquet', bytes)
  // By the clock, which others on the machine have a part of; what is held to is the processor's time.
  const child = spawnSync(process.execPath, [program, file], { encoding: 'utf8', timeout: 50_000 })
  const what = `${child.signal} ${child.stderr.slice(0, 500)}`
  expect(child.status, what).toBe(0)
  return JSON.parse(child.stdout)
}

const N = 1_000
/** 5 numbers behind each other are enough for every row. */
const plain = (values: number, width: number) => Buffer.alloc(values * width)

const times = (rows = N): Column => ({
  name: 'time',
  type: TYPE.INT64,
  pages: pageBytes({
    values: rows,
    encoding: ENCODING.PLAIN,
    body: Buffer.from(
      BigInt64Array.from({ length: rows }, (_, row) => 1_700_000_000_000n + 1_000n * BigInt(row)).buffer,
    ),
  }),
})
const prices = (pages: Buffer, more: Partial<Column> = {}): Column => ({
  name: 'price',
  type: TYPE.DOUBLE,
  pages,
  ...more,
})
/** Ticks whose prices are in these pages. */
const ticks = (pages: Buffer, more: Partial<Column> = {}) =>
  parquetBytes(BigInt(N), [times(), prices(pages, more)])

/** A run of a value, and a dictionary of one price. */
const dictionary = pageBytes({
  kind: 2,
  values: 1,
  encoding: ENCODING.PLAIN,
  body: Buffer.from(Float64Array.of(9).buffer),
})
const run = (count: number, value = 0) => Buffer.concat([varint(count * 2), Buffer.of(value)])
const indexed = (values: number, runs: Buffer, width = 1) =>
  Buffer.concat([
    dictionary,
    pageBytes({ values, encoding: ENCODING.DICTIONARY, body: Buffer.concat([Buffer.of(width), runs]) }),
  ])
const levelled = (values: number, levels: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(levels.length)
  const body = Buffer.concat([length, levels, plain(values, 8)])
  return pageBytes({ values, encoding: ENCODING.PLAIN, body })
}
/** Differences: how many to a block, to a part; how many there are; and what follows. */
const deltas = (block: number, parts: number, values: number, rest: Buffer) =>
  Buffer.concat([varint(BigInt.asUintN(32, BigInt(block))), varint(parts), varint(values), rest])
const withDeltas = (body: Buffer, type = TYPE.INT64, encoding = ENCODING.DELTA_BINARY_PACKED, values = N) =>
  ticks(pageBytes({ values, encoding, body }), { type })
/** Each number one more than the one before. */
const counting = (values: number, step = 1n) =>
  deltas(
    128,
    4,
    values,
    Buffer.concat([
      zigZag(0n),
      ...Array.from({ length: Math.ceil((values - 1) / 128) }, () =>
        Buffer.concat([zigZag(step), Buffer.alloc(4)]),
      ),
    ]),
  )

/** The same bytes so many times, made once. */
const repeated = (times: number, bytes: Buffer) => Buffer.alloc(times * bytes.length, bytes)

const BIG = 1 << 28
const zeros = Buffer.alloc(BIG)
const gzipped = gzipSync(zeros, { level: 1 })
/** The densest takes 27 times as long, and is no shorter. */
const brotli = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
/** A literal byte, then copies of 64 of what came before: 21 times as long. */
const snappy = Buffer.concat([
  varint(BIG),
  Buffer.of(0, 0),
  Buffer.alloc(3 * (BIG / 64), Buffer.of(0xfe, 1, 0)),
])
const packed = (body: Buffer, codec: number, unpacked: number) =>
  ticks(pageBytes({ values: N, encoding: ENCODING.PLAIN, body, unpacked }), { codec })

const nested = (depth: number): Buffer => {
  let bytes: Buffer = Buffer.of(0)
  for (let level = 0; level < depth; level++) bytes = Buffer.concat([Buffer.of(0x1c), bytes, Buffer.of(0)])
  return bytes
}
/** A list that is said to be of 30 million, in a list that is said to be so, and so on. */
const lists = Buffer.concat(
  Array.from({ length: 12 }, () => Buffer.concat([Buffer.of(0xf9), varint(30_000_000)])),
)

const bombs: Record<string, () => Buffer> = {
  'gzip of 256 MiB, said to be that': () => packed(gzipped, CODEC.GZIP, BIG),
  'gzip of 256 MiB, said to be 8,000 bytes': () => packed(gzipped, CODEC.GZIP, 8 * N),
  'Brotli of 256 MiB, said to be that': () => packed(brotli, CODEC.BROTLI, BIG),
  'Brotli of 256 MiB, said to be 8,000 bytes': () => packed(brotli, CODEC.BROTLI, 8 * N),
  'Snappy of 256 MiB, said to be that': () => packed(snappy, CODEC.SNAPPY, BIG),
  'Snappy of 256 MiB, said to be 8,000 bytes': () => packed(snappy, CODEC.SNAPPY, 8 * N),
  'a page said to unpack to 2 GiB': () => packed(Buffer.alloc(100), CODEC.SNAPPY, 2 ** 31 - 1),
  'a page said to unpack to less than nothing': () => packed(Buffer.alloc(100), CODEC.SNAPPY, -8),
  'a page longer than the file': () =>
    ticks(pageBytes({ values: N, encoding: ENCODING.PLAIN, body: plain(N, 8), packed: 2 ** 31 - 1 })),
  'a page of less than nothing': () =>
    ticks(pageBytes({ values: N, encoding: ENCODING.PLAIN, body: plain(N, 8), packed: -10 })),
  'a page of two thousand million values': () =>
    ticks(pageBytes({ values: 2 ** 31 - 1, encoding: ENCODING.PLAIN, body: plain(N, 8) })),
  'a page of less values than none': () =>
    ticks(pageBytes({ values: -1, encoding: ENCODING.PLAIN, body: plain(N, 8) })),
  'a dictionary of two thousand million values': () =>
    ticks(pageBytes({ kind: 2, values: 2 ** 31 - 1, encoding: ENCODING.PLAIN, body: plain(N, 8) })),
  'a run of 2³⁰ indices': () => ticks(indexed(N, run(2 ** 30))),
  'a packed run of 2³⁰ indices': () => ticks(indexed(N, varint(2 ** 30 + 1))),
  'a packed run of less than none': () => ticks(indexed(N, varint(2 ** 32 - 1))),
  'indices of no width in a run without end': () =>
    ticks(
      Buffer.concat([
        dictionary,
        secondPage(N, 0, ENCODING.DICTIONARY, Buffer.alloc(0), Buffer.from([0, 255, 255, 255, 255, 15])),
      ]),
    ),
  'a run of 2³⁰ levels': () => ticks(levelled(N, run(2 ** 30, 1)), { nullable: true }),
  'levels of a second page in a run of 2³⁰': () =>
    ticks(secondPage(N, 0, ENCODING.PLAIN, run(2 ** 30, 1), plain(N, 8)), { nullable: true }),
  'more missing values than values': () =>
    ticks(secondPage(N, -(2 ** 30), ENCODING.PLAIN, run(N, 1), plain(N, 8)), { nullable: true }),
  // Three parts of −32 numbers, the first of one bit each: what follows begins where it began.
  'blocks of less than nothing': () =>
    withDeltas(deltas(-96, 3, N, Buffer.from([0, 0, 1, 0, 0, ...Buffer.alloc(100)])), TYPE.INT32),
  'blocks of nothing': () => withDeltas(deltas(0, 1, N, Buffer.alloc(20_000)), TYPE.INT32),
  'blocks without parts': () => withDeltas(deltas(128, 0, N, Buffer.alloc(20_000))),
  'parts without end': () => withDeltas(deltas(2 ** 31 - 128, 2 ** 26, N, Buffer.alloc(20_000))),
  'a number of a million bytes': () => withDeltas(deltas(128, 4, N, Buffer.alloc(1 << 20, 0x80))),
  'a number of a million bytes in a description': () =>
    described(Buffer.alloc(0), Buffer.concat([Buffer.of(0x16), Buffer.alloc(1 << 20, 0x80)])),
  'texts that grow as the square': () =>
    withDeltas(
      Buffer.concat([
        counting(100_000),
        deltas(128, 4, 100_000, Buffer.concat([zigZag(1n), Buffer.alloc(4_000)])),
        Buffer.alloc(100_000, 57),
      ]),
      TYPE.BYTE_ARRAY,
      ENCODING.DELTA_BYTE_ARRAY,
      N,
    ),
  'texts that grow as the square, of a thousand': () =>
    withDeltas(
      Buffer.concat([
        counting(N),
        deltas(128, 4, N, Buffer.concat([zigZag(1n), Buffer.alloc(50)])),
        Buffer.alloc(N, 57),
      ]),
      TYPE.BYTE_ARRAY,
      ENCODING.DELTA_BYTE_ARRAY,
    ),
  'texts that are longer than the page': () =>
    withDeltas(counting(N, 1n << 20n), TYPE.BYTE_ARRAY, ENCODING.DELTA_LENGTH),
  'a decimal of a million bytes': () => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(1 << 20)
    const body = Buffer.concat([length, Buffer.alloc(1 << 20, 7)])
    return parquetBytes(1n, [
      times(1),
      prices(pageBytes({ values: 1, encoding: ENCODING.PLAIN, body }), {
        type: TYPE.BYTE_ARRAY,
        converted: 5,
      }),
    ])
  },
  'numbers of a million bytes each': () =>
    ticks(pageBytes({ values: N, encoding: ENCODING.PLAIN, body: Buffer.alloc(1 << 20) }), {
      type: TYPE.FIXED,
      typeLength: 1 << 20,
      converted: 5,
    }),
  'a statistic of a million bytes': () =>
    ticks(indexed(N, run(N)), {
      type: TYPE.FIXED,
      typeLength: 1 << 20,
      converted: 5,
      greatest: Buffer.alloc(1 << 20, 7),
    }),
  'rows without end': () => parquetBytes(2n ** 62n, [times(), prices(indexed(N, run(N)))]),
  'less rows than none': () => parquetBytes(-5n, [times(), prices(indexed(N, run(N)))]),
  'more rows than values': () => parquetBytes(BigInt(2 * N), [times(), prices(indexed(N, run(N)))]),
  'the same rows ten thousand times over': () =>
    parquetBytes(BigInt(N), [times(), prices(indexed(N, run(N)))], 10_000),
  'a column that lies on another': () =>
    parquetBytes(BigInt(N), [times(), prices(indexed(N, run(N)), { at: 4, length: 8_050 })]),
  'a column outside the file': () => ticks(indexed(N, run(N)), { at: 2 ** 40 }),
  'a column before the file': () => ticks(indexed(N, run(N)), { at: -2_000 }),
  'a column longer than the file': () => ticks(indexed(N, run(N)), { length: 2 ** 40 }),
  'empty pages for ever': () =>
    ticks(repeated(60_000, pageBytes({ values: 0, encoding: ENCODING.PLAIN, body: Buffer.alloc(0) }))),
  'lists of lists of millions': () => described(Buffer.alloc(0), Buffer.concat([Buffer.of(0x29), lists])),
  'three hundred pages of a run of a million each': () => {
    const first = pageBytes({ kind: 2, values: 1, encoding: ENCODING.PLAIN, body: Buffer.alloc(8, 1) })
    const million = pageBytes({
      values: 1e6,
      encoding: ENCODING.DICTIONARY,
      body: Buffer.concat([Buffer.of(1), run(1e6)]),
    })
    const pages = Buffer.concat([first, repeated(300, million)])
    return parquetBytes(300_000_000n, [{ name: 'time', type: TYPE.INT64, pages }, prices(pages)])
  },
  'a description of a million parts': () =>
    described(
      Buffer.alloc(0),
      structBytes({ 1: i32(1), 2: list(new Array(1 << 20).fill(struct({}))), 3: i64(1n) }),
    ),
  'a row group of four million columns': () => {
    const columns = Buffer.concat([Buffer.of(0xfc), varint(1 << 22), Buffer.alloc(1 << 22)])
    const group = struct({ 1: [9, columns], 3: i64(1n) })
    return described(
      Buffer.alloc(0),
      structBytes({ 1: i32(1), 2: list([struct({ 4: text('x') })]), 3: i64(1n), 4: list([group]) }),
    )
  },
  'a description that nests without end': () => described(Buffer.alloc(0), nested(5_000)),
  'columns that nest without end': () => {
    const elements = new Array(100_000).fill(struct({ 4: text('x'), 5: i32(1) }))
    return described(
      Buffer.alloc(0),
      structBytes({
        1: i32(1),
        2: list(elements),
        3: i64(1n),
        4: list([struct({ 1: list([struct({})]), 3: i64(1n) })]),
      }),
    )
  },
}

describe('a Parquet file that asks for too much is refused in a sentence, within two seconds of the processor and 300 MB', () => {
  test.each(Object.entries(bombs))('%s', { timeout: 60_000 }, (_, bytes) => {
    const { told, ms, mib } = read(bytes())
    expect(told).toMatch(
      /^FeedError: \S+bomb\.parquet(:\d+)?: the (Parquet file is damaged or was cut off|row group cannot be read) \(.{5,120}\)$/,
    )
    expect(ms).toBeLessThan(2_000)
    expect(mib).toBeLessThan(286)
  })
})

describe('what is only large, or only short, is read', () => {
  test.each<[string, number, () => Buffer]>([
    [
      'a price that stays, of a row group of a million',
      1_000_000,
      () => parquetBytes(1_000_000n, [times(1_000_000), prices(indexed(1_000_000, run(1_000_000)))]),
    ],
    ['differences', N, () => withDeltas(counting(N))],
    ['differences of 32 bits', N, () => withDeltas(counting(N), TYPE.INT32)],
    [
      'levels of both kinds of page',
      N,
      () =>
        ticks(
          Buffer.concat([
            levelled(N / 2, run(N / 2, 1)),
            secondPage(N / 2, 0, ENCODING.PLAIN, run(N / 2, 1), plain(N / 2, 8)),
          ]),
          { nullable: true },
        ),
    ],
    [
      'an empty page between others',
      N,
      () =>
        ticks(
          Buffer.concat([
            indexed(N / 2, run(N / 2)),
            pageBytes({ values: 0, encoding: ENCODING.PLAIN, body: Buffer.alloc(0) }),
            pageBytes({ values: N / 2, encoding: ENCODING.PLAIN, body: plain(N / 2, 8) }),
          ]),
        ),
    ],
  ])('%s', { timeout: 60_000 }, (_, rows, bytes) => {
    expect(read(bytes())).toMatchObject({ rows, told: '' })
  })
})
