/** Columns of 64-bit integers, read and written as doubles: reading a `BigInt64Array` makes a bigint per element. */

/** Where the two halves of an integer lie, in the byte order of the machine. */
const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1
const HIGH = 1 - LOW
const TWO_TO_32 = 4_294_967_296
/** So many 32-bit numbers add up to a safe integer. */
const SAFE_TERMS = 2 ** 21

/** The column as 32-bit halves, over the same memory. */
export function wordsOf({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, 2 * length)
}

/** The element at `row`; beyond ±2^53 the double nearest to it. */
export function wordsAt(words: Int32Array, row: number): number {
  return (words[2 * row + HIGH] as number) * TWO_TO_32 + ((words[2 * row + LOW] as number) >>> 0)
}

/** Copies an element. */
export function copyWords(from: Int32Array, fromRow: number, to: Int32Array, toRow: number): void {
  to[2 * toRow] = from[2 * fromRow] as number
  to[2 * toRow + 1] = from[2 * fromRow + 1] as number
}

/** Σ of the elements from `from` up to before `to`, exactly. */
export function sumOfWords(words: Int32Array, from: number, to: number): bigint {
  let sum = 0n
  for (let start = from; start < to; start += SAFE_TERMS) {
    const end = Math.min(to, start + SAFE_TERMS)
    let [high, low] = [0, 0]
    for (let row = start; row < end; row++) {
      high += words[2 * row + HIGH] as number
      low += (words[2 * row + LOW] as number) >>> 0
    }
    sum += BigInt(high) * BigInt(TWO_TO_32) + BigInt(low)
  }
  return sum
}

/** Sets the element at `row` to a safe integer. */
export function setWords(words: Int32Array, row: number, value: number): void {
  words[2 * row + HIGH] = Math.floor(value / TWO_TO_32)
  words[2 * row + LOW] = value | 0
}
