/**
 * Every parameter of a market and of an account: what it holds, `?` where null is a value, and what it is where a
 * configuration does not say; one without a default has to be given. They are stored in this order, so new ones are added at the
 * end, with a new number for what was stored without them.
 */
import { frozen } from '../collections/frozen.ts'
import { ONE } from '../quantity/fp9.ts'
import type { AccountParameters } from './accountParameters.ts'
import { type FieldKinds, isOptional, type KindsOf } from './fieldKinds.ts'
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
  scalpingCoefficient: 'leverage > 0',
  maxPriceAgeMs: 'ms',
  fundingIntervalMs: 'ms',
  fundingRate: 'rate',
  fundingRateShort: 'rate?',
  weekendMaxLeverage: 'leverage > 0?',
} as const satisfies KindsOf<MarketParameters>

/** Parameters of a market that is configured with its identity alone (docs/commands.md). */
export const MARKET_DEFAULTS: Omit<MarketParameters, 'id' | 'baseAsset' | 'ticker' | 'category'> = frozen({
  spread: 300_000n,
  feeRate: 800_000n,
  minLeverage: ONE,
  maxLeverage: 100_000_000_000n,
  maintenanceMarginRate: 5_000_000n,
  minNotional: 10_000_000_000n,
  maxOrderNotional: null,
  maxOpenNotionalLong: null,
  maxOpenNotionalShort: null,
  minStopDistance: 1_000_000n,
  scalpingWindowMs: 180_000,
  scalpingCoefficient: 1_500_000_000n,
  maxPriceAgeMs: 10_000,
  fundingIntervalMs: 28_800_000,
  fundingRate: 100_000n,
  fundingRateShort: null,
  weekendMaxLeverage: null,
})

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

/** The plan of an account that is configured with id, user and balance alone (docs/commands.md). */
export const ACCOUNT_DEFAULTS: Omit<AccountParameters, 'id' | 'userId' | 'balance'> = frozen({
  type: 'demo',
  maxLeverage: 10_000_000_000n,
  allowedCategories: ['crypto', 'rwa'],
  maxDailyLoss: 50_000_000n,
  dailyLossBase: 'equity',
  dailyLossOf: 'base',
  dailyBreach: 'fail',
  maxTotalLoss: 100_000_000n,
  drawdownMode: 'static',
  profitTarget: 50_000_000n,
  minProfitableDays: 3,
  profitableDayShare: 5_000_000n,
  autoPromote: false,
  maxActiveOrders: 500,
})

/** Parameters for which null is a value: no limit, or none of its own. */
export const NULLABLE_MARKET_PARAMETERS = nullableOf(MARKET_PARAMETERS)
export const NULLABLE_ACCOUNT_PARAMETERS = nullableOf(ACCOUNT_PARAMETERS)

function nullableOf(kinds: FieldKinds): ReadonlySet<string> {
  return new Set(Object.entries(kinds).flatMap(([name, kind]) => (isOptional(kind) ? [name] : [])))
}
