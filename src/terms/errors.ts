/**
 * Every code the venue answers with: its HTTP status, its group, who raises it and what it means.
 *
 * The table is in order of precedence: when a placement is wrong in several ways, the code that stands first here is
 * the one answered (I1, I2); edits and margin changes have orders of their own (I3, E6). The engine returns
 * rejections as values; exceptions are for broken invariants only.
 */
import { namesOf, tableOf } from '../collections/table.ts'

/** What there is to know of a code. */
export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 503
  readonly group:
    | 'access'
    | 'schema'
    | 'size'
    | 'leverage'
    | 'trigger'
    | 'attached'
    | 'stop-limit'
    | 'trailing'
    | 'close'
    | 'account'
    | 'market'
    | 'order'
    | 'position'
    | 'price'
    | 'notional'
  /** Which part of the system finds it: the engine's rules, or the host in front of it. */
  readonly raisedBy: 'engine' | 'host'
  readonly meaning: string
  /** A code of this venue's own, which the document of the interface does not have (K). */
  readonly extension: boolean
}

const entry = (
  status: ErrorEntry['status'],
  group: ErrorEntry['group'],
  meaning: string,
  raisedBy: ErrorEntry['raisedBy'] = 'engine',
): ErrorEntry => ({ status, group, raisedBy, meaning, extension: false })

const extension = (...terms: Parameters<typeof entry>): ErrorEntry => ({
  ...entry(...terms),
  extension: true,
})

/**
 * Every code the venue answers with, in order of precedence: status, group, who raises it and what it means (I1, I2, I15).
 */
export const ERRORS = {
  engine_stopped: extension(
    503,
    'access',
    'The engine has stopped, or takes no commands because nothing can be written, until it is restarted.',
  ),
  shard_unavailable: extension(
    503,
    'access',
    'The request could not be taken up just now, or, in a cluster, its outcome is unknown: it is to be repeated under its idempotency key.',
    'host',
  ),
  session_expired: entry(
    401,
    'access',
    'The key or session is missing, malformed, revoked or expired.',
    'host',
  ),
  api_key_rate_limit_exceeded: entry(429, 'access', 'The key has used up a rate limit window.', 'host'),
  api_key_not_allowed: entry(
    403,
    'access',
    'This endpoint does not accept this kind of key or token.',
    'host',
  ),
  idempotency_key_in_flight: entry(409, 'access', 'The first request with this idempotency key still runs.'),
  too_many_api_keys: extension(400, 'access', 'The user has as many live API keys as they may have.'),
  validation_failed: entry(400, 'schema', 'The input does not have the documented form.'),

  amount_not_positive: entry(400, 'size', 'The amount must be above zero.'),
  base_size_required: entry(400, 'size', 'A base-sized order needs a base size.'),
  base_size_negative: entry(400, 'size', 'The base size must be above zero.'),
  base_size_not_allowed: entry(400, 'size', 'A base size belongs to base-sized increase orders only.'),
  leverage_required: entry(400, 'leverage', 'An increase order needs a leverage.'),
  leverage_negative: entry(400, 'leverage', 'The leverage must not be negative.'),
  trigger_price_required: entry(400, 'trigger', 'This order type needs a trigger price.'),
  trigger_price_negative: entry(400, 'trigger', 'The trigger price must not be negative.'),
  stop_trigger_price_negative: entry(400, 'attached', 'The attached stop-loss must not be negative.'),
  take_trigger_price_negative: entry(400, 'attached', 'The attached take-profit must not be negative.'),
  stop_trigger_price_gt_trigger_price: entry(
    400,
    'attached',
    'The stop-loss of a long must be below the price it enters at.',
  ),
  stop_trigger_price_lt_trigger_price: entry(
    400,
    'attached',
    'The stop-loss of a short must be above the price it enters at.',
  ),
  take_trigger_price_gt_trigger_price: entry(
    400,
    'attached',
    'The take-profit of a short must be below its entry trigger price.',
  ),
  take_trigger_price_lt_trigger_price: entry(
    400,
    'attached',
    'The take-profit of a long must be above its entry trigger price.',
  ),
  stop_limit_price_required: entry(400, 'stop-limit', 'A stop-limit order needs a stop-limit price.'),
  stop_limit_price_negative: entry(400, 'stop-limit', 'The stop-limit price must not be negative.'),
  stop_limit_price_gt_trigger_price: entry(
    400,
    'stop-limit',
    'The stop-limit price of a long must be at or below its trigger price.',
  ),
  stop_limit_price_lt_trigger_price: entry(
    400,
    'stop-limit',
    'The stop-limit price of a short must be at or above its trigger price.',
  ),
  trailing_stop_activation_price_negative: entry(
    400,
    'trailing',
    'The activation price must not be negative.',
  ),
  trailing_stop_offset_required: entry(
    400,
    'trailing',
    'A trailing stop needs an offset, absolute or in percent.',
  ),
  trailing_stop_offset_conflict: entry(
    400,
    'trailing',
    'A trailing stop takes one offset, absolute or in percent.',
  ),
  trailing_stop_offset_negative: entry(400, 'trailing', 'The trailing offset must be above zero.'),
  trailing_stop_offset_percent_negative: entry(
    400,
    'trailing',
    'The trailing offset percentage must be above zero.',
  ),
  trailing_stop_offset_percent_gte_one: entry(
    400,
    'trailing',
    'The trailing offset percentage must be below 100%.',
  ),
  position_id_required: entry(400, 'close', 'A close order needs the position it closes.'),

  account_not_found: entry(404, 'account', 'There is no such account.'),
  order_not_found: entry(404, 'order', 'There is no such order in the current phase.'),
  position_not_found: entry(404, 'position', 'There is no such position in the current phase.'),
  account_access_denied: entry(403, 'account', 'The account belongs to another user.'),
  api_trading_not_enabled: entry(403, 'account', 'API trading is switched off for the account.'),
  account_not_loaded: entry(409, 'account', 'The account is not loaded by the trading engine now.'),
  market_not_found: entry(404, 'market', 'There is no such market.'),
  invalid_leverage: entry(400, 'leverage', 'The leverage is outside the bounds of the market and the phase.'),
  order_not_active: entry(403, 'order', 'The order is no longer active.'),
  challenge_closed: entry(403, 'account', 'The account is no longer trading.'),
  account_phase_not_allowed: entry(403, 'account', 'The account is in no phase that allows this.'),
  order_not_updatable: entry(400, 'order', 'This order, or this field of it, cannot be edited.'),
  trigger_price_reset_forbidden: entry(400, 'order', 'A set trigger price cannot be reset to zero.'),
  funded_limit_trading_locked: entry(403, 'account', 'The account is locked by the managed capital limit.'),
  base_size_requires_amount: entry(400, 'order', 'A new base size needs a new amount beside it.'),
  insufficient_balance: entry(400, 'account', 'The free balance does not cover the amount.'),
  too_many_active_orders: extension(400, 'account', 'More orders would rest than the account may have.'),
  market_paused: entry(403, 'market', 'The market is paused.'),
  market_category_not_allowed: entry(403, 'market', 'The account may not trade markets of this category.'),
  market_close_only: entry(403, 'market', 'The market accepts closing at market only.'),
  position_not_available: entry(
    400,
    'position',
    'The position is not open, or not on this account, market and side.',
  ),
  position_changed: extension(
    409,
    'position',
    'The position has another version than the request is for.',
    'host',
  ),
  market_price_unavailable: entry(400, 'price', 'The market has no price yet.'),
  market_price_stale: entry(409, 'price', 'The market price was not updated recently enough.'),
  trigger_price_gt_current: entry(400, 'price', 'The trigger price must not be above the current price.'),
  trigger_price_lt_current: entry(400, 'price', 'The trigger price must not be below the current price.'),
  trigger_price_gt_liquidation: entry(
    400,
    'price',
    'The trigger price must not be above the liquidation price.',
  ),
  trigger_price_lt_liquidation: entry(
    400,
    'price',
    'The trigger price must not be below the liquidation price.',
  ),
  order_validation_invariant: entry(
    400,
    'price',
    'The size fields needed to project the position are missing.',
  ),
  non_positive_margin: entry(400, 'position', 'The position cannot spare that much margin.'),
  order_exceeds_max_open_notional: entry(
    400,
    'notional',
    'The order exceeds the open notional the market allows.',
  ),
} as const satisfies Record<string, ErrorEntry>

