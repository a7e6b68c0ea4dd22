/** The stored form of every event. Numbers are given once; a released schema never changes (test/golden holds them). */
import type { AccountParameters } from '../../terms/accountParameters.ts'
import type { ExecutionErrorCode } from '../../terms/errors.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { CloseReason } from '../../terms/orderStatus.ts'
import type { OrderType } from '../../terms/orderTypes.ts'
import { ACCOUNT_PARAMETERS, MARKET_PARAMETERS } from '../../terms/parameterFields.ts'
import type { AccountOpened, Breach } from '../accountEvents.ts'
import type { EngineCreated } from '../engineEvents.ts'
import type { Event } from '../event.ts'
import type { OrderCanceled } from '../orderEvents.ts'
import { count, type Field, type Fields, flag, id, integer, nullable, object, oneOf, text } from './fields.ts'
import { type RetiredSchema, SchemaSet, type Schemas } from './schemas.ts'
import { fieldsBefore, STORED_SETS, wholeFields } from './storedKinds.ts'

export const { direction, sizeMode } = STORED_SETS
const { accountStatus, accountPhase, dayBoundary, marketStatus } = STORED_SETS

export const orderType: Field<OrderType> = oneOf(
  'market',
  'limit',
  'stop',
  'trailing_stop',
  'take',
  'stop_limit',
  'stop_market',
  'liquidation',
)
export const closeReason: Field<CloseReason> = oneOf(
  'force_close',
  'stop_accounts_fail',
  'stop_accounts_freeze',
  'stop_accounts_promote',
  'stop_accounts_manual',
  'weekly_session_risk_close',
)
export const executionError: Field<ExecutionErrorCode> = oneOf(
  'market_close_only_at_execution',
  'order_zero_size_at_execution',
  'insufficient_reserve_at_execution',
  'order_below_min_notional',
  'order_exceeds_market_depth',
  'order_exceeds_max_open_notional',
  'slippage_tolerance',
)
const canceledStatus: Field<OrderCanceled['status']> = oneOf('canceled', 'canceled_by_position')
const breach = object<Breach>({ rule: oneOf('total_loss', 'daily_loss'), floor: integer, equity: integer })

const marketParameters = object<MarketParameters>(wholeFields(MARKET_PARAMETERS) as Fields<MarketParameters>)
const planFields = wholeFields(ACCOUNT_PARAMETERS)
const accountParameters = object<AccountParameters>(planFields as Fields<AccountParameters>)

/** An account's parameters as 0.1.0 stored them. */
type PlanOf010 = Omit<AccountParameters, 'maxActiveOrders'>

const onMarket = { marketId: id }
const onAccount = { accountId: id }
const ended = { orderId: id, accountId: id, marketId: id, triggerPrice: integer, released: integer }
const onPosition = { positionId: id, accountId: id, marketId: id, direction }
const opened = <Plan extends object>(parameters: Field<Plan>) => ({
  ...onAccount,
  parameters,
  status: accountStatus,
  phase: nullable(accountPhase),
  apiTrading: flag,
  loaded: flag,
  locked: flag,
})
const settlement = {
  ...onPosition,
  indexPrice: integer,
  size: integer,
  exchangedQuote: integer,
  cost: integer,
  rawPnl: integer,
  pnl: integer,
  fee: integer,
  marginReleased: integer,
  credit: integer,
  profitReferenceUsed: integer,
  holdingTimeMs: count,
}

