/** The highest leverage an account may use on a market (I1). */
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'

/** The leverage bound that applies to an account on a market; without a phase the market's alone (I1). */
export function maximumLeverage(account: Account, market: Market): bigint {
  const byMarket = market.parameters.maxLeverage
  const byPhase = account.parameters.maxLeverage
  return account.phase !== null && byPhase < byMarket ? byPhase : byMarket
}
