/**
 * What every parameter of a market and of an account holds; `?` where null is a value. They are stored in this order, so new
 * ones are added at the end, with a new number for what was stored without them.
 */
import type { AccountParameters } from './accountParameters.ts'
import { type FieldKind, type FieldKinds, isOptional, type KindsOf } from './fieldKinds.ts'
import type { MarketParameters } from './marketParameters.ts'

export const MARKET_PARAMETERS = {
  id: 'id',
  baseAsset: 'text',
  ticker: 'text',
  category: 'marketCategory',
  spread: 'rate >= 0',
  feeRate: 'rate >= 0',
  minLeverage: 'leverage > 0',
  maxLeverage: 'leverage > 0',
  maintenanceMarginRate: 'rate >= 0',
  minNotional: 'quote >= 0',
  maxOrderNotional: 'quote >= 0?',
  maxOpenNotionalLong: 'quote >= 0?',
  maxOpenNotionalShort: 'quote >= 0?',
  minStopDistance: 'rate >= 0',
  scalpingWindowMs: 'ms',
  scalpingCoefficient: 'rate > 0',
  maxPriceAgeMs: 'ms',
  fundingIntervalMs: 'ms',
  fundingRate: 'rate',
  fundingRateShort: 'rate?',
  weekendMaxLeverage: 'leverage > 0?',
} as const satisfies KindsOf<MarketParameters>

export const ACCOUNT_PARAMETERS = {
  id: 'id',
  userId: 'id',
  type: 'accountType',
  balance: 'quote >= 0',
  maxLeverage: 'leverage > 0',
  allowedCategories: 'categories',
  maxDailyLoss: 'rate >= 0',
  dailyLossBase: 'dailyLossBase',
  dailyLossOf: 'dailyLossOf',
  dailyBreach: 'dailyBreach',
  maxTotalLoss: 'rate >= 0',
  drawdownMode: 'drawdownMode',
  profitTarget: 'rate >= 0',
  minProfitableDays: 'count',
  profitableDayShare: 'rate >= 0',
  autoPromote: 'flag',
  maxActiveOrders: 'count?',
} as const satisfies KindsOf<AccountParameters>

/** Parameters for which null is a value: no limit, or none of its own. */
export const NULLABLE_MARKET_PARAMETERS = nullableOf(MARKET_PARAMETERS)
export const NULLABLE_ACCOUNT_PARAMETERS = nullableOf(ACCOUNT_PARAMETERS)

function nullableOf(kinds: FieldKinds): ReadonlySet<string> {
  return new Set(Object.keys(kinds).filter((field) => isOptional(kinds[field] as FieldKind)))
}
