/**
 * Deterministic ids (A4). An id depends on the engine's seed, the sequence of the commit that makes it and an index
 * within that commit, never on a running counter: a fork of the log keeps the ids of everything that still happens.
 *
 * The seed is the key of a Threefry permutation, (sequence, index) its counter, so that the ids of one engine can
 * collide only in the six bits that uuid v4 fixes.
 */
import { sha256 } from './sha256.ts'
import { threefry, threefryKey } from './threefry.ts'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The ids of one engine. */
export class IdSpace {
  readonly #key: Uint32Array
  readonly #block = new Int32Array(4)

  constructor(seed: string) {
    const digest = new DataView(sha256(seed).buffer)
    this.#key = threefryKey(
      digest.getUint32(0),
      digest.getUint32(4),
      digest.getUint32(8),
      digest.getUint32(12),
    )
  }

  /** The uuid v4 number `index` of commit `seq`, in lower case. */
  id(seq: number, index: number): string {
    const block = this.#block
    block[0] = seq
    block[1] = Math.floor(seq / 2 ** 32) // number
    block[2] = index
    block[3] = 0
    threefry(this.#key, block)
    const [a, b, c, d] = block as unknown as [number, number, number, number]
    return uuid(a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d)
  }
}

function uuid(a: number, b: number, c: number, d: number): string {
  return `${hex(a >>> 16)}${hex(a)}-${hex(b >>> 16)}-${hex(b)}-${hex(c >>> 16)}-${hex(c)}${hex(d >>> 16)}${hex(d)}`
}

/** The low 16 bits as four hexadecimal digits. */
function hex(bits: number): string {
  return (HEX[(bits >>> 8) & 0xff] as string) + (HEX[bits & 0xff] as string)
}
