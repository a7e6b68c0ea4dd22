/**
 * Sobol points: I. M. Sobol (USSR Comput. Math. Math. Phys. 7, 1967) in the order of I. A. Antonov and V. M. Saleev (1979),
 * with the direction numbers new-joe-kuo-6 of S. Joe and F. Y. Kuo (SIAM J. Sci. Comput. 30, 2008). Each axis is shifted by
 * random bits (exclusive or), which keeps how evenly the points lie and takes the first one away from the corner.
 */
import { Random } from '../simulated/random.ts'

/** Degree, coefficients and first direction numbers of every axis after the first. */
const DIRECTIONS: readonly (readonly [s: number, a: number, m: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
]
const BITS = 32
const TWO_TO_32 = 2 ** 32

/** Most axes there are points for. */
export const SOBOL_AXES = DIRECTIONS.length + 1

/**
 * Points one after the other, of so many coordinates as there are `axes`, 0 <= u < 1.
 *
 * ```ts
 * const points = sobolPoints(2, 'mine')
 * points.next().value?.every((u) => u >= 0 && u < 1) // → true
 * ```
 *
 * @throws RangeError for more than {@link SOBOL_AXES} axes.
 */
export function* sobolPoints(axes: number, seed: string): Generator<number[]> {
  if (axes > SOBOL_AXES) throw new RangeError(`Sobol points have ${SOBOL_AXES} axes at most, not ${axes}`)
  const random = new Random(seed)
  const directions = Array.from({ length: axes }, (_, axis) => directionsOf(axis))
  const point = directions.map(() => random.bits())
  for (let index = 0; ; index++) {
    yield point.map((bits) => bits / TWO_TO_32)
    const changed = 31 - Math.clz32(~index & (index + 1))
    for (const [axis, numbers] of directions.entries())
      point[axis] = ((point[axis] as number) ^ (numbers[changed] as number)) >>> 0
  }
}

/** v_i = m_i·2^(32 − i), continued by the recurrence of the axis' polynomial. */
function directionsOf(axis: number): number[] {
  if (axis === 0) return Array.from({ length: BITS }, (_, bit) => 2 ** (31 - bit))
  const [s, a, m] = DIRECTIONS[axis - 1] as (typeof DIRECTIONS)[number]
  const v = m.map((number, bit) => (number * 2 ** (31 - bit)) >>> 0)
  for (let bit = s; bit < BITS; bit++) {
    let next = (v[bit - s] as number) ^ ((v[bit - s] as number) >>> s)
    for (let k = 1; k < s; k++) if ((a >> (s - 1 - k)) & 1) next ^= v[bit - k] as number
    v.push(next >>> 0)
  }
  return v
}
