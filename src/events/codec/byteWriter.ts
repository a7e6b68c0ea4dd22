/**
 * Bytes out. Written against the language alone, because the stored form has to be readable wherever the engine runs.
 * Little-endian throughout. What it writes, `byteReader.ts` reads.
 */
import { halves, LOW, whole } from './halves.ts'
import { RECENT_IDS, TEXT_TAG, UUID_BYTES, UUID_TAG } from './idForm.ts'
import { knownUuid, knownWords } from './uuidWords.ts'

const TWO_32 = 4_294_967_296

export class ByteWriter {
  bytes: Uint8Array
  at = 0
  #view: DataView
  /** The recent ids that are no uuids, null in the place of one that is. */
  readonly #recent: (string | null)[] = new Array(RECENT_IDS).fill(null)
  /** Four words of each recent uuid: a text that is kept from one command to the next costs the collector a note of it. */
  readonly #recentWords = new Int32Array(4 * RECENT_IDS)
  #oldest = 0
  /** How many of the recent ids count. */
  #known = 0

  readonly #memory: (bytes: number) => ArrayBufferLike

  /** `memory` gives what is written into. */
  constructor(capacity = 4_096, memory = (bytes: number): ArrayBufferLike => new ArrayBuffer(bytes)) {
    this.#memory = memory
    this.bytes = new Uint8Array(memory(capacity))
    this.#view = new DataView(this.bytes.buffer)
  }

  /** Writes into other memory from its beginning on; what was written stays where it is. */
  moveTo(bytes: Uint8Array): void {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = 0
  }

  /** Starts over, keeping the memory. */
  reset(): void {
    this.at = 0
    this.forgetIds()
  }

  /** Ids written from here on refer to none written before. */
  forgetIds(): void {
    this.#oldest = 0
    this.#known = 0
  }

