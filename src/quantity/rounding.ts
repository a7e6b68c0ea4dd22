/**
 * The only two divisions of the engine, but for what `scaled.ts` computes alike in 64 bits. Both take the exact product first and divide
 * once (A2); which one a quantity uses is part of the name of the function that computes it.
 */

/** ⌊a / b⌋, toward −∞. `b > 0`. */
export function divideDown(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((b - 1n - a) / b)
}

/** ⌈a / b⌉, toward +∞. `b > 0`. */
export function divideUp(a: bigint, b: bigint): bigint {
  return a > 0n ? (a + b - 1n) / b : -(-a / b)
}
