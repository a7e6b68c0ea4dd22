/**
 * Products in doubles, for what is computed once per row of market data. Exact as long as every argument is a safe
 * integer (at most 2^53 − 1), which amounts in fp9 are up to nine million; what cannot be said exactly is NaN, and the
 * functions of `products.ts` have to be asked.
 */
const ONE = 1_000_000_000

/** Below it a quotient that was computed in doubles is less than one away from the true one. */
const LARGEST_QUOTIENT = 2 ** 51

const BITS = new BigInt64Array(1)
const WORDS = new Int32Array(BITS.buffer)
BITS[0] = 1n
const [LOW, HIGH] = WORDS[0] === 1 ? [0, 1] : [1, 0]

/**
 * The double of the same value; NaN where there is none. Made of the words of the value, because `Number` of a bigint is a call
 * that the compiler does not look into: of values that lie all over the memory it takes four times as long.
 */
export function safeInteger(value: bigint): number {
  if (BigInt.asIntN(64, value) !== value) return Number.NaN
  BITS[0] = value
  const number = (WORDS[HIGH] as number) * 2 ** 32 + ((WORDS[LOW] as number) >>> 0)
  return Number.isSafeInteger(number) ? number : Number.NaN
}

/** Value of `size` at `price`, both from zero up: ⌊size·price / ONE⌋. */
export function safeNotionalDown(size: number, price: number): number {
  const near = Math.floor((size * price) / ONE)
  if (!(near < LARGEST_QUOTIENT)) return Number.NaN
  const rest = remainder(size, price, near)
  return rest < 0 ? near - 1 : rest >= ONE ? near + 1 : near
}

/** Value of `size` at `price`, both from zero up: ⌈size·price / ONE⌉. */
export function safeNotionalUp(size: number, price: number): number {
  const near = Math.floor((size * price) / ONE)
  if (!(near < LARGEST_QUOTIENT)) return Number.NaN
  const rest = remainder(size, price, near)
  return rest <= 0 ? near : rest > ONE ? near + 2 : near + 1
}

/** size·price − quotient·ONE, which lies within ±2^31 and so is known from the low 32 bits of the products. */
function remainder(size: number, price: number, quotient: number): number {
  return (Math.imul(size, price) - Math.imul(quotient, ONE)) | 0
}
