/** The state machines of orders and positions as data, every step of them: what the tables of `terms` come to. */

import { ORDER_STATUSES, type OrderStatus } from '../terms/orderStatus.ts'
import { ORDER_TYPES, type OrderType } from '../terms/orderTypes.ts'
import { POSITION_EVENTS, type PositionEventName, type PositionStatus } from '../terms/positionStatus.ts'

/** An order that does not exist yet. */
export type OrderState = 'none' | OrderStatus

/** A position that does not exist yet. */
export type PositionState = 'none' | PositionStatus

interface OrderTransition {
  readonly from: Extract<OrderState, 'none' | 'active'>
  readonly to: OrderStatus
  /** The types of order that take it. */
  readonly types: readonly OrderType[]
  readonly effect: string
}

/**
 * Every order is placed `active`, and leaves that state at most once. One that fills inside its call, and the
 * liquidation order, do both in one commit.
 *
 * ```ts
 * ORDER_TRANSITIONS.filter(({ from }) => from === 'none').map(({ to }) => to) // → active
 * ```
 */
export const ORDER_TRANSITIONS: readonly OrderTransition[] = entriesOf(ORDER_STATUSES).map(
  ([to, { has, effect }]) => ({
    from: to === 'active' ? 'none' : 'active',
    to,
    types: entriesOf(ORDER_TYPES).flatMap(([type]) => (has(type) ? [type] : [])),
    effect,
  }),
)

interface PositionTransition {
  readonly from: PositionState
  readonly event: PositionEventName
  readonly to: PositionStatus
}

/**
 * Every way a position may go from one state to another.
 *
 * ```ts
 * POSITION_TRANSITIONS.filter(({ to }) => to === 'liquidated').map(({ from, event }) => `${from} by ${event}`) // → opened by liquidate
 * ```
 */
export const POSITION_TRANSITIONS: readonly PositionTransition[] = entriesOf(POSITION_EVENTS).flatMap(
  ([event, { from, to }]) =>
    from.flatMap((before) => to.map((after) => ({ from: before, event, to: after }))),
)

function entriesOf<Name extends string, Row>(table: { readonly [N in Name]: Row }): [Name, Row][] {
  return Object.entries(table) as [Name, Row][]
}
