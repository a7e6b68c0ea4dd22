/**
 * The bytes of a log, format 2. A group is what one append wrote: a header (56 bytes), then the commits.
 *
 * header: the marker of the file (6), first sequence (6), number of commits (4), bytes of the commits (4), the chain (32),
 * CRC-32 of all these (4). The chain after a group is the SHA-256 of the chain before it, the header from the first
 * sequence to the bytes, and the commits (K9). A header without commits is a mark: it repeats the chain, and says that
 * everything before its sequence is durable (K7).
 *
 * The marker is drawn for each file, and no group is written to a file whose marker it contains: nothing that anybody
 * chose can be taken for a header.
 */
import { ByteReader } from '../../events/codec/byteReader.ts'
import type { ByteWriter } from '../../events/codec/byteWriter.ts'
import { readCommit, writeCommit } from '../../events/codec/commitCodec.ts'
import type { Commit } from '../../events/commit.ts'
import { crc32 } from '../../hashes/crc32.ts'
import { find, holds, putUint32, putUint48, uint32, uint48 } from './bytes.ts'
import type { BodyFault, Form, GroupHeader } from './form.ts'
import { readTicks, ticksFrom, writeTicks } from './tickRun.ts'

export const MARKER = 6
export const HASH = 32
export const GROUP_HEADER = 56
const CHAIN_AT = 20
const CRC_AT = 52

/** Appends commits as they stand behind a header, for which the writer has left room. */
export function writeBody(writer: ByteWriter, commits: readonly Commit[]): void {
  for (let at = 0; at < commits.length; ) {
    const end = ticksFrom(commits, at)
    if (end > at) {
      writeTicks(writer, commits, at, end)
      at = end
    } else writeCommit(writer, commits[at++] as Commit)
  }
}

/** What a header says, without marker, chain and checksum, which come with {@link sealGroup}. */
export function writeHeader(bytes: Uint8Array, firstSeq: number, commits: number, length: number): void {
  putUint48(bytes, 6, firstSeq)
  putUint32(bytes, 12, commits)
  putUint32(bytes, 16, length)
}

/** Completes the header at the beginning of the bytes. */
export function sealGroup(bytes: Uint8Array, marker: Uint8Array, chain: Uint8Array): void {
  bytes.set(marker, 0)
  bytes.set(chain, CHAIN_AT)
  putUint32(bytes, CRC_AT, crc32(bytes, 0, CRC_AT))
}

/** The parts of a group that the chain covers. */
export function hashedParts(group: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [group.subarray(MARKER, CHAIN_AT), group.subarray(GROUP_HEADER)]
}

/** The form of a file with this marker. */
export function secondForm(marker: Uint8Array, start: number): Form {
  return {
    headerBytes: GROUP_HEADER,
    start,
    header: (bytes, at) => readHeader(bytes, at, marker),
    next: (bytes, from) => find(bytes, marker, from),
    hashed: (bytes, at, header) => hashedParts(bytes.subarray(at, at + GROUP_HEADER + header.length)),
    body: readBody,
  }
}

function readHeader(bytes: Uint8Array, at: number, marker: Uint8Array): GroupHeader | null {
  if (at + GROUP_HEADER > bytes.length || !holds(bytes, marker, at)) return null
  if (uint32(bytes, at + CRC_AT) !== crc32(bytes, at, at + CRC_AT)) return null
  return {
    firstSeq: uint48(bytes, at + 6),
    commits: uint32(bytes, at + 12),
    length: uint32(bytes, at + 16),
    hash: bytes.slice(at + CHAIN_AT, at + CRC_AT),
  }
}

const reader = new ByteReader(new Uint8Array())

function readBody(
  bytes: Uint8Array,
  at: number,
  header: GroupHeader,
  from: number,
  commits: Commit[],
): BodyFault | null {
  const end = at + GROUP_HEADER + header.length
  const after = header.firstSeq + header.commits
  // The chain has told that it is what was written: only who wants commits of it has it decoded.
  if (after <= from) return null
  let seq = header.firstSeq
  reader.reset(bytes, at + GROUP_HEADER)
  try {
    while (seq < after) seq = readNext(seq, from, commits)
  } catch (error) {
    return { seq, reason: `it does not decode: ${String(error)}` }
  }
  if (seq !== after || reader.at !== end) return { seq: header.firstSeq, reason: 'its group ends elsewhere' }
  return null
}

/** Reads a commit or a run of ticks; gives the sequence after it. A commit begins with its sequence, which is never 0. */
function readNext(seq: number, from: number, commits: Commit[]): number {
  const start = reader.at
  if (reader.byte() === 0) return readTicks(reader, seq, from, commits)
  reader.at = start
  const commit = readCommit(reader)
  if (commit.seq !== seq) throw new RangeError(`it says it is commit ${commit.seq}`)
  if (seq >= from) commits.push(commit)
  return seq + 1
}
