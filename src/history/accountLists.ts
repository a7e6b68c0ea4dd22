/** The lists of an account in its current phase, whose pages are in tables. */
import type { Position } from '../domain/state/position.ts'
import type { PastOrder, PastPosition } from './commitPast.ts'
import { PagedList, type SavedList } from './pagedList.ts'

/** What a snapshot carries along with an account. */
export interface SavedLists {
  readonly phaseOrdinal: number
  readonly portfolio: SavedList
  readonly orders: ReadonlyMap<string, SavedList>
  readonly closedPositions: ReadonlyMap<string, SavedList>
}

export class AccountLists {
  readonly phaseOrdinal: number
  readonly portfolio: PagedList<PastPosition>
  /** Open positions, which the portfolio shows beside those that have ended. */
  readonly open = new Set<Position>()
  readonly #orders: Map<string, PagedList<PastOrder>>
  readonly #closedPositions: Map<string, PagedList<PastPosition>>

  constructor(phaseOrdinal: number, saved: SavedLists | null = null) {
    this.phaseOrdinal = phaseOrdinal
    this.portfolio = new PagedList(saved?.portfolio)
    this.#orders = restored(saved?.orders)
    this.#closedPositions = restored(saved?.closedPositions)
  }

  ordersOn(marketId: string): PagedList<PastOrder> {
    return listOn(this.#orders, marketId)
  }

  closedOn(marketId: string): PagedList<PastPosition> {
    return listOn(this.#closedPositions, marketId)
  }

  /** Whoever only looks leaves no empty list behind. */
  seenOrdersOn(marketId: string): PagedList<PastOrder> | undefined {
    return this.#orders.get(marketId)
  }

  seenClosedOn(marketId: string): PagedList<PastPosition> | undefined {
    return this.#closedPositions.get(marketId)
  }

  saved(): SavedLists {
    return {
      phaseOrdinal: this.phaseOrdinal,
      portfolio: this.portfolio.saved(),
      orders: savedBy(this.#orders),
      closedPositions: savedBy(this.#closedPositions),
    }
  }
}

type Lists<Entry extends { readonly sequence: number }> = Map<string, PagedList<Entry>>

function listOn<Entry extends { readonly sequence: number }>(
  lists: Lists<Entry>,
  marketId: string,
): PagedList<Entry> {
  let list = lists.get(marketId)
  if (list === undefined) {
    list = new PagedList()
    lists.set(marketId, list)
  }
  return list
}

function restored<Entry extends { readonly sequence: number }>(
  saved: ReadonlyMap<string, SavedList> = new Map(),
): Lists<Entry> {
  return new Map(Array.from(saved, ([marketId, list]) => [marketId, new PagedList(list)]))
}

function savedBy<Entry extends { readonly sequence: number }>(lists: Lists<Entry>): Map<string, SavedList> {
  return new Map(Array.from(lists, ([marketId, list]) => [marketId, list.saved()]))
}
