/** The prices of the bar that each market is in. */
import type { BarColumns } from '../feed/columns.ts'
import { type BarPath, turned, writeBarPath } from '../feed/path.ts'
import { exposedSide, type Participant } from './participant.ts'

export class BarPrices {
  readonly #path: BarPath
  readonly #turned: BarPath
  /** By market, the openings of bars that take the other order. */
  readonly #turnedBars: readonly ReadonlySet<number>[]
  readonly #participants: readonly Participant[]
  readonly #prices: readonly bigint[][]

  constructor(
    path: BarPath,
    turnedBars: readonly ReadonlySet<number>[],
    participants: readonly Participant[],
    markets: number,
  ) {
    this.#path = path
    this.#turned = turned(path)
    this.#turnedBars = turnedBars
    this.#participants = participants
    this.#prices = Array.from({ length: markets }, () => [0n, 0n, 0n, 0n])
  }

  /** The price of a step of a bar. They are laid out when it opens, by the side that is exposed then. */
  at(market: number, columns: BarColumns, row: number, step: number): bigint {
    const prices = this.#prices[market] as bigint[]
    if (step === 0)
      writeBarPath(
        this.#turnedBars[market]?.has(columns.openTime[row] as number) ? this.#turned : this.#path,
        exposedSide(this.#participants, market),
        columns.open[row] as bigint,
        columns.high[row] as bigint,
        columns.low[row] as bigint,
        columns.close[row] as bigint,
        prices,
      )
    return prices[step] as bigint
  }
}
