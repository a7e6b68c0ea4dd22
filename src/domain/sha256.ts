/**
 * SHA-256 (FIPS 180-4) in plain TypeScript: the state hash has to be the same in a browser, in Bun and in Node, and
 * the platform's own digest is either asynchronous or not everywhere.
 */

const ROUND_CONSTANTS = primes(64).map((prime) => fractionBits(Math.cbrt(prime)))
const INITIAL = primes(8).map((prime) => fractionBits(Math.sqrt(prime)))

/** The digest of a text's UTF-8 bytes, or of bytes: 32 bytes. */
export function sha256(input: string | Uint8Array): Uint8Array {
  const hash = new Sha256()
  if (typeof input === 'string') hash.text(input)
  else hash.bytes(input)
  return hash.digest()
}

/** The digest of what is told to it piece by piece: what is hashed need not be in one place, nor fit into one. */
export class Sha256 {
  readonly #state = Int32Array.from(INITIAL)
  readonly #schedule = new Int32Array(64)
  readonly #block = new Uint8Array(64)
  readonly #view = new DataView(this.#block.buffer)
  #filled = 0
  #length = 0

  bytes(bytes: Uint8Array): void {
    for (const byte of bytes) this.#byte(byte)
  }

  /** UTF-8 of a text. Written out because `TextEncoder` belongs to the platform, not to the language. */
  text(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit < 0x80) this.#byte(unit)
      else {
        const code = text.codePointAt(at) as number
        if (code > 0xffff) at += 1
        this.#encoded(code)
      }
    }
  }

  /** 32 bytes. Nothing can be told to it afterwards. */
  digest(): Uint8Array {
    const bits = this.#length * 8 // number
    this.#byte(0x80)
    while (this.#filled !== 56) this.#byte(0)
    this.#view.setUint32(56, Math.floor(bits / 2 ** 32)) // number
    this.#view.setUint32(60, bits >>> 0)
    compress(this.#state, this.#schedule, this.#view)
    const digest = new Uint8Array(32)
    const out = new DataView(digest.buffer)
    for (let index = 0; index < 8; index++) out.setInt32(index << 2, this.#state[index] as number)
    return digest
  }

  #byte(byte: number): void {
    this.#block[this.#filled] = byte
    this.#filled += 1
    this.#length += 1
    if (this.#filled < 64) return
    compress(this.#state, this.#schedule, this.#view)
    this.#filled = 0
  }

  #encoded(code: number): void {
    if (code < 0x800) this.#byte(0xc0 | (code >> 6))
    else {
      if (code < 0x10000) this.#byte(0xe0 | (code >> 12))
      else {
        this.#byte(0xf0 | (code >> 18))
        this.#byte(continuation(code >> 12))
      }
      this.#byte(continuation(code >> 6))
    }
    this.#byte(continuation(code))
  }
}

/** The digest as 64 hexadecimal digits. */
export function sha256Hex(input: string | Uint8Array): string {
  return hexadecimal(sha256(input))
}

export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function compress(state: Int32Array, w: Int32Array, view: DataView): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(t << 2)
  for (let t = 16; t < 64; t++) {
    const w15 = w[t - 15] as number
    const w2 = w[t - 2] as number
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    w[t] = (s1 + (w[t - 7] as number) + s0 + (w[t - 16] as number)) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = (h + big1 + choice + (ROUND_CONSTANTS[t] as number) + (w[t] as number)) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + big0 + majority) | 0
  }
  const working = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++)
    state[index] = ((state[index] as number) + (working[index] as number)) | 0
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

/** The first 32 bits of the fractional part. */
function fractionBits(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0 // number
}
