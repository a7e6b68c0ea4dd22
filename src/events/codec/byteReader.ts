/** Bytes in: what `byteWriter.ts` has written. */
import { extended, joined } from './halves.ts'
import { RECENT_IDS, TEXT_TAG, UUID_TAG } from './idForm.ts'
import { uuidOf } from './uuidText.ts'

/** Texts up to this length are made in one piece. */
const SHORT_TEXT = 256

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
      value += (byte & 0x7f) * scale
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

  /** The words of an id that was written in full; false for any other. */
  uuid(words: Uint32Array): boolean {
    if (this.byte() !== UUID_TAG) return false
    for (let index = 0; index < 4; index++) words[index] = this.#view.getUint32(this.at + (index << 2))
    return true
  }

  choice<T>(values: readonly T[]): T {
    const index = this.byte()
    if (index >= values.length) throw new MalformedBytes('not one of the values')
    return values[index] as T
  }

  choices<T>(values: readonly T[]): T[] {
    const chosen: T[] = []
    for (let left = this.count(); left > 0; left--) chosen.push(this.choice(values))
    return chosen
  }
}
