/** The kept models that a run starts from, handed to those that its strategy learns, and what the run in turn keeps. */

import { type KeptModel, KeptModelError } from './keptModel.ts'
import type { Learned } from './learned.ts'

/** What to do with the models of a run. */
export interface ShelfOptions {
  /** Those to start from. Default: none, each model is learned anew. */
  readonly from?: readonly KeptModel[]
  /** Whether they are to be kept, so that one which cannot be is refused when it is made. Default: false. */
  readonly keeps?: boolean
}

/**
 * One for each run. Models are known by their market, their name, and which of that name they are.
 *
 * ```ts
 * const models = new ModelShelf({ keeps: true })
 * const markets = [{ asset: 'BTC', feed: demoFeed('demo', 3) }]
 * await runBacktest({ markets, strategy: learnedDirection({ asset: 'BTC' }), models })
 * models.kept.map(({ model, fits }) => `${model}: ${fits.length}`).join() // → change in 60 bars: 3
 * ```
 */
export class ModelShelf {
  readonly #from: readonly KeptModel[] | null
  readonly keeps: boolean
  readonly #learned: Learned[] = []

  constructor({ from, keeps = false }: ShelfOptions = {}) {
    this.#from = from ?? null
    this.keeps = keeps
  }

  /**
   * What a model that is about to be learned starts from; null where the run starts from none.
   *
   * @throws KeptModelError where there is no such model among those that were kept.
   */
  next(asset: string, name: string): KeptModel | null {
    if (this.#from === null) return null
    const nth = this.#learned.filter((learned) => learned.asset === asset && learned.name === name).length
    const found = this.#from.filter((kept) => kept.asset === asset && kept.model === name)[nth]
    if (found !== undefined) return found
    const there = this.#from.map((kept) => `${kept.model} of ${kept.asset}`).join(', ')
    throw new KeptModelError(
      `there is no kept model ${name} of ${asset}; there ${there === '' ? 'is none' : `is ${there}`}`,
    )
  }

  /** A model is learned from now on. */
  add(learned: Learned): void {
    this.#learned.push(learned)
  }

  /**
   * The models as they are now, in the order in which they were made.
   *
   * @throws KeptModelError for one that cannot be kept.
   */
  get kept(): KeptModel[] {
    return this.#learned.map((learned) => learned.kept)
  }
}
