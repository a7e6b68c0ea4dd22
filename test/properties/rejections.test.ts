// Rejections: the right code, and no trace (I1, I2).

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachedToMarketRejection } from '../../src/domain/commands/triggerCheck.ts'
import type { Market } from '../../src/domain/state/market.ts'
import { uncheckedOrder } from '../../src/events/placeOrder.ts'
import { createEngine, type Direction, ERRORS } from '../../src/index.ts'
import {
  aProgram,
  drive,
  MALFORMED,
  malformedOrder,
  type Program,
  VENUE_ACCOUNTS,
  VENUE_MARKETS,
  venue,
} from '../../src/testing/index.ts'
import { logOf, runs } from './runs.ts'

const accountId = VENUE_ACCOUNTS[0]?.id ?? ''
const marketId = VENUE_MARKETS[0]?.id ?? ''

describe('a rejection', () => {
  test.each(MALFORMED.map((malformed) => [malformed.code, malformed] as const))(
    '%s is what a malformed order is answered with, and nothing changes',
    (code, malformed) => {
      const engine = createEngine(venue())
      const before = engine.stateHash()
      for (const direction of ['long', 'short'] as const satisfies Direction[]) {
        const outcome = engine.dispatch(
          uncheckedOrder(malformedOrder(malformed, { accountId, marketId, direction })),
        )
        expect(outcome).toMatchObject({ ok: false, error: { code } })
      }
      expect(engine.stateHash()).toBe(before)
    },
  )

  test('leaves hash and head as they were, of every command in a run', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(40, 120), async (program: Program) => {
        const engine = createEngine(venue())
        let [hash, head] = ['', 0]
        drive(engine, await logOf(engine), program, {
          laws: [],
          // What falls due comes before the command, in commits of its own: let it, so that the rest can be told apart.
          trace: ({ at }) => {
            if (at >= engine.now) engine.dispatch({ type: 'advanceTime', ms: at - engine.now })
            hash = engine.stateHash()
            head = engine.head
          },
          witness: {
            afterCommand({ outcome }) {
              if (!outcome.ok) expect([engine.stateHash(), engine.head]).toEqual([hash, head])
            },
          },
        })
      }),
      runs(8),
    )
  })

  test('order_validation_invariant guards the projection of an order without its size', () => {
    const sizing = {
      direction: 'long',
      sizeMode: 'base',
      amount: 1n,
      baseSize: null,
      leverage: 1_000_000_000n,
    } as const
    const market = { indexPrice: 100n } as Market
    const fault = attachedToMarketRejection(market, { positions: new Map() } as never, sizing, {
      stopTriggerPrice: 1n,
      takeTriggerPrice: 0n,
    })
    expect(fault?.code).toBe('order_validation_invariant')
  })

  test('codes have one meaning each', () => {
    const meanings = Object.values(ERRORS).map(({ meaning }) => meaning)
    expect(new Set(meanings).size).toBe(meanings.length)
  })
})
