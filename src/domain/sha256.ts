/**
 * SHA-256 (FIPS 180-4) in plain TypeScript: the state hash has to be the same in a browser, in Bun and in Node, and
 * the platform's own digest is either asynchronous or not everywhere.
 */

const ROUND_CONSTANTS = primes(64).map((prime) => fractionBits(Math.cbrt(prime)))
const INITIAL = primes(8).map((prime) => fractionBits(Math.sqrt(prime)))

/** The digest of a text's UTF-8 bytes, or of bytes: 32 bytes. */
export function sha256(input: string | Uint8Array): Uint8Array {
  const message = typeof input === 'string' ? utf8(input) : input
  const state = Int32Array.from(INITIAL)
  const schedule = new Int32Array(64)
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, schedule, view, offset)
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  for (let index = 0; index < 8; index++) out.setInt32(index << 2, state[index] as number)
  return digest
}

/** The digest as 64 hexadecimal digits. */
export function sha256Hex(input: string | Uint8Array): string {
  return Array.from(sha256(input), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function compress(state: Int32Array, w: Int32Array, view: DataView, offset: number): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(offset + (t << 2))
  for (let t = 16; t < 64; t++) {
    const w15 = w[t - 15] as number
    const w2 = w[t - 2] as number
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    w[t] = (s1 + (w[t - 7] as number) + s0 + (w[t - 16] as number)) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
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

function pad(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((message.length + 8) >>> 6) + 1) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  const bits = message.length * 8 // number
  view.setUint32(padded.length - 8, Math.floor(bits / 2 ** 32)) // number
  view.setUint32(padded.length - 4, bits >>> 0)
  return padded
}

/** UTF-8 of a text. Written out because `TextEncoder` belongs to the platform, not to the language. */
function utf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) as number
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), continuation(code))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), continuation(code >> 6), continuation(code))
    else
      bytes.push(0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code))
  }
  return Uint8Array.from(bytes)
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
