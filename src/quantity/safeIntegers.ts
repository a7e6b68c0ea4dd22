/**
 * Products in doubles, for what is computed once per row of market data. Exact as long as every argument is a safe
 * integer (at most 2^53 − 1), which amounts in fp9 are up to nine million; what cannot be said exactly is NaN, and the
 * functions of `products.ts` have to be asked.
 */
const ONE = 1_000_000_000

/** Below it a quotient that was computed in doubles is less than one away from the true one. */
const LARGEST_QUOTIENT = 2 ** 51

/** The double of the same value; NaN where there is none. */
export function safeInteger(value: bigint): number {
  const number = Number(value)
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
