/** What a trader signs up for. */
import type { Leverage, Quote, Rate } from '../quantity/units.ts'
import type { MarketCategory } from './marketParameters.ts'

/** Whether an account trades for practice or for money. No rule depends on it. */
export type AccountType = 'demo' | 'live'

/** What a trader signed up for: fixed for the life of the account. */
export interface AccountParameters {
  /** Names the account for good. */
  readonly id: string
  /** Whose it is. */
  readonly userId: string
  /** For practice or for money. */
  readonly type: AccountType
  /** Balance every phase starts with. */
  readonly balance: Quote
  /** Highest leverage the phase allows; the market's own bound applies besides (I1). */
  readonly maxLeverage: Leverage
  /** How many orders may rest at once; null = any number (K2). */
  readonly maxActiveOrders: number | null
  /** Market categories the account may trade (G4). */
  readonly allowedCategories: readonly MarketCategory[]
  /** Fraction of the base that may be lost in a UTC day, at most 1; 1 = off (H5, J9). */
  readonly maxDailyLoss: Rate
  /** What the day starts from (H5). */
  readonly dailyLossBase: 'equity' | 'balance' | 'max'
  /** What the fraction is taken of (H5). */
  readonly dailyLossOf: 'base' | 'initial'
  /** Whether a daily breach fails the account, or freezes it until the next UTC day (H5). */
  readonly dailyBreach: 'fail' | 'freeze'
  /** Fraction of the initial balance that may be lost in all, at most 1; 1 = off (H6, J9). */
  readonly maxTotalLoss: Rate
  /** Whether the floor of the total loss stands still, or follows the highest end-of-day balance (H6, J14). */
  readonly drawdownMode: 'static' | 'trailing_eod'
  /** Fraction of the initial balance to earn in a phase (H7). */
  readonly profitTarget: Rate
  /** How many days of a phase have to be profitable before the next (H7). */
  readonly minProfitableDays: number
  /** Fraction of the initial balance a day must realize to count as profitable (J13). */
  readonly profitableDayShare: Rate
  /** Whether an account that has earned its next phase enters it by itself (H7). */
  readonly autoPromote: boolean
}
