/**
 * How children come of parents whose coordinates are 0 <= u < 1: simulated binary crossover (K. Deb, R. B. Agrawal, Complex Systems 9,
 * 1995) and polynomial mutation (K. Deb, M. Goyal, Computer Science and Informatics 26, 1996), both within the bounds.
 */
import { exp, ln } from '../simulated/exponential.ts'
import type { Random } from '../simulated/random.ts'

/** How likely a child is crossed. */
const CROSSED = 0.9
/** Distribution index of mutation: the larger, the nearer a child is to its parents. */
const ETA_CHANGED = 20
const BELOW_ONE = 1 - 2 ** -53

/** @param isChoice of each axis whether its values have no order. @param eta distribution index of crossover. */
export function childOf(
  one: readonly number[],
  other: readonly number[],
  { isChoice, eta, random }: { isChoice: readonly boolean[]; eta: number; random: Random },
): number[] {
  const isCrossed = random.uniform() < CROSSED
  return one.map((u, axis) => {
    const v = other[axis] as number
    const hasNoOrder = isChoice[axis] as boolean
    const crossed = isCrossed && random.uniform() < 0.5 ? (hasNoOrder ? v : between(u, v, eta, random)) : u
    if (random.uniform() >= 1 / one.length) return crossed
    return hasNoOrder ? random.uniform() : changed(crossed, random)
  })
}

/** One of the two children of simulated binary crossover, within the bounds. */
function between(u: number, v: number, eta: number, random: Random): number {
  const [low, high] = u < v ? [u, v] : [v, u]
  const draw = random.uniform()
  const isLower = random.uniform() < 0.5
  const apart = high - low
  if (apart < 1e-14) return u
  const room = isLower ? low : 1 - high
  const beta = 1 + (2 * room) / apart
  const alpha = 2 - power(beta, -(eta + 1))
  const spread =
    draw <= 1 / alpha ? power(draw * alpha, 1 / (eta + 1)) : power(1 / (2 - draw * alpha), 1 / (eta + 1))
  return within((low + high + (isLower ? -1 : 1) * spread * apart) / 2)
}

/** Polynomial mutation within the bounds. */
function changed(u: number, random: Random): number {
  const draw = random.uniform()
  const inverse = 1 / (ETA_CHANGED + 1)
  if (draw < 0.5) {
    const base = 2 * draw + (1 - 2 * draw) * power(1 - u, ETA_CHANGED + 1)
    return within(u + power(base, inverse) - 1)
  }
  const base = 2 * (1 - draw) + 2 * (draw - 0.5) * power(u, ETA_CHANGED + 1)
  return within(u + 1 - power(base, inverse))
}

function within(u: number): number {
  return Math.min(Math.max(u, 0), BELOW_ONE)
}

/** The same on every machine. */
function power(base: number, exponent: number): number {
  return base <= 0 ? 0 : exp(exponent * ln(base))
}
