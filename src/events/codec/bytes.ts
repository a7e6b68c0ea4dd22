/**
 * Bytes out and in. Written against the language alone, because the stored form has to be readable wherever the engine
 * runs. Little-endian throughout.
 */

const TWO_32 = 4_294_967_296
const RECENT_IDS = 8
const UUID_TAG = 16
const TEXT_TAG = 17
/** Texts up to this length are made in one piece. */
const SHORT_TEXT = 256

export class ByteWriter {
  bytes: Uint8Array
  at = 0
  #view: DataView
  readonly #recent: string[] = new Array(RECENT_IDS).fill('')
  #oldest = 0
  /** How many of the recent ids count. */
  #known = 0

  constructor(capacity = 4_096) {
    this.bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.bytes.buffer)
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
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    grown.set(this.bytes)
    this.bytes = grown
    this.#view = new DataView(grown.buffer)
  }

  zeros(count: number): void {
    this.reserve(count)
    this.bytes.fill(0, this.at, this.at + count)
    this.at += count
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
    const recent = this.#recent
    const known = this.#known
    for (let index = 0; index < known; index++)
      if (recent[index] === value) {
        this.byte(index)
        return
      }
    if (known < RECENT_IDS) {
      // A place that was not used yet stands for the empty id.
      if (value === '') return this.byte(known)
      this.#known = known + 1
    }
    recent[this.#oldest] = value
    this.#oldest = (this.#oldest + 1) & (RECENT_IDS - 1)
    if (this.#uuid(value)) return
    this.byte(TEXT_TAG)
    this.text(value)
  }

  #uuid(value: string): boolean {
    if (value.length !== 36) return false
    for (const place of DASHES) if (value.charCodeAt(place) !== DASH) return false
    this.reserve(17)
    const { bytes, at } = this
    let faults = 0
    for (let index = 0; index < 16; index++) {
      const place = PAIRS[index] as number
      const high = HEX_VALUES[value.charCodeAt(place)] ?? 0xff
      const low = HEX_VALUES[value.charCodeAt(place + 1)] ?? 0xff
      faults |= high | low
      bytes[at + 1 + index] = (high << 4) | low
    }
    if (faults > 15) return false
    bytes[at] = UUID_TAG
    this.at = at + 17
    return true
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

/** The bytes do not hold what was expected. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes'
}

export class ByteReader {
  #bytes: Uint8Array
  #view: DataView
  at: number
  readonly #recent: string[] = new Array(RECENT_IDS).fill('')
  #oldest = 0
  /** How many of the recent ids count; the places of the others stand for the empty id. */
  #known = 0

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  /** Reads other bytes from here on. */
  reset(bytes: Uint8Array, at = 0): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.at = at
  }

  forgetIds(): void {
    this.#oldest = 0
    this.#known = 0
  }

  byte(): number {
    const value = this.#bytes[this.at++]
    if (value === undefined) throw new MalformedBytes('the bytes end early')
    return value
  }

  uint32(): number {
    const value = this.#view.getUint32(this.at, true)
    this.at += 4
    return value
  }

  count(): number {
    let value = 0
    let scale = 1
    for (let index = 0; index < 8; index++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale // number
      if (byte < 0x80) return value
      scale *= 128
    }
    throw new MalformedBytes('a count of more than eight bytes')
  }

  integer(): bigint {
    const { at } = this
    switch (this.byte()) {
      case 0:
        return 0n
      case 4:
        this.at = at + 5
        return extended(this.#view.getInt32(at + 1, true))
      case 6:
        this.at = at + 7
        return joined(this.#view.getInt32(at + 1, true), this.#view.getInt16(at + 5, true))
      case 8:
        this.at = at + 9
        return this.#view.getBigInt64(at + 1, true)
      case 9:
        return this.#wide()
      case 10:
        return -this.#wide()
      default:
        throw new MalformedBytes('not an integer')
    }
  }

  #wide(): bigint {
    const length = this.count()
    let digits = '0x0'
    for (let index = 0; index < length; index++) digits += this.byte().toString(16).padStart(2, '0')
    return BigInt(digits)
  }

  flag(): boolean {
    return this.byte() === 1
  }

  double(): number {
    const value = this.#view.getFloat64(this.at, true)
    this.at += 8
    return value
  }

  text(): string {
    const length = this.count()
    const ascii = length <= SHORT_TEXT ? this.#ascii(length) : null
    if (ascii !== null) return ascii
    const end = this.at + length
    let text = ''
    while (this.at < end) text += String.fromCodePoint(this.#codePoint())
    return text
  }

  /** In one piece from its codes; null, with nothing read, where it is not ASCII. */
  #ascii(length: number): string | null {
    const { at } = this
    const codes: number[] = []
    for (let index = 0; index < length; index++) {
      const code = this.#bytes[at + index]
      if (code === undefined || code > 0x7f) return null
      codes.push(code)
    }
    this.at = at + length
    return String.fromCharCode.apply(null, codes)
  }

  #codePoint(): number {
    const first = this.byte()
    if (first < 0x80) return first
    const following = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
    let code = first & (0x3f >> following)
    for (let index = 0; index < following; index++) code = (code << 6) | (this.byte() & 0x3f)
    if (code > 0x10ffff) throw new MalformedBytes('not UTF-8')
    return code
  }

  id(): string {
    const tag = this.byte()
    if (tag < RECENT_IDS) return tag < this.#known ? (this.#recent[tag] as string) : ''
    let value: string
    if (tag === UUID_TAG) value = this.#uuid()
    else if (tag === TEXT_TAG) value = this.text()
    else throw new MalformedBytes('not an id')
    this.#recent[this.#oldest] = value
    this.#oldest = (this.#oldest + 1) & (RECENT_IDS - 1)
    if (this.#known < RECENT_IDS) this.#known += 1
    return value
  }

  #uuid(): string {
    const view = this.#view
    const { at } = this
    const a = view.getUint32(at)
    const b = view.getUint32(at + 4)
    const c = view.getUint32(at + 8)
    const d = view.getUint32(at + 12)
    this.at = at + 16
    return uuidOf(a, b, c, d)
  }

  choice<T>(values: readonly T[]): T {
    const index = this.byte()
    if (index >= values.length) throw new MalformedBytes('not one of the values')
    return values[index] as T
  }

  choices<T>(values: readonly T[]): T[] {
    return Array.from({ length: this.count() }, () => this.choice(values))
  }
}

