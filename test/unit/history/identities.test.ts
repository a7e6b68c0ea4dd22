// Sequences and phases of what is created are counted from the events alone (I10, H7).

import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/state/account.ts'
import type { AccountOpened } from '../../../src/events/accountEvents.ts'
import { Identities } from '../../../src/history/identities.ts'

const opened = (accountId: string, phase: number | null) => ({ accountId, phase }) as unknown as AccountOpened

test('accounts, orders and positions are counted as one; each has the phase its account is in', () => {
  const identities = new Identities()
  identities.accountOpened(opened('planned', 1))
  identities.accountOpened(opened('free', null))
  expect(identities.next('planned')).toEqual({ sequence: 3, phaseOrdinal: 1 })
  expect(identities.next('free')).toEqual({ sequence: 4, phaseOrdinal: 0 })
  expect(identities.accountPromoted('planned')).toBe(2)
  expect(identities.next('planned')).toEqual({ sequence: 5, phaseOrdinal: 2 })
  expect(identities.next('free')).toEqual({ sequence: 6, phaseOrdinal: 0 })
  expect(identities.created).toBe(6)
  expect(() => identities.next('nobody')).toThrow('no account nobody')
})

test('what is restored goes on where it was, and knows nobody from before', () => {
  const identities = new Identities()
  identities.accountOpened(opened('before', 1))
  identities.restore(40)
  identities.restoreAccount({ id: 'after', phaseOrdinal: 3 } as Account)
  expect(identities.next('after')).toEqual({ sequence: 41, phaseOrdinal: 3 })
  expect(identities.accountPromoted('after')).toBe(4)
  expect(() => identities.next('before')).toThrow('no account before')
})
