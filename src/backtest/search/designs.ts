/** Points that are chosen before any is looked at. Coordinates are 0 <= u < 1. */
import { Random } from '../simulated/random.ts'

/** Uniform points, independent of each other. */
export function* randomPoints(axes: number, seed: string): Generator<number[]> {
  for (let index = 0; ; index++) {
    const random = new Random(`${seed}/${index}`)
    yield Array.from({ length: axes }, () => random.uniform())
  }
}

/**
 * A Latin hypercube (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21, 1979): on every axis each of the `count`
 * equal parts holds one point.
 */
export function latinHypercube(axes: number, count: number, seed: string): number[][] {
  const random = new Random(seed)
  const columns = Array.from({ length: axes }, () =>
    shuffled(count, random).map((part) => (part + random.uniform()) / count),
  )
  return Array.from({ length: count }, (_, index) => columns.map((column) => column[index] as number))
}

/** 0 to count − 1 in random order (R. Durstenfeld, CACM 7, 1964). */
function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[order[last], order[other]] = [order[other] as number, order[last] as number]
  }
  return order
}
