/** Orders: placing, editing, cancelling, and their lists. */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { Outcome } from '../../engine/outcome.ts'
import { PLACEMENT_USES, type PlaceOrder, uncheckedOrder } from '../../events/placeOrder.ts'
import { formatInstant } from '../../projections/wire.ts'
import { PLACEMENTS } from '../../resources/examples.ts'
import { AccountPath, MarketPath, OrderPath, PageQuery, pageOf } from '../../resources/fields.ts'
import { editOrderBody, OrderResource, type PlaceOrderBody, placeOrderBody } from '../../resources/order.ts'
import type { ErrorCode } from '../../terms/errors.ts'
import { isIncreaseType, PLACEABLE_ORDER_TYPES } from '../../terms/orderTypes.ts'
import { answer, answerList, ask, askPast, type HostContext, refuse, send } from '../context.ts'
import { eachJson, orderPageJson } from '../json.ts'
import { IDEMPOTENCY_HEADERS, operation } from '../operation.ts'
import { orderJson } from '../orderJson.ts'
import { pagingOf } from '../paging.ts'

const OWNED: readonly ErrorCode[] = ['account_access_denied', 'api_trading_not_enabled']
const LISTED: readonly ErrorCode[] = ['account_not_found', ...OWNED]

const SIZE: readonly ErrorCode[] = [
  'amount_not_positive',
  'base_size_required',
  'base_size_negative',
  'base_size_not_allowed',
]
const AGAINST_TRIGGER: readonly ErrorCode[] = [
  'stop_trigger_price_gt_trigger_price',
  'stop_trigger_price_lt_trigger_price',
  'take_trigger_price_gt_trigger_price',
  'take_trigger_price_lt_trigger_price',
  'stop_limit_price_gt_trigger_price',
  'stop_limit_price_lt_trigger_price',
]
const TRADING: readonly ErrorCode[] = [
  ...OWNED,
  'account_not_loaded',
  'challenge_closed',
  'account_phase_not_allowed',
  'funded_limit_trading_locked',
  'insufficient_balance',
  'market_paused',
  'market_close_only',
  'market_category_not_allowed',
  'market_price_unavailable',
  'market_price_stale',
  'trigger_price_gt_current',
  'trigger_price_lt_current',
  'trigger_price_gt_liquidation',
  'trigger_price_lt_liquidation',
  'order_exceeds_max_open_notional',
]

/** What each order type takes, from the tables of order types and of what a placement can be told. */
const ABOUT_PLACING = [
  '`amount` changes its unit with the class of the order. Increase orders reserve that much **quote (USD)** of the free balance for margin and fee; close orders close that much of the position, in **units of the base asset**, and reserve nothing; more than the position closes all of it.',
  [
    '| `type` | `amount` is | also required | may be given |',
    '|---|---|---|---|',
    ...PLACEABLE_ORDER_TYPES.map((type) => {
      const uses = Object.entries<string>(PLACEMENT_USES[type])
      const fields = (wanted: (use: string) => boolean) =>
        uses.flatMap(([field, use]) => (wanted(use) ? [`\`${field}\``] : [])).join(', ')
      const one = fields((use) => use === 'one of')
      const required = [fields((use) => use === 'required'), one === '' ? '' : `one of ${one}`]
      const given = fields((use) => use === 'optional' || use === 'with base')
      const unit = isIncreaseType(type) ? 'quote (USD) to spend' : 'base size to close'
      return `| \`${type}\` | ${unit} | ${required.filter((text) => text !== '').join(', ')} | ${given} |`
    }),
  ].join('\n'),
  'A `take` with `triggerPrice` `0` closes at market. An order of the other direction opens a second position and closes nothing. An order that fails when its turn comes is no error here: it ends `canceled_by_error`, with an `errorCode`.',
].join('\n\n')

const placeOrder = operation({
  id: 'placeOrder',
  summary: 'Place an order',
  description: ABOUT_PLACING,
  bodyExamples: PLACEMENTS,
  tag: 'orders',
  access: 'trader',
  idempotent: true,
  status: 201,
  body: placeOrderBody.schema,
  response: OrderResource,
  errors: [
    'idempotency_key_in_flight',
    ...SIZE,
    'leverage_required',
    'leverage_negative',
    'trigger_price_required',
    'trigger_price_negative',
    'stop_trigger_price_negative',
    'take_trigger_price_negative',
    ...AGAINST_TRIGGER,
    'stop_limit_price_required',
    'stop_limit_price_negative',
    'trailing_stop_activation_price_negative',
    'trailing_stop_offset_required',
    'trailing_stop_offset_conflict',
    'trailing_stop_offset_negative',
    'trailing_stop_offset_percent_negative',
    'trailing_stop_offset_percent_gte_one',
    'position_id_required',
    'account_not_found',
    'market_not_found',
    'invalid_leverage',
    'position_not_found',
    'position_not_available',
    'too_many_active_orders',
    'order_validation_invariant',
    ...TRADING,
  ],
})