export const EVENT_SCHEMAS: Schemas<Event> = {
  engineCreated: { id: 34, fields: { seed: text, dayBoundary } },
  dayBegan: { id: 35, fields: {} },
  marketListed: {
    id: 2,
    fields: {
      ...onMarket,
      parameters: marketParameters,
      status: marketStatus,
      indexPrice: integer,
      priceAt: nullable(count),
    },
  },
  marketConfigured: { id: 3, fields: { ...onMarket, parameters: marketParameters } },
  marketStatusChanged: { id: 4, fields: { ...onMarket, status: marketStatus } },
  fundingRateChanged: {
    id: 5,
    fields: { ...onMarket, fundingRate: integer, fundingRateShort: nullable(integer) },
  },
  priceUpdated: { id: 6, fields: { ...onMarket, indexPrice: integer } },
  accountOpened: { id: 31, fields: opened(accountParameters) },
  balanceAdjusted: { id: 8, fields: { ...onAccount, amount: integer } },
  apiTradingChanged: { id: 9, fields: { ...onAccount, enabled: flag } },
  accountLockChanged: { id: 10, fields: { ...onAccount, locked: flag } },
  accountLoadedChanged: { id: 11, fields: { ...onAccount, loaded: flag } },
  accountStopped: {
    id: 12,
    fields: {
      ...onAccount,
      reason: oneOf('fail', 'freeze', 'manual'),
      status: oneOf('frozen', 'failed', 'closed'),
      breach: nullable(breach),
      frozenUntil: nullable(count),
    },
  },
  accountUnfrozen: { id: 13, fields: onAccount },
  accountPromoted: {
    id: 14,
    fields: { ...onAccount, phase: nullable(accountPhase), initialBalance: integer, adjustment: integer },
  },
  dayStarted: { id: 15, fields: { ...onAccount, equity: integer, balance: integer, profitable: flag } },
  orderPlaced: {
    id: 16,
    fields: {
      orderId: id,
      accountId: id,
      marketId: id,
      orderType,
      direction,
      triggerPrice: integer,
      requestedTriggerPrice: nullable(integer),
      limitPrice: integer,
      stopTriggerPrice: integer,
      takeTriggerPrice: integer,
      trailingStopActivationPrice: integer,
      trailingStopOffset: integer,
      trailingStopOffsetPercent: integer,
      leverage: nullable(integer),
      positionId: nullable(id),
      parentOrderId: nullable(id),
      amount: integer,
      sizeMode,
      baseSize: nullable(integer),
      expectedAmount: integer,
      watermark: nullable(integer),
      reserve: integer,
      reserveInherited: flag,
    },
  },
  orderExecuted: {
    id: 17,
    fields: {
      ...ended,
      indexPrice: integer,
      amount: integer,
      realizedPnl: nullable(integer),
      rawRealizedPnl: nullable(integer),
      profitAdjustmentApplied: flag,
    },
  },
  orderCanceled: { id: 18, fields: { ...ended, status: canceledStatus, reason: nullable(closeReason) } },
  orderFailed: { id: 19, fields: { ...ended, errorCode: executionError } },
  orderReplaced: { id: 20, fields: { ...ended, replacementId: id } },
  increasePosition: {
    id: 21,
    fields: {
      ...onPosition,
      opens: flag,
      orderId: id,
      indexPrice: integer,
      size: integer,
      notional: integer,
      margin: integer,
      leverage: integer,
      fee: integer,
      feeRate: integer,
      profitReference: integer,
    },
  },
  closePosition: {
    id: 22,
    fields: { ...settlement, closes: flag, orderId: id, feeRate: integer, scalpingCoefficient: integer },
  },
  liquidate: {
    id: 23,
    fields: {
      ...settlement,
      orderId: id,
      margin: integer,
      spread: integer,
      maintenanceMarginRate: integer,
      liquidationPrice: integer,
      formula: oneOf(1),
    },
  },
  forceClose: {
    id: 24,
    fields: {
      ...settlement,
      closeReason,
      feeRate: integer,
      spread: integer,
      margin: integer,
      formula: oneOf(1),
    },
  },
  addMargin: { id: 25, fields: { ...onPosition, amount: integer } },
  removeMargin: { id: 26, fields: { ...onPosition, amount: integer } },
  payFunding: {
    id: 27,
    fields: { ...onPosition, amount: integer, indexPrice: integer, fundingRate: integer },
  },
  apiKeyRegistered: {
    id: 28,
    fields: { keyId: id, userId: id, name: text, hash: text, prefix: text, expiresAt: nullable(count) },
  },
  apiKeyRefreshed: { id: 29, fields: { keyId: id, hash: text, prefix: text, expiresAt: nullable(count) } },
  apiKeyRevoked: { id: 30, fields: { keyId: id } },
  apiKeyAmended: { id: 32, fields: { keyId: id, userId: id, expiresAt: nullable(count) } },
  apiKeyForgotten: { id: 33, fields: { keyId: id } },
}

/** Forms of events that older logs hold, with what turns them into today's. */
const RETIRED: readonly RetiredSchema<Event>[] = [
  { id: 1, type: 'engineCreated', fields: { seed: text }, upcast: withDaysOfAccounts },
  {
    id: 7,
    type: 'accountOpened',
    fields: opened(object(fieldsBefore('maxActiveOrders', planFields))),
    upcast: withoutOrderLimit,
  },
]

/** Where a log does not say how its days begin, every account's begins by itself (K15). */
function withDaysOfAccounts(stored: object): EngineCreated {
  return { ...(stored as Omit<EngineCreated, 'dayBoundary'>), dayBoundary: 'account' }
}

/** Where no limit was known, any number of orders may rest (K2). */
function withoutOrderLimit(stored: object): AccountOpened {
  const event = stored as Omit<AccountOpened, 'parameters'> & { readonly parameters: PlanOf010 }
  return { ...event, parameters: { ...event.parameters, maxActiveOrders: null } }
}

export const eventCodec = new SchemaSet<Event>(EVENT_SCHEMAS, RETIRED)
