/** The straight path of a tick, and the order in which it reaches what fires (B5). */
import type { Price } from '../../quantity/units.ts'
import { type FiringSide, isCloseType, type OrderType } from '../../terms/orderTypes.ts'
import type { Firing } from '../state/triggers.ts'
import { reached } from './level.ts'

/** Who goes first at the same distance: liquidation, then close orders, then increase orders. */
type Rank = 0 | 1 | 2

const LIQUIDATION_RANK: Rank = 0

function rankOf(type: OrderType): Rank {
  return isCloseType(type) ? 1 : 2
}

/** What fires, and its place on the path. */
type Candidate = Firing & {
  readonly distance: Price
  readonly rank: Rank
  readonly sequence: number
}

/** Collects what a tick reaches, in any order, and gives it back in the order of the path. */
export class Path {
  readonly #from: Price
  readonly #candidates: Candidate[] = []

  constructor(from: Price) {
    this.#from = from
  }

  /** `level` is reached at the end of the path. */
  meetOrder(row: number, sequence: number, type: OrderType, side: FiringSide, level: Price): void {
    this.#candidates.push({
      kind: 'order',
      row,
      distance: this.#distanceOf(side, level),
      rank: rankOf(type),
      sequence,
    })
  }

  /** `level` is reached at the end of the path. */
  meetLiquidation(positionId: string, sequence: number, side: FiringSide, level: Price): void {
    this.#candidates.push({
      kind: 'liquidation',
      positionId,
      distance: this.#distanceOf(side, level),
      rank: LIQUIDATION_RANK,
      sequence,
    })
  }

  inOrder(): readonly Firing[] {
    return this.#candidates.sort(alongThePath)
  }

  /** How far along the path the level lies: 0 where its condition held at the start already. */
  #distanceOf(side: FiringSide, level: Price): Price {
    if (reached(side, level, this.#from)) return 0n
    return level > this.#from ? level - this.#from : this.#from - level
  }
}

function alongThePath(a: Candidate, b: Candidate): number {
  if (a.distance !== b.distance) return a.distance < b.distance ? -1 : 1
  return a.rank - b.rank || a.sequence - b.sequence
}