  /** What was written, as a copy. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.at)
  }

  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const grown = new Uint8Array(this.#memory(Math.max(this.bytes.length * 2, this.at + count)))
    grown.set(this.bytes)
    this.bytes = grown
    this.#view = new DataView(grown.buffer)
  }

  zeros(count: number): void {
    this.reserve(count)
    this.bytes.fill(0, this.at, this.at + count)
    this.at += count
  }

  /** Bytes as they are. */
  append(bytes: Uint8Array, from: number, length: number): void {
    this.reserve(length)
    this.bytes.set(bytes.subarray(from, from + length), this.at)
    this.at += length
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  uint32(value: number): void {
    this.reserve(4)
    this.#view.setUint32(this.at, value, true)
    this.at += 4
  }

  /** Overwrites four bytes written earlier: for lengths and checksums that are known only later. */
  patchUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true)
  }

  /** A whole number from 0 to 2^53 − 1: seven bits to the byte, lowest first. */
  count(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count: ${value}`)
    this.reserve(8)
    let rest = value
    while (rest >= TWO_32) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80
      rest = Math.floor(rest / 128)
    }
    rest >>>= 0
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.at++] = rest
  }

  /**
   * An integer of any size. One byte says how many follow: 0, 4, 6 or 8 of a signed number, or as many as it needs behind
   * a 9 or, below zero, a 10. −2^47 takes eight.
   */
  integer(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) return this.#wide(value)
    this.reserve(9)
    const { at } = this
    whole[0] = value
    const low = halves[LOW] as number
    const high = halves[1 - LOW] as number
    // All eight bytes are written, and as many of them kept as it needs: the rest is written over.
    this.#view.setInt32(at + 1, low, true)
    this.#view.setInt32(at + 5, high, true)
    const length =
      high === low >> 31
        ? low === 0
          ? 0
          : 4
        : (high << 16) >> 16 === high && (high !== -32_768 || low !== 0)
          ? 6
          : 8
    this.bytes[at] = length
    this.at = at + 1 + length
  }

  #wide(value: bigint): void {
    this.byte(value < 0n ? 10 : 9)
    const digits = (value < 0n ? -value : value).toString(16)
    const length = (digits.length + 1) >> 1
    this.count(length)
    this.reserve(length)
    const padded = digits.padStart(length << 1, '0')
    for (let index = 0; index < length; index++)
      this.bytes[this.at++] = Number.parseInt(padded.slice(index << 1, (index << 1) + 2), 16)
  }

  flag(value: boolean): void {
    this.byte(value ? 1 : 0)
  }

  /** A double, for numbers that are not counts. */
  double(value: number): void {
    this.reserve(8)
    this.#view.setFloat64(this.at, value, true)
    this.at += 8
  }

  /** UTF-8 behind its length in bytes. */
  text(value: string): void {
    const ascii = this.#ascii(value)
    if (ascii) return
    const encoded: number[] = []
    for (const character of value) utf8(character.codePointAt(0) as number, encoded)
    this.count(encoded.length)
    this.reserve(encoded.length)
    this.bytes.set(encoded, this.at)
    this.at += encoded.length
  }

  #ascii(value: string): boolean {
    const { length } = value
    for (let index = 0; index < length; index++) if (value.charCodeAt(index) > 0x7f) return false
    this.count(length)
    this.reserve(length)
    for (let index = 0; index < length; index++) this.bytes[this.at++] = value.charCodeAt(index)
    return true
  }

  /** An id: one byte if it is among the last eight, sixteen bytes for a uuid in lower case, else text. */
  id(value: string): void {
    const from = knownUuid(value)
    if (from < 0) return this.#otherId(value)
    const words = this.#recentWords
    const known = this.#known
    const a = knownWords[from] as number
    const b = knownWords[from + 1] as number
    const c = knownWords[from + 2] as number
    const d = knownWords[from + 3] as number
    for (let index = 0; index < known; index++) {
      const at = index << 2
      const isIt = words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d
      if (isIt && this.#recent[index] === null) return this.byte(index)
    }
    const place = this.#placeOfNew()
    if (this.#recent[place] !== null) this.#recent[place] = null
    words[place << 2] = a
    words[(place << 2) + 1] = b
    words[(place << 2) + 2] = c
    words[(place << 2) + 3] = d
    this.reserve(UUID_BYTES)
    const view = this.#view
    const { at } = this
    this.bytes[at] = UUID_TAG
    view.setInt32(at + 1, a)
    view.setInt32(at + 5, b)
    view.setInt32(at + 9, c)
    view.setInt32(at + 13, d)
    this.at = at + UUID_BYTES
  }

  #otherId(value: string): void {
    const known = this.#known
    for (let index = 0; index < known; index++) if (this.#recent[index] === value) return this.byte(index)
    // A place that was not used yet stands for the empty id.
    if (value === '' && known < RECENT_IDS) return this.byte(known)
    this.#recent[this.#placeOfNew()] = value
    this.byte(TEXT_TAG)
    this.text(value)
  }

  /** Where among the recent ids a new one goes. */
  #placeOfNew(): number {
    const place = this.#oldest
    this.#oldest = (place + 1) & (RECENT_IDS - 1)
    if (this.#known < RECENT_IDS) this.#known += 1
    return place
  }

  /** One of a list of values, by its place in it. */
  choice<T>(values: readonly T[], value: T): void {
    const index = values.indexOf(value)
    if (index === -1) throw new RangeError(`not one of ${values.join()}: ${String(value)}`)
    this.byte(index)
  }

  choices<T>(values: readonly T[], chosen: readonly T[]): void {
    this.count(chosen.length)
    for (const value of chosen) this.choice(values, value)
  }
}

/** Lone surrogates are kept as they are: what was written is what is read. */
function utf8(code: number, into: number[]): void {
  if (code < 0x80) into.push(code)
  else if (code < 0x800) into.push(0xc0 | (code >> 6), continuation(code))
  else if (code < 0x10000) into.push(0xe0 | (code >> 12), continuation(code >> 6), continuation(code))
  else into.push(0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code))
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f)
}
