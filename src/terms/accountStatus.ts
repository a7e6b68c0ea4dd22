/** The statuses and phases of an account (H1, H2, H7). */

/** Trading needs `active` (H1). */
export type AccountStatus = 'active' | 'frozen' | 'failed' | 'closed'

/** null = no tradable phase reached (H1). */
export type AccountPhase = null | 'active_evaluation' | 'active_verification' | 'funded'

/** Why the platform stops an account (H2). */
export type StopReason = 'fail' | 'freeze' | 'promote' | 'manual'

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
