/** History that keeps nothing: folding a log, and deciding again what was accepted once, asks it nothing. */
import type { Ended } from '../domain/state/world.ts'
import type { DecidedFold } from '../projections/decidedProjection.ts'
import type { History, Page } from '../projections/history.ts'

const EMPTY: Page<never> = { data: [], totalCount: 0 }

export class UnkeptHistory implements History, DecidedFold<History> {
  readonly served = this
  readonly keeping = null
  readonly form = null

  apply(): void {}

  saved(): object {
    return {}
  }

  placesOf(): null {
    return null
  }

  placeOf(): null {
    return null
  }

  restore(): void {}

  restorePlaces(): void {}

  restorePlace(): void {}

  endedOrder(): Ended | undefined {
    return undefined
  }

  endedPosition(): Ended | undefined {
    return undefined
  }

  orders(): Page<never> {
    return EMPTY
  }

  closedPositions(): Page<never> {
    return EMPTY
  }

  portfolio(): Page<never> {
    return EMPTY
  }

  positionEvents(): undefined {
    return undefined
  }

  order(): undefined {
    return undefined
  }

  position(): undefined {
    return undefined
  }
}
