/** The points of a search, one after the other: where an even design puts them, or whoever learns from those that ran. */
import { type Constraint, parametersKeep } from '../strategies/constraint.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { latinHypercube, randomPoints } from './designs.ts'
import { sobolPoints } from './sobol.ts'
import { type Dimension, parametersAt } from './space.ts'

export interface Point {
  readonly at: readonly number[]
  readonly parameters: StrategyParameters
}

/** What of a search says where its points may be. */
interface Searched {
  readonly space: readonly Dimension[]
  readonly method: string
  readonly sets: number
  readonly constraints?: readonly Constraint[]
  readonly seed?: string
}

/** Draws in vain after which a space has no more sets. */
const DRAWS = 2_000

/** Points whose parameters are new, keep the constraints and are taken by the strategy. */
export class Points {
  readonly #options: Searched
  readonly #isTaken: (set: StrategyParameters) => boolean
  readonly #source: Iterator<readonly number[]>
  readonly #known = new Set<string>()

  constructor(options: Searched, isTaken: (set: StrategyParameters) => boolean) {
    this.#options = options
    this.#isTaken = isTaken
    this.#source = sourceOf(options)
  }

  /** The next points of the design; fewer where it, or the space, has no more. */
  next(count: number): Point[] {
    const points: Point[] = []
    while (points.length < count) {
      const point = this.fresh(() => this.#source.next().value)
      if (point === null) break
      points.push(point)
    }
    return points
  }

  /** The next place of the design, whatever is there; undefined where it has no more. */
  place(): readonly number[] | undefined {
    return this.#source.next().value
  }

  /** The first of so many draws that is new; null where none is. */
  fresh(draw: (number: number) => readonly number[] | undefined): Point | null {
    const { space, constraints = [] } = this.#options
    for (let number = 0; number < DRAWS; number++) {
      const at = draw(number)
      if (at === undefined) return null
      const parameters = parametersAt(space, at)
      const text = JSON.stringify(parameters)
      if (this.#known.has(text) || !parametersKeep(parameters, constraints)) continue
      if (!this.#isTaken(parameters)) continue
      this.#known.add(text)
      return { at, parameters }
    }
    return null
  }
}

function sourceOf({ method, space, sets, seed = 'search' }: Searched): Iterator<readonly number[]> {
  if (method === 'random') return randomPoints(space.length, seed)
  if (method === 'latin-hypercube') return latinHypercube(space.length, sets, seed).values()
  return sobolPoints(space.length, seed)
}
