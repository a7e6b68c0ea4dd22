/**
 * Threefry-4x32 with 20 rounds, a counter-based generator: for one key a permutation of the 128-bit counters (Salmon,
 * Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 */

const ROTATIONS = [10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20] as const
const ROUNDS = 20
const PARITY = 0x1bd11bda

/** Four words of key and their parity. */
export function threefryKey(a: number, b: number, c: number, d: number): Uint32Array {
  return Uint32Array.of(a, b, c, d, a ^ b ^ c ^ d ^ PARITY)
}

/** Replaces the four counter words in `block` by the four random words they stand for. */
export function threefry(key: Uint32Array, block: Int32Array): void {
  let x0 = (at(block, 0) + at(key, 0)) | 0
  let x1 = (at(block, 1) + at(key, 1)) | 0
  let x2 = (at(block, 2) + at(key, 2)) | 0
  let x3 = (at(block, 3) + at(key, 3)) | 0
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
  block[0] = x0
  block[1] = x1
  block[2] = x2
  block[3] = x3
}

/** The inverse of {@link threefry}: replaces four random words by the counter words that they stand for. */
export function counterOf(key: Uint32Array, block: Int32Array): void {
  let x0 = at(block, 0)
  let x1 = at(block, 1)
  let x2 = at(block, 2)
  let x3 = at(block, 3)
  for (let round = ROUNDS - 1; round >= 0; round--) {
    if ((round & 3) === 3) {
      const injection = (round >> 2) + 1
      x0 = (x0 - at(key, injection % 5)) | 0
      x1 = (x1 - at(key, (injection + 1) % 5)) | 0
      x2 = (x2 - at(key, (injection + 2) % 5)) | 0
      x3 = (x3 - at(key, (injection + 3) % 5) - injection) | 0
    }
    const swapped = x1
    x1 = x3
    x3 = swapped
    const rotation = (round & 7) << 1
    const [r0, r1] = [ROTATIONS[rotation] as number, ROTATIONS[rotation + 1] as number]
    x1 = rotate(x1 ^ x0, 32 - r0)
    x0 = (x0 - x1) | 0
    x3 = rotate(x3 ^ x2, 32 - r1)
    x2 = (x2 - x3) | 0
  }
  block[0] = (x0 - at(key, 0)) | 0
  block[1] = (x1 - at(key, 1)) | 0
  block[2] = (x2 - at(key, 2)) | 0
  block[3] = (x3 - at(key, 3)) | 0
}

function at(words: Uint32Array | Int32Array, index: number): number {
  return words[index] as number
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
