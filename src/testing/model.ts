/**
 * A second, simple opinion of what a log says: sums and flags folded from the events, sharing no code with the
 * engine's own fold. The laws compare the two, and the generators aim at what it knows.
 */

import { reducePosition, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { Event } from '../events/event.ts'
import type { OrderEvent, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { OrderStatus } from '../terms/orderStatus.ts'
import { foldAccountEvent } from './modelAccount.ts'
import { trailed } from './modelLevel.ts'
import { type ModelAccount, type ModelOrder, type ModelPosition, ModelState } from './modelState.ts'

/**
 * The venue a second time, as simply as it can be said: folded from the events, for laws to compare with.
 *
 * ```ts
 * const model = new Model()
 * for (const { at, events } of await commitsOf(store)) for (const event of events) model.fold(event, at)
 * model.open.size // → 1
 * ```
 */
export class Model extends ModelState {
  /** Takes an event of a commit at time `at`, epoch ms. */
  fold(event: Event, at: number): void {
    switch (event.type) {
      case 'engineCreated':
      case 'dayBegan':
      case 'commandRefused':
      case 'apiKeyRegistered':
      case 'apiKeyRefreshed':
      case 'apiKeyRevoked':
      case 'apiKeyAmended':
      case 'apiKeyForgotten':
        return
      case 'marketListed': {
        const { marketId: id, parameters, status, indexPrice, priceAt } = event
        this.markets.set(id, {
          id,
          parameters,
          status,
          indexPrice,
          priceAt,
          evaluatedPrice: indexPrice,
          quota: null,
        })
        return
      }
      case 'marketConfigured':
        this.market(event.marketId).parameters = event.parameters
        return
      case 'marketStatusChanged':
        this.market(event.marketId).status = event.status
        return
      case 'fundingRateChanged': {
        const market = this.market(event.marketId)
        const { fundingRate, fundingRateShort } = event
        market.parameters = { ...market.parameters, fundingRate, fundingRateShort }
        return
      }
      case 'notionalQuotaSet':
        this.market(event.marketId).quota = { long: event.quotaLong, short: event.quotaShort }
        return
      case 'priceUpdated':
        return this.#tick(event.marketId, event.indexPrice, at)
      case 'orderPlaced':
        return this.#place(event, at)
      case 'orderExecuted':
      case 'orderCanceled':
      case 'orderFailed':
      case 'orderReplaced':
        return this.#end(event)
      case 'increasePosition':
      case 'closePosition':
      case 'addMargin':
      case 'removeMargin':
      case 'payFunding':
      case 'liquidate':
      case 'forceClose':
        return this.#move(event, at)
      default:
        return foldAccountEvent(this, event)
    }
  }

  #tick(marketId: string, indexPrice: bigint, at: number): void {
    const market = this.market(marketId)
    market.indexPrice = indexPrice
    market.priceAt = at
    if (market.status === 'paused') return
    market.evaluatedPrice = indexPrice
    for (const order of this.active.values())
      if (order.placed.marketId === marketId) order.peak = trailed(order, indexPrice)
  }

  #place(placed: OrderPlaced, at: number): void {
    const account = this.account(placed.accountId)
    if (placed.reserveInherited) this.order(placed.parentOrderId ?? '').reserve = 0n
    else {
      account.free -= placed.reserve
      account.reserve += placed.reserve
    }
    this.created += 1
    const order: ModelOrder = {
      placed,
      id: placed.orderId,
      sequence: this.created,
      createdAt: at,
      phaseOrdinal: account.phaseOrdinal,
      status: 'active',
      reserve: placed.reserve,
      peak: placed.watermark,
      amount: placed.amount,
    }
    this.orders.set(order.id, order)
    this.active.set(order.id, order)
  }

  #end(event: Exclude<OrderEvent, OrderPlaced>): void {
    const order = this.order(event.orderId)
    const account = this.account(event.accountId)
    account.free += event.released
    account.reserve -= event.released
    account.inFlight += order.reserve - event.released
    order.reserve = 0n
    order.status = statusAfter(event)
    if (event.type === 'orderExecuted') order.amount = event.amount
    this.active.delete(order.id)
  }

  #move(event: PositionEvent, at: number): void {
    const account = this.account(event.accountId)
    const position =
      event.type === 'increasePosition' && event.opens
        ? this.#open(event, account, at)
        : this.position(event.positionId)
    position.version += 1
    position.updatedAt = at
    position.reduced = reducePosition(position.reduced, event, at)
    switch (event.type) {
      case 'increasePosition':
        position.size += event.size
        position.notional += event.notional
        position.fee += event.fee
        position.reference = event.profitReference
        position.lastIncreaseAt = at
        account.inFlight -= event.margin + event.fee
        account.reserve -= event.margin + event.fee
        position.margin += event.margin
        position.putUp += event.margin
        account.margin += event.margin
        this.house += event.fee
        return
      case 'addMargin':
      case 'removeMargin': {
        const added = event.type === 'addMargin' ? event.amount : -event.amount
        account.free -= added
        account.margin += added
        position.margin += added
        if (added > 0n) position.putUp += added
        return
      }
      case 'payFunding':
        position.funding += event.amount
        position.margin += event.amount
        account.margin += event.amount
        this.house -= event.amount
        return
      default:
        position.size -= event.size
        position.notional -= event.cost
        position.pnl += event.pnl
        position.fee += event.fee
        position.reference -= event.profitReferenceUsed
        if (event.type === 'liquidate') position.status = 'liquidated'
        else if (event.type === 'forceClose' || event.closes) position.status = 'closed'
        if (position.status !== 'opened') this.open.delete(position.id)
        position.margin -= event.marginReleased
        account.margin -= event.marginReleased
        account.free += event.credit
        this.house += event.fee - event.pnl
        return
    }
  }

  #open(event: IncreasePosition, account: ModelAccount, at: number): ModelPosition {
    this.created += 1
    const identity = { sequence: this.created, phaseOrdinal: account.phaseOrdinal }
    const position: ModelPosition = {
      ...identity,
      id: event.positionId,
      accountId: event.accountId,
      marketId: event.marketId,
      direction: event.direction,
      openedAt: at,
      status: 'opened',
      version: 0,
      updatedAt: at,
      size: 0n,
      notional: 0n,
      margin: 0n,
      pnl: 0n,
      fee: 0n,
      funding: 0n,
      putUp: 0n,
      reference: 0n,
      lastIncreaseAt: at,
      reduced: unopenedPosition(event, at, identity),
    }
    this.positions.set(position.id, position)
    this.open.set(position.id, position)
    return position
  }
}

function statusAfter(event: Exclude<OrderEvent, OrderPlaced>): OrderStatus {
  switch (event.type) {
    case 'orderExecuted':
      return 'executed'
    case 'orderCanceled':
      return event.status
    case 'orderFailed':
      return 'canceled_by_error'
    case 'orderReplaced':
      return 'canceled_by_update'
  }
}
