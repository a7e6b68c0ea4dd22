// What the description of a Parquet file may be: the most of everything is followed, and one more is refused.

import { describe, expect, test } from 'vitest'
import { ParquetUnsound, ThriftWalk } from '../../../../src/backtest/feed/formats/parquetBounds.ts'
import { i32, list, struct, structBytes, text, varint } from './parquetBytes.ts'

type Fields = Parameters<typeof structBytes>[0]

/** Where a walk over a structure ends. */
function walked(fields: Fields, free?: ReadonlySet<number>): number {
  const walk = new ThriftWalk(structBytes(fields), 0)
  walk.struct(0, free)
  return walk.at
}

const followed = (fields: Fields, free?: ReadonlySet<number>) =>
  expect(walked(fields, free)).toBe(structBytes(fields).length)
const refused = (fields: Fields, why: string) => {
  expect(() => walked(fields)).toThrow(why)
  expect(() => walked(fields)).toThrow(ParquetUnsound)
}

const nested = (depth: number): Fields => (depth === 0 ? {} : { 1: struct(nested(depth - 1)) })

describe('a description', () => {
  test('nests sixteen deep', () => {
    followed(nested(16))
    refused(nested(17), 'its description nests too deep')
  })

  test('nests as deep in lists', () => {
    const inLists = (depth: number): Fields => (depth === 0 ? {} : { 1: list([struct(inLists(depth - 1))]) })
    followed(inLists(8))
    refused(inLists(17), 'its description nests too deep')
  })

  test('has texts of 4,096 bytes, and where they may have any length, longer ones', () => {
    followed({ 3: text('x'.repeat(4_096)) })
    refused({ 3: text('x'.repeat(4_097)) }, 'its description has a text of 4097 bytes')
    followed({ 3: text('x'.repeat(4_097)), 4: list([text('y'.repeat(5_000))]) }, new Set([3, 4]))
    expect(() => walked({ 3: text('x'.repeat(4_097)) }, new Set([4]))).toThrow('has a text')
  })

  test('has half a million parts in all its lists', () => {
    const most = 2 ** 19
    const ones = (count: number) =>
      [9, Buffer.concat([Buffer.of(0xf5), varint(count), Buffer.alloc(count, 2)])] as const
    followed({ 1: ones(most) })
    followed({ 1: ones(most - 20), 2: ones(20) })
    refused({ 1: ones(most + 1) }, 'its description has more than 524288 parts')
    refused({ 1: ones(most - 20), 2: ones(21) }, 'its description has more than 524288 parts')
  })

  test('ends within its bytes', () => {
    const bytes = structBytes({ 1: text('abc'), 2: i32(5), 3: list([i32(1), i32(2)]) })
    for (let length = 0; length < bytes.length; length++)
      expect(() => new ThriftWalk(bytes.subarray(0, length), 0).struct()).toThrow(/ends early$/)
  })

  test('has parts of known kinds', () => {
    for (const kind of [10, 11, 13, 14, 15])
      refused({ 1: [kind, Buffer.alloc(4)] }, 'its description has a part of no known kind')
  })
})
