/**
 * `POST /orders` of the Margin Trading API: every field a placement can have, which order types it means something to, and
 * from the two the command as a type. What cannot be meant does not compile; what comes from outside is checked as it is.
 */
import type { Base, Leverage, Price, Rate } from '../quantity/units.ts'
import type { Direction } from '../terms/direction.ts'
import type { SizeMode } from '../terms/orderStatus.ts'
import {
  type CloseOrderType,
  type IncreaseOrderType,
  isIncreaseType,
  type PlaceableOrderType,
  type SpawningOrderType,
  spawnsLimit,
} from '../terms/orderTypes.ts'

type Optional<T> = T | null | undefined

/**
 * A placement of which nothing is known but its fields, as it comes from outside. `null` and omitted mean the same, and a
 * field that does not apply to the order type is ignored (A6), but for `triggerPrice` (F6).
 */
export interface Placement {
  readonly type: 'placeOrder'
  /** The account that trades; it has to be the caller's. */
  readonly accountId: string
  /** The market it trades on. */
  readonly marketId: string
  /** What the order does and what it waits for. */
  readonly orderType: PlaceableOrderType
  /** Of the position: that of a close order equals its position's. */
  readonly direction: Direction
  /**
   * Increase: quote to reserve, of the free balance (C1). Close: base size to close; more than the position has is all of it, and it
   * stays what it is when that grows (F14). fp9, above 0.
   */
  readonly amount: bigint
  /** The position a close order closes some of. */
  readonly positionId?: Optional<string>
  /** The size the trader wants for `amount`: a long fails with less, a short with more (C3). At least 0; 0 = no limit. */
  readonly expectedAmount?: Optional<Base>
  /** Within the bounds of the market and the account, or `invalid_leverage` (I1). Each increase may have its own (F18). */
  readonly leverage?: Optional<Leverage>
  /** The index price that makes it act. Above 0; 0 on a `take` = at once, on a `stop` = never (F7). */
  readonly triggerPrice?: Optional<Price>
  /** Stop-loss of what is opened: below the entry for a long, above for a short (F11, F13, J18, J19). At least 0; 0 = none. */
  readonly stopTriggerPrice?: Optional<Price>
  /** Take-profit of what is opened: above the entry for a long, below for a short (F11, F13). At least 0; 0 = none. */
  readonly takeTriggerPrice?: Optional<Price>
  /** The index price from which on it trails (F8). At least 0; 0 = from creation. */
  readonly trailingStopActivationPrice?: Optional<Price>
  /**
   * How far it stays behind the best price: it moves first, and is asked then whether it fires (F8, J20, J21). Above 0; 0 = not given.
   * One of this and the percentage.
   */
  readonly trailingStopOffset?: Optional<Price>
  /** The same as a fraction of the best price, above 0 and below 1 (F8); 0 = not given. */
  readonly trailingStopOffsetPercent?: Optional<Rate>
  /** Price of the limit order it leaves: at or below the trigger price for a long, at or above for a short (F5). Above 0. */
  readonly stopLimitPrice?: Optional<Price>
  /** What sizes it: `quote`, the default, its `amount` (C1); `base` its `baseSize` (C2). */
  readonly sizeMode?: Optional<SizeMode>
  /** Base size to open with `sizeMode` `base`, and only with it. Above 0. */
  readonly baseSize?: Optional<Base>
  /** Up to 255 characters, empty = none; the same key of the same user within an hour replays the outcome (I4). */
  readonly idempotencyKey?: Optional<string>
}

/** Fields that mean something to every order type. */
type Always = 'type' | 'accountId' | 'marketId' | 'orderType' | 'direction' | 'amount' | 'idempotencyKey'

/**
 * - `required`: without it the placement is refused
 * - `optional`: it may be left out
 * - `one of`: exactly one of those so marked
 * - `with base`: with `sizeMode` `base`, and only then
 */
type Use = 'required' | 'optional' | 'one of' | 'with base'

const INCREASE = {
  expectedAmount: 'optional',
  leverage: 'required',
  stopTriggerPrice: 'optional',
  takeTriggerPrice: 'optional',
  sizeMode: 'optional',
  baseSize: 'with base',
} as const satisfies Uses

type Uses = { readonly [Field in Exclude<keyof Placement, Always>]?: Use }

