/** The closed sets of an order: what became of it, and how it is sized. */
import { isCloseType, isIncreaseType, mayRest, type OrderType } from './orderTypes.ts'

/** Where an order stands; all but `active` are final. */
export type OrderStatus =
  | 'active'
  | 'canceled'
  | 'canceled_by_update'
  | 'canceled_by_error'
  | 'canceled_by_position'
  | 'executed'

interface OrderStatusRow {
  /** The event that gives an order this status. */
  readonly by: 'orderPlaced' | 'orderExecuted' | 'orderCanceled' | 'orderFailed' | 'orderReplaced'
  /** Which types of order can have it. */
  readonly has: (type: OrderType) => boolean
  /** What comes with it. */
  readonly effect: string
}

/** Every order is placed `active`, and leaves that status once. */
export const ORDER_STATUSES = {
  active: { by: 'orderPlaced', has: () => true, effect: 'reserve held' },
  canceled: {
    by: 'orderCanceled',
    has: mayRest,
    effect: 'reserve released; reason set by the platform, null by the trader',
  },
  canceled_by_update: { by: 'orderReplaced', has: mayRest, effect: 'a replacement is active' },
  canceled_by_error: { by: 'orderFailed', has: isIncreaseType, effect: 'errorCode; reserve released' },
  canceled_by_position: { by: 'orderCanceled', has: isCloseType, effect: 'its position ended' },
  executed: { by: 'orderExecuted', has: () => true, effect: 'fill; a stop_limit turns into a limit' },
} as const satisfies { readonly [Status in OrderStatus]: OrderStatusRow }

/** How an increase is sized: `quote` by its reserve (C1), `base` by its size (C2). */
export type SizeMode = 'quote' | 'base'
