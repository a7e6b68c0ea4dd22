// Whoever may listen no longer is let go of with the commit that says so: nothing comes to a dead key until
// somebody looks around.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configuredKeyId } from '../../src/domain/formulas/configuredKeyId.ts'
import type { Command } from '../../src/events/command.ts'
import { StreamHub } from '../../src/host/stream/hub.ts'
import { Listener, type Outlet } from '../../src/host/stream/listener.ts'
import { createEngine } from '../../src/index.ts'
import type { EndReason } from '../../src/resources/stream.ts'
import { turns } from './untilTold.ts'
import { ALICE, BOB } from './venue.ts'

// The beat, which looks around every second, never comes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterEach(() => void vi.useRealTimers())

const secret = (digit: string) => ({ hash: digit.repeat(64), prefix: 'mtk_' })
/** As a key of the configuration has it, which alone can be amended and withdrawn. */
const keyId = configuredKeyId(secret('a').hash)
const register = { type: 'registerApiKey', keyId, userId: ALICE.userId, name: 'bot', ...secret('a') } as const

const ENDING: readonly Command[] = [
  { type: 'revokeApiKey', keyId },
  { type: 'refreshApiKey', keyId, userId: ALICE.userId, ...secret('b') },
  { type: 'amendApiKey', keyId, userId: BOB.userId, expiresAt: null },
  { type: 'withdrawApiKey', keyId },
  { type: 'setApiTrading', accountId: ALICE.accountId, enabled: false },
]

test.each(ENDING)('$type ends the streams that it is about, and no beat is waited for', async (ending) => {
  const account = { id: ALICE.accountId, userId: ALICE.userId, balance: 1_000n }
  const engine = createEngine({ seed: 'stream', at: 1_000_000, accounts: [account] })
  engine.dispatch(register)
  const hub = new StreamHub(engine, (error) => {
    throw error
  })
  const ended: string[] = []
  let obstacle: EndReason | null = null
  const outlet: Outlet = {
    unsent: 0,
    send: (messages) => {
      for (const { json } of messages) {
        const { type, data } = JSON.parse(json)
        if (type === 'end') ended.push(data.reason)
      }
    },
    taken: async () => true,
    end: () => {},
  }
  const { userId, accountId } = ALICE
  const terms = { userId, accountIds: [accountId], hearsAll: false, outlet, obstacle: () => obstacle }
  const listener = new Listener(terms)
  hub.add(listener)
  listener.begin([], engine.head)
  engine.dispatch({ type: 'adjustBalance', accountId, amount: 1n })
  await turns()
  expect(ended).toEqual([])
  expect(engine.dispatch(ending).ok).toBe(true)
  obstacle = 'session_expired'
  await turns()
  expect(ended).toEqual(['session_expired'])
  hub.close()
})
