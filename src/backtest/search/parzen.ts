/**
 * Tree-structured Parzen estimator (J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl, NIPS 24, 2011): the points seen so far are
 * divided into the better ones and the rest, the density of either is estimated on each axis, and of some points drawn from
 * the better ones the one is taken at which their density exceeds that of the rest most.
 */
import { exp, ln } from '../simulated/exponential.ts'
import { normal } from '../simulated/normal.ts'
import { Random } from '../simulated/random.ts'
import { byFirstCost, type Sampler, type Seen } from './sampler.ts'

/** Share of the points that counts as better, and the most there are of them. */
const BETTER = 0.2
const MOST_BETTER = 25
/** Points drawn, of which the best is proposed. */
const CANDIDATES = 32
/** The narrowest a kernel gets, as a share of the axis. */
const NARROWEST = 0.02

/**
 * The point to look at next.
 *
 * @param seen points with coordinates 0 <= u < 1, best first; at least one.
 */
export function proposedPoint(seen: readonly (readonly number[])[], seed: string): number[] {
  const random = new Random(seed)
  const count = Math.min(MOST_BETTER, Math.max(1, Math.ceil(BETTER * seen.length)))
  const axes = seen[0]?.length ?? 0
  const [better, rest] = [seen.slice(0, count), seen.slice(count)].map((points) =>
    Array.from({ length: axes }, (_, axis) => new Kernels(points.map((point) => point[axis] as number))),
  ) as [Kernels[], Kernels[]]
  let best: number[] = []
  let most = Number.NEGATIVE_INFINITY
  for (let candidate = 0; candidate < CANDIDATES; candidate++) {
    const point = better.map((kernels) => kernels.draw(random))
    const excess = point.reduce(
      (sum, u, axis) =>
        sum + ln((better[axis] as Kernels).density(u)) - ln((rest[axis] as Kernels).density(u)),
      0,
    )
    if (excess > most) [best, most] = [point, excess]
  }
  return best
}

/** Sets that are asked for together. */
const BATCH = 8

export class Parzen implements Sampler {
  readonly beginning = 2 * BATCH
  readonly batch = BATCH
  #best: readonly (readonly number[])[] = []

  learn(seen: readonly Seen[]): void {
    this.#best = [...seen].sort(byFirstCost).map(({ at }) => at)
  }

  proposed(seed: string): number[] {
    return proposedPoint(this.#best, seed)
  }
}

/** A density on 0 to 1: a normal kernel at each value, and one that is even over the axis. */
class Kernels {
  readonly #values: readonly number[]
  readonly #width: number

  /** The width falls with the fifth root of the number of values, as D. W. Scott's rule (1992) has it for one axis. */
  constructor(values: readonly number[]) {
    this.#values = values
    this.#width = Math.max(NARROWEST, 0.15 * exp(-0.2 * ln(Math.max(1, values.length))))
  }

  density(u: number): number {
    const kernels = this.#values.reduce((sum, value) => {
      const z = (u - value) / this.#width
      return sum + exp((-z * z) / 2) / (this.#width * Math.sqrt(2 * Math.PI))
    }, 1)
    return kernels / (this.#values.length + 1)
  }

  draw(random: Random): number {
    const chosen = random.below(this.#values.length + 1)
    if (chosen === this.#values.length) return random.uniform()
    const value = this.#values[chosen] as number
    // What falls off the axis is drawn again.
    for (;;) {
      const u = value + this.#width * normal(random)
      if (u >= 0 && u < 1) return u
    }
  }
}
