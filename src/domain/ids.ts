/**
 * Deterministic ids (A4). An id depends on the engine's seed, the sequence of the commit that makes it and an index
 * within that commit, never on a running counter: a fork of the log keeps the ids of everything that still happens.
 *
 * The bits come from Threefry-4x32 with 20 rounds, a counter-based generator (Salmon, Moraes, Dror, Shaw: "Parallel
 * random numbers: as easy as 1, 2, 3", SC 2011): the seed is the key, (sequence, index) the counter. For one seed it is
 * a permutation, so ids can collide only in the six bits that uuid v4 fixes.
 */
import { sha256 } from './sha256.ts'

const ROTATIONS = [10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20] as const
const ROUNDS = 20
const PARITY = 0x1bd11bda

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The ids of one engine. */
export class IdSpace {
  readonly #key: Uint32Array

  constructor(seed: string) {
    const digest = sha256(seed)
    const [a, b, c, d] = [word(digest, 0), word(digest, 1), word(digest, 2), word(digest, 3)]
    this.#key = Uint32Array.of(a, b, c, d, a ^ b ^ c ^ d ^ PARITY)
  }

  /** The uuid v4 number `index` of commit `seq`, in lower case. */
  id(seq: number, index: number): string {
    const key = this.#key
    let x0 = (seq + at(key, 0)) | 0
    let x1 = (Math.floor(seq / 2 ** 32) + at(key, 1)) | 0 // number
    let x2 = (index + at(key, 2)) | 0
    let x3 = at(key, 3) | 0
    for (let round = 0; round < ROUNDS; round++) {
      const rotation = (round & 7) << 1
      const [r0, r1] = [ROTATIONS[rotation] as number, ROTATIONS[rotation + 1] as number]
      x0 = (x0 + x1) | 0
      x1 = rotate(x1, r0) ^ x0
      x2 = (x2 + x3) | 0
      x3 = rotate(x3, r1) ^ x2
      const swapped = x1
      x1 = x3
      x3 = swapped
      if ((round & 3) === 3) {
        const injection = (round >> 2) + 1
        x0 = (x0 + at(key, injection % 5)) | 0
        x1 = (x1 + at(key, (injection + 1) % 5)) | 0
        x2 = (x2 + at(key, (injection + 2) % 5)) | 0
        x3 = (x3 + at(key, (injection + 3) % 5) + injection) | 0
      }
    }
    return uuid(x0, (x1 & 0xffff0fff) | 0x4000, (x2 & 0x3fffffff) | 0x80000000, x3)
  }
}

function at(words: Uint32Array, index: number): number {
  return words[index] as number
}

function word(bytes: Uint8Array, index: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(index << 2)
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function uuid(a: number, b: number, c: number, d: number): string {
  return `${hex(a >>> 16)}${hex(a)}-${hex(b >>> 16)}-${hex(b)}-${hex(c >>> 16)}-${hex(c)}${hex(d >>> 16)}${hex(d)}`
}

/** The low 16 bits as four hexadecimal digits. */
function hex(bits: number): string {
  return (HEX[(bits >>> 8) & 0xff] as string) + (HEX[bits & 0xff] as string)
}
