/** The state machines of orders and positions as data (docs/rules.md, "States"). */

import type { PositionEventName, PositionStatus } from '../domain/state/position.ts'
import type { OrderStatus } from '../terms/orderStatus.ts'
import type { OrderType } from '../terms/orderTypes.ts'

/** An order that does not exist yet. */
export type OrderState = 'none' | OrderStatus

/** A position that does not exist yet. */
export type PositionState = 'none' | PositionStatus

interface OrderTransition {
  readonly from: 'none' | 'active'
  readonly to: OrderStatus
  /** The types of order that take it. */
  readonly types: readonly OrderType[]
  readonly effect: string
}

const INCREASE = ['market', 'limit', 'stop_market', 'stop_limit'] as const
const CLOSE = ['stop', 'take', 'trailing_stop'] as const

/**
 * Every order is placed `active`, and leaves that state at most once. One that fills inside its call, and the
 * liquidation order, do both in one commit.
 */
export const ORDER_TRANSITIONS: readonly OrderTransition[] = [
  { from: 'none', to: 'active', types: [...INCREASE, ...CLOSE, 'liquidation'], effect: 'reserve held' },
  {
    from: 'active',
    to: 'executed',
    types: [...INCREASE, ...CLOSE, 'liquidation'],
    effect: 'fill; a stop_limit turns into a limit',
  },
  { from: 'active', to: 'canceled_by_error', types: [...INCREASE], effect: 'errorCode; reserve released' },
  {
    from: 'active',
    to: 'canceled_by_update',
    types: ['limit', 'stop_market', 'stop_limit', ...CLOSE],
    effect: 'a replacement is active',
  },
  { from: 'active', to: 'canceled_by_position', types: [...CLOSE], effect: 'its position ended' },
  {
    from: 'active',
    to: 'canceled',
    types: ['limit', 'stop_market', 'stop_limit', ...CLOSE],
    effect: 'reserve released; reason set by the platform, null by the trader',
  },
]

interface PositionTransition {
  readonly from: 'none' | 'opened'
  readonly event: PositionEventName
  readonly to: PositionStatus
}

/** Every way a position may go from one state to another. */
export const POSITION_TRANSITIONS: readonly PositionTransition[] = [
  { from: 'none', event: 'increasePosition', to: 'opened' },
  { from: 'opened', event: 'increasePosition', to: 'opened' },
  { from: 'opened', event: 'closePosition', to: 'opened' },
  { from: 'opened', event: 'closePosition', to: 'closed' },
  { from: 'opened', event: 'addMargin', to: 'opened' },
  { from: 'opened', event: 'removeMargin', to: 'opened' },
  { from: 'opened', event: 'payFunding', to: 'opened' },
  { from: 'opened', event: 'liquidate', to: 'liquidated' },
  { from: 'opened', event: 'forceClose', to: 'closed' },
]
