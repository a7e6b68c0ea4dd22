// However a file falls into pieces, its lines come whole and all of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ByteSource } from '../../../../src/backtest/feed/byteSource.ts'
import { wholeLines } from '../../../../src/backtest/feed/wholeLines.ts'

/** What the first buffer holds. */
const BUFFER = 1 << 19

const sourceOf = (pieces: readonly Uint8Array[]): ByteSource => ({
  path: 'pieces.csv',
  name: 'pieces.csv',
  sealed: false,
  async *bytes() {
    yield* pieces
  },
})

async function read(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const blocks: Buffer[] = []
  for await (const { bytes, end } of wholeLines(sourceOf(pieces))) {
    expect(bytes[end - 1]).toBe(10)
    blocks.push(Buffer.from(bytes.subarray(0, end)))
  }
  return Buffer.concat(blocks)
}

const ended = (bytes: Buffer): Buffer =>
  bytes.length === 0 || bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from('\n')])

test('pieces of any length give the same lines, the last of them ended', async () => {
  const piece = fc
    .string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 })
    .map((text) => Buffer.from(text))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      expect((await read(pieces)).equals(ended(Buffer.concat(pieces)))).toBe(true)
    }),
  )
})

test.each([-2, -1, 0, 1, 2])('a last line that fills the buffer but for %i bytes is whole', async (more) => {
  const first = Buffer.from('first\n')
  for (const pieces of [[Buffer.alloc(BUFFER + more, 'x')], [first, Buffer.alloc(BUFFER + more - 6, 'x')]])
    for (const split of [pieces, pieces.flatMap((bytes) => [bytes.subarray(0, 5), bytes.subarray(5)])])
      expect((await read(split)).equals(ended(Buffer.concat(split)))).toBe(true)
})
