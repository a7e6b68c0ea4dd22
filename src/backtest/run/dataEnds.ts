/**
 * Where the data of each market begins and ends, and which of them end before the others do: a market of which nothing is
 * heard any more keeps its last price for ever, and whoever holds a position there would be carried at it without a word.
 */

/** What becomes of a market whose data ends before the run does. */
export type AtDataEnd = 'close' | 'hold'

/** The data of a market, epoch ms. */
export interface DataSpan {
  readonly from: number
  readonly to: number
}

/** In the place of when a market counts as ended. */
const TOLD = Number.NEGATIVE_INFINITY

export class DataEnds {
  readonly #from: number[]
  readonly #to: number[]
  /** How long after its last price a market counts as ended. */
  readonly #patienceMs: readonly number[]
  /** When each counts as ended, where nothing more is read of it. */
  readonly #due: number[]
  /** The earliest of them that nobody has been told of. */
  nextDue = Number.POSITIVE_INFINITY

  constructor(patienceMs: readonly number[]) {
    this.#patienceMs = patienceMs
    this.#from = patienceMs.map(() => Number.POSITIVE_INFINITY)
    this.#to = patienceMs.map(() => Number.NEGATIVE_INFINITY)
    this.#due = patienceMs.map(() => Number.POSITIVE_INFINITY)
  }

  /** A price of a market. */
  priced(market: number, time: number): void {
    if (this.#from[market] === Number.POSITIVE_INFINITY) this.#from[market] = time
    this.#to[market] = time
  }

  /** Nothing more is read of a market. */
  exhausted(market: number): void {
    if (this.#due[market] !== Number.POSITIVE_INFINITY) return
    const last = this.#to[market] as number
    this.#due[market] = Math.max(last, 0) + (this.#patienceMs[market] as number)
    this.#look()
  }

  /** Those that count as ended before a time, each told once. */
  endedBefore(time: number): number[] {
    const ended = [...this.#due.keys()].filter((market) => this.#isEnded(market, time))
    for (const market of ended) this.#due[market] = TOLD
    this.#look()
    return ended
  }

  /** Null where the market has no price at all. */
  spanOf(market: number): DataSpan | null {
    const [from, to] = [this.#from[market] as number, this.#to[market] as number]
    return to < from ? null : { from, to }
  }

  #isEnded(market: number, time: number): boolean {
    const due = this.#due[market] as number
    return due !== TOLD && due < time
  }

  #look(): void {
    const waiting = this.#due.filter((due) => due !== TOLD)
    this.nextDue = Math.min(Number.POSITIVE_INFINITY, ...waiting)
  }
}
