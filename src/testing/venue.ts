/**
 * A small venue that has everything a rule can depend on: markets with and without spread, fee, caps, minimum stop
 * distance and scalping window, at prices of very different size, and accounts under very different plans.
 */

import type { Genesis } from '../engine/genesis.ts'
import type { AccountConfiguration, MarketConfiguration } from '../events/command.ts'
import { fp9 } from '../quantity/decimal.ts'
import { ONE } from '../quantity/fp9.ts'

/** Half an hour before a UTC midnight, so that a short run crosses one. */
export const VENUE_OPENS_AT = Date.UTC(2024, 0, 1, 23, 30)

/** The markets of {@link venue}. */
export const VENUE_MARKETS: readonly MarketConfiguration[] = [
  {
    id: '00000000-0000-4000-8000-00000000000a',
    baseAsset: 'BTC',
    ticker: 'BTC-USD',
    category: 'crypto',
    indexPrice: fp9('50000'),
    maxPriceAgeMs: 70_000,
  },
  // No spread, no fee, no minimum: what is left is the rounding alone.
  {
    id: '00000000-0000-4000-8000-00000000000b',
    baseAsset: 'ETH',
    ticker: 'ETH-USD',
    category: 'crypto',
    indexPrice: fp9('2512.345678901'),
    spread: 0n,
    feeRate: 0n,
    maxLeverage: fp9('20'),
    maintenanceMarginRate: fp9('2%'),
    minNotional: 0n,
    minStopDistance: 0n,
    scalpingWindowMs: 0,
    maxPriceAgeMs: 10_000,
    fundingIntervalMs: 3_600_000,
    fundingRate: fp9('-0.03%'),
    maxOpenNotionalLong: fp9('60000'),
    maxOpenNotionalShort: fp9('40000'),
  },
  {
    id: '00000000-0000-4000-8000-00000000000c',
    baseAsset: 'GOLD',
    ticker: 'XAU-USD',
    category: 'rwa',
    indexPrice: fp9('2031.07'),
    spread: fp9('0.1%'),
    feeRate: fp9('0.2%'),
    minLeverage: fp9('2'),
    maxLeverage: fp9('10'),
    maintenanceMarginRate: fp9('5%'),
    minNotional: fp9('100'),
    maxOrderNotional: fp9('20000'),
    minStopDistance: fp9('0.5%'),
    scalpingWindowMs: 30_000,
    scalpingCoefficient: fp9('3'),
    maxPriceAgeMs: 3_600_000,
    fundingIntervalMs: 1_800_000,
    fundingRate: fp9('0.05%'),
    fundingRateShort: fp9('0.02%'),
    weekendMaxLeverage: fp9('4'),
  },
  // A price of few units: every rounding shows.
  {
    id: '00000000-0000-4000-8000-00000000000d',
    baseAsset: 'PENNY',
    ticker: 'PENNY-USD',
    category: 'crypto',
    indexPrice: 12_345n,
    spread: fp9('1%'),
    feeRate: fp9('0.05%'),
    maxLeverage: fp9('25'),
    maintenanceMarginRate: fp9('1%'),
    minNotional: fp9('1'),
    maxPriceAgeMs: 600_000,
    fundingIntervalMs: 14_400_000,
  },
  {
    id: '00000000-0000-4000-8000-00000000000e',
    baseAsset: 'NEW',
    ticker: 'NEW-USD',
    category: 'crypto',
  },
]

/** Plans by what they are for. `id`, `userId` and `balance` are added where an account is opened. */
export const VENUE_PLANS = {
  ordinary: { maxLeverage: fp9('25'), maxActiveOrders: 7 },
  unlimited: { maxLeverage: fp9('100'), maxDailyLoss: ONE, maxTotalLoss: ONE },
  soft: {
    maxLeverage: fp9('50'),
    maxDailyLoss: fp9('2%'),
    dailyBreach: 'freeze',
    dailyLossBase: 'max',
    drawdownMode: 'trailing_eod',
  },
  trailing: {
    maxLeverage: fp9('100'),
    maxActiveOrders: 4,
    maxDailyLoss: ONE,
    maxTotalLoss: fp9('0.4%'),
    drawdownMode: 'trailing_eod',
  },
  climbing: {
    type: 'live',
    maxLeverage: fp9('100'),
    maxActiveOrders: null,
    maxDailyLoss: ONE,
    maxTotalLoss: ONE,
    profitTarget: fp9('0.2%'),
    minProfitableDays: 0,
    autoPromote: true,
  },
  strict: { dailyLossBase: 'balance', dailyLossOf: 'initial', maxDailyLoss: fp9('1%'), profitTarget: 0n },
} as const satisfies Record<string, Partial<AccountConfiguration>>

const [alice, bob, carol] = ['user-alice', 'user-bob', 'user-carol']

/** The user of the account a number stands for. */
const account = (
  number: number,
  userId: string,
  balance: string,
  plan: Partial<AccountConfiguration>,
): AccountConfiguration => ({
  id: `00000000-0000-4000-9000-0000000000${number.toString().padStart(2, '0')}`,
  userId,
  balance: fp9(balance),
  ...plan,
})

/** The accounts of {@link venue}, one for each plan and user. */
export const VENUE_ACCOUNTS: readonly AccountConfiguration[] = [
  account(1, alice, '10000', VENUE_PLANS.ordinary),
  account(2, alice, '25000', VENUE_PLANS.soft),
  account(3, bob, '100000', VENUE_PLANS.unlimited),
  account(4, bob, '5000', VENUE_PLANS.climbing),
  account(5, carol, '50000', { ...VENUE_PLANS.unlimited, allowedCategories: ['crypto'] }),
  account(6, carol, '8000.000000007', VENUE_PLANS.strict),
  account(7, alice, '1000', { ...VENUE_PLANS.unlimited, phase: null }),
  account(8, bob, '1000', { ...VENUE_PLANS.unlimited, locked: true }),
  account(13, alice, '40000', VENUE_PLANS.trailing),
  account(9, carol, '1000', { ...VENUE_PLANS.unlimited, loaded: false }),
  account(10, alice, '3000', { ...VENUE_PLANS.unlimited, apiTrading: false }),
  account(11, bob, '1000', { ...VENUE_PLANS.unlimited, status: 'frozen' }),
  account(12, carol, '1000', { ...VENUE_PLANS.unlimited, phase: 'funded' }),
]

/**
 * What to create an engine of the venue with.
 *
 * ```ts
 * createEngine(venue('mine')).read.markets().length > 0 // → true
 * ```
 */
export function venue(seed = 'venue'): Genesis {
  return { seed, at: VENUE_OPENS_AT, markets: VENUE_MARKETS, accounts: VENUE_ACCOUNTS }
}
