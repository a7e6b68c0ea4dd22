/**
 * The random numbers of simulations: xoshiro128**, by D. Blackman and S. Vigna ("Scrambled linear pseudorandom number
 * generators", ACM TOMS 47, 2021), 32-bit integers throughout, so that every machine draws the same ones.
 */

const TWO_TO_26 = 67_108_864
const TWO_TO_52 = 4_503_599_627_370_496

export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  /** Any text is a seed; the state is drawn from its FNV-1a hash by splitmix32, and is never all zero. */
  constructor(seed: string) {
    let state = fnv1a(seed)
    const next = () => {
      state = (state + 0x9e3779b9) | 0
      let z = state ^ (state >>> 16)
      z = Math.imul(z, 0x21f0aaad)
      z ^= z >>> 15
      z = Math.imul(z, 0x735a2d97)
      return (z ^ (z >>> 15)) | 0
    }
    this.#a = next()
    this.#b = next()
    this.#c = next()
    // A permutation of four different inputs cannot give zero four times.
    this.#d = next()
  }

  /** 32 random bits, 0 to 2^32 − 1. */
  bits(): number {
    const product = Math.imul(this.#b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = (this.#d << 11) | (this.#d >>> 21)
    return result
  }

  /** An odd multiple of 2^−53, 0 < value < 1, uniformly. */
  uniform(): number {
    const high = this.bits() >>> 6
    return (high * TWO_TO_26 + (this.bits() >>> 6) + 0.5) / TWO_TO_52
  }

  /** A whole number, 0 <= value < `limit` <= 2^32, uniformly: draws that would favour small numbers are repeated. */
  below(limit: number): number {
    const fair = 4_294_967_296 - (4_294_967_296 % limit)
    let bits = this.bits()
    while (bits >= fair) bits = this.bits()
    return bits % limit
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const character of new TextEncoder().encode(text)) hash = Math.imul(hash ^ character, 0x01000193)
  return hash | 0
}