/** The same accounts and markets come again and again: their ids are spelt once. Direct-mapped, so it never grows. */
const KNOWN = 4_096
const knownWords = new Uint32Array(KNOWN * 4)
const knownTexts: string[] = new Array(KNOWN).fill('')

function uuidOf(a: number, b: number, c: number, d: number): string {
  const slot = (a ^ d) & (KNOWN - 1)
  const at = slot << 2
  const known =
    knownWords[at] === a && knownWords[at + 1] === b && knownWords[at + 2] === c && knownWords[at + 3] === d
  if (known && knownTexts[slot] !== '') return knownTexts[slot] as string
  const text = spell(a, b, c, d)
  knownWords[at] = a
  knownWords[at + 1] = b
  knownWords[at + 2] = c
  knownWords[at + 3] = d
  knownTexts[slot] = text
  return text
}

/** Character codes of the sixteen digits, and back. */
const DIGITS = new Uint8Array(16)
const HEX_VALUES = new Uint8Array(128).fill(0xff)
for (let value = 0; value < 16; value++) {
  DIGITS[value] = value.toString(16).charCodeAt(0)
  HEX_VALUES[DIGITS[value] as number] = value
}
const DASH = 0x2d
/** Where the dashes of a uuid are, and the digits of its bytes. */
const DASHES = [8, 13, 18, 23]
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** In one piece from its codes: put together from parts it would have to be flattened wherever it is looked up. */
function spell(a: number, b: number, c: number, d: number): string {
  // biome-ignore format: in the form of a uuid
  return String.fromCharCode(
    digit(a >>> 28), digit(a >>> 24), digit(a >>> 20), digit(a >>> 16),
    digit(a >>> 12), digit(a >>> 8), digit(a >>> 4), digit(a), DASH,
    digit(b >>> 28), digit(b >>> 24), digit(b >>> 20), digit(b >>> 16), DASH,
    digit(b >>> 12), digit(b >>> 8), digit(b >>> 4), digit(b), DASH,
    digit(c >>> 28), digit(c >>> 24), digit(c >>> 20), digit(c >>> 16), DASH,
    digit(c >>> 12), digit(c >>> 8), digit(c >>> 4), digit(c),
    digit(d >>> 28), digit(d >>> 24), digit(d >>> 20), digit(d >>> 16),
    digit(d >>> 12), digit(d >>> 8), digit(d >>> 4), digit(d),
  )
}

function digit(bits: number): number {
  return DIGITS[bits & 15] as number
}

/** A signed 64-bit integer from its halves, through memory: `BigInt(number)` takes twice as long. */
const halves = new Int32Array(2)
const whole = new BigInt64Array(halves.buffer)
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1

function joined(low: number, high: number): bigint {
  halves[LOW] = low
  halves[1 - LOW] = high
  return whole[0] as bigint
}

function extended(low: number): bigint {
  return joined(low, low >> 31)
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
