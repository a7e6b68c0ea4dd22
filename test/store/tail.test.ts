// What zeros behind the last group of a file mean: room, or what had not been written when the file was copied.

import { describe, expect, test } from 'vitest'
import type { DiskFile } from '../../src/store/log/disk.ts'
import { MARKER, secondForm } from '../../src/store/log/group.ts'
import { tailOf } from '../../src/store/log/tail.ts'

const marker = Uint8Array.from({ length: MARKER }, (_, index) => 0xa0 + index)
const form = secondForm(marker, 128)
const PAGE = 4_096

function holding(bytes: Uint8Array): DiskFile {
  const nothing = async () => {}
  return {
    size: bytes.length,
    identity: 1,
    read: async (into, position) => {
      const there = bytes.subarray(position, position + into.length)
      into.set(there)
      return there.length
    },
    write: nothing,
    flush: nothing,
    close: nothing,
  }
}

/** The tail of a file that ends `position` bytes before these. */
function behind(position: number, tail: Uint8Array) {
  const bytes = new Uint8Array(position + tail.length).fill(1, 0, position)
  bytes.set(tail, position)
  return tailOf(holding(bytes), form, position, bytes.length, 7)
}

/** Zeros, then something of no meaning, and zeros again. */
function bytesOf(zeros: number, others: number, after = 0): Uint8Array {
  return new Uint8Array(zeros + others + after).fill(1, zeros, zeros + others)
}

describe('a tail', () => {
  test('of zeros alone is blank, however long, and its bytes are those up to the last that is none', async () => {
    for (const length of [0, 1, 64, 10_000])
      expect(await behind(500, new Uint8Array(length))).toMatchObject({ blank: true, proof: false, bytes: 0 })
    expect(await behind(500, bytesOf(3, 5, 100))).toMatchObject({ blank: false, proof: false, bytes: 8 })
  })

  test('has a hole where its header had not been begun: sixteen zeros, or those up to the end of the page', async () => {
    expect(await behind(512, bytesOf(16, 200))).toMatchObject({ hole: true })
    expect(await behind(512, bytesOf(15, 200))).toMatchObject({ hole: false })
    expect(await behind(512, bytesOf(0, 200))).toMatchObject({ hole: false })
    const begun = bytesOf(20, 200)
    begun[0] = 1
    expect(await behind(512, begun)).toMatchObject({ hole: false })
    expect(await behind(PAGE - 5, bytesOf(5, 200))).toMatchObject({ hole: true })
    expect(await behind(PAGE - 5, bytesOf(4, 200))).toMatchObject({ hole: false })
  })
})
