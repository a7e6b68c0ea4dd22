/** What can happen to an account outside its orders and positions. */

import type { Quote } from '../quantity/units.ts'
import type { AccountParameters } from '../terms/accountParameters.ts'
import type { AccountPhase, AccountStatus, StopReason } from '../terms/accountStatus.ts'

/** What every event of an account says. */
export interface AccountEventFields {
  /** The account. */
  readonly accountId: string
}

/** An account was opened: its balance comes from the house. */
export interface AccountOpened extends AccountEventFields {
  readonly type: 'accountOpened'
  /** All it was opened with, its balance among them. */
  readonly parameters: AccountParameters
  /** What it may do (H1). */
  readonly status: AccountStatus
  /** Its phase; null = none that trades (H1). */
  readonly phase: AccountPhase
  /** Whether API keys may be used for it (H10). */
  readonly apiTrading: boolean
  /** Whether its live data is there (H9). */
  readonly loaded: boolean
  /** Whether increases are refused (H4). */
  readonly locked: boolean
}

/** A deposit or a withdrawal (J8). */
export interface BalanceAdjusted extends AccountEventFields {
  readonly type: 'balanceAdjusted'
  /** Signed, quote: a deposit is positive. */
  readonly amount: Quote
}

/** Whether the account may be used with API keys (H10). */
export interface ApiTradingChanged extends AccountEventFields {
  readonly type: 'apiTradingChanged'
  /** Whether they may. */
  readonly enabled: boolean
}

/** The managed capital limit of the account was set or lifted (H4). */
export interface AccountLockChanged extends AccountEventFields {
  readonly type: 'accountLockChanged'
  /** Whether increases are refused. */
  readonly locked: boolean
}

/** Whether the account's live data is loaded (H9). */
export interface AccountLoadedChanged extends AccountEventFields {
  readonly type: 'accountLoadedChanged'
  /** Whether it is. */
  readonly loaded: boolean
}

/** The account stopped trading; its orders and positions ended before this event (H2). */
export interface AccountStopped extends AccountEventFields {
  readonly type: 'accountStopped'
  /** Why it was stopped. */
  readonly reason: Exclude<StopReason, 'promote'>
  /** What it is from here on. */
  readonly status: Exclude<AccountStatus, 'active'>
  /** The drawdown rule that was broken; null when the platform stopped the account. */
  readonly breach: Breach | null
  /** When a soft daily breach thaws by itself, epoch ms; null = by command only. */
  readonly frozenUntil: number | null
}

/** A frozen account is active again (H2, H5). */
export interface AccountUnfrozen extends AccountEventFields {
  readonly type: 'accountUnfrozen'
}

/** The account entered its next phase with a fresh initial balance (H7). */
export interface AccountPromoted extends AccountEventFields {
  readonly type: 'accountPromoted'
  /** The phase it enters. */
  readonly phase: AccountPhase
  /** What it enters it with. */
  readonly initialBalance: Quote
  /** What the fresh balance takes from the house, signed. */
  readonly adjustment: Quote
}

/** A UTC day began: the floors move, and the day that ended is judged (H5, H6, J7, J13). */
export interface DayStarted extends AccountEventFields {
  readonly type: 'dayStarted'
  /** Equity at midnight (H5). */
  readonly equity: Quote
  /** Balance at midnight (H5). */
  readonly balance: Quote
  /** Whether the finished day was profitable. */
  readonly profitable: boolean
}

/** What can happen to an account outside its orders and positions. */
export type AccountEvent =
  | AccountOpened
  | BalanceAdjusted
  | ApiTradingChanged
  | AccountLockChanged
  | AccountLoadedChanged
  | AccountStopped
  | AccountUnfrozen
  | AccountPromoted
  | DayStarted

/** A drawdown rule broken (H5, H6): the evidence an `accountStopped` event carries. */
export interface Breach {
  /** Which. */
  readonly rule: 'total_loss' | 'daily_loss'
  /** What equity had to stay at or above. */
  readonly floor: Quote
  /** What it was. */
  readonly equity: Quote
}
