// Which accounts trade, and which phase follows which.

import { expect, test } from 'vitest'
import {
  ACCOUNT_PHASES,
  ACCOUNT_STATUSES,
  type AccountPhase,
  type AccountStatus,
  mayTrade,
  nextPhase,
} from '../../../src/terms/accountStatus.ts'

const statuses = Object.keys(ACCOUNT_STATUSES) as AccountStatus[]
const phases: readonly AccountPhase[] = [
  null,
  ...(Object.keys(ACCOUNT_PHASES) as NonNullable<AccountPhase>[]),
]

test('an account trades where it is active and in a phase (H1)', () => {
  for (const status of statuses)
    for (const phase of phases)
      expect(mayTrade({ status, phase })).toBe(status === 'active' && phase !== null)
})

test('from no phase on, each is followed by the next, and the last by none (H7)', () => {
  const passed: AccountPhase[] = []
  for (let phase = nextPhase(null); phase !== null; phase = nextPhase(phase)) passed.push(phase)
  expect(passed).toEqual(['active_evaluation', 'active_verification', 'funded'])
})
