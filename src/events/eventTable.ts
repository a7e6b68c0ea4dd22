/**
 * Every event and every field of it, with what it holds and what it happens to. The types beside this file say what the
 * fields mean; all else follows from here: how events are stored (`codec/eventSchemas.ts`), which refer to an object of the
 * state, whether an event is well-formed, and docs/events.md. Fields are stored in this order, so new ones are added at the
 * end. `?` where null is a value.
 */
import { namesOf } from '../collections/table.ts'
import { type FieldKinds, isNested, type KindsOf, orNull } from '../terms/fieldKinds.ts'
import { ACCOUNT_PARAMETERS, MARKET_PARAMETERS } from '../terms/parameterFields.ts'
import type { AccountEvent, AccountEventFields, Breach } from './accountEvents.ts'
import type { ApiKeyEvent, ApiKeyEventFields, Secret } from './apiKeyEvents.ts'
import type { EngineEvent } from './engineEvents.ts'
import type { Event, EventType } from './event.ts'
import type { MarketEvent, MarketEventFields } from './marketEvents.ts'
import type { OrderEnded, OrderEvent } from './orderEvents.ts'
import type { PositionEvent, PositionEventFields, Settled } from './positionEvents.ts'

/** What events happen to, and which do. */
export interface EventsOn {
  readonly venue: EngineEvent
  readonly market: MarketEvent
  readonly account: AccountEvent
  readonly order: OrderEvent
  readonly position: PositionEvent
  readonly apiKey: ApiKeyEvent
}

type Subject = keyof EventsOn
type SubjectOf<Type extends EventType> = {
  [On in Subject]: Type extends EventsOn[On]['type'] ? On : never
}[Subject]

interface EventRow<Type extends EventType> {
  readonly on: SubjectOf<Type>
  readonly fields: KindsOf<Omit<Extract<Event, { type: Type }>, 'type'>>
}

const ON_MARKET = { marketId: 'id' } as const satisfies KindsOf<MarketEventFields>
const ON_ACCOUNT = { accountId: 'id' } as const satisfies KindsOf<AccountEventFields>
const ON_API_KEY = { keyId: 'id' } as const satisfies KindsOf<ApiKeyEventFields>
const SECRET = { hash: 'text', prefix: 'text', expiresAt: 'instant?' } as const satisfies KindsOf<Secret>

const BREACH = { rule: 'breachRule', floor: 'quote', equity: 'quote' } as const satisfies KindsOf<Breach>

const ORDER_ENDED = {
  orderId: 'id',
  accountId: 'id',
  marketId: 'id',
  triggerPrice: 'price >= 0',
  released: 'quote >= 0',
} as const satisfies KindsOf<OrderEnded>

const ON_POSITION = {
  positionId: 'id',
  accountId: 'id',
  marketId: 'id',
  direction: 'direction',
} as const satisfies KindsOf<PositionEventFields>

const SETTLED = {
  ...ON_POSITION,
  indexPrice: 'price > 0',
  size: 'base > 0',
  exchangedQuote: 'quote >= 0',
  cost: 'quote >= 0',
  rawPnl: 'quote',
  pnl: 'quote',
  fee: 'quote >= 0',
  marginReleased: 'quote >= 0',
  credit: 'quote >= 0',
  profitReferenceUsed: 'quote',
  holdingTimeMs: 'ms',
} as const satisfies KindsOf<Settled>

