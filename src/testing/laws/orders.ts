/** Orders: where they may go, what they hold, and that the end is the end. */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { Event } from '../../events/event.ts'
import { isEventOn } from '../../events/eventTable.ts'
import type { Law } from '../law.ts'
import { triggerPrice } from '../modelLevel.ts'
import type { ModelOrder } from '../modelState.ts'
import { ORDER_TRANSITIONS, type OrderState } from '../transitions.ts'

function orderIdOf(event: Event): string | null {
  return isEventOn(event, 'order') ? event.orderId : null
}

export const ordersMoveAlongTheirTable: Law = {
  name: 'orders move along their table',
  statement:
    'An order takes only the transitions of the table for its type, and no event touches one that has ended (States, invariant 10).',
  watch: () => {
    let from: OrderState = 'none'
    return {
      beforeEvent({ model, event }) {
        const id = orderIdOf(event)
        if (id !== null) from = model.orders.get(id)?.status ?? 'none'
        return null
      },
      afterEvent({ model, event }) {
        const id = orderIdOf(event)
        if (id === null) return null
        const { status, placed } = model.order(id)
        const allowed = ORDER_TRANSITIONS.some(
          (transition) =>
            transition.from === from &&
            transition.to === status &&
            transition.types.includes(placed.orderType),
        )
        return allowed ? null : `a ${placed.orderType} went from ${from} to ${status}`
      },
    }
  },
}

export const endedOrdersNeverChange: Law = {
  name: 'the end of an order is the end',
  statement: 'The record of an order that has ended reads the same for the rest of the run (invariant 10).',
  watch: () => {
    const ended = new Map<string, OrderRecord>()
    return {
      afterCommand({ bus, commits }) {
        for (const { events } of commits)
          for (const event of events) {
            const id = event.type === 'orderPlaced' ? null : orderIdOf(event)
            const record = id === null ? undefined : bus.read.order(id)
            if (record === undefined) continue
            if (record.status === 'active') return `${record.id} has ended and reads active`
            ended.set(record.id, record)
          }
        return null
      },
      atEnd({ bus }) {
        for (const [id, then] of ended) {
          const now = bus.read.order(id)
          if (now === undefined) continue
          for (const [field, value] of Object.entries(then))
            if (now[field as keyof OrderRecord] !== value) return `${field} of the ended order ${id} changed`
        }
        return null
      },
    }
  },
}

export const ordersReadAsTheyStand: Law = {
  name: 'orders read as they stand',
  statement:
    'Status, trigger price and amount of an order are those its events add up to; an executed quote-sized order keeps its amount, a base-sized one spends at most its reserve, a failed or cancelled one keeps both (C1, C2, F5, F8, invariant 11).',
  watch: () => ({
    afterCommand({ bus, model, commits }) {
      const touched = new Set<string>()
      for (const { events } of commits)
        for (const event of events) {
          const id = orderIdOf(event)
          if (id !== null) touched.add(id)
        }
      for (const id of touched) {
        const record = bus.read.order(id)
        const found = record && fault(record, model.order(id))
        if (found != null) return `order ${id}: ${found}`
      }
      return null
    },
    atEnd({ bus, model }) {
      for (const order of model.active.values()) {
        const record = bus.read.order(order.id)
        if (record === undefined) return `the active order ${order.id} is nowhere`
        if (record.triggerPrice !== triggerPrice(order))
          return `${record.orderType} reads a trigger of ${record.triggerPrice}, not ${triggerPrice(order)}`
      }
      return null
    },
  }),
}

function fault(record: OrderRecord, { status, amount, placed, createdAt }: ModelOrder): string | null {
  if (record.status !== status) return `status ${record.status}, not ${status}`
  if (record.amount !== amount) return `amount ${record.amount}, not ${amount}`
  if (record.createdAt !== createdAt) return `createdAt ${record.createdAt}`
  if ((record.indexPrice !== null) !== (status === 'executed')) return 'indexPrice is set on executed orders'
  if ((record.errorCode !== null) !== (status === 'canceled_by_error')) return `errorCode ${record.errorCode}`
  if (record.reservedAmount !== (placed.sizeMode === 'base' ? placed.amount : null)) return 'reservedAmount'
  const fills = status === 'executed' && placed.positionId === null && placed.orderType !== 'stop_limit'
  if (fills && placed.sizeMode === 'quote' && amount !== placed.amount) return 'it did not spend its amount'
  return amount <= placed.amount ? null : 'it spent more than its reserve'
}

export const cancellationsSayWhy: Law = {
  name: 'cancellations say why',
  statement:
    "Every terminal event gives back the whole reserve that was not spent; a platform cancellation carries a reason, one without is the trader's, and a position that ends in any other way takes its close orders with it as canceled_by_position (F16, H2, I8, I9).",
  watch: () => ({
    beforeEvent({ model, event, commit }) {
      if (event.type === 'orderPlaced' || orderIdOf(event) === null) return null
      if (event.type === 'orderExecuted' || !('released' in event)) return null
      const { reserve } = model.order(event.orderId)
      if (event.released !== reserve) return `${event.type} releases ${event.released} of ${reserve}`
      if (event.type !== 'orderCanceled') return null
      const { positionId } = model.order(event.orderId).placed
      if (event.status === 'canceled') {
        const byTrader = commit.command.type === 'cancelOrder' || commit.command.type === 'closeAll'
        return event.reason !== null || byTrader ? null : 'nobody cancelled it'
      }
      const gone = positionId !== null && model.position(positionId).status !== 'opened'
      return gone && event.reason === null ? null : 'its position has not ended'
    },
    afterCommit({ model }) {
      for (const { placed } of model.active.values())
        if (placed.positionId !== null && model.position(placed.positionId).status !== 'opened')
          return `a ${placed.orderType} outlives its position`
      return null
    },
  }),
}

export const sessionClosesStayOnTheirMarket: Law = {
  name: 'session closes stay on their market',
  statement:
    'A weekly session close touches orders and positions of its market alone; without a weekend maximum it leaves none there, with one it cancels only what is attached to the positions it closes (G3).',
  watch: () => ({
    afterCommit({ model, commit: { command, events } }) {
      if (command.type !== 'weeklySessionRiskClose') return null
      const market = model.market(command.marketId)
      const closed = new Set<string>()
      for (const event of events) {
        if ('marketId' in event && event.marketId !== market.id && reasonOf(event) === SESSION_CLOSE)
          return `it closes the week on ${event.marketId}, too`
        if (event.type === 'forceClose') closed.add(event.positionId)
      }
      if (market.parameters.weekendMaxLeverage === null) {
        const waits = [...model.active.values()].some(({ placed }) => placed.marketId === market.id)
        const holds = [...model.open.values()].some(({ marketId }) => marketId === market.id)
        return waits || holds ? 'something is left on its market' : null
      }
      for (const event of events) {
        if (event.type !== 'orderCanceled' || event.reason !== SESSION_CLOSE) continue
        const { positionId } = model.order(event.orderId).placed
        if (positionId === null || !closed.has(positionId))
          return 'it cancels what is attached to nothing it closes'
      }
      return null
    },
  }),
}

const SESSION_CLOSE = 'weekly_session_risk_close'

function reasonOf(event: Event): string | null {
  if (event.type === 'orderCanceled') return event.reason
  return event.type === 'forceClose' ? event.closeReason : null
}
