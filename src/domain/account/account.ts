/** A trader account: balances, phase, plan and the day it is in. */
import type { Leverage, Quote, Rate } from '../../quantity/units.ts'
import type { MarketCategory } from '../market/market.ts'
import type { Order } from '../order/order.ts'
import type { Position } from '../position/position.ts'
import type { Roster } from '../roster.ts'

export type AccountType = 'demo' | 'live'

/** Trading needs `active` (H1). */
export type AccountStatus = 'active' | 'frozen' | 'failed' | 'closed'

/** null = no tradable phase reached (H1). */
export type AccountPhase = null | 'active_evaluation' | 'active_verification' | 'funded'

/** Why the platform stops an account (H2). */
export type StopReason = 'fail' | 'freeze' | 'promote' | 'manual'

/** What a trader signed up for: fixed for the life of the account. */
export interface AccountParameters {
  readonly id: string
  readonly userId: string
  readonly type: AccountType
  /** Balance every phase starts with. */
  readonly balance: Quote
  /** Highest leverage the phase allows; the market's own bound applies besides (I1). */
  readonly maxLeverage: Leverage
  /** How many orders may rest at once; null = any number (K2). */
  readonly maxActiveOrders: number | null
  readonly allowedCategories: readonly MarketCategory[]
  /** Fraction of the base that may be lost in a UTC day; `ONE` = off (H5, J9). */
  readonly maxDailyLoss: Rate
  /** What the day starts from (H5). */
  readonly dailyLossBase: 'equity' | 'balance' | 'max'
  /** What the fraction is taken of (H5). */
  readonly dailyLossOf: 'base' | 'initial'
  /** Whether a daily breach fails the account, or freezes it until the next UTC day (H5). */
  readonly dailyBreach: 'fail' | 'freeze'
  /** Fraction of the initial balance that may be lost in all; `ONE` = off (H6, J9). */
  readonly maxTotalLoss: Rate
  readonly drawdownMode: 'static' | 'trailing_eod'
  /** Fraction of the initial balance to earn in a phase (H7). */
  readonly profitTarget: Rate
  readonly minProfitableDays: number
  /** Fraction of the initial balance a day must realize to count as profitable (J13). */
  readonly profitableDayShare: Rate
  readonly autoPromote: boolean
}

export interface Account {
  readonly id: string
  readonly userId: string
  /** Creation order over the engine: fixes the order in which accounts are checked. */
  readonly sequence: number
  readonly parameters: AccountParameters
  status: AccountStatus
  phase: AccountPhase
  /** Counts the phases entered; orders and positions of earlier ones are no longer served (H3). */
  phaseOrdinal: number
  apiTrading: boolean
  loaded: boolean
  /** Managed capital limit (H4). */
  locked: boolean

  /** The three ledger accounts of a trader; the fourth is the house (C11). */
  free: Quote
  reserve: Quote
  margin: Quote

  /** Balance the phase started with, moved by deposits and withdrawals (J8). */
  initialBalance: Quote
  /** Equity and balance at the last UTC midnight; the initial balance on the first day of a phase (H5). */
  dayStartEquity: Quote
  dayStartBalance: Quote
  /** Highest end-of-day balance of the phase (H6, J14). */
  highWater: Quote
  /** Realized pnl net of fees and funding since midnight (J13). */
  realizedToday: Quote
  /** Finished profitable days of the phase up to the venue's day `daysSeen` (J13): `world.days` adds those since. */
  profitableDaysSeen: number
  daysSeen: number
  /** Whether the next midnight looks at the account. */
  watched: boolean
  /** Largest gain of equity over one finished day of the phase. */
  bestDayGain: Quote
  /** The higher of the two drawdown floors, as the fields above make it; null while both rules are off (H5, H6). */
  lossFloor: Quote | null
  /** When a soft daily breach thaws, epoch ms; null = not frozen, or by command only. */
  frozenUntil: number | null

  /** Resting orders, oldest first. */
  readonly orders: Roster<Order>
  /** Open positions, oldest first. */
  readonly positions: Roster<Position>
}

/** A drawdown rule broken: the evidence an `accountStopped` event carries. */
export interface Breach {
  readonly rule: 'total_loss' | 'daily_loss'
  readonly floor: Quote
  readonly equity: Quote
}

/** Balance: everything the ledger holds for the account, unrealized pnl aside (C11). */
export function balanceOf(account: Account): Quote {
  return account.free + account.reserve + account.margin
}

export function nextPhase(phase: AccountPhase): AccountPhase {
  switch (phase) {
    case null:
      return 'active_evaluation'
    case 'active_evaluation':
      return 'active_verification'
    case 'active_verification':
    case 'funded':
      return 'funded'
  }
}