export const EVENTS = {
  engineCreated: { on: 'venue', fields: { seed: 'text', dayBoundary: 'dayBoundary' } },
  dayBegan: { on: 'venue', fields: {} },
  commandRefused: { on: 'venue', fields: { error: 'text', field: 'text?' } },
  marketListed: {
    on: 'market',
    fields: {
      ...ON_MARKET,
      parameters: MARKET_PARAMETERS,
      status: 'marketStatus',
      indexPrice: 'price >= 0',
      priceAt: 'instant?',
    },
  },
  marketConfigured: { on: 'market', fields: { ...ON_MARKET, parameters: MARKET_PARAMETERS } },
  marketStatusChanged: { on: 'market', fields: { ...ON_MARKET, status: 'marketStatus' } },
  fundingRateChanged: {
    on: 'market',
    fields: { ...ON_MARKET, fundingRate: 'rate', fundingRateShort: 'rate?' },
  },
  priceUpdated: { on: 'market', fields: { ...ON_MARKET, indexPrice: 'price > 0' } },
  notionalQuotaSet: {
    on: 'market',
    fields: { ...ON_MARKET, quotaLong: 'quote >= 0', quotaShort: 'quote >= 0' },
  },
  accountOpened: {
    on: 'account',
    fields: {
      ...ON_ACCOUNT,
      parameters: ACCOUNT_PARAMETERS,
      status: 'accountStatus',
      phase: 'accountPhase?',
      apiTrading: 'flag',
      loaded: 'flag',
      locked: 'flag',
    },
  },
  balanceAdjusted: { on: 'account', fields: { ...ON_ACCOUNT, amount: 'quote' } },
  apiTradingChanged: { on: 'account', fields: { ...ON_ACCOUNT, enabled: 'flag' } },
  accountLockChanged: { on: 'account', fields: { ...ON_ACCOUNT, locked: 'flag' } },
  accountLoadedChanged: { on: 'account', fields: { ...ON_ACCOUNT, loaded: 'flag' } },
  accountStopped: {
    on: 'account',
    fields: {
      ...ON_ACCOUNT,
      reason: 'endingStopReason',
      status: 'stoppedStatus',
      breach: orNull(BREACH),
      frozenUntil: 'instant?',
    },
  },
  accountUnfrozen: { on: 'account', fields: ON_ACCOUNT },
  accountPromoted: {
    on: 'account',
    fields: {
      ...ON_ACCOUNT,
      phase: 'accountPhase?',
      initialBalance: 'quote >= 0',
      adjustment: 'quote',
    },
  },
  dayStarted: {
    on: 'account',
    fields: { ...ON_ACCOUNT, equity: 'quote', balance: 'quote', profitable: 'flag' },
  },
  orderPlaced: {
    on: 'order',
    fields: {
      orderId: 'id',
      accountId: 'id',
      marketId: 'id',
      orderType: 'orderType',
      direction: 'direction',
      triggerPrice: 'price >= 0',
      requestedTriggerPrice: 'price >= 0?',
      limitPrice: 'price >= 0',
      stopTriggerPrice: 'price >= 0',
      takeTriggerPrice: 'price >= 0',
      trailingStopActivationPrice: 'price >= 0',
      trailingStopOffset: 'price >= 0',
      trailingStopOffsetPercent: 'rate >= 0',
      leverage: 'leverage > 0?',
      positionId: 'id?',
      parentOrderId: 'id?',
      amount: 'amount > 0',
      sizeMode: 'sizeMode',
      baseSize: 'base > 0?',
      expectedAmount: 'base >= 0',
      watermark: 'price > 0?',
      reserve: 'quote >= 0',
      reserveInherited: 'flag',
    },
  },
  orderExecuted: {
    on: 'order',
    fields: {
      ...ORDER_ENDED,
      indexPrice: 'price > 0',
      amount: 'amount >= 0',
      realizedPnl: 'quote?',
      rawRealizedPnl: 'quote?',
      profitAdjustmentApplied: 'flag',
    },
  },
  orderCanceled: {
    on: 'order',
    fields: { ...ORDER_ENDED, status: 'canceledStatus', reason: 'closeReason?' },
  },
  orderFailed: { on: 'order', fields: { ...ORDER_ENDED, errorCode: 'executionError' } },
  orderReplaced: { on: 'order', fields: { ...ORDER_ENDED, replacementId: 'id' } },
  increasePosition: {
    on: 'position',
    fields: {
      ...ON_POSITION,
      opens: 'flag',
      orderId: 'id',
      indexPrice: 'price > 0',
      size: 'base > 0',
      notional: 'quote >= 0',
      margin: 'quote >= 0',
      leverage: 'leverage > 0',
      fee: 'quote >= 0',
      feeRate: 'rate >= 0',
      profitReference: 'quote',
    },
  },
  closePosition: {
    on: 'position',
    fields: {
      ...SETTLED,
      closes: 'flag',
      orderId: 'id',
      feeRate: 'rate >= 0',
      scalpingCoefficient: 'leverage > 0',
    },
  },
  addMargin: { on: 'position', fields: { ...ON_POSITION, amount: 'quote > 0' } },
  removeMargin: { on: 'position', fields: { ...ON_POSITION, amount: 'quote > 0' } },
  payFunding: {
    on: 'position',
    fields: { ...ON_POSITION, amount: 'quote', indexPrice: 'price > 0', fundingRate: 'rate' },
  },
  liquidate: {
    on: 'position',
    fields: {
      ...SETTLED,
      orderId: 'id',
      margin: 'quote >= 0',
      spread: 'rate >= 0',
      maintenanceMarginRate: 'rate >= 0',
      liquidationPrice: 'price > 0',
      formula: 'formulaVersion',
    },
  },
  forceClose: {
    on: 'position',
    fields: {
      ...SETTLED,
      closeReason: 'closeReason',
      feeRate: 'rate >= 0',
      spread: 'rate >= 0',
      margin: 'quote >= 0',
      formula: 'formulaVersion',
    },
  },
  apiKeyRegistered: {
    on: 'apiKey',
    fields: { ...ON_API_KEY, userId: 'id', name: 'text', ...SECRET },
  },
  apiKeyRefreshed: { on: 'apiKey', fields: { ...ON_API_KEY, ...SECRET } },
  apiKeyRevoked: { on: 'apiKey', fields: ON_API_KEY },
  apiKeyAmended: { on: 'apiKey', fields: { ...ON_API_KEY, userId: 'id', expiresAt: 'instant?' } },
  apiKeyForgotten: { on: 'apiKey', fields: ON_API_KEY },
} as const satisfies { readonly [Type in EventType]: EventRow<Type> }

/** The names of all events, in the order of the table. */
export const EVENT_TYPES: readonly EventType[] = namesOf(EVENTS)

/** Whether an event happens to what is named: the compiler then knows which events it can be. */
export function isEventOn<On extends Subject>(event: Event, on: On): event is EventsOn[On] {
  return EVENTS[event.type].on === on
}

const WITH_OBJECTS: ReadonlySet<EventType> = new Set(
  EVENT_TYPES.filter((type) => Object.values<FieldKinds[string]>(EVENTS[type].fields).some(isNested)),
)

/** Whether an event has an object in it, which the state may refer to as well. */
export function hasObject({ type }: Event): boolean {
  return WITH_OBJECTS.has(type)
}
