/** The statuses and phases of an account: a row for each, with everything that the rules ask about it (H1, H2, H5, H7). */
import type { CloseReason } from './closeReason.ts'

/** Trading needs `active` (H1). */
export type AccountStatus = 'active' | 'frozen' | 'failed' | 'closed'

/** null = no tradable phase reached (H1); none follows the last (J10). */
export type AccountPhase = null | 'active_evaluation' | 'active_verification' | 'funded'

/** Why the platform stops an account (H2). */
export type StopReason = 'fail' | 'freeze' | 'promote' | 'manual'

interface AccountStatusRow {
  /** Whether it trades where its phase allows it, and can fail or be promoted. */
  readonly trades: boolean
  /** Whether its days count: it trades, or may again (H5). */
  readonly hasDays: boolean
  /** Why the operator may stop it (H2, J10). A status that nothing stops or thaws is final. */
  readonly stops: readonly StopReason[]
  /** Whether it can be made active again (J11). */
  readonly thaws: boolean
}

export const ACCOUNT_STATUSES: { readonly [Status in AccountStatus]: AccountStatusRow } = {
  active: { trades: true, hasDays: true, stops: ['fail', 'freeze', 'promote', 'manual'], thaws: false },
  frozen: { trades: false, hasDays: true, stops: ['fail', 'manual'], thaws: true },
  failed: { trades: false, hasDays: false, stops: [], thaws: false },
  closed: { trades: false, hasDays: false, stops: [], thaws: false },
}

interface StopRow {
  /** What the account is then; promoted, it goes on in its next phase (H7). */
  readonly becomes: AccountStatus
  /** What its orders and positions end for. */
  readonly closeReason: CloseReason
}

/** What a stop makes of an account and of what it holds (H2). */
export const STOPS = {
  fail: { becomes: 'failed', closeReason: 'stop_accounts_fail' },
  freeze: { becomes: 'frozen', closeReason: 'stop_accounts_freeze' },
  promote: { becomes: 'active', closeReason: 'stop_accounts_promote' },
  manual: { becomes: 'closed', closeReason: 'stop_accounts_manual' },
} as const satisfies { readonly [Reason in StopReason]: StopRow }

interface PhaseRow {
  /** What an account is promoted to from it (H7); null = it is the last. */
  readonly next: AccountPhase
}

/** The phases in which an account trades, from the first. */
export const ACCOUNT_PHASES: { readonly [Phase in NonNullable<AccountPhase>]: PhaseRow } = {
  active_evaluation: { next: 'active_verification' },
  active_verification: { next: 'funded' },
  funded: { next: null },
}

/** Null where there is none. An account without a phase begins with the first. */
export function nextPhase(phase: AccountPhase): AccountPhase {
  return phase === null ? 'active_evaluation' : ACCOUNT_PHASES[phase].next
}

interface Standing {
  readonly status: AccountStatus
  readonly phase: AccountPhase
}

/** Whether an account may trade: its status does, and it is in a phase (H1). */
export function mayTrade({ status, phase }: Standing): boolean {
  return ACCOUNT_STATUSES[status].trades && phase !== null
}
