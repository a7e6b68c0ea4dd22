/**
 * A record as it is stored: its bytes, and behind them a CRC-32 over key and bytes (K8). LMDB has no
 * checksums of its own. With the key in it, a record that was moved or swapped does not pass either.
 */
import { crc32 } from '../../hashes/crc32.ts'

export const SEAL = 4

/** A record beside the log is not what was written: it is not served, and all of them have to be built again. */
export class RecordsDamaged extends Error {
  override readonly name = 'RecordsDamaged'
}

/** The stored form of a record. */
export function sealed(key: Uint8Array, bytes: Uint8Array): Buffer {
  const stored = Buffer.allocUnsafe(bytes.length + SEAL)
  stored.set(bytes)
  stored.writeUInt32LE(crc32(bytes, 0, bytes.length, crc32(key, 0, key.length)), bytes.length)
  return stored
}

/** The checksum that a stored record carries. */
export function sealOf(stored: Buffer): number {
  return stored.readUInt32LE(stored.length - SEAL)
}

/** @throws RecordsDamaged when the record is not the one that was stored under the key. */
export function unsealed(key: Uint8Array, stored: Buffer): Buffer {
  const length = stored.length - SEAL
  if (length < 0 || sealOf(stored) !== crc32(stored, 0, length, crc32(key, 0, key.length)))
    throw new RecordsDamaged(`the record ${Buffer.from(key).toString('hex')} fails its check`)
  return stored.subarray(0, length)
}

/** How many records there are and the sum of their checksums: tells when one is missing, or is an older version. */
export interface Tally {
  readonly records: number
  /** Modulo 2^48. */
  readonly sum: number
}

export const EMPTY_TALLY: Tally = { records: 0, sum: 0 }

const SUMS = 2 ** 48

/** With a record more, which takes the place of one with the checksum `replaced`. */
export function tallied({ records, sum }: Tally, seal: number, replaced?: number): Tally {
  if (replaced === undefined) return { records: records + 1, sum: (sum + seal) % SUMS }
  return { records, sum: (sum + SUMS + seal - replaced) % SUMS }
}
