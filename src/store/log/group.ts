/**
 * The bytes of a log. A group is what one append wrote: a header, then one frame per commit.
 *
 * header (24 bytes): magic, first sequence (low and high 32 bits), number of commits, bytes of the frames, CRC-32 of
 * these; frame: length, CRC-32, commit. An append begins only when the one before it is on the medium, so a group is
 * proof that all before it were durable: damage in the last group is a torn write, damage before it is loss.
 */

import { ByteReader } from '../../events/codec/byteReader.ts'
import type { ByteWriter } from '../../events/codec/byteWriter.ts'
import { readCommit, writeCommit } from '../../events/codec/commitCodec.ts'
import type { Commit } from '../../events/commit.ts'
import { crc32 } from './crc32.ts'

const TWO_32 = 4_294_967_296
const MAGIC = 0x7247434d
export const GROUP_HEADER = 24
const FRAME_HEADER = 8

export interface GroupHeader {
  readonly firstSeq: number
  readonly commits: number
  /** Bytes of all frames. */
  readonly length: number
}

/** Appends a group to what the writer holds. */
export function writeGroup(writer: ByteWriter, commits: readonly Commit[]): void {
  const start = writer.at
  writer.reserve(GROUP_HEADER)
  writer.at += GROUP_HEADER
  for (const commit of commits) {
    const frame = writer.at
    writer.reserve(FRAME_HEADER)
    writer.at += FRAME_HEADER
    writeCommit(writer, commit)
    writer.patchUint32(frame, writer.at - frame - FRAME_HEADER)
    writer.patchUint32(frame + 4, crc32(writer.bytes, frame + FRAME_HEADER, writer.at))
  }
  const { seq } = commits[0] as Commit
  writer.patchUint32(start, MAGIC)
  writer.patchUint32(start + 4, seq >>> 0)
  writer.patchUint32(start + 8, Math.floor(seq / TWO_32))
  writer.patchUint32(start + 12, commits.length)
  writer.patchUint32(start + 16, writer.at - start - GROUP_HEADER)
  writer.patchUint32(start + 20, crc32(writer.bytes, start, start + 20))
}

/** The header at a place in the bytes; null when there is none that passes its check. */
export function readGroupHeader(bytes: Uint8Array, at: number): GroupHeader | null {
  if (at + GROUP_HEADER > bytes.length || uint32(bytes, at) !== MAGIC) return null
  if (uint32(bytes, at + 20) !== crc32(bytes, at, at + 20)) return null
  return {
    firstSeq: uint32(bytes, at + 8) * TWO_32 + uint32(bytes, at + 4),
    commits: uint32(bytes, at + 12),
    length: uint32(bytes, at + 16),
  }
}

/** Where the next header may begin, from a place on; −1 when nowhere. */
export function findMagic(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC & 0xff, from); at !== -1; at = bytes.indexOf(MAGIC & 0xff, at + 1))
    if (at + 4 <= bytes.length && uint32(bytes, at) === MAGIC) return at
  return -1
}

const reader = new ByteReader(new Uint8Array())

/**
 * Checks the frames after a header, and adds the commits from sequence `from` on.
 *
 * @returns the first commit that does not pass its check, and why; null when all do.
 */
export function readFrames(
  bytes: Uint8Array,
  start: number,
  header: GroupHeader,
  from: number,
  commits: Commit[],
): { readonly seq: number; readonly reason: string } | null {
  let at = start
  const end = start + header.length
  for (let seq = header.firstSeq; seq < header.firstSeq + header.commits; seq++) {
    const reason = frameFault(bytes, at, end) ?? (seq < from ? null : decode(bytes, at, seq, commits))
    if (reason !== null) return { seq, reason }
    at += FRAME_HEADER + uint32(bytes, at)
  }
  return at === end ? null : { seq: header.firstSeq, reason: 'its group is longer than its frames' }
}

function decode(bytes: Uint8Array, frame: number, seq: number, commits: Commit[]): string | null {
  try {
    reader.reset(bytes, frame + FRAME_HEADER)
    const commit = readCommit(reader)
    if (commit.seq !== seq) return `it says it is commit ${commit.seq}`
    commits.push(commit)
    return null
  } catch (error) {
    return `it does not decode: ${String(error)}`
  }
}

function frameFault(bytes: Uint8Array, at: number, end: number): string | null {
  if (at + FRAME_HEADER > end) return 'its group ends early'
  const body = at + FRAME_HEADER
  const length = uint32(bytes, at)
  if (body + length > end) return 'its length runs out of its group'
  return uint32(bytes, at + 4) === crc32(bytes, body, body + length) ? null : 'its checksum does not match'
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  )
}
