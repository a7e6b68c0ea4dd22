/** A tick as a walk along the straight path from the last price to the new one (B4–B6). */
import type { Event } from '../../events/event.ts'
import type { EventObservation, Law } from '../law.ts'
import type { Model } from '../model.ts'
import { execution, firing, liquidatable, liquidationLevel, opening } from '../modelLevel.ts'
import type { ModelMarket, ModelOrder, ModelPosition } from '../modelState.ts'

interface Candidate {
  readonly order?: ModelOrder
  readonly position?: ModelPosition
  readonly distance: bigint
  /** Ties: liquidation, then close orders, then increase orders. */
  readonly rank: number
  readonly sequence: number
}

export const ticksWalkThePath: Law = {
  name: 'a tick walks the path',
  statement:
    'Whatever a tick reaches fires in the order in which the path reaches it, ties by liquidation, close, increase, then age; nothing that still can fire is skipped, so a stop before the liquidation price fires first; nothing created on the way fires (B5, B6).',
  watch: () => {
    let from = 0n
    let walk: Candidate[] = []
    let step = 0
    let walking = false
    const skipped = (model: Model, upTo: number): string | null => {
      for (; step < upTo; step++) {
        const candidate = walk[step] as Candidate
        if (stillFires(model, candidate)) return `${labelOf(candidate)} was skipped`
      }
      return null
    }
    return {
      beforeEvent({ model, event }) {
        if (event.type === 'priceUpdated') from = model.market(event.marketId).evaluatedPrice
        if (!walking) return null
        if (endsTheWalk(event)) {
          walking = false
          return skipped(model, walk.length)
        }
        const fires = firesWith(model, event)
        if (fires === null) return null
        const found = walk.findIndex(
          ({ order, position }) => order?.id === fires || (order === undefined && position?.id === fires),
        )
        if (found === -1 || found < step) {
          // What the walk itself pushed beyond its level is liquidated once the walk is over (B6).
          if (event.type !== 'liquidate') return `${event.type} of ${fires} is not on the path`
          walking = false
          return skipped(model, walk.length)
        }
        const missed = skipped(model, found)
        step = found + 1
        return missed
      },
      afterEvent({ model, event }) {
        if (event.type !== 'priceUpdated') return null
        const market = model.market(event.marketId)
        walking = market.status !== 'paused'
        walk = walking ? candidates(model, market, from) : []
        step = 0
        return null
      },
      afterCommit({ model }) {
        if (!walking) return null
        walking = false
        return skipped(model, walk.length)
      },
    }
  },
}

function candidates(model: Model, market: ModelMarket, from: bigint): Candidate[] {
  const to = market.indexPrice
  const found: Candidate[] = []
  const mmr = market.parameters.maintenanceMarginRate
  for (const position of model.open.values()) {
    if (position.marketId !== market.id || !liquidatable(position, mmr, to)) continue
    const level = liquidationLevel(position, { ...market, indexPrice: from > to ? from : to })
    const distance = liquidatable(position, mmr, from) || level === null ? 0n : apart(level, from)
    found.push({ position, distance, rank: 0, sequence: position.sequence })
  }
  for (const order of model.active.values()) {
    const fires = order.placed.marketId === market.id ? firing(order, market) : null
    if (fires === null) continue
    const reached = (price: bigint) => (fires.below ? price <= fires.level : price >= fires.level)
    if (!reached(to)) continue
    const distance = reached(from) ? 0n : apart(fires.level, from)
    found.push({ order, distance, rank: order.placed.positionId === null ? 2 : 1, sequence: order.sequence })
  }
  return found.sort((a, b) =>
    a.distance !== b.distance
      ? a.distance < b.distance
        ? -1
        : 1
      : a.rank - b.rank || a.sequence - b.sequence,
  )
}

/** Orders and positions fire once: an order by ending executed or failed, a position by being liquidated. */
function firesWith(model: Model, event: Event): string | null {
  if (event.type === 'liquidate') return event.positionId
  if (event.type !== 'orderExecuted' && event.type !== 'orderFailed') return null
  return model.order(event.orderId).placed.orderType === 'liquidation' ? null : event.orderId
}

/** Only the risk check at the end of a tick cancels for a reason or closes by the platform. */
function endsTheWalk(event: Event): boolean {
  return (event.type === 'orderCanceled' && event.reason !== null) || event.type === 'forceClose'
}

function stillFires(model: Model, { order, position }: Candidate): boolean {
  if (order !== undefined) return order.status === 'active'
  if (position === undefined || position.status !== 'opened') return false
  const { indexPrice, parameters } = model.market(position.marketId)
  return liquidatable(position, parameters.maintenanceMarginRate, indexPrice)
}

function labelOf({ order, position }: Candidate): string {
  return order === undefined
    ? `the liquidation of ${position?.id}`
    : `${order.placed.orderType} ${order.id} at ${order.placed.triggerPrice}`
}

function apart(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

export const limitOrBetter: Law = {
  name: 'limit or better',
  statement:
    'A limit order never fills at a price worse than its own, and every order that fires on a tick fills at that tick (B4, F3, invariant 12).',
  watch: () => ({
    beforeEvent({ model, event }: EventObservation) {
      if (event.type === 'orderExecuted' && event.indexPrice !== model.market(event.marketId).indexPrice)
        return `executed at ${event.indexPrice}, which is not the price`
      if (event.type !== 'increasePosition') return null
      const { placed } = model.order(event.orderId)
      const { spread } = model.market(event.marketId).parameters
      const price = execution(event.indexPrice, spread, opening(event.direction))
      if (event.direction === 'long' ? price < event.indexPrice : price > event.indexPrice)
        return "the spread is in the trader's favour"
      if (placed.orderType !== 'limit') return null
      const better = event.direction === 'long' ? price <= placed.triggerPrice : price >= placed.triggerPrice
      return better ? null : `a limit of ${placed.triggerPrice} filled at ${price}`
    },
  }),
}
