/** The Order resource, and the bodies that place and edit orders. */
import type { EditOrder } from '../events/command.ts'
import { COMMAND_FIELDS } from '../events/commandTable.ts'
import type { Placement } from '../events/placeOrder.ts'
import { CLOSED_SETS } from '../terms/closedSets.ts'
import { EXECUTION_ERRORS } from '../terms/errors.ts'
import { ORDER_STATUSES, type OrderStatus } from '../terms/orderStatus.ts'
import { ORDER_TYPES, type OrderType, type PlaceableOrderType } from '../terms/orderTypes.ts'
import { commandBody, type Said } from './commandBody.ts'
import { EXECUTED_ORDER, PLACEMENTS } from './examples.ts'
import {
  amount,
  base,
  closed,
  flag,
  instant,
  leverage,
  nullable,
  oneOf,
  price,
  quote,
  rate,
  uuid,
} from './fields.ts'

export const OrderResource = closed(
  {
    id: uuid('Identifies the order.'),
    trader: uuid('The account the order belongs to.'),
    market: uuid('The market of the order.'),
    status: oneOf(
      Object.keys(ORDER_STATUSES) as OrderStatus[],
      '`active` rests and waits; `executed` has filled; `canceled` was ended by its trader, or by the platform, which says why in `reason`; `canceled_by_update` was replaced by an edit; `canceled_by_error` failed when its turn came, `errorCode` says why; `canceled_by_position` ended with the position it would have closed.',
    ),
    type: oneOf(
      Object.keys(ORDER_TYPES) as OrderType[],
      'What the order does and what it waits for; `liquidation` is raised by the engine.',
    ),
    direction: oneOf(CLOSED_SETS.direction, 'Of the position it opens, grows or closes.'),
    triggerPrice: price('The index price that fires the order; 0 = no trigger.'),
    requestedTriggerPrice: nullable(
      price('As requested, where it was pushed out to the minimum stop distance; null where it was kept.'),
    ),
    stopPrice: price('Trigger price of `stop_market` and `stop_limit`; 0 for other types.'),
    limitPrice: price(
      'What the order is placed at once triggered: the stop-limit price, or else the trigger price.',
    ),
    stopTriggerPrice: price('Attached stop-loss; 0 = none.'),
    takeTriggerPrice: price('Attached take-profit; 0 = none.'),
    trailingStopActivationPrice: price('Where a trailing stop starts trailing; 0 = from its creation.'),
    trailingStopOffset: price('Trailing distance in price; 0 where it is a fraction.'),
    trailingStopOffsetPercent: rate('Trailing distance as a fraction of the price; 0 where it is absolute.'),
    leverage: nullable(leverage("Null on close orders, which inherit the position's.")),
    positionId: nullable(uuid('The position a close order closes; null on increase orders.')),
    parentOrderId: nullable(
      uuid(
        'The order this one came from: the entry that a stop or take was attached to, or the `stop_limit` that a limit order stems from; null where it was placed itself.',
      ),
    ),
    amount: amount(
      'Increase order: what is reserved while it waits, then what was spent. Close order: base size it closes, as requested.',
    ),
    indexPrice: nullable(price('Index price at execution; null until executed.')),
    createdAt: instant('When the order was accepted.'),
    realizedPnl: nullable(quote('Profit or loss realized; null but on an executed close order.')),
    rawRealizedPnl: nullable(quote('The same before the 60-second profit adjustment.')),
    profitAdjustmentApplied: flag('Whether the 60-second adjustment capped the profit.'),
    sizeMode: oneOf(CLOSED_SETS.sizeMode, 'What sizes the order: its `amount`, or its `baseSize`.'),
    baseSize: nullable(base('Size of a base-sized order; null on quote-sized ones.')),
    reservedAmount: nullable(
      quote(
        'What was reserved for a base-sized order, kept after execution, while `amount` becomes what was spent; null on quote-sized ones.',
      ),
    ),
    errorCode: nullable(
      oneOf(
        Object.keys(EXECUTION_ERRORS),
        `Why it failed when its turn came; null but with \`canceled_by_error\`. ${codesWithMeanings()}`,
      ),
    ),
    reason: nullable(
      oneOf(CLOSED_SETS.closeReason, 'Why the platform cancelled it; null where its trader did.'),
    ),
  },
  { title: 'Order', description: 'An order, 29 fields.', examples: [EXECUTED_ORDER] },
)

function codesWithMeanings(): string {
  return Object.entries(EXECUTION_ERRORS)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(' ')
}

const { idempotencyKey: _header, ...placementFields } = COMMAND_FIELDS.placeOrder
const { orderId: _path, ...editFields } = COMMAND_FIELDS.editOrder

type PlacementFields = Omit<Placement, 'type' | 'idempotencyKey'>
type EditFields = Omit<EditOrder, 'type' | 'orderId'>

/** The body of a placement; its `type` is the `orderType` of the command. The idempotency key is a header. */
export type PlaceOrderBody = Said<Omit<PlacementFields, 'orderType'>> & { readonly type: PlaceableOrderType }
/** The body of an edit; the order is in the path. */
export type EditOrderBody = Said<EditFields>

export const placeOrderBody = commandBody<PlacementFields, PlaceOrderBody>(placementFields, {
  title: 'PlaceOrder',
  description:
    'The order to place. `null` and omitted mean the same; a field of another order type is ignored.',
  examples: Object.values(PLACEMENTS).map(({ value }) => value),
  documented: 'placeOrder',
  names: { orderType: 'type' },
})
export const editOrderBody = commandBody<EditFields>(editFields, {
  title: 'EditOrder',
  description: 'What to change; what is left out stays. Nothing at all returns the order as it stands.',
  examples: [{ triggerPrice: '47500000000000' }],
  documented: 'editOrder',
})
