/**
 * The beginning of a log file.
 *
 * format 2 (66 bytes): magic (4), format (4), first sequence (8), identity of the file (8), marker of its groups (6), the
 * chain before its first group (32), CRC-32 of these (4). Format 1 (20 bytes): magic, format, first sequence, CRC-32.
 */
import { ByteReader } from '../../events/codec/byteReader.ts'
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import { crc32 } from '../../hashes/crc32.ts'
import { uint32 } from './bytes.ts'
import { firstForm } from './firstForm.ts'
import type { Form } from './form.ts'
import { HASH, MARKER, secondForm } from './group.ts'

const TWO_32 = 4_294_967_296
const MAGIC = 0x474f4c4d
export const SEGMENT_HEADER = 66
/** Bytes of the header in format 1. */
export const FIRST_HEADER = 20

/** The chain before the first commit. */
export const GENESIS_CHAIN = new Uint8Array(HASH)

export interface SegmentHeader {
  readonly firstSeq: number
  readonly form: Form
  /** Of the file that the header was written to; null where it does not say. A copy has another. */
  readonly identity: number | null
  /** The chain before the first group; null where it does not say. */
  readonly chain: Uint8Array | null
}

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, '0')}.log`
}

/** The first sequence a file name stands for; null for other files. */
export function segmentSeq(name: string): number | null {
  return /^[0-9]{16}\.log$/.test(name) ? Number(name.slice(0, 16)) : null
}

export function writeSegmentHeader(
  firstSeq: number,
  identity: number,
  marker: Uint8Array,
  chain: Uint8Array,
): Uint8Array {
  const writer = new ByteWriter(SEGMENT_HEADER)
  writer.uint32(MAGIC)
  writer.uint32(2)
  writer.uint32(firstSeq >>> 0)
  writer.uint32(Math.floor(firstSeq / TWO_32))
  writer.double(identity)
  writer.bytes.set(marker, writer.at)
  writer.at += MARKER
  writer.bytes.set(chain, writer.at)
  writer.at += HASH
  writer.uint32(crc32(writer.bytes, 0, writer.at))
  return writer.copy()
}

/** The header at the beginning of the bytes, or what is wrong with it. */
export function readSegmentHeader(bytes: Uint8Array): SegmentHeader | string {
  if (bytes.length < FIRST_HEADER) return 'its file ends within the header'
  const format = uint32(bytes, 4)
  const length = format === 1 ? FIRST_HEADER : SEGMENT_HEADER
  if (uint32(bytes, 0) !== MAGIC) return DAMAGED
  if (bytes.length < length) return 'its file ends within the header'
  if (uint32(bytes, length - 4) !== crc32(bytes, 0, length - 4)) return DAMAGED
  const firstSeq = uint32(bytes, 12) * TWO_32 + uint32(bytes, 8)
  if (format === 1) return { firstSeq, form: firstForm, identity: null, chain: null }
  if (format !== 2) return `its file has format ${format}`
  const reader = new ByteReader(bytes, 16)
  const identity = reader.double()
  const marker = bytes.slice(24, 24 + MARKER)
  const chain = bytes.slice(24 + MARKER, 24 + MARKER + HASH)
  return { firstSeq, form: secondForm(marker, SEGMENT_HEADER), identity, chain }
}

const DAMAGED = 'the header of its file is damaged'