/** What each order type can be told besides what all are. */
export const PLACEMENT_USES = {
  market: INCREASE,
  limit: { ...INCREASE, triggerPrice: 'required' },
  stop: { positionId: 'required', triggerPrice: 'required' },
  trailing_stop: {
    positionId: 'required',
    trailingStopActivationPrice: 'optional',
    trailingStopOffset: 'one of',
    trailingStopOffsetPercent: 'one of',
  },
  take: { positionId: 'required', triggerPrice: 'required' },
  stop_limit: { ...INCREASE, triggerPrice: 'required', stopLimitPrice: 'required' },
  stop_market: { ...INCREASE, triggerPrice: 'required' },
} as const satisfies { readonly [Type in PlaceableOrderType]: Uses }

/** A field of a placement that means something to some order types only. */
export type PlacementField = keyof Uses

/** Whether a field means something to an order type. */
export function canBeTold(type: PlaceableOrderType, field: PlacementField): boolean {
  return field in PLACEMENT_USES[type]
}

type UsesOf<Type extends PlaceableOrderType> = (typeof PLACEMENT_USES)[Type]

/** The fields of an order type that are used so. */
type FieldsOf<Type extends PlaceableOrderType, As extends Use> = {
  [Field in keyof UsesOf<Type>]: UsesOf<Type>[Field] extends As ? Field : never
}[keyof UsesOf<Type>] &
  keyof Placement

type Given<Field extends keyof Placement> = { readonly [F in Field]-?: NonNullable<Placement[F]> }
type Absent<Field extends keyof Placement> = { readonly [F in Field]?: null | undefined }

/** What can be told to one order type: its own fields, and nothing in the others. */
type FieldsTold<Type extends PlaceableOrderType> = Pick<Placement, Exclude<Always, 'orderType'>> & {
  /** What the order does and what it waits for. */
  readonly orderType: Type
} & Given<FieldsOf<Type, 'required'>> &
  Pick<Placement, Exclude<FieldsOf<Type, 'optional'>, 'sizeMode'>> &
  Absent<Exclude<keyof Placement, Always | keyof UsesOf<Type>>>

/** By `amount`, or by `baseSize`. */
type Sized =
  | { readonly sizeMode?: 'quote' | null | undefined; readonly baseSize?: null | undefined }
  | { readonly sizeMode: 'base'; readonly baseSize: Base }

/** By a distance in price, or by a fraction of the price. */
type Trailed =
  | (Given<'trailingStopOffset'> & Absent<'trailingStopOffsetPercent'>)
  | (Given<'trailingStopOffsetPercent'> & Absent<'trailingStopOffset'>)

type Increase<Type extends IncreaseOrderType> = Type extends IncreaseOrderType
  ? FieldsTold<Type> & Sized
  : never
type Close<Type extends CloseOrderType> = Type extends 'trailing_stop'
  ? FieldsTold<Type> & Trailed
  : Type extends CloseOrderType
    ? FieldsTold<Type>
    : never

/** A placement that opens or grows a position. */
export type PlaceIncrease = Increase<IncreaseOrderType>
/** A placement that closes some of a position. */
export type PlaceClose = Close<CloseOrderType>

/**
 * `POST /orders`: a kind for each order type, with the fields that mean something to it. `null` and omitted mean the same
 * (A6). A program that does not know the order type before it runs gives a {@link Placement} to {@link uncheckedOrder}.
 */
export type PlaceOrder = PlaceIncrease | PlaceClose

export function isIncrease(order: PlaceOrder): order is PlaceIncrease {
  return isIncreaseType(order.orderType)
}

/** Whether it leaves a limit order in its place when its turn has come (F4). */
export function leavesLimit(order: PlaceOrder): order is Increase<SpawningOrderType> {
  return spawnsLimit(order.orderType)
}

/**
 * A placement whose fields nobody has looked at, as a command: the engine looks at every one of them, whatever its type
 * says, and refuses with the code that names what is wrong (I2).
 *
 * ```ts
 * const body = JSON.parse('{"direction":"long","amount":"many"}') // of somebody
 * const outcome = engine.dispatch(uncheckedOrder({ ...order, ...body }))
 * outcome.ok ? '' : outcome.error.code // → validation_failed
 * ```
 */
export function uncheckedOrder(placement: Placement): PlaceOrder {
  return placement as PlaceOrder
}
