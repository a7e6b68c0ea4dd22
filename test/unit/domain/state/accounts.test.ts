// The accounts of a venue: by id, and of a user all of them, oldest first.

import { expect, test } from 'vitest'
import { createEngine } from '../../../../src/index.ts'
import { GENESIS } from '../../../store/traffic.ts'

const USERS = ['a', 'b'].map((name) => `${name}0000000-0000-4000-8000-000000000001`)

test('of a user there are all that were opened, in their order, and none of anybody else', () => {
  const engine = createEngine(GENESIS)
  const opened = Array.from({ length: 9 }, (_, index) => {
    const userId = USERS[index % 3 === 0 ? 0 : 1] as string
    const id = `c0000000-0000-4000-8000-00000000000${index}`
    const { ok } = engine.dispatch({
      type: 'openAccount',
      account: { id, userId, balance: 1_000_000_000_000n },
    })
    expect(ok).toBe(true)
    return { id, userId }
  })
  for (const userId of USERS) {
    const own = opened.filter((account) => account.userId === userId).map(({ id }) => id)
    expect(own.length).toBeGreaterThan(1)
    expect(engine.read.accounts(userId).map(({ accountId }) => accountId)).toEqual(own)
  }
})
