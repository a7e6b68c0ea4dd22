/**
 * Every command and every field of it, with what it holds. The types of `command.ts` say what the fields mean; all else
 * follows from here: which commands are well-formed (`domain/commands/commandSchema.ts`), how they are stored
 * (`codec/commandSchemas.ts`), how they are read from JSON (`host/fieldsFromJson.ts`), the bodies of the routes
 * (`host/schemas`) and docs/commands.md. Fields are stored in this order, so new ones are added at the end. What stands in front
 * of a command, whatever it is (`commandId`), is stored beside it (`codec/commitCodec.ts`).
 */
import { allOptional, type KindsOf } from '../terms/fieldKinds.ts'
import { ACCOUNT_PARAMETERS, MARKET_PARAMETERS } from '../terms/parameterFields.ts'
import type { AccountConfiguration, Command, MarketConfiguration, Repeatable } from './command.ts'
import type { Placement } from './placeOrder.ts'

const { id: marketId, ...marketParameters } = MARKET_PARAMETERS
const { id: accountId, userId, balance, ...accountParameters } = ACCOUNT_PARAMETERS

export const MARKET_FIELDS = {
  id: marketId,
  status: 'marketStatus?',
  indexPrice: 'price > 0?',
  priceAt: 'instant?',
  ...allOptional(marketParameters),
} as const satisfies KindsOf<MarketConfiguration>

export const ACCOUNT_FIELDS = {
  id: accountId,
  userId,
  balance,
  status: 'accountStatus?',
  phase: 'accountPhase?',
  apiTrading: 'flag?',
  loaded: 'flag?',
  locked: 'flag?',
  ...allOptional(accountParameters),
} as const satisfies KindsOf<AccountConfiguration>

/** A placement has the fields of all order types: what each can be told is `PLACEMENT_USES`. */
type FieldsOf<Type extends Command['type']> = Omit<
  Type extends Placement['type'] ? Placement : Extract<Command, { type: Type }>,
  'type'
>

const REPEATABLE = { commandId: 'text?' } as const satisfies KindsOf<Repeatable>

const SECRET = { hash: 'text', prefix: 'text', expiresAt: 'instant?', maxLive: 'count?' } as const

export const COMMAND_FIELDS = {
  createEngine: { seed: 'text', dayBoundary: 'dayBoundary?' },
  placeOrder: {
    accountId: 'id',
    marketId: 'id',
    orderType: 'placeableOrderType',
    direction: 'direction',
    amount: 'amount',
    positionId: 'id?',
    expectedAmount: 'base >= 0?',
    leverage: 'leverage?',
    triggerPrice: 'price?',
    stopTriggerPrice: 'price?',
    takeTriggerPrice: 'price?',
    trailingStopActivationPrice: 'price?',
    trailingStopOffset: 'price?',
    trailingStopOffsetPercent: 'rate?',
    stopLimitPrice: 'price?',
    sizeMode: 'sizeMode?',
    baseSize: 'base?',
    idempotencyKey: 'key?',
  },
  editOrder: {
    orderId: 'id',
    triggerPrice: 'price?',
    amount: 'amount?',
    expectedAmount: 'base >= 0?',
    baseSize: 'base?',
  },
  cancelOrder: { orderId: 'id' },
  changeMargin: { positionId: 'id', marginChange: 'quote' },
  closeAll: { accountId: 'id' },
  updatePrice: { marketId: 'id', indexPrice: 'price > 0', ...REPEATABLE },
  advanceTime: { ms: 'ms', ...REPEATABLE },
  configureMarket: { market: MARKET_FIELDS, ...REPEATABLE },
  setMarketStatus: { marketId: 'id', status: 'marketStatus', ...REPEATABLE },
  setFundingRate: { marketId: 'id', fundingRate: 'rate', fundingRateShort: 'rate?', ...REPEATABLE },
  openAccount: { account: ACCOUNT_FIELDS, ...REPEATABLE },
  adjustBalance: { accountId: 'id', amount: 'quote', ...REPEATABLE },
  setApiTrading: { accountId: 'id', enabled: 'flag', ...REPEATABLE },
  setAccountLock: { accountId: 'id', locked: 'flag', ...REPEATABLE },
  setAccountLoaded: { accountId: 'id', loaded: 'flag', ...REPEATABLE },
  stopAccount: { accountId: 'id', reason: 'stopReason', ...REPEATABLE },
  unfreezeAccount: { accountId: 'id', ...REPEATABLE },
  forceClosePosition: { positionId: 'id', ...REPEATABLE },
  weeklySessionRiskClose: { marketId: 'id', ...REPEATABLE },
  registerApiKey: { keyId: 'id', userId: 'id', name: 'text', ...SECRET },
  refreshApiKey: { keyId: 'id', userId: 'id', ...SECRET },
  revokeApiKey: { keyId: 'id?', hash: 'digest?', userId: 'id?', ...REPEATABLE },
  amendApiKey: { keyId: 'id', userId: 'id', expiresAt: 'instant?' },
  withdrawApiKey: { keyId: 'id' },
  setNotionalQuota: { marketId: 'id', quotaLong: 'quote >= 0', quotaShort: 'quote >= 0' },
} as const satisfies { readonly [Type in Command['type']]: KindsOf<FieldsOf<Type>> }
