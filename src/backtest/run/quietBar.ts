/**
 * A bar whose whole range changes nothing but its market's price, played in one step instead of four, and in doubles:
 * most bars of most runs are like that. Whatever is not certain is left to the four steps, which come to the same.
 */

import type { LastPrices } from '../accounting/lastPrices.ts'
import { type BarWords, barWordsOf } from '../feed/barWords.ts'
import type { BarColumns } from '../feed/columns.ts'
import { type BarPath, lowIsFirst, PATH_STEPS, turned } from '../feed/path.ts'
import { wordsAt } from '../numbers/int64Words.ts'
import { exposedSide, type Participant } from './participant.ts'
import type { PriceQueue } from './priceQueue.ts'

export class QuietBars {
  readonly #queue: PriceQueue
  readonly #path: BarPath
  readonly #turnedBars: ReadonlySet<number> | undefined
  readonly #participants: readonly Participant[]
  readonly #prices: LastPrices
  #columns: BarColumns | null = null
  #words: BarWords | null = null

  constructor(
    queue: PriceQueue,
    path: BarPath,
    turnedBars: ReadonlySet<number> | undefined,
    participants: readonly Participant[],
    prices: LastPrices,
  ) {
    this.#queue = queue
    this.#path = path
    this.#turnedBars = turnedBars
    this.#participants = participants
    this.#prices = prices
  }

  /**
   * Plays a row of the run's only market, unless one of its prices is to be looked at. `times` holds the times of its
   * steps from `first` on.
   *
   * @returns whether it was played.
   */
  play(columns: BarColumns, row: number, times: Float64Array, first: number): boolean {
    if (this.#columns !== columns) this.#words = barWordsOf(columns)
    this.#columns = columns
    const words = this.#words as BarWords
    if (!this.#queue.isQuiet(0, words, row, times, first + PATH_STEPS - 1)) return false
    const open = wordsAt(words.open, row)
    const lowIsNearer = open - wordsAt(words.low, row) <= wordsAt(words.high, row) - open
    const side = exposedSide(this.#participants, 0)
    const path = this.#turnedBars?.has(times[first] as number) ? turned(this.#path) : this.#path
    this.#queue.addQuiet(0, words, row, times, first, lowIsFirst(path, side, lowIsNearer))
    this.#prices.setSafe(0, wordsAt(words.close, row))
    for (let index = 0; index < this.#participants.length; index++)
      (this.#participants[index] as Participant).exposure.ranged(0, words, row)
    return true
  }
}
