// The directory of an archive, forged byte by byte: what it says of an entry is read whatever stands around it.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FeedError } from '../../../../src/backtest/feed/feedError.ts'
import { type ZipEntry, zipEntries } from '../../../../src/backtest/feed/zipArchive.ts'
import { scratchFolder } from './sampleMarket.ts'

const folder = scratchFolder()
const ALL_ONES = 0xffffffff
const ZIP64 = 1

interface Forged {
  readonly entry: ZipEntry
  readonly comment: string
  /** Fields of other kinds before and after that of ZIP64. */
  readonly before: readonly Buffer[]
  readonly after: readonly Buffer[]
}

/** Above 32 bits, and all ones in them, only the ZIP64 field has room. */
const isWide = (value: number) => value >= ALL_ONES

const field = (kind: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

function directoryEntry({ entry, comment, before, after }: Forged): Buffer {
  const wide = [entry.size, entry.compressedSize, entry.headerOffset].filter(isWide).map((value) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return bytes
  })
  const extra = Buffer.concat([
    ...before,
    ...(wide.length > 0 ? [field(ZIP64, Buffer.concat(wide))] : []),
    ...after,
  ])
  const name = Buffer.from(entry.name)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(entry.method, 10)
  head.writeUInt32LE(entry.crc32, 16)
  head.writeUInt32LE(Math.min(entry.compressedSize, ALL_ONES), 20)
  head.writeUInt32LE(Math.min(entry.size, ALL_ONES), 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt16LE(Buffer.byteLength(comment), 32)
  head.writeUInt32LE(Math.min(entry.headerOffset, ALL_ONES), 42)
  return Buffer.concat([head, name, extra, Buffer.from(comment)])
}

/** An archive of nothing but its directory, and what leads to it. */
function archive(entries: readonly Forged[], wideEnd: boolean, comment: string): Buffer {
  const directory = Buffer.concat(entries.map(directoryEntry))
  const [end64, locator] = [Buffer.alloc(56), Buffer.alloc(20)]
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(BigInt(directory.length), 40)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(directory.length), 8)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(wideEnd ? ALL_ONES : directory.length, 12)
  end.writeUInt32LE(wideEnd ? ALL_ONES : 0, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return Buffer.concat([directory, ...(wideEnd ? [end64, locator] : []), end, Buffer.from(comment)])
}

const length = fc.oneof(
  fc.nat(1 << 20),
  fc.constantFrom(ALL_ONES - 1, ALL_ONES, ALL_ONES + 1),
  fc.integer({ min: 0, max: 2 ** 50 }),
)
const other = fc
  .tuple(fc.constantFrom(0x5455, 0x7875, 0), fc.uint8Array({ maxLength: 12 }))
  .map(([kind, data]) => field(kind, Buffer.from(data)))
const text = fc.string({ maxLength: 20, unit: fc.constantFrom('a', 'é', '.', '/', '漢', '\u0001') })
const forged: fc.Arbitrary<Forged> = fc.record({
  entry: fc.record({
    name: text,
    method: fc.constantFrom(0, 8, 12),
    crc32: fc.integer({ min: 0, max: ALL_ONES }),
    compressedSize: length,
    size: length,
    headerOffset: length,
  }),
  comment: text,
  before: fc.array(other, { maxLength: 2 }),
  after: fc.array(other, { maxLength: 2 }),
})

test('every entry is listed as it is, with fields of 64 bits where 32 do not suffice', async () => {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'forged.zip')
  const reached = { wide: 0, narrow: 0, behind: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(forged, { maxLength: 5 }),
      fc.boolean(),
      text,
      async (entries, wide, comment) => {
        writeFileSync(file, archive(entries, wide, comment))
        expect(await zipEntries(file)).toEqual(entries.map(({ entry }) => entry))
        for (const { entry, before, after } of entries) {
          const some = [entry.size, entry.compressedSize, entry.headerOffset].some(isWide)
          reached[some ? 'wide' : 'narrow'] += 1
          if (some && before.length > 0 && after.length === 0) reached.behind += 1
        }
      },
    ),
    { numRuns: 150 },
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(10)
})

test('a directory that is said to be where no file can have one is damaged, and no program’s mistake', async () => {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'nowhere.zip')
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(ALL_ONES, 16)
  for (const locator of [Buffer.alloc(0), Buffer.alloc(19), Buffer.alloc(20), Buffer.alloc(20, 0xff)]) {
    writeFileSync(file, Buffer.concat([locator, end]))
    await expect(zipEntries(file)).rejects.toThrow(FeedError)
  }
})
