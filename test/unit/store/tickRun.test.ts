// Runs of ticks: each stands for exactly the commits it was made from, and takes few bytes; what is none is refused.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteReader, MalformedBytes } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'
import type { Commit } from '../../../src/events/commit.ts'
import { tickCommit } from '../../../src/events/tickColumns.ts'
import { readTicks, ticksFrom, writeTicks } from '../../../src/store/log/tickRun.ts'

const MARKETS = ['BTC', 'ETH', 'SOL']
const LIMIT = 2n ** 52n

const price = fc.oneof(
  fc.bigInt({ min: 0n, max: LIMIT - 1n }),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 4_000n }), fc.integer({ min: 0, max: 12 }))
    .map(([n, power]) => n * 10n ** BigInt(power)),
)
const ticks = fc
  .array(fc.record({ later: fc.oneof(fc.nat(3), fc.nat(1e6)), market: fc.nat(2), price }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((drawn) => {
    let at = 1_700_000_000_000
    return drawn.map((tick, index): Commit => {
      at += tick.later
      return tickCommit(index + 5, at, MARKETS[tick.market] as string, tick.price)
    })
  })

/** The bytes of some ticks, behind the zero that begins them. */
function written(commits: readonly Commit[], from = 0, to = commits.length): Uint8Array {
  const writer = new ByteWriter()
  writeTicks(writer, commits, from, to)
  return writer.copy()
}

function read(bytes: Uint8Array, firstSeq: number, from = firstSeq) {
  const reader = new ByteReader(bytes)
  expect(reader.byte()).toBe(0)
  const commits: Commit[] = []
  const after = readTicks(reader, firstSeq, from, commits)
  return { commits, after, left: bytes.length - reader.at }
}

test('any stretch of ticks is read back as it was, from any of its sequences on', () => {
  fc.assert(
    fc.property(ticks, fc.nat(29), fc.nat(29), fc.nat(35), (commits, one, other, from) => {
      const [start, last] = [Math.min(one, other), Math.max(one, other)].map((at) => at % commits.length) as [
        number,
        number,
      ]
      const [first, to] = [Math.min(start, last), Math.max(start, last) + 1]
      const { commits: all, after, left } = read(written(commits, first, to), first + 5)
      expect(all).toEqual(commits.slice(first, to))
      expect([after, left]).toEqual([to + 5, 0])
      expect(read(written(commits, first, to), first + 5, from).commits).toEqual(
        all.filter(({ seq }) => seq >= from),
      )
    }),
  )
})

test('a price that moves by its smallest step, either way or not at all, is read back', () => {
  const moved = new Set<bigint>()
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -2n, max: 2n }), { minLength: 1, maxLength: 20 }), (steps) => {
      let last = 70_001n
      const commits = [0n, ...steps].map((step, index) => {
        last += step
        moved.add(step)
        return tickCommit(index + 1, index * 10, 'BTC', last)
      })
      expect(read(written(commits), 1).commits).toEqual(commits)
    }),
  )
  expect(moved.size).toBe(5)
})

test('ticks of few digits at short intervals take three bytes each', () => {
  const commits = Array.from({ length: 1_000 }, (_, index) =>
    tickCommit(index + 1, 1_000 + index * 100, 'BTC', BigInt(100_000 + (index % 7)) * 10n ** 9n),
  )
  expect(written(commits).length).toBeLessThan(3 * 1_000)
  expect(read(written(commits), 1).commits).toEqual(commits)
})

describe('a run ends', () => {
  const plain = (seq: number, at = seq * 10, of = 5n) => tickCommit(seq, at, 'BTC', of)
  const ends = (...commits: readonly Commit[]) => ticksFrom(commits, 1)

  test('with the commits', () => {
    expect(ends(plain(1))).toBe(1)
    expect(ends(plain(1), plain(2), plain(3))).toBe(3)
    expect(ticksFrom([], 0)).toBe(0)
  })

  test('before time goes back, and before what is no plain tick', () => {
    expect(ends(plain(1), plain(2), plain(3, 20), plain(4, 19))).toBe(3)
    expect(ends(plain(1), plain(2), { ...plain(3), events: [] })).toBe(2)
    expect(ends(plain(1), { ...plain(2), events: [] })).toBe(1)
  })

  test('before a price whose differences no count holds', () => {
    expect(ends(plain(1), plain(2, 20, LIMIT - 1n), plain(3, 30, LIMIT))).toBe(2)
    expect(ends(plain(1), plain(2, 20, 0n), plain(3, 30, -1n))).toBe(2)
  })
})

describe('is refused', () => {
  const bytes = written([tickCommit(1, 5, 'BTC', 7n), tickCommit(2, 6, 'ETH', 8n)])
  const bytesOf = (change: (writer: ByteWriter) => void) => {
    const writer = new ByteWriter()
    change(writer)
    return writer.copy()
  }

  test('another form', () => {
    const other = Uint8Array.from(bytes)
    other[1] = 2
    expect(() => read(other, 1)).toThrow(new MalformedBytes('a run of ticks in another form'))
  })

  test('a power of ten beyond nine, and a tick of a market that is not listed', () => {
    const run = (power: number, market: number) =>
      bytesOf((writer) => {
        writer.byte(0)
        writer.byte(1)
        writer.count(1)
        writer.count(2)
        for (const id of ['BTC', 'ETH']) {
          writer.id(id)
          writer.byte(power)
        }
        writer.count(5)
        writer.count(market)
        writer.count(0)
        writer.count(4)
      })
    expect(read(run(9, 1), 1).commits).toEqual([tickCommit(1, 5, 'ETH', 2n * 10n ** 9n)])
    expect(() => read(run(10, 1), 1)).toThrow(new MalformedBytes('a power of ten that is too large'))
    expect(() => read(run(9, 2), 1)).toThrow(new MalformedBytes('a tick of no market'))
  })
})
