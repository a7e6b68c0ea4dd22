/**
 * Deterministic ids (A4). An id depends on the engine's seed, the sequence of the commit that makes it and an index
 * within that commit, never on a running counter: a fork of the log keeps the ids of everything that still happens.
 *
 * The seed is the key of a Threefry permutation, (sequence, index) its counter, so that the ids of one engine can
 * collide only in the six bits that uuid v4 fixes.
 */
import { makeKnown, wordsOf } from '../../events/codec/uuidWords.ts'
import { sha256 } from '../../hashes/sha256.ts'
import { counterOf, threefry, threefryKey } from '../../hashes/threefry.ts'

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

const TEMPLATE = Array.from('00000000-0000-0000-0000-000000000000', (character) => character.charCodeAt(0))

/** Where an id was made: in which commit, and which of its ids it is, from 0. */
export interface IdPlace {
  readonly seq: number
  readonly index: number
}

/** Commits count to 2⁵³ at most. */
const SEQUENCES = 2 ** 21

/** The ids of one engine. */
export class IdSpace {
  readonly #key: Uint32Array
  readonly #block = new Int32Array(4)
  readonly #codes = [...TEMPLATE]

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
    block[1] = Math.floor(seq / 2 ** 32)
    block[2] = index
    block[3] = 0
    threefry(this.#key, block)
    block[1] = (word(block, 1) & 0xffff0fff) | 0x4000
    block[2] = (word(block, 2) & 0x3fffffff) | 0x80000000
    const id = this.#uuid(block)
    makeKnown(id, block)
    return id
  }

  /**
   * Where an id of this engine was made: the six bits that uuid v4 fixes are tried, and what they lead to is nearly always
   * one place. No place: it is not one of them. More than one: it is made in one of these.
   */
  placesOf(id: string): IdPlace[] {
    const words = new Uint32Array(4)
    if (!wordsOf(id, words)) return []
    const [a = 0, b = 0, c = 0, d = 0] = words
    const block = this.#block
    const places: IdPlace[] = []
    for (let fixed = 0; fixed < 64; fixed++) {
      block[0] = a
      block[1] = (b & 0xffff0fff) | ((fixed >> 2) << 12)
      block[2] = (c & 0x3fffffff) | ((fixed & 3) << 30)
      block[3] = d
      counterOf(this.#key, block)
      const high = word(block, 1) >>> 0
      if (block[3] !== 0 || high >= SEQUENCES) continue
      places.push({ seq: high * 2 ** 32 + (word(block, 0) >>> 0), index: word(block, 2) >>> 0 })
    }
    return places
  }

  /** Made in one piece from character codes: a string put together from parts takes several times the memory. */
  #uuid(block: Int32Array): string {
    const codes = this.#codes
    writeHex(codes, 0, word(block, 0) >>> 16)
    writeHex(codes, 4, word(block, 0))
    writeHex(codes, 9, word(block, 1) >>> 16)
    writeHex(codes, 14, word(block, 1))
    writeHex(codes, 19, word(block, 2) >>> 16)
    writeHex(codes, 24, word(block, 2))
    writeHex(codes, 28, word(block, 3) >>> 16)
    writeHex(codes, 32, word(block, 3))
    return String.fromCharCode.apply(null, codes)
  }
}

function word(block: Int32Array, index: number): number {
  return block[index] as number
}

/** The low 16 bits as four hexadecimal digits. */
function writeHex(codes: number[], at: number, bits: number): void {
  codes[at] = DIGITS[(bits >>> 12) & 15] as number
  codes[at + 1] = DIGITS[(bits >>> 8) & 15] as number
  codes[at + 2] = DIGITS[(bits >>> 4) & 15] as number
  codes[at + 3] = DIGITS[bits & 15] as number
}
