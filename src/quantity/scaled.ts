/**
 * Products of two quantities over {@link ONE}. Where all of it fits in 64 bits V8 computes it in registers, in a third to a half of the
 * time: a product of 128 bits is an object, and so is all that is added to it before the division. With a = a₁·ONE + a₀ and
 * b = b₁·ONE + b₀ it is a₁·b + a₀·b₁ + a₀·b₀/ONE.
 */
import { ONE } from './fp9.ts'
import { divideDown, divideUp } from './rounding.ts'

/** The first term is not beyond it, the second is below b, which is below it, and the third below ONE. */
const MOST = 2n ** 62n
const LESS_THAN_ONE = ONE - 1n

/** ⌊a·b / ONE⌋. */
export function scaledDown(a: bigint, b: bigint): bigint {
  return fits(a, b) ? inRegisters(a, b, 0n) : divideDown(a * b, ONE)
}

/** ⌈a·b / ONE⌉. */
export function scaledUp(a: bigint, b: bigint): bigint {
  return fits(a, b) ? inRegisters(a, b, LESS_THAN_ONE) : divideUp(a * b, ONE)
}

function fits(a: bigint, b: bigint): boolean {
  const x = BigInt.asIntN(64, a)
  const y = BigInt.asIntN(64, b)
  if (x !== a || y !== b || x < 0n || y < 0n || y >= MOST) return false
  return BigInt.asIntN(64, x / ONE) <= BigInt.asIntN(64, MOST / BigInt.asIntN(64, y + 1n))
}

/** `more` is added to the last product before it is divided. */
function inRegisters(a: bigint, b: bigint, more: bigint): bigint {
  const x = BigInt.asIntN(64, a)
  const y = BigInt.asIntN(64, b)
  const upper = BigInt.asIntN(64, x / ONE)
  const lower = BigInt.asIntN(64, x - BigInt.asIntN(64, upper * ONE))
  const whole = BigInt.asIntN(64, y / ONE)
  const rest = BigInt.asIntN(64, y - BigInt.asIntN(64, whole * ONE))
  const exact = BigInt.asIntN(64, BigInt.asIntN(64, upper * y) + BigInt.asIntN(64, lower * whole))
  const rounded = BigInt.asIntN(64, BigInt.asIntN(64, lower * rest) + more)
  return BigInt.asIntN(64, exact + BigInt.asIntN(64, rounded / ONE))
}
