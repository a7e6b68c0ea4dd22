/**
 * Bayesian optimisation: where a Gaussian process of what was seen expects the most improvement (D. R. Jones, M. Schonlau, W. J. Welch,
 * Journal of Global Optimization 13, 1998). Of a batch each point is chosen as if those before it had come to what was expected of them (kriging believer: D. Ginsbourger,
 * R. Le Riche, L. Carraro, 2010).
 */
import { normal } from '../simulated/normal.ts'
import { Random } from '../simulated/random.ts'
import { logExpectedImprovement } from './expectedImprovement.ts'
import { type Choices, fitted, GaussianProcess, type Scales } from './gaussianProcess.ts'
import { byFirstCost, type Sampler, type Seen } from './sampler.ts'

/** What the optimiser has to know of a space. */
export interface Places {
  readonly choices: Choices
  /** The point that stands for all that come to the same parameters. */
  readonly middle: (at: readonly number[]) => readonly number[]
  /** Whether a set may be run. */
  readonly isAllowed: (at: readonly number[]) => boolean
}

/** Sets that are asked for together. */
const BATCH = 4
/** Points of an even design for each axis, and the fewest. */
const DESIGNED = 3
const FEWEST_DESIGNED = 8
/** The most that the process is made of: the best half of so many, and the latest. Its time grows with their cube. */
const MOST = 200
/** Points drawn over the whole space, and near the best; from the likeliest of them so many steps are tried. */
const ANYWHERE = 160
const NEARBY = 80
const STEPS = 80
/** What is worse than the middle by more than so many times the way from the best to it is all as bad. */
const WORST = 2
const BELOW_ONE = 1 - 2 ** -53

export class Bayesian implements Sampler {
  readonly batch = BATCH
  readonly beginning: number
  readonly #places: Places
  readonly #known = new Set<string>()
  #scales: Scales
  #process: GaussianProcess | null = null
  #best: readonly (readonly number[])[] = []
  #least = 0

  constructor(places: Places) {
    this.#places = places
    const axes = places.choices.length
    this.#scales = { lengths: new Array<number>(axes).fill(0.5), noise: 1e-3 }
    this.beginning = Math.max(FEWEST_DESIGNED, DESIGNED * axes)
  }

  learn(seen: readonly Seen[], fresh: number): void {
    const { choices, middle } = this.#places
    for (const { at } of seen.slice(-fresh)) this.#known.add(keyOf(middle(at)))
    const told = modelled(seen)
    const points = told.map(({ at }) => middle(at))
    const costs = tamed(told.map(({ costs: [cost = 0] }) => cost))
    this.#scales = fitted(choices, this.#scales, points, costs)
    const process = new GaussianProcess(choices, this.#scales, points, costs)
    this.#process = process
    this.#best = points.slice(0, 4)
    // Costs are noisy to the process: the least that it believes in.
    this.#least = Math.min(...points.map((point) => process.at(point).mean))
  }

  /** Anywhere, where no place that is allowed was found that is new. */
  proposed(seed: string): readonly number[] {
    const random = new Random(seed)
    const process = this.#process
    const drawn = this.#drawn(random)
    if (process === null || drawn.length === 0) return this.#anywhere(random)
    const worthOf = (point: readonly number[]) => logExpectedImprovement(process.at(point), this.#least)
    let [best, most] = [drawn[0] as readonly number[], Number.NEGATIVE_INFINITY]
    const offer = (point: readonly number[]) => {
      const worth = worthOf(point)
      if (!(worth > most)) return false
      ;[best, most] = [point, worth]
      return true
    }
    for (const point of drawn) offer(point)
    let width = 0.1
    for (let step = 0; step < STEPS; step++) {
      const point = this.#near(best, width, random)
      // The fifth of steps that is to succeed (I. Rechenberg, Evolutionsstrategie, 1973).
      width *= this.#isNew(point) && offer(point) ? 1.6 : 0.9
    }
    this.#known.add(keyOf(best))
    process.believe(best, process.at(best).mean)
    return best
  }

  #drawn(random: Random): (readonly number[])[] {
    const { middle } = this.#places
    const anywhere = Array.from({ length: ANYWHERE }, () => middle(this.#anywhere(random)))
    const nearby = Array.from({ length: NEARBY }, (_, number) =>
      this.#near(
        this.#best[number % this.#best.length] ?? this.#anywhere(random),
        0.2 / 2 ** (number % 8),
        random,
      ),
    )
    return [...anywhere, ...nearby].filter((point) => this.#isNew(point))
  }

  #anywhere(random: Random): number[] {
    return this.#places.choices.map(() => random.uniform())
  }

  /** A place some way off, of which at least one coordinate is another. */
  #near(point: readonly number[], width: number, random: Random): readonly number[] {
    const { choices, middle } = this.#places
    const moved = random.below(point.length)
    return middle(
      point.map((u, axis) => {
        if (axis !== moved && random.uniform() < 0.5) return u
        if (choices[axis] === true) return random.uniform()
        return Math.min(Math.max(u + width * normal(random), 0), BELOW_ONE)
      }),
    )
  }

  #isNew(point: readonly number[]): boolean {
    return !this.#known.has(keyOf(point)) && this.#places.isAllowed(point)
  }
}

function keyOf(point: readonly number[]): string {
  return point.join()
}

/** The best first; of too many the better half and the latest of the rest. */
function modelled(seen: readonly Seen[]): Seen[] {
  const ordered = [...seen].sort(byFirstCost)
  if (ordered.length <= MOST) return ordered
  const best = ordered.slice(0, MOST / 2)
  const kept = new Set(best)
  return [...best, ...seen.filter((one) => !kept.has(one)).slice(-MOST / 2)]
}

/** Where runs that lost everything lie far from the others, these would be told apart by nothing. A missing figure is as bad as the worst. */
function tamed(costs: readonly number[]): number[] {
  const there = costs.filter(Number.isFinite).sort((a, b) => a - b)
  const [best = 0, middle = 0] = [there[0], there[there.length >> 1]]
  const worst = middle > best ? middle + WORST * (middle - best) : (there.at(-1) ?? 0)
  return costs.map((cost) => Math.min(cost, worst))
}