/** A code of the HTTP catalogue. */
export type ErrorCode = keyof typeof ERRORS

/**
 * Why an order that was accepted failed when it executed. Never an HTTP error: read as `errorCode` on an order that
 * ended `canceled_by_error`. In order of precedence (C4).
 */
export const EXECUTION_ERRORS = {
  market_close_only_at_execution: 'The market had become close-only.',
  order_zero_size_at_execution: 'After the fee nothing was left to open a position with.',
  insufficient_reserve_at_execution: 'The reserve did not cover margin and fee at the execution price.',
  order_below_min_notional: 'The executed notional was below the market minimum.',
  order_exceeds_market_depth: 'The executed notional was above what the market fills in one order.',
  order_exceeds_max_open_notional: 'The executed notional did not fit the open notional the market allows.',
  slippage_tolerance: 'The executed size was outside the expected amount.',
} as const satisfies Record<string, string>

/** Why an order that was accepted failed when its turn came: `errorCode` of an order. */
export type ExecutionErrorCode = keyof typeof EXECUTION_ERRORS

/** A command that was not accepted, and left no trace. */
export interface Rejection {
  readonly code: ErrorCode
  /** With `invalid_leverage`: what was asked for, an fp9 multiple. */
  readonly leverage?: bigint
  /** With `invalid_leverage`: the bound it broke, an fp9 multiple. */
  readonly minLeverage?: bigint
  /** With `invalid_leverage`: the bound it broke, an fp9 multiple. */
  readonly maxLeverage?: bigint
  /** With `validation_failed`: the paths of the fields at fault. */
  readonly details?: readonly string[]
}

const BARE: { readonly [Code in ErrorCode]: Rejection } = tableOf(namesOf(ERRORS), (code) =>
  Object.freeze({ code }),
)

/** The rejection of a code that needs no further fields. */
export function rejection(code: ErrorCode): Rejection {
  return BARE[code]
}

/** `validation_failed`, naming the fields at fault. */
export function invalid(...details: string[]): Rejection {
  return { code: 'validation_failed', details }
}
