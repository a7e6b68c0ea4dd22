/** The stored form of every command. Numbers are given once; a released schema never changes (test/golden holds them). */
import type {
  AccountConfiguration,
  Command,
  CreateEngine,
  MarketConfiguration,
  OpenAccount,
  RefreshApiKey,
  RegisterApiKey,
  RevokeApiKey,
} from '../command.ts'
import {
  accountPhase,
  accountStatus,
  accountType,
  categories,
  dailyBreach,
  dailyLossBase,
  dailyLossOf,
  dayBoundary,
  direction,
  drawdownMode,
  marketCategory,
  marketStatus,
  sizeMode,
} from './eventSchemas.ts'
import { count, type Fields, flag, id, integer, object, oneOf, optional, text } from './fields.ts'
import { type RetiredSchema, SchemaSet, type Schemas } from './schemas.ts'

const marketConfiguration = object<MarketConfiguration>({
  id,
  status: optional(marketStatus),
  indexPrice: optional(integer),
  priceAt: optional(count),
  baseAsset: optional(text),
  ticker: optional(text),
  category: optional(marketCategory),
  spread: optional(integer),
  feeRate: optional(integer),
  minLeverage: optional(integer),
  maxLeverage: optional(integer),
  maintenanceMarginRate: optional(integer),
  minNotional: optional(integer),
  maxOrderNotional: optional(integer),
  maxOpenNotionalLong: optional(integer),
  maxOpenNotionalShort: optional(integer),
  minStopDistance: optional(integer),
  scalpingWindowMs: optional(count),
  scalpingCoefficient: optional(integer),
  maxPriceAgeMs: optional(count),
  fundingIntervalMs: optional(count),
  fundingRate: optional(integer),
  fundingRateShort: optional(integer),
  weekendMaxLeverage: optional(integer),
})

/** An account's configuration as 0.1.0 stored it. */
type ConfigurationOf010 = Omit<AccountConfiguration, 'maxActiveOrders'>

const configurationOf010: Fields<ConfigurationOf010> = {
  id,
  userId: id,
  balance: integer,
  status: optional(accountStatus),
  phase: optional(accountPhase),
  apiTrading: optional(flag),
  loaded: optional(flag),
  locked: optional(flag),
  type: optional(accountType),
  maxLeverage: optional(integer),
  allowedCategories: optional(categories),
  maxDailyLoss: optional(integer),
  dailyLossBase: optional(dailyLossBase),
  dailyLossOf: optional(dailyLossOf),
  dailyBreach: optional(dailyBreach),
  maxTotalLoss: optional(integer),
  drawdownMode: optional(drawdownMode),
  profitTarget: optional(integer),
  minProfitableDays: optional(count),
  profitableDayShare: optional(integer),
  autoPromote: optional(flag),
}

const accountConfiguration = object<AccountConfiguration>({
  ...configurationOf010,
  maxActiveOrders: optional(count),
})

/** Keys had no limit in 0.1.0 (K3). */
const secret = { hash: text, prefix: text, expiresAt: optional(count) }
const registrationOf010 = { keyId: id, userId: id, name: text, ...secret }
const refreshOf010 = { keyId: id, userId: id, ...secret }

export const COMMAND_SCHEMAS: Schemas<Command> = {
  createEngine: { id: 30, fields: { seed: text, dayBoundary: optional(dayBoundary) } },
  placeOrder: {
    id: 2,
    fields: {
      accountId: id,
      marketId: id,
      orderType: oneOf('market', 'limit', 'stop', 'trailing_stop', 'take', 'stop_limit', 'stop_market'),
      direction,
      amount: integer,
      positionId: optional(id),
      expectedAmount: optional(integer),
      leverage: optional(integer),
      triggerPrice: optional(integer),
      stopTriggerPrice: optional(integer),
      takeTriggerPrice: optional(integer),
      trailingStopActivationPrice: optional(integer),
      trailingStopOffset: optional(integer),
      trailingStopOffsetPercent: optional(integer),
      stopLimitPrice: optional(integer),
      sizeMode: optional(sizeMode),
      baseSize: optional(integer),
      idempotencyKey: optional(id),
    },
  },
  editOrder: {
    id: 3,
    fields: {
      orderId: id,
      triggerPrice: optional(integer),
      amount: optional(integer),
      expectedAmount: optional(integer),
      baseSize: optional(integer),
    },
  },
  cancelOrder: { id: 4, fields: { orderId: id } },
  changeMargin: { id: 5, fields: { positionId: id, marginChange: integer } },
  closeAll: { id: 6, fields: { accountId: id } },
  updatePrice: { id: 7, fields: { marketId: id, indexPrice: integer } },
  advanceTime: { id: 8, fields: { ms: count } },
  configureMarket: { id: 9, fields: { market: marketConfiguration } },
  setMarketStatus: { id: 10, fields: { marketId: id, status: marketStatus } },
  setFundingRate: {
    id: 11,
    fields: { marketId: id, fundingRate: integer, fundingRateShort: optional(integer) },
  },
  openAccount: { id: 24, fields: { account: accountConfiguration } },
  adjustBalance: { id: 13, fields: { accountId: id, amount: integer } },
  setApiTrading: { id: 14, fields: { accountId: id, enabled: flag } },
  setAccountLock: { id: 15, fields: { accountId: id, locked: flag } },
  setAccountLoaded: { id: 16, fields: { accountId: id, loaded: flag } },
  stopAccount: { id: 17, fields: { accountId: id, reason: oneOf('fail', 'freeze', 'promote', 'manual') } },
  unfreezeAccount: { id: 18, fields: { accountId: id } },
  forceClosePosition: { id: 19, fields: { positionId: id } },
  weeklySessionRiskClose: { id: 20, fields: { marketId: id } },
  registerApiKey: {
    id: 25,
    fields: { ...registrationOf010, maxLive: optional(count) },
  },
  refreshApiKey: { id: 26, fields: { ...refreshOf010, maxLive: optional(count) } },
  revokeApiKey: { id: 27, fields: { keyId: optional(id), hash: optional(text), userId: optional(id) } },
  amendApiKey: { id: 28, fields: { keyId: id, userId: id, expiresAt: optional(count) } },
  withdrawApiKey: { id: 29, fields: { keyId: id } },
}

/** Forms of commands that older logs hold, with what turns them into today's. */
const RETIRED: readonly RetiredSchema<Command>[] = [
  { id: 1, type: 'createEngine', fields: { seed: text }, upcast: (stored) => stored as CreateEngine },
  {
    id: 12,
    type: 'openAccount',
    fields: { account: object<ConfigurationOf010>(configurationOf010) },
    upcast: withoutOrderLimit,
  },
  { id: 21, type: 'registerApiKey', fields: registrationOf010, upcast: asItIs<RegisterApiKey> },
  { id: 22, type: 'refreshApiKey', fields: refreshOf010, upcast: asItIs<RefreshApiKey> },
  { id: 23, type: 'revokeApiKey', fields: { keyId: id, userId: id }, upcast: asItIs<RevokeApiKey> },
]

/** What was added since may be left out. */
function asItIs<C extends Command>(stored: object): C {
  return stored as C
}

/** Where no limit could be given, none was meant (K2). */
function withoutOrderLimit(stored: object): OpenAccount {
  const { account } = stored as { readonly account: ConfigurationOf010 }
  return { type: 'openAccount', account: { ...account, maxActiveOrders: null } }
}

export const commandCodec = new SchemaSet<Command>(COMMAND_SCHEMAS, RETIRED)
