/** A trader account: balances, phase, plan and the day it is in. */

import type { Quote } from '../../quantity/units.ts'
import type { AccountParameters } from '../../terms/accountParameters.ts'
import type { AccountPhase, AccountStatus } from '../../terms/accountStatus.ts'
import type { PositionList } from './openPositions/positionList.ts'
import type { OrderList } from './restingOrders/orderList.ts'

/** A trader account as the engine keeps it: its money, its phase and the day it is in. Mutable. */
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
  readonly orders: OrderList
  /** Open positions, oldest first. */
  readonly positions: PositionList
}

/** An account without what rests and is open on it. */
export type AccountFields = Omit<Account, 'orders' | 'positions'>

/** Balance: everything the ledger holds for the account, unrealized pnl aside (C11). */
export function balanceOf(account: Pick<Account, 'free' | 'reserve' | 'margin'>): Quote {
  return account.free + account.reserve + account.margin
}