const editOrder = operation({
  id: 'editOrder',
  summary: 'Replace an active order by an edited one',
  tag: 'orders',
  access: 'trader',
  params: OrderPath,
  body: editOrderBody.schema,
  response: OrderResource,
  errors: [
    'order_not_found',
    'order_not_active',
    'order_not_updatable',
    'trigger_price_reset_forbidden',
    'base_size_requires_amount',
    'trigger_price_negative',
    ...SIZE,
    ...AGAINST_TRIGGER,
    ...TRADING,
  ],
})

const cancelOrder = operation({
  id: 'cancelOrder',
  summary: 'Cancel an active order',
  tag: 'orders',
  access: 'trader',
  extension: true,
  params: OrderPath,
  response: OrderResource,
  errors: ['order_not_found', ...OWNED, 'account_not_loaded', 'order_not_active'],
})

const activeOrders = operation({
  id: 'activeOrders',
  summary: 'Active orders of an account, on all markets',
  tag: 'orders',
  access: 'trader',
  extension: true,
  params: AccountPath,
  response: Type.Array(OrderResource),
  errors: LISTED,
})

const activeOrdersOfMarket = operation({
  id: 'activeOrdersOfMarket',
  summary: 'Active orders of an account on one market',
  tag: 'orders',
  access: 'trader',
  params: MarketPath,
  response: Type.Array(OrderResource),
  errors: [...LISTED, 'market_not_found'],
})

const orderHistory = operation({
  id: 'orderHistory',
  summary: 'Orders of an account on one market that reached a final state, newest first',
  tag: 'orders',
  access: 'trader',
  params: MarketPath,
  query: PageQuery,
  response: pageOf(OrderResource, 'OrderPage'),
  errors: [...LISTED, 'market_not_found'],
})

export function orderRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.post('/orders', placeOrder, async (request, reply) => {
    const [key = null] = idempotencyKeysOf(request.headers)
    return answerPlacement(context, reply, await send(context, request, placement(request.body, key)))
  })

  app.patch('/orders/:orderId', editOrder, async (request, reply) => {
    const known = { type: 'editOrder', orderId: request.params.orderId.toLowerCase() } as const
    const command = editOrderBody.addTo(known, request.body)
    const outcome = await send(context, request, command)
    return outcome.ok ? answer(reply, orderJson(outcome.value)) : refuse(context, reply, outcome.error)
  })

  app.delete('/orders/:orderId', cancelOrder, async (request, reply) => {
    const orderId = request.params.orderId.toLowerCase()
    const outcome = await send(context, request, { type: 'cancelOrder', orderId })
    return outcome.ok ? answer(reply, orderJson(outcome.value)) : refuse(context, reply, outcome.error)
  })

  app.get('/orders/:accountId/active', activeOrders, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    const found = ask(context, request, { type: 'activeOrders', accountId })
    return found.ok ? answerOrders(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/orders/:accountId/:asset/active', activeOrdersOfMarket, async (request, reply) => {
    const { accountId, asset } = request.params
    const query = { type: 'activeOrders', accountId: accountId.toLowerCase(), asset } as const
    const found = ask(context, request, query)
    return found.ok ? answerOrders(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/orders/:accountId/:asset/history', orderHistory, async (request, reply) => {
    const { accountId, asset } = request.params
    const found = await askPast(context, request, {
      type: 'orderHistory',
      accountId: accountId.toLowerCase(),
      asset,
      ...pagingOf(request.query),
    })
    return found.ok ? answer(reply, orderPageJson(found.value)) : refuse(context, reply, found.error)
  })
}

function answerOrders(reply: FastifyReply, orders: readonly OrderRecord[]): FastifyReply {
  return answerList(reply, eachJson(orders, orderJson), orders.length)
}

const NO_KEYS: readonly string[] = []

/** The different keys that a request gives under either name of the header; an empty one is none (I4). */
export function idempotencyKeysOf(headers: FastifyRequest['headers']): readonly string[] {
  if (IDEMPOTENCY_HEADERS.every((name) => headers[name] === undefined)) return NO_KEYS
  const given = IDEMPOTENCY_HEADERS.flatMap((name) => [headers[name] ?? []].flat().join(', '))
  return [...new Set(given)].filter((key) => key !== '')
}

/** 201 with the order; a replay says so and when the first call completed, with the same bytes (A7, I4). */
export function answerPlacement(
  context: HostContext,
  reply: FastifyReply,
  outcome: Outcome<PlaceOrder>,
): FastifyReply {
  if (!outcome.ok) return refuse(context, reply, outcome.error)
  if (outcome.replayedFrom !== undefined)
    reply.headers({
      'x-idempotency-cached': 'true',
      'x-idempotency-timestamp': formatInstant(outcome.replayedFrom),
    })
  return answer(reply, orderJson(outcome.value), 201)
}

function placement(body: PlaceOrderBody, idempotencyKey: string | null): PlaceOrder {
  return uncheckedOrder(placeOrderBody.addTo({ type: 'placeOrder', idempotencyKey }, body))
}
