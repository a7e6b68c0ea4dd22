/**
 * The order types: a row for each, with everything in which they differ (`POST /orders`). What
 * the rules ask about a type they ask here, so a type that has a row has an answer to all of it; where a rule goes its own
 * way for each type, it is a switch that the compiler wants complete.
 */
import { namesOf } from '../collections/table.ts'

interface OrderTypeRow {
  /** `increase`: opens or grows a position, `amount` is a quote reserve. `close`: `amount` is a base size, nothing is reserved. */
  readonly effect: 'increase' | 'close' | 'liquidate'
  /**
   * What it waits for: nothing at all (`none`); a trigger price (`required`); one that may be 0, and then it fills at once
   * (`or_at_once`) or rests and never fires (`or_never`, F7); or a price that follows the market (`trailing`, F8).
   */
  readonly trigger: 'none' | 'required' | 'or_at_once' | 'or_never' | 'trailing'
  /** From which side the price reaches the trigger of a long; of a short from the other (F1). Null: there is no trigger. */
  readonly longFires: 'below' | 'above' | null
  /** What it does when its turn has come: it trades, or leaves a limit order in its place (F4). */
  readonly onFiring: 'trades' | 'spawns_limit'
  /** Whether it ends a position that goes the wrong way. */
  readonly stopsLoss: boolean
}

export const ORDER_TYPES = {
  market: {
    effect: 'increase',
    trigger: 'none',
    longFires: null,
    onFiring: 'trades',
    stopsLoss: false,
  },
  limit: {
    effect: 'increase',
    trigger: 'required',
    longFires: 'below',
    onFiring: 'trades',
    stopsLoss: false,
  },
  stop: {
    effect: 'close',
    trigger: 'or_never',
    longFires: 'below',
    onFiring: 'trades',
    stopsLoss: true,
  },
  trailing_stop: {
    effect: 'close',
    trigger: 'trailing',
    longFires: 'below',
    onFiring: 'trades',
    stopsLoss: true,
  },
  take: {
    effect: 'close',
    trigger: 'or_at_once',
    longFires: 'above',
    onFiring: 'trades',
    stopsLoss: false,
  },
  stop_limit: {
    effect: 'increase',
    trigger: 'required',
    longFires: 'above',
    onFiring: 'spawns_limit',
    stopsLoss: false,
  },
  stop_market: {
    effect: 'increase',
    trigger: 'required',
    longFires: 'above',
    onFiring: 'trades',
    stopsLoss: false,
  },
  /** Raised by the engine alone (E3). */
  liquidation: {
    effect: 'liquidate',
    trigger: 'none',
    longFires: null,
    onFiring: 'trades',
    stopsLoss: false,
  },
} as const satisfies Record<string, OrderTypeRow>

type Rows = typeof ORDER_TYPES
type TypesThat<Effect extends OrderTypeRow['effect']> = {
  [Type in keyof Rows]: Rows[Type]['effect'] extends Effect ? Type : never
}[keyof Rows]

/**
 * All order types: where each may be placed, when it fires and what it then does (F1; a limit on what it would get, F3).
 * `liquidation` is raised by the engine (E3).
 */
export type OrderType = keyof Rows
/** Order types that open or grow a position; `amount` is a quote reserve. */
export type IncreaseOrderType = TypesThat<'increase'>
/** Order types that close a position; `amount` is a base size, nothing is reserved. */
export type CloseOrderType = TypesThat<'close'>
/** Order types that leave a limit order in their place (F4). */
export type SpawningOrderType = {
  [Type in keyof Rows]: Rows[Type]['onFiring'] extends 'spawns_limit' ? Type : never
}[keyof Rows]
/** Order types a trader can place. */
export type PlaceableOrderType = IncreaseOrderType | CloseOrderType

/** In the order of the table. */
export const PLACEABLE_ORDER_TYPES = namesOf(ORDER_TYPES).filter((type): type is PlaceableOrderType =>
  isPlaceable(type),
)

function rowOf(type: OrderType): OrderTypeRow {
  return ORDER_TYPES[type]
}

export function isIncreaseType(type: OrderType): type is IncreaseOrderType {
  return rowOf(type).effect === 'increase'
}

export function isCloseType(type: OrderType): type is CloseOrderType {
  return rowOf(type).effect === 'close'
}

/** Whether a trader can place it. */
export function isPlaceable(type: OrderType): type is PlaceableOrderType {
  return isIncreaseType(type) || isCloseType(type)
}

/** Whether its trigger price follows the market (F8). */
export function isTrailing(type: OrderType): boolean {
  return rowOf(type).trigger === 'trailing'
}

/** Increases that wait for the price to go on in their direction: their trigger price is their stop price (F5). */
export function isStopEntry(type: OrderType): boolean {
  const { effect, longFires } = rowOf(type)
  return effect === 'increase' && longFires === 'above'
}

/** Whether another order takes its place when its turn has come (F4). */
export function spawnsLimit(type: OrderType): type is SpawningOrderType {
  return rowOf(type).onFiring === 'spawns_limit'
}

export function stopsLoss(type: OrderType): boolean {
  return rowOf(type).stopsLoss
}

interface Triggered {
  readonly orderType: OrderType
  readonly triggerPrice: bigint
}

/** Orders that execute or fail in the command that creates them: they never rest (F7). */
export function fillsAtOnce({ orderType, triggerPrice }: Triggered): boolean {
  const { trigger } = rowOf(orderType)
  return trigger === 'none' || (trigger === 'or_at_once' && triggerPrice === 0n)
}

/**
 * One that was placed without a trigger price, as it may be: a `stop` so placed rests and never fires (F7). One that was
 * pushed to 0, where prices are that small, had a trigger price, and can get another (F9).
 */
export function hasNoTrigger(order: Triggered & { readonly requestedTriggerPrice: bigint | null }): boolean {
  const { orderType, triggerPrice, requestedTriggerPrice } = order
  return mayDoWithoutTrigger(orderType) && triggerPrice === 0n && requestedTriggerPrice === null
}

/** Whether a trigger price of 0 has a meaning (F7). */
export function mayDoWithoutTrigger(type: OrderType): boolean {
  const { trigger } = rowOf(type)
  return trigger === 'or_at_once' || trigger === 'or_never'
}

/** Whether it is placed with a trigger price of its own. */
export function takesTriggerPrice(type: OrderType): boolean {
  const { trigger } = rowOf(type)
  return trigger !== 'none' && trigger !== 'trailing'
}

/** Whether there are orders of it that rest: not of those that fill in their call whatever they say. */
export function mayRest(type: OrderType): boolean {
  return rowOf(type).trigger !== 'none'
}

/** Whether an order waits for a price at all: not those that fill in their call, nor a `stop` without trigger (F7). */
export function canFire({ orderType, triggerPrice }: Triggered): boolean {
  const { trigger } = rowOf(orderType)
  return trigger === 'trailing' || (trigger !== 'none' && triggerPrice > 0n)
}

/** `below`: fires at an index at or below the level; `above`: at or above it. */
export type FiringSide = 'below' | 'above'

/**
 * From which side the price reaches an order's level (the table of F1).
 *
 * @throws TypeError for a type without a trigger.
 */
export function firingSide({
  orderType,
  direction,
}: {
  readonly orderType: OrderType
  readonly direction: 'long' | 'short'
}): FiringSide {
  const { longFires } = rowOf(orderType)
  if (longFires === null) throw new TypeError(`a ${orderType} order waits for no price`)
  if (direction === 'long') return longFires
  return longFires === 'below' ? 'above' : 'below'
}
