// What an account does not take is said of it, and of one that trades nothing.
import { expect, test } from 'vitest'
import { obstacleTo, standingName } from '../../../src/host/console/page/trader/accountStanding.ts'
import { ACCOUNT_STATUSES, type AccountStatus } from '../../../src/terms/accountStatus.ts'

const FINE = { status: 'active', currentPhase: 'funded', locked: false, loaded: true } as const

test('every status but one that trades is an obstacle, with a sentence of its own', () => {
  const statuses = Object.keys(ACCOUNT_STATUSES) as AccountStatus[]
  const told = [
    ...statuses.map((status) => obstacleTo({ ...FINE, status })),
    ...[{ currentPhase: null }, { locked: true }, { loaded: false }].map((one) =>
      obstacleTo({ ...FINE, ...one }),
    ),
  ]
  expect(told[statuses.indexOf('active')]).toBeNull()
  expect(new Set(told).size).toBe(told.length)
  for (const sentence of told) if (sentence !== null) expect(sentence).toMatch(/^The account .*\.$/)
  for (const status of statuses)
    expect(obstacleTo({ ...FINE, status }) === null).toBe(ACCOUNT_STATUSES[status].trades)
})

test('an account is named by its phase while it trades, and by what keeps it from that', () => {
  expect(standingName(FINE)).toBe('funded')
  expect(standingName({ ...FINE, currentPhase: 'active_evaluation' })).toBe('active evaluation')
  expect(standingName({ ...FINE, status: 'frozen' })).toBe('frozen')
})
