/**
 * SHA-256 (FIPS 180-4) in plain TypeScript: the state hash has to be the same in a browser, in Bun and in Node, and
 * the platform's own digest is either asynchronous or not everywhere.
 */

const ROUND_CONSTANTS = Int32Array.from(primes(64), (prime) => fractionBits(Math.cbrt(prime)))
const INITIAL = Int32Array.from(primes(8), (prime) => fractionBits(Math.sqrt(prime)))

/** The digest of a text's UTF-8 bytes, or of bytes: 32 bytes. */
export function sha256(input: string | Uint8Array): Uint8Array {
  const hash = new Sha256()
  if (typeof input === 'string') hash.text(input)
  else hash.bytes(input)
  return hash.digest()
}

/** The digest of what is told to it piece by piece: what is hashed need not be in one place, nor fit into one. */
export class Sha256 {
  readonly #state = INITIAL.slice()
  readonly #schedule = new Int32Array(64)
  readonly #block = new Uint8Array(64)
  readonly #view = new DataView(this.#block.buffer)
  #filled = 0
  #length = 0

  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) this.#byte(bytes[at] as number)
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

  /** 32 bytes. What is told to it afterwards belongs to the next digest. */
  digest(): Uint8Array {
    const bits = this.#length * 8
    this.#byte(0x80)
    while (this.#filled !== 56) this.#byte(0)
    this.#view.setUint32(56, Math.floor(bits / 2 ** 32))
    this.#view.setUint32(60, bits >>> 0)
    compress(this.#state, this.#schedule, this.#view)
    const digest = new Uint8Array(32)
    for (let at = 0; at < 32; at++) digest[at] = (this.#state[at >> 2] as number) >>> (24 - ((at & 3) << 3))
    this.#state.set(INITIAL)
    this.#filled = 0
    this.#length = 0
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
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
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
  state[0] = ((state[0] as number) + a) | 0
  state[1] = ((state[1] as number) + b) | 0
  state[2] = ((state[2] as number) + c) | 0
  state[3] = ((state[3] as number) + d) | 0
  state[4] = ((state[4] as number) + e) | 0
  state[5] = ((state[5] as number) + f) | 0
  state[6] = ((state[6] as number) + g) | 0
  state[7] = ((state[7] as number) + h) | 0
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
  return ((value - Math.floor(value)) * 2 ** 32) | 0
}
