/**
 * Groups of format 1, which 0.1.0 wrote: they are read for good, and never written.
 *
 * header (24 bytes): magic, first sequence (low and high 32 bits), number of commits, bytes of the frames, CRC-32 of
 * these; frame: length, CRC-32, commit.
 */
import { ByteReader } from '../../events/codec/byteReader.ts'
import { readCommit } from '../../events/codec/commitCodec.ts'
import type { Commit } from '../../events/commit.ts'
import { crc32 } from '../../hashes/crc32.ts'
import { find, holds, uint32 } from './bytes.ts'
import type { BodyFault, Form, GroupHeader } from './form.ts'

const TWO_32 = 4_294_967_296
const MAGIC = Uint8Array.of(0x4d, 0x43, 0x47, 0x72)
const HEADER = 24
const FRAME_HEADER = 8

const reader = new ByteReader(new Uint8Array())

export const firstForm: Form = {
  headerBytes: HEADER,
  start: 20,

  header(bytes, at): GroupHeader | null {
    if (at + HEADER > bytes.length || !holds(bytes, MAGIC, at)) return null
    if (uint32(bytes, at + 20) !== crc32(bytes, at, at + 20)) return null
    return {
      firstSeq: uint32(bytes, at + 8) * TWO_32 + uint32(bytes, at + 4),
      commits: uint32(bytes, at + 12),
      length: uint32(bytes, at + 16),
      hash: null,
    }
  },

  next: (bytes, from) => find(bytes, MAGIC, from),

  hashed: (bytes, at, header) => [bytes.subarray(at, at + HEADER + header.length)],

  body(bytes, at, header, from, commits): BodyFault | null {
    let frame = at + HEADER
    const end = frame + header.length
    for (let seq = header.firstSeq; seq < header.firstSeq + header.commits; seq++) {
      const reason = frameFault(bytes, frame, end) ?? (seq < from ? null : decode(bytes, frame, seq, commits))
      if (reason !== null) return { seq, reason }
      frame += FRAME_HEADER + uint32(bytes, frame)
    }
    return frame === end ? null : { seq: header.firstSeq, reason: 'its group is longer than its frames' }
  },
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
